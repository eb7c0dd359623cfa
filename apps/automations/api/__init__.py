"""Automations and macros over REST."""
