"""Routing: to whom a waiting chat is offered, in which order, and why.

Owns the settings of routing and answer times, the operators' places, the queue of each department and the log of
offers. It does not own the chats' facts that others read (`offered_to`, `queued_at`: app `chats`), hours and presence
(app `agents`), or the acts of people in a chat: its limits bind the router alone.
"""
