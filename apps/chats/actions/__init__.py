"""The only writers of contacts, chats, messages and files."""

from apps.chats.actions.attribution import (
    accept_chat,
    assign_chat,
    end_handover,
    escalate,
    report_attribution_event,
    request_operator,
    return_chat,
    transfer_chat,
    transfer_chat_to_department,
)
from apps.chats.actions.blocks import block_contact, block_visitor, lift_block
from apps.chats.actions.changes import record_contact_change, record_mark
from apps.chats.actions.contacts import (
    create_contact,
    save_contact,
    set_contact_fields,
    tag_contact,
    untag_contact,
    update_contact,
)
from apps.chats.actions.delivery import forget_deliveries, queue_deliveries
from apps.chats.actions.edits import delete_client_message, edit_client_message
from apps.chats.actions.erasure import copy_of_contact, erase_contact
from apps.chats.actions.files import FILE_FORM, fetch_file, store_file, sweep_unsent_files
from apps.chats.actions.messages import (
    PostedMessage,
    SaidMeanwhile,
    post_agent_message,
    post_client_message,
    post_machine_message,
    post_shop_word,
)
from apps.chats.actions.moving import move_chat
from apps.chats.actions.notes import post_note, post_system_message, post_system_note
from apps.chats.actions.offline import leave_contacts, leave_offline_message
from apps.chats.actions.own_messages import delete_message, edit_message
from apps.chats.actions.priorities import set_priority
from apps.chats.actions.ratings import GivenRating, RatingLink, decline_rating, rate_chat, request_rating
from apps.chats.actions.read_receipts import mark_seen
from apps.chats.actions.restoring import restore_chat, take_back_note
from apps.chats.actions.snoozes import snooze_chat, wake_chat
from apps.chats.actions.states import close_chat, mark_as_dealt_with, set_chat_state
from apps.chats.actions.sweep import Swept, sweep_chats
from apps.chats.actions.tallies import keep_tallies
from apps.chats.actions.typing import tell_operators_of_typing, tell_visitor_of_typing

__all__ = [
    "FILE_FORM",
    "GivenRating",
    "PostedMessage",
    "RatingLink",
    "SaidMeanwhile",
    "Swept",
    "accept_chat",
    "assign_chat",
    "block_contact",
    "block_visitor",
    "close_chat",
    "copy_of_contact",
    "create_contact",
    "decline_rating",
    "delete_client_message",
    "delete_message",
    "edit_client_message",
    "edit_message",
    "end_handover",
    "erase_contact",
    "escalate",
    "fetch_file",
    "forget_deliveries",
    "keep_tallies",
    "leave_contacts",
    "leave_offline_message",
    "lift_block",
    "mark_as_dealt_with",
    "mark_seen",
    "move_chat",
    "post_agent_message",
    "post_client_message",
    "post_machine_message",
    "post_note",
    "post_shop_word",
    "post_system_message",
    "post_system_note",
    "queue_deliveries",
    "rate_chat",
    "record_contact_change",
    "record_mark",
    "report_attribution_event",
    "request_operator",
    "request_rating",
    "restore_chat",
    "return_chat",
    "save_contact",
    "set_chat_state",
    "set_contact_fields",
    "set_priority",
    "snooze_chat",
    "store_file",
    "sweep_chats",
    "sweep_unsent_files",
    "tag_contact",
    "take_back_note",
    "tell_operators_of_typing",
    "tell_visitor_of_typing",
    "transfer_chat",
    "transfer_chat_to_department",
    "untag_contact",
    "update_contact",
    "wake_chat",
]
