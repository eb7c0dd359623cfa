"""How long tests wait for what is there at once on a quiet machine."""

# Seconds. What a specification promises within a time has a bound of its own.
AT_MOST_S = 45.0
