"""Answers to other apps: the channels of messengers."""

from apps.agents.questions import AgentHooks
from apps.chats.questions import ChatHooks
from apps.messengers.actions.changes import can_change
from apps.messengers.actions.continuing import continuation_link
from apps.messengers.actions.overview import messenger_facts, served_config
from apps.messengers.actions.reach import is_unreachable
from apps.messengers.adapters import is_messenger
from apps.messengers.querysets import cabinet_ids

# Of a custom channel's chat: by which names the channel knows the contact and itself. By hand: a part of the statement
# that reads a chat (bench: post). Index: that of `contact`.
_PEER = """
SELECT json_build_object('conversation', conversation, 'external_channel_id', external_channel_id)
FROM messengers_peer
WHERE starts_with(chat.channel, 'ch') AND channel = chat.channel AND contact_id = chat.contact_id
      AND widget_id = chat.widget_id
ORDER BY id LIMIT 1"""

TO_CHATS = ChatHooks(
    read_with_chat=_PEER,
    changes_sent=can_change,
    continues=continuation_link,
    delivers=is_messenger,
    is_unreachable=is_unreachable,
    served_config=served_config,
)
TO_AGENTS = AgentHooks(ad_cabinets=cabinet_ids, messengers=messenger_facts)
