"""Answers and request bodies of the console."""
