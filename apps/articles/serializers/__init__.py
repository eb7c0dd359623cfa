"""The answers and bodies of articles."""
