"""Compat: a third-party chat platform's wire format, so that integrations migrate by swapping base URL and token.

Owns: the routes under `/compat/legacy` and what their messages mean here. Does not own: what they do, which are the
actions of chats and of custom channels (messengers), nor the events that a bot subscribes to (webhooks).
"""
