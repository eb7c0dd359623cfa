"""Operators' edits and deletions of messages that leave by a messenger (design, "Undo, edit, delete")."""

from typing import Any
from uuid import uuid4

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.actions.delivery import send_message_again
from apps.chats.actions.own_messages import delete_message, edit_message
from apps.chats.errors import CHANNEL_CANNOT_DELETE, CHANNEL_CANNOT_EDIT
from apps.chats.models import Chat, Message
from apps.chats.rules import Via
from apps.core.problems import Problem
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.demo.servers.vendors import PlayedFault
from apps.messengers.actions import outbound
from apps.messengers.models import Connection, OutboundJob, OutboundMessage
from tests.factories.files import FileFactory
from tests.messengers.test_outbox import delivery, let_time_pass, send, wrote
from tests.rows import snapshot

pytestmark = pytest.mark.django_db

CHANGING = ["tg", "vk", "mx"]
OTHERS = ["wa", "fb", "vb", "ok", "cian", "ali", "apple", "av"]


def say(agent: Agent, body: str = "5 штук", **content: Any) -> Message:
    """An answer from the agent's console."""
    chat = Chat.objects.get()
    posted = actions.post_agent_message(
        widget_id=chat.widget_id,
        chat_id=chat.pk,
        agent_id=agent.pk,
        content={"type": "text", "body": body, **content},
        client_id=uuid4(),
        via=Via.CONSOLE,
    )
    return Message.objects.get(pk=posted.id)


def edit(message: Message, body: str, markdown: str | None = None) -> None:
    edit_message(
        widget_id=message.widget_id,
        message_id=message.pk,
        agent_id=message.agent_id or 0,
        body=body,
        markdown=markdown,
    )


def delete(message: Message) -> None:
    delete_message(widget_id=message.widget_id, message_id=message.pk, agent_id=message.agent_id or 0)


@pytest.mark.parametrize("provider", CHANGING)
class TestWhoTakesChanges:
    def test_an_edit_follows_the_message(self, shop: Widget, alice: Agent, vendors: Vendors, provider: str) -> None:
        wrote(shop, provider, vendors)
        message = say(alice)
        send()
        edit(message, "50 штук")
        send()
        assert vendors.texts(provider) == ["50 штук"]
        assert delivery(message) == {"state": "sent", "code": None, "detail": None, "attempts": 1, "sent_as": None}
        calls = len(vendors.asked)
        send()
        assert len(vendors.asked) == calls, "a change is made once"

    def test_its_marks_go_along(self, shop: Widget, alice: Agent, vendors: Vendors, provider: str) -> None:
        wrote(shop, provider, vendors)
        message = say(alice)
        send()
        edit(message, "50 штук", "**50** штук")
        send()
        asked = str(vendors.asked_of(provider)[-1].body)
        assert "bold" in asked or "<b>50</b>" in asked
        assert "**" not in asked

    def test_a_deletion_follows_the_message(self, shop: Widget, alice: Agent, vendors: Vendors, provider: str) -> None:
        wrote(shop, provider, vendors)
        message = say(alice)
        send()
        delete(message)
        send()
        assert vendors.texts(provider) == []
        assert (delivery(message)["state"], delivery(message)["code"]) == ("sent", None)

    def test_a_file_is_deleted_too(self, shop: Widget, alice: Agent, vendors: Vendors, provider: str) -> None:
        wrote(shop, provider, vendors)
        file = FileFactory.create(widget=shop, content_type="text/plain", name="list.txt")
        message = say(alice, "Список", type="file", file_id=file.pk)
        send()
        assert len(vendors.texts(provider)) == 1
        delete(message)
        send()
        assert vendors.texts(provider) == []

    def test_what_waits_goes_as_it_is_by_then(
        self, shop: Widget, alice: Agent, vendors: Vendors, provider: str
    ) -> None:
        wrote(shop, provider, vendors)
        first, second = say(alice, "1"), say(alice, "2")
        edit(first, "один")
        delete(second)
        assert second.pk not in OutboundMessage.objects.values_list("pk", flat=True)
        second.refresh_from_db()
        assert second.delivery is None
        send()
        assert vendors.texts(provider) == ["один"]

    def test_changes_and_messages_keep_their_order(
        self, shop: Widget, alice: Agent, vendors: Vendors, provider: str
    ) -> None:
        wrote(shop, provider, vendors)
        first = say(alice, "1")
        send()
        say(alice, "2")
        edit(first, "один")
        send()
        assert vendors.texts(provider) == ["один", "2"]

    def test_a_longer_text_has_more_parts_and_a_shorter_one_fewer(
        self, shop: Widget, alice: Agent, vendors: Vendors, provider: str
    ) -> None:
        wrote(shop, provider, vendors)
        message = say(alice, "a")
        send()
        edit(message, "b" * 3_000 + "\n" + "c" * 3_000)
        send()
        assert vendors.texts(provider) == ["b" * 3_000, "c" * 3_000]
        edit(message, "d")
        send()
        assert vendors.texts(provider) == ["d"]

    @pytest.mark.parametrize("change", ["edit", "delete"])
    def test_a_refusal_is_shown_and_not_tried_again(
        self, shop: Widget, alice: Agent, vendors: Vendors, provider: str, change: str
    ) -> None:
        wrote(shop, provider, vendors)
        message = say(alice)
        send()
        if change == "edit":
            vendors.grow_old()
            edit(message, "50 штук")
        elif provider == "mx":  # it names no age at which nothing is deleted any more
            denied = {"code": "access.denied", "message": "Insufficient permissions to delete message"}
            vendors.will("mx", "/messages", PlayedFault(403, denied))
            delete(message)
        else:
            vendors.grow_old()
            delete(message)
        send()
        shown = delivery(message)
        assert (shown["state"], shown["code"], shown["attempts"]) == ("sent", "edit_refused", 1)
        assert shown["detail"]
        assert vendors.texts(provider) == ["5 штук"]
        calls = len(vendors.asked)
        let_time_pass()
        send()
        assert len(vendors.asked) == calls

    def test_a_change_of_what_the_customer_has_deleted(
        self, shop: Widget, alice: Agent, vendors: Vendors, provider: str
    ) -> None:
        wrote(shop, provider, vendors)
        edited, deleted = say(alice, "1"), say(alice, "2")
        send()
        for row in OutboundMessage.objects.all():
            vendors.forget(provider, row.external_ids[0])
        edit(edited, "один")
        delete(deleted)
        send()
        assert delivery(edited)["code"] == "edit_refused"
        assert delivery(deleted)["code"] is None, "it is gone, as was wanted"

    def test_a_vendor_that_is_away_is_tried_again(
        self, shop: Widget, alice: Agent, vendors: Vendors, provider: str
    ) -> None:
        wrote(shop, provider, vendors)
        message = say(alice)
        send()
        edit(message, "50 штук")
        vendors.will(provider, "", PlayedFault(502, b"<html>"))
        send()
        assert delivery(message)["state"] == "sent"
        assert vendors.texts(provider) == ["5 штук"]
        let_time_pass()
        send()
        assert vendors.texts(provider) == ["50 штук"]
        assert delivery(message)["code"] is None

    def test_a_vendor_that_stays_away_has_not_taken_it(
        self, shop: Widget, alice: Agent, vendors: Vendors, provider: str
    ) -> None:
        wrote(shop, provider, vendors)
        message = say(alice)
        send()
        edit(message, "50 штук")
        vendors.will(provider, "", PlayedFault(502, b"<html>", times=9))
        for _ in range(5):
            send()
            let_time_pass()
        assert (delivery(message)["state"], delivery(message)["code"]) == ("sent", "edit_refused")
        assert not OutboundMessage.objects.filter(is_failed=True).exists()

    def test_an_answer_that_was_lost_doubles_nothing(
        self, shop: Widget, alice: Agent, vendors: Vendors, provider: str
    ) -> None:
        wrote(shop, provider, vendors)
        edited, deleted = say(alice, "1"), say(alice, "2")
        send()
        ids = {row.pk: row.external_ids for row in OutboundMessage.objects.all()}
        edit(edited, "один")
        delete(deleted)
        send()
        for pk, external_ids in ids.items():  # as a worker left them that was killed behind the call
            row = OutboundMessage.objects.get(pk=pk)
            row.external_ids, row.done_at, row.changed_at = external_ids, None, row.queued_at
            row.save()
        OutboundJob.objects.update(due_at=Message.objects.latest("id").created_at)
        send()
        assert vendors.texts(provider) == ["один"]
        assert [delivery(each)["code"] for each in (edited, deleted)] == [None, None]


class TestBesideTheWorker:
    """The worker is in the middle of the call when the operator changes the message."""

    @pytest.mark.parametrize("change", ["edit", "delete"])
    def test_the_change_follows(
        self, shop: Widget, alice: Agent, vendors: Vendors, monkeypatch: pytest.MonkeyPatch, change: str
    ) -> None:
        wrote(shop, "tg", vendors)
        message = say(alice)
        sends = outbound._send_parts

        async def while_it_is_changed(*given: Any) -> Any:
            kind = await sends(*given)
            monkeypatch.undo()
            edit(message, "50 штук") if change == "edit" else delete(message)
            return kind

        monkeypatch.setattr(outbound, "_send_parts", while_it_is_changed)
        send()
        send()
        assert vendors.texts("tg") == (["50 штук"] if change == "edit" else [])

    def test_one_that_waits_for_another_attempt_goes_with_its_new_text(
        self, shop: Widget, alice: Agent, vendors: Vendors
    ) -> None:
        wrote(shop, "tg", vendors)
        vendors.will("tg", "sendMessage", PlayedFault(502, b""))
        first, second = say(alice, "1"), say(alice, "2")
        send()
        edit(first, "один")
        delete(second)
        let_time_pass()
        send()
        assert vendors.texts("tg") == ["один"]
        assert delivery(first)["state"] == "sent"

    def test_a_failed_one_is_sent_again_as_it_is_by_then(self, shop: Widget, alice: Agent, vendors: Vendors) -> None:
        wrote(shop, "tg", vendors)
        vendors.will("tg", "sendMessage", PlayedFault(400, {"ok": False, "description": "Bad Request: odd"}))
        message = say(alice)
        send()
        edit(message, "50 штук")
        send()
        assert vendors.texts("tg") == []
        send_message_again(widget_id=shop.pk, message_id=message.pk, now=message.created_at)
        send()
        assert vendors.texts("tg") == ["50 штук"]
        assert (delivery(message)["state"], delivery(message)["code"]) == ("sent", None)


@pytest.mark.parametrize("provider", OTHERS)
class TestWhoTakesNone:
    def test_an_answer_is_taken_back_until_it_leaves(
        self, shop: Widget, alice: Agent, vendors: Vendors, provider: str
    ) -> None:
        wrote(shop, provider, vendors)
        calls = len(vendors.asked)
        message = say(alice)
        send()
        assert delivery(message)["state"] == "queued"
        assert len(vendors.asked) == calls
        edit(message, "50 штук")
        leave()
        assert "50 штук" in str(vendors.asked_of(provider)[-1].body)
        calls, message = len(vendors.asked), say(alice)
        delete(message)
        let_time_pass()
        send()
        assert len(vendors.asked) == calls

    def test_what_has_left_stays_as_it_was(self, shop: Widget, alice: Agent, vendors: Vendors, provider: str) -> None:
        wrote(shop, provider, vendors)
        message = say(alice)
        leave()
        assert delivery(message)["state"] == "sent"
        before = snapshot()
        for change, refusal in (
            (lambda: edit(message, "50"), CHANNEL_CANNOT_EDIT),
            (lambda: delete(message), CHANNEL_CANNOT_DELETE),
        ):
            with pytest.raises(Problem) as refused:
                change()
            assert refused.value.type is refusal
        assert snapshot() == before


def leave() -> None:
    """The seconds are over for which an answer can be taken back."""
    OutboundMessage.objects.filter(not_before__isnull=False).update(not_before=None)
    let_time_pass()
    send()


def test_an_answer_of_the_api_leaves_at_once(api: Any, shop: Widget, alice: Agent, vendors: Vendors) -> None:
    wrote(shop, "wa", vendors)
    chat = Chat.objects.get()
    answer = api.post(f"/chats/{chat.pk}/messages", json={"type": "text", "body": "Да", "agent_id": alice.pk})
    assert answer.status_code == 202
    send()
    assert delivery(Message.objects.latest("id"))["state"] == "sent"


def test_without_its_connection_a_change_is_refused(shop: Widget, alice: Agent, vendors: Vendors) -> None:
    wrote(shop, "tg", vendors)
    message = say(alice)
    send()
    Connection.objects.all().delete()
    edit(message, "50 штук")
    send()
    assert (delivery(message)["state"], delivery(message)["code"]) == ("sent", "edit_refused")
    assert delivery(message)["detail"] == "channel_not_connected"
