"""Databases of earlier releases, kept as dumps, and what is asked of each: one step leads from it to this code."""
