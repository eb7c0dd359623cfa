"""Writing reviews and scorecards."""
