"""Answers and request bodies of the legacy wire format."""
