"""The reads of articles."""
