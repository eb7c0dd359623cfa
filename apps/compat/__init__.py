"""Compat: a third-party chat platform's wire format, so that integrations migrate by swapping base URL and token.

Owns: the routes under `/compat/legacy` and what their messages mean here; a widget's bot, and what it is told. Does not
own: what bots do, which are the actions of chats and of custom channels (messengers), nor how they are told (webhooks).
"""
