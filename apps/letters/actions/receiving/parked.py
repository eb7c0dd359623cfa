"""Letters that wait for a person's word: parked and dropped ones, and those of machines."""

import hashlib

from django.utils import timezone

from apps.core.problems import Problem
from apps.letters.actions.receiving.conversations import take_writer
from apps.letters.actions.receiving.letters import post, read_again
from apps.letters.actions.receiving.routing import route_of
from apps.letters.models import InLetter
from apps.letters.rules.mailboxes import LetterKind
from apps.letters.rules.reading.authors import LetterAuthor
from apps.letters.rules.reading.limits import NotReadable

_LEFT_OUT = (LetterKind.PARKED, LetterKind.NO_CHAT, LetterKind.DROPPED, LetterKind.REPORT)


def let_in(row: InLetter) -> bool:
    """Posts the letter into its chat, whatever kept it out; returns whether that could be.

    A letter from the mailbox's own address is taken for whom its Reply-To names.
    """
    if row.kind not in _LEFT_OUT or row.message_id is not None or (row.mailbox is None and row.thread is None):
        return False
    try:
        read = read_again(row)
    except NotReadable:
        return False
    route = route_of(row, read.letter)
    if row.reason == "ours":
        take_writer(row, read.letter, LetterAuthor.FORM)
    if row.reason == "repeated":
        row.key = hashlib.sha256(f"{row.key}\n{row.pk}".encode()).hexdigest()
    if route.thread is not None:
        row.widget_id, row.thread = route.thread.widget_id, route.thread
    rows = InLetter.objects.unscoped("a row that its reader has").filter(pk=row.pk)
    rows.update(handled_at=None)
    row.handled_at = None
    try:
        post(row, read, route)
    except Problem:
        rows.update(handled_at=timezone.now())
        return False
    return row.kind == LetterKind.MESSAGE


def delete_letter(row: InLetter) -> None:
    """Deletes a letter that is in no chat, with its raw form."""
    InLetter.objects.unscoped("a row that its reader has").filter(pk=row.pk, message=None).delete()
