"""Changing articles, their categories and their help center."""
