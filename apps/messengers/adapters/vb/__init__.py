"""Viber."""
