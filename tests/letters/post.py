"""A mail server's letters: queued as of a moment, and sent by what workers do."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.utils import timezone

from apps.leases import claims
from apps.letters.actions.answers import mail_unseen_answers
from apps.letters.tasks import OUTBOX

Answering = Callable[..., int]


def after(minutes: float) -> datetime:
    return timezone.now() + timedelta(minutes=minutes)


def queue(minutes: float = 6) -> int:
    return mail_unseen_answers(as_of=after(minutes))


def work() -> int:
    """What workers do with the letters that are due; returns how many there were."""
    leases = claims.claim(OUTBOX, wanted=99)
    for lease in leases:
        lease.run()
    return len(leases)
