"""Answers to other apps: how events are delivered, and how deliveries are forgotten."""

from apps.core.plugins import Hooks
from apps.webhooks.actions.outbox import send_cte
from apps.webhooks.actions.retention import forget_batch

HOOKS = Hooks(delivery_engine=send_cte, forgets=forget_batch)
