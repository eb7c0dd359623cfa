"""Routing over REST."""
