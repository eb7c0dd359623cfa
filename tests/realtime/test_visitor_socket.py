"""`/ws/visitor/{guid}`: every rule of the visitor's websocket, against the real process."""

import hashlib
import hmac
import time
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from websockets.exceptions import InvalidStatus

from apps.accounts.models import Widget
from apps.agents.broadcasts import PresenceChanged
from apps.agents.models import Agent
from apps.chats import actions as chats
from apps.chats.models import Chat, Contact, Message
from apps.core.redis import broadcasts
from apps.widget import actions
from apps.widget.actions.settings import renew_identity_secret
from apps.widget.models import VisitorSession
from tests.cast import Rival
from tests.client import ApiClient
from tests.factories import AgentFactory, ChatFactory, MessageFactory
from tests.factories.widget import VisitorSessionFactory, visitor_token
from tests.realtime.process import RealtimeProcess
from tests.realtime.tab import Tab
from tests.widget.asking import ask, question
from tests.widget.visitor import VisitorClient

OpenTab = Callable[..., Tab]


def reply(api: ApiClient, chat: Chat | int, agent: Agent, body: str = "Hello") -> int:
    """Posts an agent's message over REST; its id."""
    chat_id = chat if isinstance(chat, int) else chat.pk
    response = api.post(f"/chats/{chat_id}/messages", json={"type": "text", "body": body, "agent_id": agent.pk})
    assert response.status_code == 202, response.content
    message_id: int = response.json()["data"]["message_id"]
    return message_id


# The first frame.


def test_ready_tells_of_the_chat(open_tab: OpenTab, token_of_ivan: str, ivan: Contact, chat: Chat) -> None:
    data = open_tab().auth(token_of_ivan)
    assert data == {
        "chat_id": chat.pk,
        "contact_id": ivan.guid,
        "online": False,
        "present": [],
        "seen_id": 0,
        "queue": None,
    }


def test_a_bad_token_closes_with_1008(
    open_tab: OpenTab, session: VisitorSession, token_of_ivan: str, rival: Rival
) -> None:
    foreign = visitor_token(VisitorSessionFactory.create(contact=rival.contact))
    actions.revoke_visitor(session=session)
    for token in ("vt_" + "x" * 40, "nonsense", foreign, token_of_ivan):
        tab = open_tab()
        tab.send({"type": "auth", "token": token})
        assert tab.close_code() == 1008
        assert tab.frames == []


def test_an_unknown_widget_or_address_is_no_handshake(open_tab: OpenTab, realtime: RealtimeProcess) -> None:
    with pytest.raises(InvalidStatus) as refused:
        open_tab("0" * 32)
    assert refused.value.response.status_code == 403
    with pytest.raises(InvalidStatus):
        Tab(realtime.url + "/elsewhere", "0" * 32)


def test_a_page_that_may_not_embed_the_widget_is_no_handshake(
    open_tab: OpenTab, shop: Widget, token_of_ivan: str
) -> None:
    Widget.objects.filter(pk=shop.pk).update(allowed_origins=["https://shop.test"])
    with pytest.raises(InvalidStatus) as refused:
        open_tab(origin="https://evil.test")
    assert refused.value.response.status_code == 403
    open_tab(origin="https://shop.test").auth(token_of_ivan)
    open_tab().auth(token_of_ivan)


# Resuming.


def test_everything_after_the_position_comes_in_order(
    open_tab: OpenTab, token_of_ivan: str, chat: Chat, olga: Agent
) -> None:
    """A visitor sees no operator-only message; a long absence is made up for page by page."""
    ids = [MessageFactory.create(chat=chat, agent=olga if n % 2 else None).pk for n in range(250)]
    MessageFactory.create(chat=chat, agent=olga, is_internal=True)
    last = MessageFactory.create(chat=chat, agent=olga).pk

    for after_id, expected in ((0, [*ids, last]), (ids[99], [*ids[100:], last]), (last, [])):
        tab = open_tab()
        tab.auth(token_of_ivan, after_id)
        if expected:
            tab.until(lambda frame: frame["data"].get("id") == last)
        assert tab.settle() == []
        assert [message["id"] for message in tab.messages()] == expected


def test_without_a_position_the_socket_is_live_only(
    open_tab: OpenTab, token_of_ivan: str, chat: Chat, olga: Agent, api: ApiClient
) -> None:
    MessageFactory.create(chat=chat)
    tab = open_tab()
    tab.auth(token_of_ivan)
    new = reply(api, chat, olga)
    assert tab.of_type("message.created")["id"] == new
    assert [message["id"] for message in tab.messages()] == [new]


# Live.


def test_an_answer_over_rest_is_shown_as_the_message_is_everywhere(
    open_tab: OpenTab, token_of_ivan: str, ivans_browser: VisitorClient, chat: Chat, olga: Agent, api: ApiClient
) -> None:
    tab = open_tab()
    tab.auth(token_of_ivan, 0)
    began = time.monotonic()
    reply(api, chat, olga, "Добрый день!")
    shown = tab.of_type("message.created")
    assert time.monotonic() - began < 1.5, "it came by the poll, not by the broadcast"
    assert [shown] == ivans_browser.get("messages").json()["data"]
    assert shown["sender"] == {"kind": "agent", "agent_id": olga.pk, "name": "Olga Romanova"}


def test_what_is_seen_and_what_becomes_of_the_chat_is_shown(
    open_tab: OpenTab, token_of_ivan: str, chat: Chat, olga: Agent, api: ApiClient
) -> None:
    question = MessageFactory.create(chat=chat)
    tab = open_tab()
    tab.auth(token_of_ivan)
    reply(api, chat, olga)
    agent = {"id": olga.pk, "name": "Olga Romanova"}
    assert tab.of_type("chat.updated") == {"chat_id": chat.pk, "status": "active", "agent": agent}

    chats.mark_seen(widget_id=chat.widget_id, chat_id=chat.pk, message_id=question.pk, seen_by="OPERATOR")
    assert tab.of_type("message.seen") == {"chat_id": chat.pk, "message_id": question.pk, "by": "operator"}
    assert api.post(f"/chats/{chat.pk}/close", json={}).status_code == 200
    assert tab.of_type("chat.updated") == {"chat_id": chat.pk, "status": "expired", "agent": agent}
    assert open_tab().auth(token_of_ivan)["seen_id"] == question.pk


def test_an_operator_types(open_tab: OpenTab, token_of_ivan: str, chat: Chat, olga: Agent, api: ApiClient) -> None:
    chats.assign_chat(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=olga.pk)
    tab = open_tab()
    tab.auth(token_of_ivan)
    assert api.post(f"/chats/{chat.pk}/typing", json={"state": "start"}).status_code == 202
    assert tab.of_type("typing") == {"chat_id": chat.pk, "state": "start", "name": "Olga Romanova"}
    assert api.post(f"/chats/{chat.pk}/typing", json={"state": "stop"}).status_code == 202
    assert tab.of_type("typing") == {"chat_id": chat.pk, "state": "stop", "name": "Olga Romanova"}


def test_a_chat_that_is_transferred_shows_its_new_owner(
    open_tab: OpenTab, token_of_ivan: str, chat: Chat, olga: Agent, api: ApiClient
) -> None:
    tab = open_tab()
    tab.auth(token_of_ivan)
    assert api.post(f"/chats/{chat.pk}/transfer", json={"agent_id": olga.pk}).status_code == 202
    agent = {"id": olga.pk, "name": "Olga Romanova"}
    assert tab.of_type("chat.updated") == {"chat_id": chat.pk, "status": "active", "agent": agent}


class TestRatingRequested:
    def ask(self, api: ApiClient, chat: Chat) -> None:
        assert api.post(f"/chats/{chat.pk}/rate-request").status_code == 202

    def test_an_open_widget_is_asked_at_once_and_each_time(
        self, open_tab: OpenTab, token_of_ivan: str, chat: Chat, api: ApiClient
    ) -> None:
        MessageFactory.create(chat=chat)
        tab = open_tab()
        tab.auth(token_of_ivan)
        for _ in range(2):
            self.ask(api, chat)
            assert tab.of_type("rating.requested") == {"chat_id": chat.pk}

    def test_a_visitor_who_was_away_is_asked_on_their_return_until_they_rate(
        self, open_tab: OpenTab, token_of_ivan: str, chat: Chat, api: ApiClient, ivans_browser: VisitorClient
    ) -> None:
        MessageFactory.create(chat=chat)
        self.ask(api, chat)
        for _ in range(2):
            tab = open_tab()
            tab.auth(token_of_ivan)
            assert tab.next() == {"type": "rating.requested", "data": {"chat_id": chat.pk}}
        assert ivans_browser.post("rating", {"value": 5}).status_code == 201
        tab = open_tab()
        tab.auth(token_of_ivan)
        assert tab.settle() == []

    def test_a_rating_in_one_tab_is_told_to_the_others(
        self, open_tab: OpenTab, token_of_ivan: str, chat: Chat, api: ApiClient, ivans_browser: VisitorClient
    ) -> None:
        MessageFactory.create(chat=chat)
        tab = open_tab()
        tab.auth(token_of_ivan)
        self.ask(api, chat)
        assert tab.of_type("rating.requested") == {"chat_id": chat.pk}
        assert ivans_browser.post("rating", {"value": 4}).status_code == 201
        assert tab.of_type("rating.created") == {"chat_id": chat.pk}
        assert ivans_browser.post("rating", {"value": 5}).status_code == 200
        assert tab.settle() == [], "it is no longer asked for"

    def test_a_request_that_no_nudge_told_of_is_found(self, open_tab: OpenTab, token_of_ivan: str, chat: Chat) -> None:
        MessageFactory.create(chat=chat)
        tab = open_tab()
        tab.auth(token_of_ivan)
        tab.settle()
        Chat.objects.filter(pk=chat.pk).update(rating_requested_at=timezone.now(), version=chat.version + 1)
        assert tab.of_type("rating.requested") == {"chat_id": chat.pk}


def test_chats_that_a_sweep_closes_are_shown(open_tab: OpenTab, token_of_ivan: str, chat: Chat) -> None:
    last = MessageFactory.create(chat=chat).created_at
    tab = open_tab()
    tab.auth(token_of_ivan)
    tab.settle()
    began = time.monotonic()
    chats.sweep_chats(as_of=last + timedelta(minutes=7))
    assert tab.of_type("chat.updated")["status"] == "expired"
    assert time.monotonic() - began < 1.5, "it came by the poll, not by the broadcast"


def test_operators_come_and_go(
    open_tab: OpenTab, token_of_ivan: str, shop: Widget, alice: Agent, boris: Agent, chat: Chat, rival: Rival
) -> None:
    """The operator of the chat stands first; who is hidden from the header, or on a break, is not shown."""
    hidden = AgentFactory.create(widget=shop, show_in_header=False)
    tab = open_tab()
    assert tab.auth(token_of_ivan)["present"] == []
    faces = [{"name": name, "avatar_url": None} for name in (alice.full_name, boris.full_name)]
    Agent.objects.filter(pk__in=[alice.pk, boris.pk, hidden.pk, rival.agent.pk]).update(online_since=timezone.now())
    broadcasts.send(PresenceChanged(widget_id=rival.widget.pk, online=True))
    broadcasts.send(PresenceChanged(widget_id=shop.pk, online=True))
    assert tab.of_type("agent.presence") == {"online": True, "present": faces}
    chats.accept_chat(widget_id=shop.pk, chat_id=chat.pk, agent_id=boris.pk)
    assert tab.of_type("agent.presence") == {"online": True, "present": faces[::-1]}
    Agent.objects.filter(pk=alice.pk).update(status="relaxation")
    broadcasts.send(PresenceChanged(widget_id=shop.pk, online=True))
    assert tab.of_type("agent.presence") == {"online": True, "present": faces[1:]}


def test_a_chat_that_begins_in_another_tab_reaches_a_socket_without_one(
    open_tab: OpenTab, token_of_ivan: str, ivans_browser: VisitorClient
) -> None:
    tab = open_tab()
    assert tab.auth(token_of_ivan, 0)["chat_id"] is None
    message = ivans_browser.say("Hello from HTTP")
    assert tab.of_type("message.created") == message


def test_another_visitors_messages_stay_theirs(
    open_tab: OpenTab, token_of_ivan: str, shop: Widget, rival: Rival, chat: Chat
) -> None:
    tab = open_tab()
    tab.auth(token_of_ivan, 0)
    other = VisitorClient(shop)
    other.come()
    other.say("Not for Ivan")
    stranger = open_tab()
    stranger.auth(other.token or "", 0)
    assert stranger.of_type("message.created")["body"] == "Not for Ivan"
    assert tab.settle() == []


# Sending.


def test_the_sender_gets_an_ack_alone_and_the_other_tabs_the_message(
    open_tab: OpenTab, token_of_ivan: str, ivans_browser: VisitorClient
) -> None:
    sender, other = open_tab(), open_tab()
    sender.auth(token_of_ivan, 0)
    other.auth(token_of_ivan, 0)
    client_id = sender.say("Hello")

    ack = sender.of_type("ack")
    assert ack["client_id"] == client_id
    assert [ack["message"]] == ivans_browser.get("messages").json()["data"]
    assert other.of_type("message.created") == ack["message"]
    for tab in (sender, other):
        tab.settle()
        assert tab.messages() == [ack["message"]]


def test_the_same_client_id_again_is_acked_with_the_same_message(open_tab: OpenTab, token_of_ivan: str) -> None:
    tab = open_tab()
    tab.auth(token_of_ivan, 0)
    client_id = tab.say("Hello")
    first = tab.of_type("ack")
    tab.say("Hello", client_id)
    assert tab.of_type("ack") == first

    again = open_tab()
    again.auth(token_of_ivan)
    again.say("Hello", client_id)
    assert again.of_type("ack") == first
    assert Message.objects.count() == 1


def test_an_ack_does_not_overtake_what_came_before_it(
    open_tab: OpenTab, token_of_ivan: str, chat: Chat, olga: Agent, api: ApiClient
) -> None:
    """Who takes the ack's id for their position misses nothing."""
    tab = open_tab()
    tab.auth(token_of_ivan, 0)
    sent = []
    for n in range(20):
        reply(api, chat, olga, f"answer {n}")
        sent.append(tab.say(f"question {n}"))
    tab.until(lambda frame: frame["type"] == "ack" and frame["data"]["client_id"] == sent[-1])
    stored = list(Message.objects.order_by("id").values_list("id", flat=True))
    assert [message["id"] for message in tab.messages()] == stored
    assert len(stored) == 40


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({"type": "text", "body": "Hello"}, "client_id"),
        ({"client_id": str(uuid.uuid4()), "type": "text", "body": ""}, "body"),
        ({"client_id": str(uuid.uuid4()), "type": "text", "body": "x" * 10_001}, "body"),
        ({"client_id": str(uuid.uuid4()), "type": "text", "body": "Hello", "agent_id": 1}, "agent_id"),
    ],
)
def test_a_message_that_is_refused_gets_an_error_that_names_it(
    open_tab: OpenTab, token_of_ivan: str, data: dict[str, Any], path: str
) -> None:
    tab = open_tab()
    tab.auth(token_of_ivan, 0)
    tab.send({"type": "message.send", "data": data})
    error = tab.of_type("error")
    assert (error["code"], list(error["errors"])) == ("invalid_input", [path])
    assert error.get("client_id") == data.get("client_id")
    assert not Message.objects.exists()
    tab.say("Still here")
    tab.of_type("ack")


def test_a_message_carries_answers_and_none_begins_a_chat_without_the_required_ones(
    open_tab: OpenTab, shop: Widget, session: VisitorSession, token_of_ivan: str
) -> None:
    ask(shop, {**question("text"), "required": True})
    tab = open_tab()
    tab.auth(token_of_ivan, 0)
    tab.say("Hello")
    error = tab.of_type("error")
    assert (error["code"], list(error["errors"])) == ("answers_required", ["answers.text"])
    assert not Message.objects.exists()
    data = {"client_id": str(uuid.uuid4()), "type": "text", "body": "Hello", "answers": {"text": "A-17"}}
    tab.send({"type": "message.send", "data": data})
    tab.of_type("ack")
    assert Chat.objects.get().answers == {"text": "A-17"}
    VisitorSession.objects.filter(pk=session.pk).update(letter_first_id=1, letter_address=session.contact.email)
    tab.send({"type": "message.send", "data": {**data, "client_id": str(uuid.uuid4())}})
    assert tab.of_type("error")["code"] == "letter_session"


def test_seen_and_typing_are_told(open_tab: OpenTab, token_of_ivan: str, chat: Chat, olga: Agent) -> None:
    message = MessageFactory.create(chat=chat, agent=olga)
    tab = open_tab()
    tab.auth(token_of_ivan)
    tab.send({"type": "seen", "data": {"message_id": message.pk}})
    tab.send({"type": "typing", "data": {"state": "start"}})
    assert tab.settle() == []
    message.refresh_from_db()
    assert message.seen_at is not None
    tab.send({"type": "seen", "data": {"message_id": message.pk + 1}})
    assert tab.of_type("error")["code"] == "not_found"


def test_ping_is_answered(open_tab: OpenTab, token_of_ivan: str) -> None:
    tab = open_tab()
    tab.auth(token_of_ivan)
    tab.send({"type": "ping"})
    assert tab.next() == {"type": "pong"}


def saying(text: str) -> str:
    """A frame with a message of that text, which is written as JSON writes it."""
    return (
        f'{{"type": "message.send", "data": {{"client_id": "{uuid.UUID(int=7)}", "type": "text", "body": "{text}"}}}}'
    )


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("{", "invalid_json"),
        ("", "invalid_json"),
        ("[" * 65, "invalid_json"),
        ("[]", "invalid_input"),
        ("{}", "invalid_input"),
        ('{"type": 1}', "invalid_input"),
        ('{"type": "dance"}', "invalid_input"),
        ('{"type": "ping", "type": "ping"}', "duplicate_member"),
        ('{"type": "ping", "more": 1}', "invalid_input"),
        ('{"type": "ping", "data": 1}', "invalid_input"),
        ('{"type": "seen", "data": {}}', "invalid_input"),
        (b"\x00\x01", "invalid_input"),
        (saying(r"NUL: \u0000"), "invalid_input"),
        (saying(r"half a pair: \ud83d"), "invalid_input"),
    ],
)
def test_a_frame_that_cannot_be_read_gets_an_error_and_the_socket_stays(
    open_tab: OpenTab, token_of_ivan: str, frame: str | bytes, code: str
) -> None:
    tab = open_tab()
    tab.auth(token_of_ivan)
    tab.send(frame)
    error = tab.next()
    assert (error["type"], error["data"]["code"]) == ("error", code)
    assert tab.settle() == []
    assert not Message.objects.exists()


def test_a_frame_that_is_too_big_closes_the_socket(open_tab: OpenTab, token_of_ivan: str) -> None:
    tab = open_tab()
    tab.auth(token_of_ivan)
    tab.say("x" * 70_000)
    assert tab.close_code() == 1009


# Ending.


def test_revoking_a_visitor_closes_their_sockets_and_no_others(
    open_tab: OpenTab, session: VisitorSession, token_of_ivan: str, ivan: Contact
) -> None:
    elsewhere = VisitorSessionFactory.create(contact=ivan)
    revoked, kept = open_tab(), open_tab()
    revoked.auth(token_of_ivan)
    kept.auth(visitor_token(elsewhere))
    actions.revoke_visitor(session=session)
    assert revoked.close_code() == 1008
    kept.say("Still here")
    assert kept.of_type("ack")["message"]["body"] == "Still here"


def test_ending_a_session_closes_its_sockets(
    open_tab: OpenTab, shop: Widget, session: VisitorSession, token_of_ivan: str
) -> None:
    tab = open_tab()
    tab.auth(token_of_ivan)
    assert VisitorClient(shop, token_of_ivan).delete("sessions").status_code == 204
    assert tab.close_code() == 1008


def test_a_socket_from_before_the_proof_of_an_identity_is_closed(
    open_tab: OpenTab, shop: Widget, session: VisitorSession, token_of_ivan: str
) -> None:
    secret = renew_identity_secret(widget_id=shop.pk)
    planted = open_tab()
    planted.auth(token_of_ivan)
    proof = hmac.new(secret.encode(), b"7", hashlib.sha256).hexdigest()
    VisitorClient(shop).come(visitor_token=token_of_ivan, user_id="7", identity_hmac=proof)
    assert planted.close_code() == 1008


def test_a_revocation_that_no_nudge_told_of_is_found(
    open_tab: OpenTab, session: VisitorSession, token_of_ivan: str
) -> None:
    tab = open_tab()
    tab.auth(token_of_ivan)
    VisitorSession.objects.filter(pk=session.pk).update(revoked_at=timezone.now())
    assert tab.close_code() == 1008


def test_a_message_that_no_nudge_told_of_is_found(
    open_tab: OpenTab, token_of_ivan: str, chat: Chat, olga: Agent
) -> None:
    tab = open_tab()
    tab.auth(token_of_ivan)
    message = MessageFactory.create(chat=chat, agent=olga)
    assert tab.of_type("message.created")["id"] == message.pk


def test_a_chat_that_no_nudge_told_of_is_found(open_tab: OpenTab, token_of_ivan: str, ivan: Contact) -> None:
    tab = open_tab()
    tab.auth(token_of_ivan, 0)
    message = MessageFactory.create(chat=ChatFactory.create(contact=ivan))
    assert tab.of_type("message.created")["id"] == message.pk
