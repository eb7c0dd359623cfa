"""What a widget keeps for so many days only: chats, files, contacts, deliveries, exchanges."""

import uuid
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db.models import Model
from django.test import Client
from django.utils import timezone

from apps.accounts.actions.settings import change_settings
from apps.accounts.models import AuditEntry, Widget
from apps.ai.models import Exchange
from apps.chats.actions import retention, store_file
from apps.chats.actions.retention import forget_old
from apps.chats.models import Chat, Contact, File, Message, Retention
from apps.chats.rules import Status
from apps.chats.settings import RETENTION
from apps.core.endpoints.uploads import ReceivedFile
from apps.webhooks.models import Attempt, Delivery, Event
from tests.cast import Rival
from tests.factories.ai import ExchangeFactory
from tests.factories.chats import ChatFactory, ContactFactory, MessageFactory
from tests.factories.webhooks import DeliveryFactory, SubscriptionFactory
from tests.factories.widget import VisitorSessionFactory

pytestmark = pytest.mark.django_db

NOW = timezone.now()
OLD, NEW = NOW - timedelta(days=40), NOW - timedelta(days=20)


def dated(row: Any, at: datetime, *fields: str) -> Any:
    row._meta.model._base_manager.filter(pk=row.pk).update(**dict.fromkeys(fields, at))
    return row


def chat_of(widget: Widget, at: datetime, *, status: Status = Status.EXPIRED, messages: int = 1) -> Chat:
    chat: Chat = ChatFactory.create(contact__widget=widget)
    MessageFactory.create_batch(messages, chat=chat)
    Chat.objects.filter(pk=chat.pk).update(status=status, created_at=at, last_message_at=at)
    return chat


def is_there(row: Model) -> bool:
    return bool(row._meta.model._base_manager.filter(pk=row.pk).exists())


def sweep(widget: Widget, **days: int) -> int:
    change_settings(RETENTION, widget_id=widget.pk, changes=days)
    return forget_old(as_of=NOW)


def test_chats_that_are_over_go_with_their_messages(shop: Widget) -> None:
    old, new, still_open = chat_of(shop, OLD), chat_of(shop, NEW), chat_of(shop, OLD, status=Status.ACTIVE)
    sweep(shop, chats=30)
    assert [is_there(chat) for chat in (old, new, still_open)] == [False, True, True]
    assert not Message.objects.filter(chat_id=old.pk).exists()
    assert Message.objects.count() == 2
    assert is_there(old.contact)


def test_a_long_chat_goes_in_batches(shop: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "MESSAGES", 3)
    chat = chat_of(shop, OLD, messages=10)
    change_settings(RETENTION, widget_id=shop.pk, changes={"chats": 30})
    assert retention.forget_batch(shop.pk, {"chats": 30}, NOW) == 3
    assert (is_there(chat), Message.objects.count()) == (True, 7)
    forget_old(as_of=NOW)
    assert (is_there(chat), Message.objects.count()) == (False, 0)


def test_a_chat_that_was_talked_in_since_stays(shop: Widget) -> None:
    chat = chat_of(shop, OLD)
    Chat.objects.filter(pk=chat.pk).update(last_message_at=NEW)
    sweep(shop, chats=30)
    assert is_there(chat)


def file_of(widget: Widget, at: datetime) -> File:
    with ReceivedFile("roses.txt") as upload:
        upload.write(b"Roses")
        file = store_file(widget_id=widget.pk, upload=upload)
    dated(file, at, "created_at")
    return file


def test_files_go_and_their_messages_stay(shop: Widget, chat: Chat) -> None:
    old, new = file_of(shop, OLD), file_of(shop, NEW)
    message = MessageFactory.create(chat=chat, details={"file": {"id": old.pk, "name": old.name}})
    sweep(shop, files=30)
    assert (is_there(old), is_there(new), is_there(message)) == (False, True, True)


def test_a_chats_files_go_with_it(shop: Widget) -> None:
    file, chat = file_of(shop, NEW), chat_of(shop, OLD)
    Message.objects.filter(chat=chat).update(details={"file": {"id": file.pk}})
    sweep(shop, chats=30)
    assert not is_there(file)


def test_contacts_without_a_chat_go_unless_they_were_seen(shop: Widget) -> None:
    alone, with_chat, seen, new = ContactFactory.create_batch(4, widget=shop)
    for contact in (alone, with_chat, seen):
        dated(contact, OLD, "created_at", "updated_at")
    ChatFactory.create(contact=with_chat)
    VisitorSessionFactory.create(contact=seen)
    sweep(shop, contacts=30)
    assert [is_there(contact) for contact in (alone, with_chat, seen, new)] == [False, True, True, True]


def test_deliveries_go_but_those_that_wait(shop: Widget) -> None:
    subscription = SubscriptionFactory.create(widget=shop)
    rows = {}
    for name, at, status in (("old", OLD, "delivered"), ("new", NEW, "delivered"), ("waits", OLD, "pending")):
        event = Event.objects.create(guid=uuid.uuid4(), widget=shop, type="chat.closed", body="{}")
        dated(event, at, "created_at")
        rows[name] = DeliveryFactory.create(event=event, subscription=subscription, status=status)
        Attempt.objects.create(delivery=rows[name], number=1, started_at=at, milliseconds=1)
    sweep(shop, deliveries=30)
    assert {name for name, row in rows.items() if is_there(row)} == {"new", "waits"}
    assert (Event.objects.count(), Delivery.objects.count(), Attempt.objects.count()) == (2, 2, 2)


def test_old_reply_logs_are_deleted(chat: Chat) -> None:
    old, new = ExchangeFactory.create(chat=chat), ExchangeFactory.create(chat=chat)
    dated(old, OLD, "at")
    dated(new, NEW, "at")
    sweep(chat.widget, exchanges=30)
    assert [row.pk for row in Exchange.objects.all()] == [new.pk]


def test_without_days_everything_stays_and_another_widgets_does_always(shop: Widget, rival: Rival) -> None:
    mine, others = chat_of(shop, OLD), chat_of(rival.widget, OLD)
    assert forget_old(as_of=NOW) == 0
    sweep(shop, files=30)
    assert is_there(mine)
    sweep(shop, chats=30)
    assert (is_there(mine), is_there(others)) == (False, True)
    change_settings(RETENTION, widget_id=shop.pk, changes={"chats": None, "files": None})
    assert Retention.objects.get().days() == {}


class TestCabinet:
    def test_a_manager_sets_it_and_the_trail_knows(self, cabinet: Client, shop: Widget) -> None:
        form = {"chats": "365", "files": "", "contacts": "", "deliveries": "30", "exchanges": ""}
        page = f"/admin/chats/retention/{shop.pk}/change/"
        assert cabinet.post(page, form).status_code == 302
        assert Retention.objects.get().days() == {"chats": 365, "deliveries": 30}
        assert cabinet.post(page, form | {"chats": "30"}).status_code == 302
        assert Retention.objects.get().chats == 30
        assert AuditEntry.objects.latest("pk").changes["chats"] == ["365", "30"]

    @pytest.mark.parametrize("days", ["0", "-1", "3651", "x"])
    def test_what_is_no_number_of_days_is_refused(self, cabinet: Client, shop: Widget, days: str) -> None:
        answer = cabinet.post(f"/admin/chats/retention/{shop.pk}/change/", {"chats": days})
        assert list(answer.context["adminform"].form.errors) == ["chats"]
        assert not Retention.objects.exists()


def test_contacts_stay_while_nothing_is_said_of_them(shop: Widget) -> None:
    contact = dated(ContactFactory.create(widget=shop), OLD, "created_at", "updated_at")
    sweep(shop, chats=30, files=30, deliveries=30, exchanges=30)
    assert Contact.objects.filter(pk=contact.pk).exists()
