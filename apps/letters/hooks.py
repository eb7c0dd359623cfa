"""Answers to other apps: who wants no letters, which channels are mailboxes, which letters are for people."""

from apps.core.plugins import Hooks
from apps.letters.actions.addresses import MAIL_STOPS
from apps.letters.actions.receiving.people import taken_messages
from apps.letters.rules.mailboxes import is_mailbox

HOOKS = Hooks(mail_stops=MAIL_STOPS, delivers=is_mailbox, taken_messages=taken_messages)
