"""Answers and request bodies of assistants, credentials and external operators."""
