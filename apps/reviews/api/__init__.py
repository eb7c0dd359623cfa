"""Reviews over REST."""
