"""Celery's entry points."""

from celery import shared_task
from django.utils.translation import gettext_noop as _

from apps.leases import Queue
from apps.support.actions import codes
from apps.support.actions.envelopes import forget_old_nonces
from apps.support.actions.facts import open_unanswered as open_all_unanswered
from apps.support.actions.records import forget_old_actions
from apps.support.actions.replies import confirm_replies as confirm_all
from apps.support.actions.requests import forget_old_requests
from apps.support.models import ClaimedMessage, EmailCode

TAKEN_QUEUE = Queue(
    model=ClaimedMessage,
    title=_("messages for the support desk"),
    work=codes.process_claimed,
    waits=(1, 5, 15, 60),
    in_flight=2,
)
CODE_QUEUE = Queue(
    model=EmailCode,
    title=_("codes by e-mail"),
    work=codes.send_code,
    given_up=codes.given_up,
    waits=(5, 15),
    in_flight=2,
)


@shared_task
def forget_old_calls() -> None:
    """Deletes what signed calls left, and codes, once they count no more."""
    forget_old_nonces()
    forget_old_requests()
    codes.forget_old_codes()


@shared_task
def confirm_replies() -> None:
    """Looks at replies again that were not seen to be stored."""
    confirm_all()


@shared_task
def open_unanswered() -> None:
    """Opens tickets of chats that were handed over and are still unanswered."""
    open_all_unanswered()


@shared_task
def forget_actions() -> None:
    """Deletes what agents did over 180 days ago."""
    forget_old_actions()
