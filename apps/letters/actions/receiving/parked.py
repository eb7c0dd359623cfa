"""Letters that wait for a person's word: parked ones, and those of machines that somebody wants in a chat after all."""

from apps.letters.actions.receiving.letters import post, read_again
from apps.letters.actions.receiving.routing import route_of
from apps.letters.models import InLetter
from apps.letters.rules.mailboxes import LetterKind
from apps.letters.rules.reading.limits import NotReadable


def let_in(row: InLetter) -> bool:
    """Posts the letter into its chat, whatever kept it out; returns whether that could be."""
    if row.kind not in (LetterKind.PARKED, LetterKind.NO_CHAT) or (row.mailbox is None and row.thread is None):
        return False
    try:
        read = read_again(row)
    except NotReadable:
        return False
    InLetter.objects.unscoped("a row that its reader has").filter(pk=row.pk).update(handled_at=None)
    row.handled_at = None
    post(row, read, route_of(row, read.letter))
    return row.kind == LetterKind.MESSAGE


def delete_letter(row: InLetter) -> None:
    """Deletes a letter that is in no chat, with its raw form."""
    InLetter.objects.unscoped("a row that its reader has").filter(pk=row.pk, message=None).delete()
