"""The writers of routing."""
