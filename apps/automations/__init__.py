"""Automations: acts in a chat that follow an event or a wait by themselves, and macros, which do several at a click.

Owns automations with their versions, the log of their runs, macros, and the events of chats that automations wait to
judge. It does not own the facts of a chat that acts change (`chats`), timers (`chats`), or the router (`routing`).
"""
