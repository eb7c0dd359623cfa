"""Messengers: conversations that come by another way than the on-site widget, and go back by it.

Owns: custom channels (a customer's own messenger, connected by the customer's own code), and who writes by which of
them. Does not own: the chats and contacts that come of it (chats), how an outbound call is queued and repeated (the
engine of webhooks, by the contract in core), the legacy wire format's addresses (compat).
"""
