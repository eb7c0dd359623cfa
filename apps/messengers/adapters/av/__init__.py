"""Avito."""
