"""Answers to other apps: how events are delivered, and how deliveries are forgotten."""

from apps.chats.questions import ChatHooks
from apps.core.plugins import Hooks
from apps.webhooks.actions.outbox import send_cte
from apps.webhooks.actions.retention import forget_batch

HOOKS = Hooks(delivery_engine=send_cte)
TO_CHATS = ChatHooks(forgets=forget_batch)
