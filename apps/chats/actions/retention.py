"""Forgetting what a widget keeps no longer: on the beat, in small batches, each a transaction of its own.

Each app forgets its own (`plugins.Plugin.forgets`); here are the chats, files and contacts. Rows that another
transaction has locked are left to the next run.
"""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from apps.chats.models import Chat, Contact, File, Message, Retention
from apps.chats.questions import ChatHooks, visitor_facts
from apps.chats.rules import Status
from apps.chats.rules.files import FilePurpose
from apps.chats.rules.messages import files_of
from apps.chats.rules.retention import CHATS, CONTACTS, FILES, kept_since
from apps.core import plugins

# Rows of a batch: well under 100 ms. Batches of a widget in one run; what is left, the next one takes.
BATCH, MESSAGES, BATCHES = 50, 500, 200
OVER = (Status.EXPIRED, Status.SPAM)


def forget_old(*, as_of: datetime) -> int:
    """One run over all widgets that keep something for a time; how much was forgotten. Harmless run twice at once."""
    forgets = plugins.hooked(lambda app: app.forgets, ChatHooks)
    total = 0
    for retention in list(Retention.objects.unscoped("every widget's rows").all()):
        for _ in range(BATCHES):
            found = sum(forget(retention.pk, retention.days(), as_of) for forget in forgets)
            total += found
            if not found:
                break
    return total


def forget_batch(widget_id: int, days: Mapping[str, int], now: datetime) -> int:
    """One batch of the widget's chats that are over, of its files, and of contacts without chats."""
    found = 0
    if (since := kept_since(days, CHATS, now)) is not None:
        found += _forget_chats(widget_id, since)
    if (since := kept_since(days, FILES, now)) is not None:
        found += _forget_files(widget_id, since)
    if (since := kept_since(days, CONTACTS, now)) is not None:
        found += _forget_contacts(widget_id, since)
    return found


@transaction.atomic
def _forget_chats(widget_id: int, since: datetime) -> int:
    """Their messages first, so many at once, with the files that these carry; then the chats that have none left.

    Index: chats_chat_by_status, backwards.
    """
    old = Chat.objects.for_widget(widget_id).filter(status__in=OVER, created_at__lt=since)
    old = old.filter(Q(last_message_at=None) | Q(last_message_at__lt=since)).order_by("created_at", "id")
    chats = list(old.select_for_update(of=("self",), skip_locked=True).values_list("pk", flat=True)[:BATCH])
    messages = Message.objects.for_widget(widget_id).filter(chat_id__in=chats).order_by("chat_id", "id")
    batch = dict(messages.values_list("pk", "details")[:MESSAGES])
    files = [file["id"] for details in batch.values() for file in files_of(details)]
    Message.objects.for_widget(widget_id).filter(pk__in=batch).delete()
    File.objects.for_widget(widget_id).filter(pk__in=files, purpose=FilePurpose.ATTACHMENT).delete()
    if len(batch) == MESSAGES:
        return MESSAGES
    Chat.objects.for_widget(widget_id).filter(pk__in=chats).delete()
    return len(batch) + len(chats)


@transaction.atomic
def _forget_files(widget_id: int, since: datetime) -> int:
    """Deletes attachments of both sides: messages go on naming them, and their addresses answer 404."""
    old = File.objects.for_widget(widget_id).filter(created_at__lt=since, purpose=FilePurpose.ATTACHMENT)
    keys = list(old.select_for_update(skip_locked=True).values_list("pk", flat=True)[:BATCH])
    File.objects.for_widget(widget_id).filter(pk__in=keys).delete()
    return len(keys)


def _forget_contacts(widget_id: int, since: datetime) -> int:
    """Deletes contacts without a chat that were neither changed nor seen since.

    Index: chats_contact_list, backwards.
    """
    old = Contact.objects.for_widget(widget_id).filter(created_at__lt=since, updated_at__lt=since, chats=None)
    last, gone = 0, 0
    while not gone:
        keys = list(old.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH])
        if not keys:
            break
        last = keys[-1]
        with transaction.atomic():
            unseen = set(keys) - _seen_since(widget_id, keys, since)
            locked = old.filter(pk__in=unseen).select_for_update(of=("self",), skip_locked=True)
            gone, _ = (
                Contact.objects.for_widget(widget_id).filter(pk__in=list(locked.values_list("pk", flat=True))).delete()
            )
    return gone


def _seen_since(widget_id: int, contact_ids: list[int], since: datetime) -> set[int]:
    """The contacts that were seen since then, as the apps of channels know it."""
    return {
        contact_id
        for contact_id, facts in visitor_facts(widget_id, contact_ids).items()
        if facts["last_seen_at"] >= since
    }
