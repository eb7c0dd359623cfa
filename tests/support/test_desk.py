"""The support desk: its gate, leases, replies and what is on record (specification, "Support agents")."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.actions import post_client_message
from apps.chats.models import Chat, Contact, Message
from apps.support.actions import replies
from apps.support.actions.replies import confirm_replies
from apps.support.models import SupportAction, SupportSettings, Ticket
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories.support import IdentityFactory, TicketFactory, at_desk


class Desk:
    """A support agent's program: calls with its token and name."""

    def __init__(self, token: str) -> None:
        self.api = ApiClient(token)

    def get(self, path: str, **query: Any) -> Any:
        return self.api.get(f"/support{path}", query=query)

    def post(self, path: str, body: Any = None, *, agent: str | None = "flora", **options: Any) -> Any:
        headers = {} if agent is None else {"X-Service-Agent": agent}
        return self.api.post(f"/support{path}", json=body or {}, headers=headers, **options)

    def reply(self, chat: Chat, text: str = "Заказ в пути.", *, expected: int | None = None, **more: Any) -> Any:
        options = {name: more.pop(name) for name in ("idempotency_key",) if name in more}
        last = Chat.objects.get(pk=chat.pk).last_message_id or 0
        body = {"text": text, "expected_last_message_id": last if expected is None else expected, **more}
        return self.post(f"/chats/{chat.pk}/reply", body, **options)


@pytest.fixture
def desk(token: str, alice: Agent) -> Desk:
    """An agent at the shop's desk, who answers as Alice."""
    at_desk(token, alice)
    SupportSettings.objects.update(room_reply_limit=3)
    return Desk(token)


def writes(ivan: Contact, text: str = "Где заказ?") -> int:
    return post_client_message(contact=ivan, content={"type": "text", "body": text}).id


def waits_for_a_lock() -> bool:
    """Whether another connection to the database waits for what a transaction holds."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.fetchone()[0])


def set_up(**changes: Any) -> None:
    SupportSettings.objects.update(**changes)


class TestGate:
    @pytest.mark.parametrize(
        ("changes", "status", "code"),
        [
            ({"enabled": False}, 503, "support_api_disabled"),
            ({"token_ids": []}, 503, "support_api_disabled"),
            ({"token_ids": [1]}, 403, "token_not_allowed"),
            ({"ip_allowlist": []}, 403, "ip_not_allowed"),
            ({"ip_allowlist": ["unreadable"]}, 403, "ip_not_allowed"),
            ({"ip_allowlist": ["10.0.0.0/8", "::/0"]}, 403, "ip_not_allowed"),
            ({"operator": None}, 503, "support_operator_not_configured"),
        ],
    )
    def test_each_refusal_counts_from_the_next_request_on(
        self, desk: Desk, changes: dict[str, Any], status: int, code: str
    ) -> None:
        assert desk.get("/tickets").status_code == 200
        set_up(**changes)
        assert assert_problem(desk.get("/tickets"), status, code)["reason"] == code

    def test_an_operator_who_is_suspended(self, desk: Desk, alice: Agent) -> None:
        Agent.objects.filter(pk=alice.pk).update(status="banned")
        assert_problem(desk.get("/tickets"), 503, "support_operator_not_configured")

    def test_a_network_admits_its_addresses(self, desk: Desk) -> None:
        set_up(ip_allowlist=["127.0.0.0/8"])
        assert desk.get("/tickets").status_code == 200

    def test_a_refusal_at_the_gate_is_on_record(self, desk: Desk, chat: Chat) -> None:
        set_up(enabled=False)
        refused = assert_problem(desk.post(f"/chats/{chat.pk}/claim"), 503, "support_api_disabled")
        assert "action_id" not in refused
        action = SupportAction.objects.get()
        assert (action.kind, action.status, action.code) == ("claim", "refused", "support_api_disabled")


class TestWrites:
    @pytest.mark.parametrize(
        ("agent", "code"),
        [(None, "agent_required"), ("", "invalid_agent"), ("Flora", "invalid_agent"), ("a" * 49, "invalid_agent")],
    )
    def test_a_write_without_a_valid_agent_name_is_400(
        self, desk: Desk, chat: Chat, agent: str | None, code: str
    ) -> None:
        assert_problem(desk.post(f"/chats/{chat.pk}/claim", agent=agent), 400, code)

    def test_a_refused_write_names_its_action_save_a_404(self, desk: Desk, chat: Chat, rival: Rival) -> None:
        refused = assert_problem(desk.post(f"/chats/{chat.pk}/claim", {"ttl_sec": 59}), 422, "invalid_input")
        action = SupportAction.objects.get()
        assert refused["action_id"] == action.pk
        assert (action.http_status, action.code, action.chat_id) == (422, "invalid_input", chat.pk)
        gone = assert_problem(desk.post(f"/chats/{rival.chat.pk}/claim"), 404, "not_found")
        assert "action_id" not in gone
        assert SupportAction.objects.count() == 2

    def test_a_key_used_again_tells_of_what_it_did(self, desk: Desk, chat: Chat) -> None:
        first = desk.post(f"/chats/{chat.pk}/claim", idempotency_key="k").json()["data"]
        again = assert_problem(desk.post(f"/chats/{chat.pk}/claim", idempotency_key="k"), 409, "idempotency_key_reused")
        assert again["previous"] == {
            "action_id": first["action_id"],
            "kind": "claim",
            "status": "done",
            "message_id": None,
            "ticket_effect": None,
        }
        claim = {"claim_id": first["claim_id"]}
        other = desk.post(f"/chats/{chat.pk}/release", claim, idempotency_key="k")
        assert assert_problem(other, 409, "idempotency_key_reused")["previous"] is None


class TestLeases:
    def test_the_lease_is_read_under_the_chats_lock(self, desk: Desk, chat: Chat) -> None:
        with CaptureQueriesContext(connection) as captured:
            assert desk.reply(chat).status_code == 201
        said = [query["sql"] for query in captured]
        leases = [place for place, sql in enumerate(said) if 'FROM "support_chatlease"' in sql]
        locks = [place for place, sql in enumerate(said) if 'FROM "chats_chat"' in sql and "FOR NO KEY UPDATE" in sql]
        assert locks
        assert leases[-1] > locks[0], "a claim that came in between would be overlooked"

    @pytest.mark.django_db(transaction=True)
    def test_a_claim_between_the_check_and_the_message_refuses_the_reply(self, desk: Desk, chat: Chat) -> None:
        """Two connections: the claim is made, and not committed yet, when the reply looks whether the chat is free."""
        is_claimed, may_commit = threading.Event(), threading.Event()
        answers: dict[str, Any] = {}

        def claim() -> None:
            with transaction.atomic():
                answers["claim"] = desk.post(f"/chats/{chat.pk}/claim", agent="other")
                is_claimed.set()
                may_commit.wait(30)
            connection.close()

        def reply() -> None:
            answers["reply"] = desk.reply(chat)
            connection.close()

        before = Message.objects.count()
        claiming, replying = threading.Thread(target=claim), threading.Thread(target=reply)
        claiming.start()
        assert is_claimed.wait(30)
        replying.start()
        while replying.is_alive() and not waits_for_a_lock():
            replying.join(0.02)
        may_commit.set()
        claiming.join(30)
        replying.join(30)
        assert answers["claim"].status_code == 200
        assert_problem(answers["reply"], 409, "chat_claimed")
        assert Message.objects.count() == before

    def test_a_claim_keeps_others_away(self, desk: Desk, chat: Chat) -> None:
        claimed = desk.post(f"/chats/{chat.pk}/claim").json()["data"]
        refused = assert_problem(desk.post(f"/chats/{chat.pk}/claim", agent="other"), 409, "chat_claimed")
        assert refused["lease"]["agent"] == "flora"
        assert_problem(desk.reply(chat), 409, "chat_claimed")
        assert_problem(desk.reply(chat, claim_id="f" * 32), 409, "claim_lost")
        assert desk.reply(chat, claim_id=claimed["claim_id"]).status_code == 201
        extended = desk.post(f"/chats/{chat.pk}/claim", {"claim_id": claimed["claim_id"], "ttl_sec": 1800})
        assert extended.json()["data"]["expires_at"] > claimed["expires_at"]
        released = desk.post(f"/chats/{chat.pk}/release", {"claim_id": claimed["claim_id"]})
        assert released.json()["data"]["released"] is True
        assert_problem(desk.post(f"/chats/{chat.pk}/release", {"claim_id": claimed["claim_id"]}), 409, "claim_lost")

    def test_it_ends_by_itself(self, desk: Desk, chat: Chat) -> None:
        from apps.support.models import ChatHold

        claimed = desk.post(f"/chats/{chat.pk}/claim").json()["data"]
        ChatHold.objects.update(expires_at=timezone.now())
        assert_problem(desk.reply(chat, claim_id=claimed["claim_id"]), 409, "claim_lost")
        assert desk.post(f"/chats/{chat.pk}/claim").status_code == 200


class TestReplies:
    def test_it_is_a_message_of_the_configured_person(
        self, desk: Desk, chat: Chat, ivan: Contact, alice: Agent
    ) -> None:
        writes(ivan)
        stored = desk.reply(chat, "Заказ\u00a0в\u200b пути.").json()["data"]
        message = Message.objects.get(pk=stored["message_id"])
        assert (message.body, message.agent_id, message.via) == ("Заказ в пути.", alice.pk, "support_api")
        assert (stored["status"], stored["text"], stored["delivery"]) == ("stored", "Заказ в пути.", "widget_on_return")
        assert stored["ticket_effect"] == {"ticket": None, "effect": "none"}
        action = desk.get(f"/actions/{stored['action_id']}").json()["data"]
        assert (action["kind"], action["status"], action["message_id"]) == ("reply", "stored", message.pk)
        assert (action["text_length"], len(action["text_sha256"])) == (13, 64)
        assert SupportAction.objects.get().text is None

    @pytest.mark.parametrize(
        ("close", "effect", "state"), [(True, "closed", "closed"), (False, "held_for_owner", "open")]
    )
    def test_only_the_ticket_that_it_names_moves(
        self, desk: Desk, chat: Chat, close: bool, effect: str, state: str
    ) -> None:
        ticket = TicketFactory.create(chat=chat)
        assert desk.reply(chat).json()["data"]["ticket_effect"]["effect"] == "none"
        named = desk.reply(chat, ticket=ticket.pk, close_ticket=close).json()["data"]
        assert named["ticket_effect"] == {"ticket": ticket.pk, "effect": effect}
        ticket = Ticket.objects.get()
        assert (ticket.state, ticket.held_for_owner) == (state, not close)
        if close:
            assert (ticket.close_reason, ticket.closed_by) == ("answered", {"kind": "agent", "name": "flora"})

    def test_a_chat_that_has_moved_on(self, desk: Desk, chat: Chat, ivan: Contact) -> None:
        first = writes(ivan)
        last = writes(ivan, "Ау?")
        refused = assert_problem(desk.reply(chat, expected=first, idempotency_key="k"), 409, "chat_changed")
        assert refused["last_message_id"] == last
        assert_problem(desk.reply(chat, expected=last + 1), 422, "invalid_input", errors=["expected_last_message_id"])
        assert desk.reply(chat, expected=last, idempotency_key="k").status_code == 201, "a refusal leaves the key free"

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("Смотрите evil.example.com", "link_not_allowed"),
            ("a\tb", "forbidden_whitespace"),
            ("a\u202eb", "forbidden_characters"),
            ("[KEY_TO_OPERATOR]", "text_not_plain"),
            (" ", "invalid_input"),
            ("x" * 3_501, "invalid_input"),
        ],
    )
    def test_a_text_that_may_not_be_sent(self, desk: Desk, chat: Chat, text: str, code: str) -> None:
        assert_problem(desk.reply(chat, text), 422, code)
        assert not Message.objects.exists()

    def test_links_of_the_owner_and_mailboxes_of_the_customer(self, desk: Desk, chat: Chat, ivan: Contact) -> None:
        set_up(link_hosts=["shop.example.com"])
        writes(ivan, "Пишите на other@mail.test")
        IdentityFactory.create(chat=chat, email="proved@mail.test")
        text = "https://shop.example.com/faq ivan@mail.test other@mail.test proved@mail.test"
        assert desk.reply(chat, text).status_code == 201
        refused = assert_problem(desk.reply(chat, "boris@mail.test"), 422, "link_not_allowed")
        assert refused["offending"] == [{"token": "boris@mail.test", "kind": "email", "view": "text"}]
        assert refused["allowed"]["hosts"] == ["shop.example.com"]
        assert "proved@mail.test" not in str(refused["allowed"])

    def test_where_it_may_not_answer(self, desk: Desk, chat: Chat) -> None:
        set_up(channels=["tg"])
        assert_problem(desk.reply(chat), 409, "channel_unsupported")
        Chat.objects.update(status="spam")
        assert_problem(desk.reply(chat), 409, "chat_unavailable")

    def test_three_in_a_chat_in_30_minutes(self, desk: Desk, chat: Chat) -> None:
        for _ in range(3):
            assert desk.reply(chat).status_code == 201
        refused = desk.reply(chat)
        assert_problem(refused, 429, "room_reply_limit")
        assert 1 <= int(refused.headers["Retry-After"]) <= 1800
        SupportAction.objects.update(created_at=timezone.now() - timedelta(minutes=31))
        assert desk.reply(chat).status_code == 201

    @pytest.mark.parametrize("name", ["token_reply_limit_10min", "token_reply_limit_day"])
    def test_limits_of_a_token(self, desk: Desk, chat: Chat, name: str) -> None:
        set_up(**{name: 1})
        assert desk.reply(chat).status_code == 201
        assert_problem(desk.reply(chat), 429, "support_rate_limited")
        set_up(**{name: 0})
        assert desk.reply(chat).status_code == 201

    def test_one_that_is_not_seen_to_be_stored(self, desk: Desk, chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
        from django.db import OperationalError

        def slow(**_: Any) -> None:
            raise OperationalError("canceling statement due to statement timeout")

        with monkeypatch.context() as patched:
            patched.setattr(replies, "post_agent_message", slow)
            response = desk.reply(chat, idempotency_key="k")
        waiting = response.json()["data"]
        assert (response.status_code, waiting["status"], waiting["message_id"]) == (202, "unconfirmed", None)
        again = assert_problem(desk.reply(chat, idempotency_key="k"), 409, "idempotency_key_reused")
        assert again["previous"]["status"] == "unconfirmed"
        action = desk.get(f"/actions/{waiting['action_id']}").json()["data"]
        assert action["status"] == "stored"
        assert Message.objects.get().body == "Заказ в пути."
        SupportAction.objects.update(created_at=timezone.now() - timedelta(minutes=1))
        confirm_replies()
        assert Message.objects.count() == 1

    def test_an_unconfirmed_one_of_a_chat_that_moved_on_has_failed(
        self, desk: Desk, chat: Chat, ivan: Contact, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from django.db import OperationalError

        def slow(**_: Any) -> None:
            raise OperationalError("canceling statement due to statement timeout")

        with monkeypatch.context() as patched:
            patched.setattr(replies, "post_agent_message", slow)
            waiting = desk.reply(chat).json()["data"]
        writes(ivan)
        action = desk.get(f"/actions/{waiting['action_id']}").json()["data"]
        assert (action["status"], action["code"]) == ("failed", "chat_changed")
        assert SupportAction.objects.get().text is None


class TestTickets:
    def test_the_queue_lists_tickets_in_their_order(self, desk: Desk, shop: Widget) -> None:
        from tests.factories import ChatFactory, ContactFactory

        def ticket(**fields: Any) -> int:
            return int(
                TicketFactory.create(chat=ChatFactory.create(contact=ContactFactory.create(widget=shop)), **fields).pk
            )

        held = ticket(priority=0, held_for_owner=True)
        normal, urgent, high = ticket(priority=2), ticket(priority=0), ticket(priority=1)
        numbers, cursor = [], None
        for _ in range(4):
            page = desk.get("/tickets", limit=1, **({"cursor": cursor} if cursor else {})).json()
            numbers += [row["number"] for row in page["data"]]
            cursor = page["next_cursor"]
        assert (numbers, cursor) == ([urgent, high, normal, held], None)
        assert [row["number"] for row in desk.get("/tickets", priority="high").json()["data"]] == [high]
        assert desk.get("/tickets", state="closed").json()["data"] == []
        newest = desk.get("/tickets", state="all").json()["data"]
        assert [row["number"] for row in newest] == [high, urgent, normal, held]

    def test_detail_close_and_reopen(self, desk: Desk, chat: Chat, ivan: Contact) -> None:
        ticket = TicketFactory.create(chat=chat, opening_message_id=writes(ivan))
        closed = desk.post(f"/tickets/{ticket.pk}/close", {"reason": "resolved", "note": "Звонил."}).json()["data"]
        assert (closed["state"], closed["close_reason"]) == ("closed", "resolved")
        assert [note["agent"] for note in closed["agent_notes"]] == ["flora"]
        assert [said["text"] for said in closed["opening_transcript"]] == ["Где заказ?"]
        assert_problem(desk.post(f"/tickets/{ticket.pk}/close", {"reason": "resolved"}), 409, "ticket_not_open")
        assert desk.post(f"/tickets/{ticket.pk}/reopen").json()["data"]["state"] == "open"
        assert_problem(desk.post(f"/tickets/{ticket.pk}/reopen"), 409, "ticket_not_closed")
        Ticket.objects.update(state="closed", closed_at=timezone.now() - timedelta(days=7))
        assert_problem(desk.post(f"/tickets/{ticket.pk}/reopen"), 409, "reopen_window_passed")

    def test_a_ticket_is_a_duplicate_of_another_of_the_widget(self, desk: Desk, chat: Chat, rival: Rival) -> None:
        ticket = TicketFactory.create(chat=chat)
        path = f"/tickets/{ticket.pk}/close"
        own = {"reason": "duplicate", "duplicate_of": ticket.pk}
        assert_problem(desk.post(path, own), 422, "invalid_input", errors=["duplicate_of"])
        foreign = TicketFactory.create(chat=rival.chat).pk
        assert_problem(desk.post(path, {**own, "duplicate_of": foreign}), 404, "not_found")
        assert_problem(desk.post(path, {"reason": "resolved", "duplicate_of": foreign}), 422, "invalid_input")


class TestChats:
    def test_a_chat_shows_the_customers_account(self, desk: Desk, chat: Chat, ivan: Contact) -> None:
        writes(ivan)
        IdentityFactory.create(chat=chat, email="proved@mail.test", grant_expires_at=timezone.now())
        shown = desk.get(f"/chats/{chat.pk}").json()["data"]
        account = shown["account"]
        assert (account["link"], account["email"], account["app_user_id"]) == ("verified", "proved@mail.test", "u-42")
        assert account["regrant_needed"] is True
        assert shown["unanswered"] == 1
        assert shown["last_message"]["kind"] == "client"
        assert desk.get(f"/chats/{chat.pk}/messages").json()["chat"]["account"]["email"] is None

    def test_the_list_shows_idle_chats_that_changed(self, desk: Desk, chat: Chat, ivan: Contact) -> None:
        writes(ivan)
        since = (timezone.now() - timedelta(days=1)).isoformat()
        assert desk.get("/chats", updated_since=since).json()["data"] == [], "it is not idle yet"
        found = desk.get("/chats", updated_since=since, min_idle_sec=0).json()
        assert [one["id"] for one in found["data"]] == [chat.pk]
        assert (found["truncated"], found["next_cursor"]) == (False, None)
        desk.reply(chat)
        assert desk.get("/chats", updated_since=since, min_idle_sec=0).json()["data"] == []
        every = desk.get("/chats", updated_since=since, min_idle_sec=0, awaiting="any").json()
        assert every["data"][0]["last_message"]["kind"] == "support"
        old = (timezone.now() - timedelta(days=7, minutes=1)).isoformat()
        assert_problem(desk.get("/chats", updated_since=old), 422, "invalid_input")
        assert_problem(desk.get("/chats"), 422, "invalid_input")

    def test_messages_are_paged_with_notes_on_request(self, desk: Desk, chat: Chat, ivan: Contact) -> None:
        first = writes(ivan)
        desk.reply(chat, note="Проверить.")
        said = desk.get(f"/chats/{chat.pk}/messages", limit=1).json()
        assert said["next_cursor"] == str(first)
        rest = desk.get(f"/chats/{chat.pk}/messages", after_id=first, include="notes,system").json()["data"]
        assert [(one["is_note"], one["sender"]["via"]) for one in rest] == [
            (False, "support_api"),
            (True, "support_api"),
        ]
        assert_problem(desk.get(f"/chats/{chat.pk}/messages", include="spam"), 422, "invalid_input")

    def test_chats_between_colleagues_are_not_there(self, desk: Desk, chat: Chat) -> None:
        Chat.objects.update(internal=True)
        for path in ("", "/messages"):
            assert_problem(desk.get(f"/chats/{chat.pk}{path}"), 404, "not_found")
        assert_problem(desk.post(f"/chats/{chat.pk}/claim"), 404, "not_found")
        assert_problem(desk.reply(chat), 404, "not_found")
