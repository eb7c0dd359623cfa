"""Answers and request bodies of the visitor's side and the settings."""
