"""The rules of articles. Pure."""
