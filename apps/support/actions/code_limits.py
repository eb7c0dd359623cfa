"""How many codes are mailed, and how many are tried: nobody has proved that the mailbox is theirs.

All are counted in PostgreSQL, exactly. The caller holds the chat's lock.
"""

import hashlib
import hmac
from datetime import timedelta

from django.conf import settings

from apps.accounts.rules.mailboxes import counted_mailbox
from apps.chats.models import Chat
from apps.chats.questions import contact_address, is_mail_stopped
from apps.core.errors import RATE_LIMITED
from apps.core.quotas import Quota

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
OF_WIDGET = Quota("email_codes_of_widget", 300, DAY, RATE_LIMITED)
OF_ADDRESS = Quota("email_codes_of_address", 40, HOUR, RATE_LIMITED)
OF_CHAT = Quota("email_codes_of_chat", 3, HOUR, RATE_LIMITED)
OF_MAILBOX = Quota("email_codes_of_mailbox", 5, HOUR, RATE_LIMITED)
TRIES = Quota("email_code_tries", 10, HOUR, RATE_LIMITED)
# Wrong codes of a mailbox, whatever the chats and widgets: who guesses waits an hour, and then until tomorrow.
WRONG = (
    Quota("email_codes_wrong_an_hour", 10, HOUR, RATE_LIMITED),
    Quota("email_codes_wrong_a_day", 20, DAY, RATE_LIMITED),
)


def may_mail_code(chat: Chat, mailbox: str) -> bool:
    """Counts a code for a mailbox, if every limit has room for it, and its owner has not stopped the chat's mail."""
    widget_id, key = chat.widget_id, mailbox_key(mailbox)
    if any(is_mail_stopped(widget_id, one) for one in {mailbox, counted_mailbox(mailbox)}):
        return False
    budgets = [(OF_WIDGET, str(widget_id)), (OF_CHAT, str(chat.pk)), (OF_MAILBOX, key)]
    if address := contact_address(widget_id, chat.pk):
        budgets.insert(1, (OF_ADDRESS, address))
    if any(quota.wait_s(of) for quota, of in budgets) or _is_guessed_at(key):
        return False
    for quota, of in budgets:
        quota.spend(of)
    return True


def may_compare(chat: Chat, mailbox: str) -> bool:
    """Counts a try of a code, if the chat may have one more, and the mailbox is not being guessed at."""
    if TRIES.wait_s(chat.pk) or _is_guessed_at(mailbox_key(mailbox)):
        return False
    TRIES.spend(chat.pk)
    return True


def note_wrong(mailbox: str) -> None:
    """Counts a code that was wrong."""
    for quota in WRONG:
        quota.spend(mailbox_key(mailbox))


def _is_guessed_at(key: str) -> bool:
    return any(quota.wait_s(key) for quota in WRONG)


def mailbox_key(mailbox: str) -> str:
    """The key of a mailbox's limits over all widgets; it does not reveal the mailbox."""
    text = f"parley.mailbox:{counted_mailbox(mailbox)}".encode()
    return hmac.new(settings.SECRET_KEY.encode(), text, hashlib.sha256).hexdigest()[:32]
