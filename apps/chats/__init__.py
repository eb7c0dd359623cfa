"""Chats: the conversation between a visitor and a widget's operators.

Owns: contacts, chats, messages, the chat's states and attribution, the idle sweep, the realtime fan-out.
Does not own: how a visitor reaches it (widget), who operators are (agents), who is told by webhook (webhooks).
"""
