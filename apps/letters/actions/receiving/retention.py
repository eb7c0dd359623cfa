"""How long letters are kept that are in no chat. A chat's letters live as long as their message."""

from datetime import timedelta

from django.utils import timezone

from apps.letters.models import InLetter, SenderJob
from apps.letters.rules.mailboxes import LetterKind

KEPT = {
    LetterKind.NO_CHAT: timedelta(days=30),
    LetterKind.PARKED: timedelta(days=7),
    LetterKind.DROPPED: timedelta(days=30),
    LetterKind.REPORT: timedelta(days=90),
    LetterKind.STOP: timedelta(days=90),
}
BATCH = 1_000


def forget_old_letters() -> int:
    """Deletes a batch of what is kept no longer; returns how many letters. Harmless when run twice at once.

    An address of whose letters none waits is forgotten with them.
    """
    forgotten = 0
    SenderJob.objects.filter(due_at=None).delete()
    for kind, kept in KEPT.items():
        rows = InLetter.objects.unscoped("every widget's e-mails without a chat")
        old = rows.filter(kind=kind, message=None, received_at__lt=timezone.now() - kept)
        count, _ = (
            InLetter.objects.unscoped("found just now")
            .filter(pk__in=list(old.values_list("pk", flat=True)[:BATCH]))
            .delete()
        )
        forgotten += count
    return forgotten
