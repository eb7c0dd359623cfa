"""`POST /widget/{guid}/sessions`: who comes, and who comes back."""

import hashlib
import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.actions import begin_presence
from apps.agents.models import Agent
from apps.chats import actions as chats
from apps.chats.models import Chat, Contact
from apps.chats.rules import Status
from apps.widget import actions
from apps.widget.actions.settings import change_settings
from apps.widget.models import VisitorSession
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import DepartmentFactory, MessageFactory
from tests.factories.widget import VisitorSessionFactory, visitor_token
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db


def test_a_new_visitor_gets_a_token_and_a_contact_but_no_chat(visitor: VisitorClient, shop: Widget) -> None:
    response = visitor.post("sessions", {"name": "Анна", "email": "anna@mail.test", "lang": "ru"})

    assert response.status_code == 201
    data = response.json()["data"]
    members = {
        "visitor_token",
        "contact_id",
        "chat_id",
        "online",
        "present",
        "queue",
        "messages",
        "steps",
        "letters",
        "realtime_url",
    }
    assert set(data) == members
    assert re.fullmatch(r"vt_[0-9A-Za-z]{40}", data["visitor_token"])
    assert (data["chat_id"], data["messages"], data["online"]) == (None, [], False)
    assert data["realtime_url"] == "ws://localhost:8001"
    contact = Contact.objects.get(guid=data["contact_id"])
    assert (contact.widget, contact.name, contact.email) == (shop, "Анна", "anna@mail.test")
    assert not Chat.objects.exists()


def test_only_a_hash_of_the_token_is_kept(visitor: VisitorClient) -> None:
    token = visitor.come()["visitor_token"]
    session = VisitorSession.objects.get()
    assert bytes(session.digest) == hashlib.sha256(token.encode()).digest()
    assert token not in repr(VisitorSession.objects.values().get())


def test_a_known_visitor_is_the_same_contact_and_sees_the_chat(
    ivans_browser: VisitorClient, ivan: Contact, chat: Chat, olga: Agent
) -> None:
    question = MessageFactory.create(chat=chat)
    MessageFactory.create(chat=chat, agent=olga, is_internal=True)
    reply = MessageFactory.create(chat=chat, agent=olga)

    response = ivans_browser.post("sessions", {"visitor_token": ivans_browser.token})

    assert response.status_code == 200
    data = response.json()["data"]
    assert data["visitor_token"] == ivans_browser.token
    assert (data["contact_id"], data["chat_id"]) == (ivan.guid, chat.pk)
    assert [message["id"] for message in data["messages"]] == [question.pk, reply.pk]
    assert Contact.objects.count() == 1


def test_a_long_chat_is_shown_from_its_end(ivans_browser: VisitorClient, chat: Chat) -> None:
    ids = [MessageFactory.create(chat=chat).pk for _ in range(103)]
    data = ivans_browser.come(visitor_token=ivans_browser.token)
    assert [message["id"] for message in data["messages"]] == ids[3:]


def test_what_the_page_tells_of_a_known_visitor_is_merged(ivans_browser: VisitorClient, ivan: Contact) -> None:
    Contact.objects.update(attributes={"plan": "free", "seats": 3})
    ivans_browser.come(
        visitor_token=ivans_browser.token, name="Ivan", attributes={"plan": "pro", "seats": None, "vip": True}
    )
    ivan.refresh_from_db()
    assert ivan.name == "Ivan"
    assert ivan.attributes == {"plan": "pro", "vip": True}
    assert ivan.email == "ivan@mail.test"


def test_a_null_clears_all_attributes(ivans_browser: VisitorClient, ivan: Contact) -> None:
    Contact.objects.update(attributes={"plan": "free"})
    ivans_browser.come(visitor_token=ivans_browser.token, attributes=None)
    ivan.refresh_from_db()
    assert ivan.attributes == {}


def test_a_contact_keeps_at_most_64_attributes(ivans_browser: VisitorClient, ivan: Contact) -> None:
    known = {f"a{n}": n for n in range(64)}
    Contact.objects.update(attributes=known)
    body = {"visitor_token": ivans_browser.token, "attributes": {"one more": 1}}
    assert_problem(ivans_browser.post("sessions", body), 422, "invalid_input", errors=["attributes"])
    ivan.refresh_from_db()
    assert ivan.attributes == known


def test_an_unknown_token_in_the_body_is_401(visitor: VisitorClient) -> None:
    for token in ("vt_" + "x" * 40, "nonsense"):
        assert_problem(visitor.post("sessions", {"visitor_token": token}), 401, "invalid_visitor_token")
    assert not Contact.objects.exists()


def test_a_token_of_another_widget_is_401(visitor: VisitorClient, rival: Rival) -> None:
    foreign = visitor_token(VisitorSessionFactory.create(contact=rival.contact))
    assert_problem(visitor.post("sessions", {"visitor_token": foreign}), 401, "invalid_visitor_token")


def test_a_visitor_ends_their_session_and_may_say_so_twice(
    ivans_browser: VisitorClient, ivans_session: VisitorSession, ivan: Contact
) -> None:
    elsewhere = VisitorSessionFactory.create(contact=ivan)
    assert ivans_browser.delete("sessions").status_code == 204
    assert_problem(ivans_browser.get("messages"), 401, "invalid_visitor_token")
    assert ivans_browser.delete("sessions").status_code == 204
    ivans_session.refresh_from_db()
    elsewhere.refresh_from_db()
    assert ivans_session.revoked_at is not None
    assert elsewhere.revoked_at is None, "another browser of theirs goes on"


def test_ending_a_session_ends_no_other_widgets(ivans_browser: VisitorClient, rival: Rival) -> None:
    foreign = VisitorSessionFactory.create(contact=rival.contact)
    for token in (visitor_token(foreign), "vt_" + "x" * 40, "nonsense", None):
        assert VisitorClient(ivans_browser.guid, token).delete("sessions").status_code == 204
    assert not VisitorSession.objects.exclude(revoked_at=None).exists()


def test_a_session_of_364_days_without_use_goes_on(ivans_browser: VisitorClient, ivans_session: VisitorSession) -> None:
    used = VisitorSession.objects.filter(pk=ivans_session.pk)
    used.update(last_seen_at=timezone.now() - timedelta(days=364))
    assert ivans_browser.get("messages").status_code == 200


def test_a_year_without_use_ends_a_session(ivans_browser: VisitorClient, ivans_session: VisitorSession) -> None:
    used = VisitorSession.objects.filter(pk=ivans_session.pk)
    used.update(last_seen_at=timezone.now() - timedelta(days=366))
    assert_problem(ivans_browser.get("messages"), 401, "invalid_visitor_token")
    body = {"visitor_token": ivans_browser.token}
    assert_problem(ivans_browser.post("sessions", body), 401, "invalid_visitor_token")


def test_the_use_of_a_session_is_noted_once_a_day(ivans_browser: VisitorClient, ivans_session: VisitorSession) -> None:
    hours_ago, days_ago = timezone.now() - timedelta(hours=23), timezone.now() - timedelta(days=2)
    for before, is_noted in ((hours_ago, False), (days_ago, True)):
        VisitorSession.objects.filter(pk=ivans_session.pk).update(last_seen_at=before)
        assert ivans_browser.get("messages").status_code == 200
        ivans_session.refresh_from_db()
        assert (ivans_session.last_seen_at > before) is is_noted


def test_a_revoked_visitor_is_401_at_once(ivans_browser: VisitorClient, ivans_session: VisitorSession) -> None:
    assert ivans_browser.get("messages").status_code == 200
    actions.revoke_visitor(session=ivans_session)
    assert_problem(ivans_browser.get("messages"), 401, "invalid_visitor_token")
    body = {"visitor_token": ivans_browser.token}
    assert_problem(ivans_browser.post("sessions", body), 401, "invalid_visitor_token")


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"name": "x" * 256}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"name": "  "}, "name"),
        ({"email": "not an address"}, "email"),
        ({"phone": "1" * 33}, "phone"),
        ({"phone": "call me"}, "phone"),
        ({"page_url": "https://shop.test/" + "x" * 2000}, "page_url"),
        ({"lang": "x" * 36}, "lang"),
        ({"attributes": []}, "attributes"),
        ({"attributes": {"a": {"b": 1}}}, "attributes.a"),
        ({"attributes": {"a": "x" * 1001}}, "attributes.a"),
        ({"attributes": {"x" * 65: 1}}, "attributes." + "x" * 65),
        ({"attributes": {f"a{n}": n for n in range(65)}}, "attributes"),
        ({"user_id": "7", "identity_hmac": "0" * 64}, "identity_hmac"),
        ({"identity_hmac": "0" * 64}, "user_id"),
        ({"user_id": "7"}, "identity_hmac"),
        ({"user_id": "", "identity_hmac": "0"}, "user_id"),
        ({"user_id": "x" * 129, "identity_hmac": "0"}, "user_id"),
        ({"user_id": "a\u0007", "identity_hmac": "0"}, "user_id"),
        ({"visitor_token": 5}, "visitor_token"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_what_cannot_be_taken_is_422_and_makes_nobody(visitor: VisitorClient, body: Any, path: str) -> None:
    assert_problem(visitor.post("sessions", body), 422, "invalid_input", errors=[path])
    assert not Contact.objects.exists()


def test_an_identity_without_a_secret_is_refused_in_clear_words(visitor: VisitorClient) -> None:
    problem = assert_problem(visitor.post("sessions", {"user_id": "7", "identity_hmac": "00"}), 422, "invalid_input")
    assert "no identity secret" in problem["errors"]["identity_hmac"][0]


def test_the_operators_see_what_the_visitor_wrote(visitor: VisitorClient, api: ApiClient) -> None:
    visitor.come(name="Анна")
    message = visitor.say("Есть пионы?")
    listed = api.get(f"/chats/{message['chat_id']}/messages").json()["data"]
    assert [(each["body"], each["sender"]["name"]) for each in listed] == [("Есть пионы?", "Анна")]


def test_who_comes_back_is_told_who_joined_and_who_closed_the_chat(
    ivans_browser: VisitorClient, chat: Chat, olga: Agent
) -> None:
    ids = {"widget_id": chat.widget_id, "chat_id": chat.pk}
    chats.accept_chat(**ids, agent_id=olga.pk)
    chats.transfer_chat_to_department(**ids, department_id=DepartmentFactory.create(widget=chat.widget).pk)
    chats.close_chat(**ids, by_agent_id=olga.pk)
    chats.set_chat_state(**ids, status=Status.ACTIVE)  # the API, nobody in particular
    steps = ivans_browser.come(visitor_token=ivans_browser.token)["steps"]
    assert [(step["kind"], step["name"]) for step in steps] == [("joined", olga.full_name), ("closed", olga.full_name)]
    change_settings(widget_id=chat.widget_id, changes={"operators_display_mode": "hidden"})
    steps = ivans_browser.come(visitor_token=ivans_browser.token)["steps"]
    assert [step["name"] for step in steps] == [None, None]


@pytest.mark.parametrize("mode", ["faces_and_names", "faces", "names", "hidden"])
def test_who_is_there_is_shown_as_the_widget_shows_operators(visitor: VisitorClient, olga: Agent, mode: str) -> None:
    change_settings(widget_id=olga.widget_id, changes={"operators_display_mode": mode})
    Agent.objects.filter(pk=olga.pk).update(avatar="0" * 32, show_in_header=True)
    begin_presence(agent_id=olga.pk, process=uuid4())
    data = visitor.come()
    assert data["online"] is True
    if mode == "hidden":
        assert data["present"] == []
    else:
        (shown,) = data["present"]
        assert (shown["name"], shown["avatar_url"] is None) == (olga.full_name, mode == "names")
