"""Changing articles, and what they stand in."""
