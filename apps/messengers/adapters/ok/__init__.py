"""Odnoklassniki."""
