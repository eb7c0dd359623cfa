"""Tickets from the application: one room, one open ticket, and what its customer may read."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from apps.accounts.actions.settings import change_settings
from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.actions import post_agent_message, post_note
from apps.chats.models import Chat, Contact, Message
from apps.chats.questions import taken_messages
from apps.support.actions.intake import FILED, FILED_BY_ACCOUNT, account_key
from apps.support.actions.tickets import close_ticket
from apps.support.models import AppRoom, Ticket
from apps.support.rules.tickets import CloseReason
from apps.support.settings import SETTINGS
from tests.budgets import spent
from tests.cast import Rival
from tests.client import assert_problem
from tests.rows import snapshot
from tests.support.application import Application, application_of

AGENT = {"kind": "agent", "name": "flora"}


@pytest.fixture
def app(application: Application) -> Application:
    """The shop's application, which may file tickets."""
    change_settings(SETTINGS, widget_id=application.widget.pk, changes={"channels": ["app"]})
    return application


def a_ticket(request_id: str = "r-1", **changes: Any) -> dict[str, Any]:
    body = {
        "contract": "app-ticket.v1",
        "request_id": request_id,
        "source": "app",
        "category": "bug",
        "message": "Приложение закрывается.",
        "account": {"user_id": "u-42", "email": "anna@mail.test", "name": "Анна"},
        "client": {"platform": "ios", "version": "4.2"},
    }
    return body | changes


def file(app: Application, request_id: str = "r-1", **changes: Any) -> dict[str, Any]:
    response = app.post("/tickets", a_ticket(request_id, **changes))
    assert response.status_code == 200, response.content
    data: dict[str, Any] = response.json()["data"]
    return data


def status(app: Application, **body: Any) -> dict[str, Any]:
    body = {"contract": "app-ticket-status.v1", "account": {"user_id": "u-42"}, **body}
    response = app.post("/tickets/status", body)
    assert response.status_code == 200, response.content
    data: dict[str, Any] = response.json()["data"]
    return data


def close(ticket: dict[str, Any], *, ago: timedelta = timedelta()) -> None:
    widget_id = Ticket.objects.get(pk=ticket["number"]).widget_id
    close_ticket(widget_id=widget_id, number=ticket["number"], reason=CloseReason.RESOLVED, by=AGENT)
    Ticket.objects.filter(pk=ticket["number"]).update(closed_at=timezone.now() - ago)


class TestFiling:
    def test_a_room_with_a_contact_of_its_own(self, app: Application) -> None:
        filed = file(app)
        chat = Chat.objects.get(pk=filed["chat_id"])
        message = Message.objects.get(pk=filed["message_id"])
        ticket = Ticket.objects.get(pk=filed["number"])
        assert filed == {
            "number": ticket.pk,
            "state": "open",
            "chat_id": chat.pk,
            "message_id": message.pk,
            "created": True,
            "reopened": False,
            "replayed": False,
        }
        assert (chat.channel, chat.contact.name, chat.contact.email) == ("app", "Анна", "anna@mail.test")
        assert (message.body, message.sender_kind, message.chat_id) == ("Приложение закрывается.", "client", chat.pk)
        assert (ticket.reason, ticket.priority, ticket.category, ticket.source) == ("app_request", 2, "bug", "app")
        assert ticket.client == {"platform": "ios", "version": "4.2"}

    def test_what_comes_meanwhile_goes_to_the_open_ticket(self, app: Application) -> None:
        first = file(app)
        second = file(app, "r-2", category="complaint", account={"user_id": "u-42", "name": "Анна К."})
        assert second["number"] == first["number"]
        assert (second["created"], second["reopened"], second["chat_id"]) == (False, False, first["chat_id"])
        assert Ticket.objects.get().priority == 1
        assert Contact.objects.get(chats=first["chat_id"]).name == "Анна К."
        file(app, "r-3", category="question")
        assert Ticket.objects.get().priority == 1, "a lower priority does not count"

    @pytest.mark.parametrize(
        ("changes", "priority"),
        [({"category": "question"}, 2), ({"category": "complaint"}, 1), ({"refund": {"order_id": "o-1"}}, 1)],
    )
    def test_a_tickets_category_decides_its_priority(
        self, app: Application, changes: dict[str, Any], priority: int
    ) -> None:
        file(app, **changes)
        assert Ticket.objects.get().priority == priority

    def test_after_a_close_a_new_one_opens(self, app: Application) -> None:
        first = file(app)
        close(first)
        second = file(app, "r-2")
        assert second["number"] > first["number"]
        assert (second["created"], second["chat_id"]) == (True, first["chat_id"])

    @pytest.mark.parametrize(("ago", "is_reopened"), [(timedelta(days=6, hours=23), True), (timedelta(days=7), False)])
    def test_a_ticket_that_it_replies_to(self, app: Application, ago: timedelta, is_reopened: bool) -> None:
        first = file(app)
        close(first, ago=ago)
        second = file(app, "r-2", in_reply_to=first["number"])
        assert second["reopened"] is is_reopened
        assert (second["number"] == first["number"]) is is_reopened
        assert second["created"] is not is_reopened

    def test_a_ticket_of_another_account_is_404(self, app: Application, rival: Rival) -> None:
        file(app, account={"user_id": "u-1"})
        before = snapshot()
        for number in (Ticket.objects.get().pk, 999_999):
            assert_problem(app.post("/tickets", a_ticket("r-2", in_reply_to=number)), 404, "not_found")
        assert snapshot() == before

    def test_the_same_request_again(self, app: Application) -> None:
        first = file(app)
        before = snapshot()
        again = a_ticket()
        again = dict(reversed(again.items()))
        assert app.post("/tickets", again).json()["data"] == {**first, "replayed": True}
        assert_problem(app.post("/tickets", a_ticket(message="Другое")), 409, "request_id_reused")
        assert snapshot() == before

    def test_while_app_tickets_are_off_it_is_404_whatever_is_sent(self, application: Application) -> None:
        assert_problem(application.post("/tickets", a_ticket()), 404, "not_found")
        assert_problem(application.post("/tickets", {"no": "such"}), 404, "not_found")
        assert_problem(application.post("/tickets", {}, raw=b"{"), 400, "invalid_json")
        assert status(application) == {"tickets": [], "not_found": []}

    @pytest.mark.parametrize("contract", ["app-ticket.v2", "account-link.v1", ""])
    def test_another_contract_version_is_422(self, app: Application, contract: str) -> None:
        assert_problem(app.post("/tickets", a_ticket(contract=contract)), 422, "unsupported_contract")

    @pytest.mark.parametrize(
        ("member", "good", "bad"),
        [
            ("message", "м" * 10_000, "м" * 10_001),
            ("subject", "т" * 200, "т" * 201),
            ("request_id", "r" * 128, "r" * 129),
            ("request_id", "a.b_c:d-e", "a b"),
            ("account", {"user_id": "u" * 128}, {"user_id": "u" * 129}),
            ("account", {"user_id": "ё"}, {"user_id": "a b"}),
            ("client", {}, {"browser": "x"}),
            ("client", {"os": "o" * 100}, {"os": "o" * 101}),
            ("context", {"a": "x" * (16_384 - 8)}, {"a": "x" * (16_384 - 7)}),
            ("refund", {"order_id": "o" * 100}, {"order_id": "o" * 101}),
            ("refund", {"order_id": "o", "amount_minor": 0}, {"order_id": "o", "amount_minor": -1}),
            ("refund", {"order_id": "o", "currency": "EUR"}, {"order_id": "o", "currency": "eur"}),
            ("source", "email", "widget"),
            ("category", "other", "gift"),
        ],
    )
    def test_each_member_has_its_limits(self, app: Application, member: str, good: Any, bad: Any) -> None:
        assert app.post("/tickets", {**a_ticket(), member: good}).status_code == 200
        refused = assert_problem(app.post("/tickets", {**a_ticket("r-2"), member: bad}), 422, "invalid_input")
        assert [name.partition(".")[0] for name in refused["errors"]] == [member]

    def test_10_an_hour_of_an_account(self, app: Application) -> None:
        spent(FILED_BY_ACCOUNT, account_key(app.widget.pk, "u-42"), *[timedelta(minutes=30)] * 9)
        file(app)
        refused = app.post("/tickets", a_ticket("r-2"))
        assert_problem(refused, 429, "assistant_rate_limited")
        assert 1 <= int(refused.headers["Retry-After"]) <= 3600
        assert file(app)["replayed"] is True
        assert file(app, "r-3", account={"user_id": "u-43"})["created"] is True

    def test_60_a_minute_of_a_widget(self, app: Application) -> None:
        spent(FILED, app.widget.pk, timedelta(seconds=30), weight=60)
        assert_problem(app.post("/tickets", a_ticket()), 429, "assistant_rate_limited")

    def test_its_messages_are_nobodys_but_the_desks(self, app: Application, chat: Chat) -> None:
        filed = file(app)
        ids = [filed["message_id"]]
        assert taken_messages(app.widget.pk, filed["chat_id"], ids) == set(ids)
        assert taken_messages(app.widget.pk, chat.pk, ids) == set()


class TestStatus:
    def test_peoples_replies_after_the_cursor(self, app: Application, alice: Agent) -> None:
        filed = file(app)
        ids = [said(app, filed, alice, text) for text in ("Чиним.", "Починили.")]
        post_note(
            widget_id=app.widget.pk,
            chat_id=filed["chat_id"],
            agent_id=alice.pk,
            content={"type": "text", "body": "Между нами"},
        )
        (ticket,) = status(app)["tickets"]
        assert [(reply["id"], reply["text"]) for reply in ticket["replies"]] == [
            (ids[0], "Чиним."),
            (ids[1], "Починили."),
        ]
        assert (ticket["last_message_id"], ticket["has_more"], ticket["state"]) == (ids[1], False, "open")
        (ticket,) = status(app, tickets=[{"number": filed["number"], "after_message_id": ids[0]}])["tickets"]
        assert [reply["id"] for reply in ticket["replies"]] == [ids[1]]
        (ticket,) = status(app, tickets=[{"number": filed["number"], "after_message_id": ids[1]}])["tickets"]
        assert (ticket["replies"], ticket["last_message_id"]) == ([], ids[1])

    def test_a_reply_belongs_to_the_ticket_of_its_time(self, app: Application, alice: Agent) -> None:
        first = file(app)
        said(app, first, alice, "Первый")
        close(first)
        said(app, first, alice, "После закрытия")
        second = file(app, "r-2")
        said(app, second, alice, "Второй")
        answer = status(app)["tickets"]
        assert [ticket["number"] for ticket in answer] == [second["number"], first["number"]]
        texts = [[reply["text"] for reply in ticket["replies"]] for ticket in answer]
        assert texts == [["Второй"], ["Первый", "После закрытия"]]

    def test_50_at_a_time(self, app: Application, alice: Agent) -> None:
        filed = file(app)
        ids = [said(app, filed, alice, str(n)) for n in range(51)]
        (ticket,) = status(app)["tickets"]
        assert (len(ticket["replies"]), ticket["has_more"], ticket["last_message_id"]) == (50, True, ids[49])

    def test_others_numbers_are_not_found(self, app: Application, rival: Rival) -> None:
        rivals = application_of(rival.widget)
        change_settings(SETTINGS, widget_id=rival.widget.pk, changes={"channels": ["app"]})
        foreign = file(rivals)["number"]
        other = file(app, account={"user_id": "u-1"})["number"]
        own = file(app, "r-2")["number"]
        asked = [{"number": number, "after_message_id": 0} for number in (foreign, own, 999_999, other)]
        answer = status(app, tickets=asked)
        assert [ticket["number"] for ticket in answer["tickets"]] == [own]
        assert answer["not_found"] == [foreign, 999_999, other]

    def test_the_20_newest_tickets_are_answered(self, app: Application) -> None:
        numbers = []
        for n in range(21):
            spend_nothing(app)
            filed = file(app, f"r-{n}")
            close(filed)
            numbers.append(filed["number"])
        assert [ticket["number"] for ticket in status(app)["tickets"]] == numbers[:0:-1]

    @pytest.mark.parametrize(
        "tickets",
        [
            [],
            [{"number": n, "after_message_id": 0} for n in range(1, 22)],
            [{"number": 1, "after_message_id": 0}, {"number": 1, "after_message_id": 5}],
            [{"number": 1, "after_message_id": -1}],
            [{"number": 1}],
            [{"number": "1", "after_message_id": 0}],
        ],
    )
    def test_what_may_not_be_asked(self, app: Application, tickets: list[Any]) -> None:
        body = {"contract": "app-ticket-status.v1", "account": {"user_id": "u-42"}, "tickets": tickets}
        assert_problem(app.post("/tickets/status", body), 422, "invalid_input")


def spend_nothing(app: Application) -> None:
    """The hour passes."""
    from apps.core.models import QuotaUse

    QuotaUse.objects.all().delete()


def said(app: Application, filed: dict[str, Any], agent: Agent, text: str) -> int:
    content = {"type": "text", "body": text}
    posted = post_agent_message(widget_id=app.widget.pk, chat_id=filed["chat_id"], agent_id=agent.pk, content=content)
    return posted.id


@pytest.mark.django_db(transaction=True)
def test_parallel_intakes_of_one_account_make_one_room_and_one_ticket(shop: Widget) -> None:
    app = application_of(shop)
    change_settings(SETTINGS, widget_id=shop.pk, changes={"channels": ["app"]})
    answers: list[Any] = []

    def work(n: int) -> None:
        try:
            answers.append(app.post("/tickets", a_ticket(f"r-{n % 8}")))
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(n,)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers] == [200] * 16
    assert AppRoom.objects.count() == Ticket.objects.count() == 1
    assert Message.objects.count() == 8
    assert sum(answer.json()["data"]["replayed"] for answer in answers) == 8
