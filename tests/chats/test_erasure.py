"""A contact's copy of their data, and their erasure in every table: a mark is planted wherever they reach."""

import io
import json
import uuid
import zipfile
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from apps.accounts.models import AuditEntry, Widget
from apps.agents.models import Agent
from apps.cards.models import CardAction, ChatCards
from apps.chats.actions import copy_of_contact, erase_contact, store_file
from apps.chats.models import Chat, ChatActivity, Contact, Message, Rating
from apps.core.database import encryption
from apps.core.database.fields import EncryptedTextField
from apps.core.endpoints.uploads import ReceivedFile
from apps.core.problems import Problem
from apps.learning.models import DemandSignal, DemandTopic
from apps.letters.models import Address, Correspondent, InLetter, LetterWish, Mailbox, OutLetter, Thread
from apps.letters.rules.addresses import digest_of
from apps.letters.rules.mailboxes import Door, LetterKind
from apps.messengers.models import Inbound, Peer
from apps.support.models import EmailCode, SupportAction
from apps.webhooks.models import Event
from apps.widget.models import OfflineForm, VerifiedVisitor
from tests.factories.ai import ExchangeFactory, ExternalOperatorFactory, TurnFactory
from tests.factories.chats import ChatFactory, ContactFactory, ContactTagFactory, MessageFactory
from tests.factories.messengers import ConnectionFactory
from tests.factories.support import ActionFactory, IdentityFactory, TicketFactory
from tests.factories.webhooks import DeliveryFactory, SubscriptionFactory
from tests.factories.widget import VisitorSessionFactory

pytestmark = pytest.mark.django_db

MARK = "PLANTED7Q"


def plant(contact: Contact, by: Agent) -> Chat:
    """A contact of whom every table that can holds something."""
    widget = contact.widget
    Contact.objects.filter(pk=contact.pk).update(
        name=MARK, email=f"{MARK}@mail.test", phone=MARK, attributes={"plan": MARK}
    )
    chat: Chat = ChatFactory.create(contact=contact)
    Chat.objects.filter(pk=chat.pk).update(handover_reason=MARK)
    with ReceivedFile(f"{MARK}.txt") as upload:
        upload.write(MARK.encode())
        file = store_file(widget_id=widget.pk, upload=upload, contact_id=contact.pk)
    message = MessageFactory.create(
        chat=chat,
        body=MARK,
        markdown=MARK,
        origin=MARK,
        sender_name=MARK,
        details={"file": {"id": file.pk, "name": MARK}},
    )
    MessageFactory.create(chat=chat, body=f"Note of {MARK}", is_internal=True, agent=by)
    Rating.objects.create(widget=widget, chat=chat, value=1, comment=MARK)
    ChatActivity.objects.create(widget=widget, chat=chat, kind="closed", comment=MARK, after_message_id=message.pk)
    ContactTagFactory.create(contact=contact)
    about = {
        "page_url": f"https://shop.test/{MARK}",
        "lang": MARK,
        "user_agent": MARK,
        "referrer": MARK,
        "address": MARK,
    }
    pages = [{"url": MARK, "at": "2026-01-02T03:04:00+00:00"}]
    VisitorSessionFactory.create(contact=contact, **about, time_zone=MARK, pages=pages)
    OfflineForm.objects.create(contact=contact, widget=widget, email=f"{MARK}@mail.test")
    VerifiedVisitor.objects.create(contact=contact, widget=widget, user_id=MARK)
    plant_letters(chat, message)
    ChatCards.objects.create(widget=widget, chat=chat, contents=MARK)
    CardAction.objects.create(widget=widget, chat=chat, client_id=uuid.uuid4(), key="order", action="pay", message=MARK)
    exchange(chat)
    operator = ExternalOperatorFactory.create(widget=widget)
    TurnFactory.create(operator=operator, chat=chat, causation_id=MARK, result={"text": MARK})
    topic = DemandTopic.objects.create(
        widget=widget, category="knowledge_gap", topic=MARK, folded=MARK, last_seen_at=timezone.now()
    )
    DemandSignal.objects.create(
        widget=widget, topic=topic, category="knowledge_gap", chat=chat, burst_id=message.pk, question=MARK
    )
    peer = Peer.objects.create(widget=widget, channel="tg", conversation=MARK, contact=contact)
    line = ConnectionFactory.create(widget=widget)
    Inbound.objects.create(widget=widget, connection=line, conversation=peer.conversation, external_id="1", part=MARK)
    TicketFactory.create(chat=chat, subject=MARK, context={"order": MARK}, client={"name": MARK})
    EmailCode.objects.create(
        widget=widget, chat=chat, email=f"{MARK}@mail.test", code=MARK, salt="", digest=b"", language="en"
    )
    IdentityFactory.create(chat=chat, app_user_id=MARK, email=f"{MARK}@mail.test")
    SupportAction.objects.filter(pk=ActionFactory.create(widget=widget).pk).update(
        chat_id=chat.pk, wanted={"note": MARK}
    )
    deliver(widget, {"chat_id": chat.pk, "text": MARK}, is_sealed=True)
    deliver(widget, {"data": {"contact_id": contact.guid, "text": MARK}}, is_sealed=False)
    return chat


def plant_letters(chat: Chat, message: Message) -> None:
    who, widget = f"{MARK.lower()}@mail.test", chat.widget
    LetterWish.objects.create(contact=chat.contact, widget=widget, email=f"{MARK}@mail.test")
    thread = Thread.objects.create(
        widget=widget, chat=chat, address=f"{MARK}@mail.test", right=MARK, digest=b"1", subject=MARK, copies=[MARK]
    )
    OutLetter.objects.create(
        widget=widget,
        thread=thread,
        right=MARK,
        digest=b"2",
        message_id=MARK,
        last_message_id=message.pk,
        detail=MARK,
        due_at=timezone.now(),
    )
    mailbox = Mailbox.objects.create(widget=widget, address="support@shop.test", hook_key="key", digest=b"3")
    Correspondent.objects.create(
        widget=widget, mailbox=mailbox, address=f"{MARK}@mail.test", contact=chat.contact, subject=MARK
    )
    Address.objects.create(widget=widget, digest=digest_of(who), email=f"{MARK}@mail.test", contact=chat.contact)
    InLetter.objects.create(
        widget=widget,
        door=Door.HOOK,
        sender=f"{MARK}@mail.test",
        sender_name=MARK,
        subject=MARK,
        letter_id=MARK,
        kind=LetterKind.MESSAGE,
        chat=chat,
        message=message,
        handled_at=timezone.now(),
    )


def exchange(chat: Chat) -> None:
    ExchangeFactory.create(chat=chat, question=MARK, answer=MARK)


def deliver(widget: Widget, body: dict[str, Any], *, is_sealed: bool) -> None:
    text = json.dumps(body)
    stored = encryption.encrypt(text) if is_sealed else text
    event = Event.objects.create(
        guid=uuid.uuid4(), widget=widget, type="message.created", body=stored, is_sealed=is_sealed
    )
    DeliveryFactory.create(event=event, subscription=SubscriptionFactory.create(widget=widget))


def marked() -> set[str]:
    """The columns, of all tables, in which the mark is found; encrypted ones are read as their app reads them."""
    found = set()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT row_to_json(t)::text FROM "{table}" t')
            if any(MARK in text for (text,) in cursor.fetchall()):
                found.add(table)
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, EncryptedTextField) and any(
                MARK in (text or "") for text in model._base_manager.values_list(field.name, flat=True)
            ):
                found.add(model._meta.db_table)
    if any(row.is_sealed and MARK in encryption.decrypt(row.body) for row in Event.objects.all()):
        found.add("webhooks_event")
    return found


@pytest.fixture
def planted(shop: Widget, olga: Agent) -> Contact:
    contact: Contact = ContactFactory.create(widget=shop)
    plant(contact, olga)
    return contact


PLANTED_IN = {
    *("ai_exchange", "ai_turn", "chats_chat", "chats_chatstep", "chats_contact", "chats_file", "chats_message"),
    *("chats_rating", "learning_demandsignal", "learning_demandtopic", "messengers_inbound"),
    *("letters_address", "letters_correspondent", "letters_inletter", "letters_letterwish", "letters_outletter"),
    *("letters_thread", "cards_chatcards", "cards_cardaction"),
    *(
        "messengers_peer",
        "support_emailcode",
        "support_identity",
        "support_supportaction",
        "support_ticket",
        "webhooks_event",
    ),
    *("widget_awayform", "widget_verifiedvisitor", "widget_visitorsession"),
}


def test_after_an_erasure_no_table_holds_the_mark(planted: Contact) -> None:
    assert marked() == PLANTED_IN
    erase_contact(widget_id=planted.widget_id, guid=planted.guid)
    assert marked() == set()
    assert not Contact.objects.filter(pk=planted.pk).exists()


def test_others_stay_as_they_are(planted: Contact, ivan: Contact, chat: Chat) -> None:
    other = MessageFactory.create(chat=chat, body="Here")
    deliver(chat.widget, {"chat_id": chat.pk}, is_sealed=True)
    erase_contact(widget_id=planted.widget_id, guid=planted.guid)
    assert Message.objects.filter(pk=other.pk).exists()
    assert Contact.objects.filter(pk=ivan.pk).exists()
    assert Event.objects.count() == 1


def test_a_topic_is_called_by_anothers_question(planted: Contact, chat: Chat) -> None:
    topic = DemandTopic.objects.get()
    DemandSignal.objects.create(
        widget=chat.widget, topic=topic, category="knowledge_gap", chat=chat, burst_id=1, question="Do you deliver?"
    )
    erase_contact(widget_id=planted.widget_id, guid=planted.guid)
    assert DemandTopic.objects.get().topic == "Do you deliver?"


def test_it_is_on_record_without_the_data(planted: Contact, olga: Agent) -> None:
    erase_contact(widget_id=planted.widget_id, guid=planted.guid, by=olga.user)
    entry = AuditEntry.objects.latest("pk")
    assert (entry.changes, entry.actor) == ({"contact": [f"#{planted.pk}", "erased"]}, olga.user)
    assert MARK not in str(list(AuditEntry.objects.values()))


def test_an_erased_contact_is_not_there_twice(planted: Contact) -> None:
    erase_contact(widget_id=planted.widget_id, guid=planted.guid)
    with pytest.raises(Problem):
        erase_contact(widget_id=planted.widget_id, guid=planted.guid)


def unzipped(pieces: Any) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(b"".join(pieces))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_copy_has_what_was_said_and_no_notes(planted: Contact) -> None:
    found = unzipped(copy_of_contact(widget_id=planted.widget_id, guid=planted.guid))
    contact = json.loads(found["contact.jsonl"])
    assert (contact["guid"], contact["name"]) == (planted.guid, MARK)
    (message,) = [json.loads(line) for line in found["messages.jsonl"].splitlines()]
    assert message["body"] == MARK
    assert b"Note of" not in b"".join(found.values())
    (file,) = [content for name, content in found.items() if name.startswith("files/")]
    assert file == MARK.encode()
    assert b"storage_key" not in found["files.jsonl"]
    assert AuditEntry.objects.latest("pk").changes == {"contact": [f"#{planted.pk}", "copied"]}


class TestCabinet:
    def test_a_manager_takes_the_copy_and_erases(self, cabinet: Client, planted: Contact) -> None:
        page = f"/admin/chats/contact/{planted.pk}"
        assert f"{page}/erase" in cabinet.get(f"{page}/change/").content.decode()
        answer = cabinet.post(f"{page}/copy/")
        assert answer["Content-Type"] == "application/zip"
        assert "contact.jsonl" in unzipped(answer.streaming_content)
        assert MARK in cabinet.get(f"{page}/erase/").content.decode()
        assert Contact.objects.filter(pk=planted.pk).exists()
        assert cabinet.post(f"{page}/erase/").status_code == 302
        assert not Contact.objects.filter(pk=planted.pk).exists()


class TestCommands:
    def test_the_copy_is_written_and_the_contact_erased(self, planted: Contact, tmp_path: Any) -> None:
        path = tmp_path / "copy.zip"
        call_command("export_contact", planted.widget.guid, planted.guid, str(path))
        assert "contact.jsonl" in unzipped([path.read_bytes()])
        with pytest.raises(CommandError):
            call_command("export_contact", planted.widget.guid, planted.guid, str(path))
        call_command("erase_contact", planted.widget.guid, planted.guid)
        assert not Contact.objects.filter(pk=planted.pk).exists()

    @pytest.mark.parametrize("command", ["export_contact", "erase_contact"])
    def test_what_is_not_there_is_told(self, command: str, shop: Widget, tmp_path: Any) -> None:
        path = [str(tmp_path / "x.zip")] if command == "export_contact" else []
        for widget in ("nobody", shop.guid):
            with pytest.raises(CommandError):
                call_command(command, widget, "nobody", *path)
        assert not (tmp_path / "x.zip").exists()
