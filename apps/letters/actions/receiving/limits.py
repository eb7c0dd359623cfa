"""How many letters of an hour go into chats; more are parked, and shown to the widget's owner."""

from datetime import timedelta

from django.conf import settings
from django.db.models import Sum
from django.utils import timezone

from apps.accounts.rules.mailboxes import counted_mailbox
from apps.chats.models import Contact
from apps.core.endpoints.uploads import MB
from apps.letters.actions.receiving.routing import LetterRoute
from apps.letters.models import Correspondent, InLetter
from apps.letters.rules.mailboxes import LetterKind
from apps.letters.rules.reading.proofs import Proof

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
OF_A_SENDER, OF_A_DOOR, NEW_SENDERS = 30, 600, 120
# Of an hour, newest first: beyond that a door has no room anyway.
MOST_COUNTED = 5_000


def contact_of(row: InLetter, route: LetterRoute) -> int | None:
    """The contact whose chat the letter would go to; None for a new one."""
    if route.thread is not None:
        rows = Contact.objects.for_widget(route.thread.widget_id).filter(chats__id=route.thread.chat_id)
        return rows.values_list("id", flat=True).first()
    known = Correspondent.objects.for_widget(row.widget_id or 0).filter(mailbox=row.mailbox, address=row.sender)
    return known.values_list("contact_id", flat=True).first()


def has_room_for_raw(row: InLetter) -> bool:
    """Whether the raw form of a letter is kept: as many megabytes a day of a widget as its uploads may have
    (WIDGET_UPLOADS_MB), in chats and outside alike; at the installation's doors that much for those that lead nowhere.
    Letters that nobody proved use up no room of proved ones.
    """
    rows = InLetter.objects.unscoped("of one widget, or of letters that are nobody's").filter(widget=row.widget)
    rows = rows.filter(received_at__gt=timezone.now() - DAY, handled_at__isnull=False)
    rows = rows.filter(proof=Proof.PASS) if row.proof == Proof.PASS else rows.exclude(proof=Proof.PASS)
    kept = rows.exclude(raw_key="").exclude(pk=row.pk).aggregate(size=Sum("size"))["size"] or 0
    return kept + row.size <= settings.WIDGET_UPLOADS_MB * MB


def over_limit(row: InLetter, route: LetterRoute) -> str:
    """The limit that is used up in this hour; empty for none.

    All are the widget's own, and letters that nobody proved count apart from proved ones: what a stranger forges uses
    up nobody else's room. A sender is one whatever the spelling of the address.
    """
    rows = InLetter.objects.for_widget(row.widget_id or 0)
    rows = rows.filter(received_at__gt=timezone.now() - HOUR, kind=LetterKind.MESSAGE).exclude(pk=row.pk)
    rows = rows.filter(proof=Proof.PASS) if row.proof == Proof.PASS else rows.exclude(proof=Proof.PASS)
    senders = list(rows.order_by("-id").values_list("sender", "mailbox_id")[:MOST_COUNTED])
    own = counted_mailbox(row.sender)
    if row.sender and sum(counted_mailbox(sender) == own for sender, _ in senders) >= OF_A_SENDER:
        return "sender"
    if route.thread is not None and rows.filter(thread=route.thread)[:OF_A_SENDER].count() >= OF_A_SENDER:
        return "thread"
    here = {counted_mailbox(sender) for sender, mailbox_id in senders if mailbox_id == row.mailbox_id}
    if sum(mailbox_id == row.mailbox_id for _, mailbox_id in senders) >= OF_A_DOOR:
        return "door"
    if route.thread is None and contact_of(row, route) is None:
        new = Correspondent.objects.for_widget(row.widget_id or 0)
        new = new.filter(mailbox=row.mailbox, created_at__gt=timezone.now() - HOUR)
        found = {counted_mailbox(one) for one in new.values_list("address", flat=True)[:MOST_COUNTED]}
        if len(found & here) >= NEW_SENDERS:
            return "new_senders"
    return ""
