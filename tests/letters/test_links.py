"""A letter's link: the page that changes nothing, and the session that sees what the letter tells of, no more."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Widget
from apps.chats.models import Contact
from apps.letters.models import Address, OutLetter, Thread
from apps.widget.models import VisitorSession
from tests.cast import Rival
from tests.client import assert_problem
from tests.letters.post import Answering, queue, work
from tests.letters.test_letters import text_of
from tests.mail_server import MailServer
from tests.rows import snapshot
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def token(mary: VisitorClient, answer: Answering, server: MailServer) -> str:
    """Of the letter about Mary's second question; an answer to the first was seen."""
    seen = answer(mary, "Old and seen")
    mary.post("seen", {"message_id": seen})
    mary.say("And pu-erh?")
    answer(mary, "Pu-erh, too")
    queue()
    work()
    found = re.search(r"/letter/(\S+)", text_of(server.received[0][1]))
    assert found is not None
    assert 20 <= len(found[1]) <= 200
    assert re.fullmatch(r"[A-Za-z0-9_:.-]+", found[1])
    return found[1]


@pytest.fixture
def phone(shop: Widget) -> VisitorClient:
    return VisitorClient(shop)


class TestThePage:
    def test_it_shows_the_shop_and_changes_nothing(self, token: str, shop: Widget) -> None:
        rows = snapshot()
        page = Client().get(f"/letter/{token}")
        assert page.status_code == 200
        assert shop.name in page.content.decode()
        assert "uerh" not in page.content.decode()
        assert snapshot() == rows
        headers = ("Cache-Control", "Referrer-Policy", "X-Robots-Tag")
        assert [page.headers[name].split(",")[0] for name in headers] == ["no-store", "no-referrer", "noindex"]

    def test_a_forged_one_and_one_that_is_over(self, token: str) -> None:
        assert Client().get(f"/letter/{token[:-1]}{'a' if token[-1] != 'a' else 'b'}").status_code == 404
        Thread.objects.unscoped("a test").update(dead_at=timezone.now())
        assert Client().get(f"/letter/{token}").status_code == 410


class TestTheSession:
    def test_it_sees_the_chat_from_the_first_quoted_message_on(
        self, token: str, phone: VisitorClient, mary: VisitorClient
    ) -> None:
        opened = phone.come(letter=token)
        assert [message["body"] for message in opened["messages"]] == ["And pu-erh?", "Pu-erh, too"]
        assert opened["chat_id"] == mary.chat_id
        assert opened["letters"] == {"mode": "on", "address": "m•••@mail.test", "state": "will"}
        listed = phone.get("messages?limit=100").json()["data"]
        assert [message["body"] for message in listed] == ["And pu-erh?", "Pu-erh, too"]
        before = phone.get(f"messages?before_id={listed[0]['id']}").json()["data"]
        assert before == []
        assert mary.get("messages?limit=100").json()["data"][0]["body"] == "Is the oolong in stock?"

    def test_it_writes_and_rates_and_does_nothing_else(self, token: str, phone: VisitorClient) -> None:
        phone.come(letter=token)
        assert phone.say("Thanks")["body"] == "Thanks"
        assert phone.post("rating", {"value": 5}).status_code == 201
        assert phone.post("typing", {"state": "start"}).status_code == 204
        rows = snapshot()
        for refused in (
            phone.put("address", {"email": "thief@mail.test"}),
            phone.post("offline", {"email": "thief@mail.test", "message": "x"}),
            phone.post("verification"),
            phone.post("continue", {"channel": "tg"}),
            phone.post("sessions", {"visitor_token": phone.token, "name": "Thief"}),
        ):
            assert_problem(refused, 403, "letter_session")
        assert snapshot() == rows

    def test_its_own_visitor_gets_the_own_session(self, token: str, mary: VisitorClient) -> None:
        answered = mary.post("sessions", {"letter": token, "visitor_token": mary.token})
        assert answered.status_code == 200
        assert answered.json()["data"]["visitor_token"] == mary.token
        assert answered.json()["data"]["letters"]["address"] == "mary@mail.test"

    def test_another_visitors_session_is_not_touched(self, token: str, shop: Widget) -> None:
        stranger = VisitorClient(shop)
        stranger.come()
        asked = {"letter": token, "visitor_token": stranger.token, "letter_agreed": True}
        opened = stranger.post("sessions", asked)
        assert opened.status_code == 201
        assert opened.json()["data"]["visitor_token"] != stranger.token
        assert stranger.get("messages").status_code == 200

    @pytest.mark.parametrize("said", [{}, {"letter_agreed": False}])
    def test_beside_another_visitor_it_opens_only_after_they_agree(
        self, token: str, shop: Widget, said: dict[str, bool]
    ) -> None:
        stranger = VisitorClient(shop)
        stranger.come()
        rows = snapshot()
        refused = stranger.post("sessions", {"letter": token, "visitor_token": stranger.token, **said})
        assert_problem(refused, 422, "invalid_input", errors=["letter_agreed"])
        assert snapshot() == rows

    def test_opening_is_a_sign_of_life_and_no_proof(self, token: str, phone: VisitorClient) -> None:
        phone.come(letter=token)
        address = Address.objects.get()
        assert (address.unopened, address.proven_at) == (0, None)
        assert OutLetter.objects.get().opened_at is not None

    def test_another_widgets_link_is_none(self, token: str, rival: Rival) -> None:
        other = VisitorClient(rival.widget)
        assert_problem(other.post("sessions", {"letter": token}), 422, "invalid_input", errors=["letter"])
        assert_problem(other.post("sessions", {"letter": "x" * 40}), 422, "invalid_input", errors=["letter"])

    def test_another_address_ends_link_and_session(self, token: str, phone: VisitorClient, mary: VisitorClient) -> None:
        phone.come(letter=token)
        assert mary.put("address", {"email": "mary@right.test"}).status_code == 200
        assert_problem(phone.get("messages"), 401, "invalid_visitor_token")
        assert_problem(phone.post("sessions", {"letter": token}), 410, "letter_over")

    def test_it_ends_by_itself(self, token: str, phone: VisitorClient) -> None:
        phone.come(letter=token)
        rows = VisitorSession.objects.unscoped("a test").exclude(letter_first_id=None)
        rows.update(last_seen_at=timezone.now() - timedelta(hours=25))
        assert_problem(phone.get("messages"), 401, "invalid_visitor_token")
        rows.update(last_seen_at=timezone.now(), created_at=timezone.now() - timedelta(days=31))
        assert_problem(phone.get("messages"), 401, "invalid_visitor_token")

    def test_twenty_sessions_an_hour_are_all(self, token: str, shop: Widget) -> None:
        for _ in range(20):
            VisitorClient(shop).come(letter=token)
        assert_problem(VisitorClient(shop).post("sessions", {"letter": token}), 429, "rate_limited")


class TestTheAddress:
    def test_it_is_given_corrected_and_taken_back(self, mary: VisitorClient) -> None:
        given = mary.put("address", {"email": "mary@right.test"})
        assert given.json()["data"] == {"letters": {"mode": "on", "address": "mary@right.test", "state": "will"}}
        assert Contact.objects.unscoped("a test").get(name="Mary").email == "mary@right.test"
        for wrong in ("mary@", "peter@exa", "x" * 300 + "@mail.test"):
            assert_problem(mary.put("address", {"email": wrong}), 422, "invalid_email", errors=["email"])
        assert mary.put("address", {"email": None}).json()["data"]["letters"]["state"] == "none"

    def test_the_config_says_the_mode(self, mary: VisitorClient) -> None:
        config = mary.get("config").json()["data"]
        assert (config["letters"], config["mail_answers"]) == ({"mode": "on"}, False)
