"""The one writer of what a letter tells of its thread: each fact as far as the letter's standing lets it count."""

from collections.abc import Sequence

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext

from apps.chats import actions as chats
from apps.letters.actions.outbox import add_reference
from apps.letters.models import InLetter, Mailbox, Thread
from apps.letters.rules.addresses import read_address
from apps.letters.rules.mailboxes import bare_subject, is_mailbox
from apps.letters.rules.reading.letters import Letter
from apps.letters.rules.standing import LetterFact, Standing, is_shown, is_taken

MAX_COPIES = 10
MAX_REFERENCE = 900


def take_facts(row: InLetter, letter: Letter, thread: Thread, standing: Standing, *, channel: str) -> None:
    """Writes the thread's copies and subject (of a mailbox's chat alone), its references, and that it was answered.

    Recipients that do not count are told to operators, who may add them. In the transaction under way.
    """
    row.standing = standing
    changed: list[str] = []
    if is_mailbox(channel):
        copies = _copies_of(row, thread)
        if is_taken(LetterFact.RECIPIENTS, standing):
            thread.copies = copies
            changed.append("copies")
        elif is_shown(LetterFact.RECIPIENTS, standing):
            _show_recipients(row, thread, copies)
        if is_taken(LetterFact.SUBJECT, standing):
            thread.subject = bare_subject(row.subject)[:255] or thread.subject
            changed.append("subject")
    if is_taken(LetterFact.ADDRESSEE, standing):
        thread.answered_at = timezone.now()
        changed.append("answered_at")
    if changed:
        thread.save(update_fields=changed)
    if is_taken(LetterFact.REFERENCES, standing) and letter.message_id and len(letter.message_id) <= MAX_REFERENCE:
        add_reference(thread, f"<{letter.message_id}>")


def _copies_of(row: InLetter, thread: Thread) -> list[str]:
    """The letter's other recipients, without the addresses that are ours."""
    ours = {thread.address, row.sender}
    ours |= set(Mailbox.objects.for_widget(thread.widget_id).values_list("address", flat=True))
    others = [one for one in dict.fromkeys(row.copies) if one not in ours]
    return [one for one in others if read_address(settings.MAIL_REPLY_ADDRESS, one) is None][:MAX_COPIES]


def _show_recipients(row: InLetter, thread: Thread, copies: Sequence[str]) -> None:
    """Tells operators of recipients that they have not been told of."""
    before = InLetter.objects.for_widget(thread.widget_id).filter(chat_id=thread.chat_id).exclude(pk=row.pk)
    known = {*thread.copies, *(one for told in before.values_list("copies", flat=True)[:200] for one in told)}
    if new := [one for one in copies if one not in known]:
        body = gettext("The sender is not proven. These recipients get no copy of answers until you add them: %s")
        chats.post_system_note(widget_id=thread.widget_id, chat_id=thread.chat_id, body=body % ", ".join(new))
