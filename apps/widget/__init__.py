"""Widget: what a visitor meets on a page, and what an operator works in.

Owns: the embed code, the visitor's HTTP calls and websocket, visitor sessions, the served configuration, the demo page.
Does not own: the conversation itself (chats), operators (agents).
"""
