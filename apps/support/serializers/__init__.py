"""Answers and request bodies of the support desk."""
