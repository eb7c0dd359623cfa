"""Webhooks: a widget's systems are told what happened, by signed POSTs that are never lost.

Owns: subscriptions, the catalogue of events, the outbox, delivery with its retries, the delivery log.
Does not own: the events themselves (chats and the apps that publish them), how an address is vetted (core egress).
"""
