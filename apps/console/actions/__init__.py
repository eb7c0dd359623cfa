"""Operators come in, leave, answer, and keep canned replies."""
