"""The visitors who wait for an answer, and since when: the one rule behind every list and count of them.

A chat waits that is no spam, not between colleagues, not put aside (`snoozes.py`), and in which its visitor has said
something, while

- its visitor's message is the last, and newer than `dealt_with_message_id`; not
  while it is an AI or external operator's turn;
- it was handed over to people (`handed_over_at`); or
- a message of its visitor is one that machines leave to people (`for_people_since`: an offline form, a letter to a
  mailbox whose AI does not answer), and no person has written since.

A chat that the sweep has closed still waits, for UNANSWERED_FOR; then no AI turn is waited for. `actions/sweep.py`
marks such chats (`left_unanswered_at`) by the same rule (`waits_once_closed`), so that they are found among the many
closed ones. Chats that were closed before this was noted do not wait.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Case, DateTimeField, F, Q, When
from django.db.models.functions import Coalesce, Least

from apps.accounts.rules import ANSWER_FIRST
from apps.chats.querysets.snoozes import is_snoozed
from apps.chats.rules import OPEN, SenderKind, Status
from apps.chats.rules.attribution import AI_HAS_IT

UNANSWERED_FOR = timedelta(days=30)


def may_wait(now: datetime) -> Q:
    """The chats to look among. Indexes: chats_chat_inbox, chats_chat_left."""
    return Q(status__in=OPEN) | Q(left_unanswered_at__gt=now - UNANSWERED_FOR)


def is_machines_turn() -> Q:
    """The open chats in which a machine has the word, if one answers the widget's visitors."""
    return Q(status__in=OPEN, handling__in=AI_HAS_IT, agent_id=None, handed_over_at=None)


def waits_once_closed() -> Q:
    """The chats that wait if they are closed now without an answer."""
    return Q(internal=False, has_client_messages=True) & (
        _has_word() | Q(handed_over_at__isnull=False) | Q(for_people_since__isnull=False)
    )


def waits_since(now: datetime) -> Any:
    """Since when a chat waits for an answer; null for one that does not."""
    machine_has_it = is_machines_turn() & Q(
        widget__answerers__overlap=[str(each) for each in ANSWER_FIRST], for_people_since=None
    )
    since_before = Q(waiting_since__lt=F("widget__answered_first_since"))
    since = Least(
        F("handed_over_at"),
        F("for_people_since"),
        Case(When(_has_word() & (~machine_has_it | since_before), then=Coalesce("waiting_since", "last_message_at"))),
    )
    is_out = Q(internal=True) | Q(status=Status.SPAM) | Q(has_client_messages=False) | is_snoozed()
    is_over = Q(status=Status.EXPIRED) & (Q(left_unanswered_at=None) | Q(left_unanswered_at__lte=now - UNANSWERED_FOR))
    return Case(When(is_out | is_over, then=None), default=since, output_field=DateTimeField())


def _has_word() -> Q:
    """The chats whose last message is the visitor's, and asks for an answer."""
    return Q(last_message__sender_kind=SenderKind.CLIENT) & (
        Q(dealt_with_message_id=None) | Q(last_message_id__gt=F("dealt_with_message_id"))
    )
