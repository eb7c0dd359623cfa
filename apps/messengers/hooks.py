"""Answers to other apps: the channels of messengers."""

from apps.core.plugins import Hooks
from apps.messengers.actions.changes import can_change
from apps.messengers.actions.continuing import continuation_link
from apps.messengers.actions.overview import served_config
from apps.messengers.querysets import cabinet_ids
from apps.messengers.rules.providers import is_messenger

# Of a custom channel's chat: by which names the channel knows the contact and itself. By hand: a part of the statement
# that reads a chat (bench: post). Index: that of `contact`.
_PEER = """
SELECT json_build_object('conversation', conversation, 'external_channel_id', external_channel_id)
FROM messengers_peer
WHERE starts_with(chat.channel, 'ch') AND channel = chat.channel AND contact_id = chat.contact_id
      AND widget_id = chat.widget_id
ORDER BY id LIMIT 1"""

HOOKS = Hooks(
    read_with_chat=_PEER,
    ad_cabinets=cabinet_ids,
    changes_sent=can_change,
    continues=continuation_link,
    delivers=is_messenger,
    served_config=served_config,
)
