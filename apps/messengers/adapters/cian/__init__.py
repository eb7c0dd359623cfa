"""Cian."""
