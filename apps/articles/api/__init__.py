"""The calls of articles over REST."""
