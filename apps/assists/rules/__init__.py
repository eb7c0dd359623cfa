"""Prompts of the help for operators, and how answers are read. Pure."""
