"""Answers to other apps: who wants no letters, which channels are mailboxes, which letters are for people."""

from apps.chats.questions import ChatHooks
from apps.letters.actions.addresses import MAIL_STOPS
from apps.letters.actions.mailbox_names import mailbox_names
from apps.letters.actions.reach import is_unreachable
from apps.letters.actions.receiving.people import TAKEN_MESSAGES, automatic_messages
from apps.letters.rules.mailboxes import is_mailbox

TO_CHATS = ChatHooks(
    mail_stops=MAIL_STOPS,
    delivers=is_mailbox,
    is_unreachable=is_unreachable,
    channel_names=mailbox_names,
    taken_messages=TAKEN_MESSAGES,
    automatic_messages=automatic_messages,
)
