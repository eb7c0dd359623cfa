"""Answers to other apps: the channels of messengers."""

from apps.core.plugins import Hooks
from apps.messengers.actions.changes import can_change
from apps.messengers.actions.continuing import continuation_link
from apps.messengers.actions.overview import served_config
from apps.messengers.querysets import cabinet_ids
from apps.messengers.rules.providers import is_messenger

HOOKS = Hooks(
    ad_cabinets=cabinet_ids,
    changes_sent=can_change,
    continues=continuation_link,
    delivers=is_messenger,
    served_config=served_config,
)
