"""Apple Messages."""
