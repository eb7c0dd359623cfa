"""What operators say of a visitor over HTTP. What else it moves: tests/chats/test_what_operators_see.py."""

from typing import Any
from urllib.parse import quote

import pytest

from apps.agents.models import Agent
from apps.chats.events import ContactUpdated
from apps.chats.models import Chat, Contact, ContactTag
from apps.core.bus import DomainEvent
from tests.cast import Rival
from tests.client import assert_problem
from tests.console.browser import Console
from tests.factories.chats import ContactTagFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db


def test_a_contact_is_changed(alices_console: Console, ivan: Contact, chat: Chat, happened: list[DomainEvent]) -> None:
    about = {"name": "Иван", "phone": None, "attributes": {"plan": "pro"}}
    shown = alices_console.data("PATCH", f"/contacts/{ivan.guid}", json=about)
    assert (shown["name"], shown["email"], shown["phone"]) == ("Иван", "ivan@mail.test", None)
    assert shown["attributes"] == {"plan": "pro"}
    assert [event.changed_fields for event in happened if isinstance(event, ContactUpdated)] == [
        ("name", "phone", "attributes")
    ]
    chat.refresh_from_db()
    assert chat.version == 2


def test_tags_come_and_go(alices_console: Console, ivan: Contact) -> None:
    tags = ["vip", "a/b c", "постоянный", "100%", "?#"]
    shown = alices_console.data("POST", f"/contacts/{ivan.guid}/tags", json={"tags": tags})
    assert shown["tags"] == sorted(tags)
    for tag in tags:
        tags = [other for other in shown["tags"] if other != tag]
        shown = alices_console.data("DELETE", f"/contacts/{ivan.guid}/tags/{quote(tag, safe='')}")
        assert shown["tags"] == tags
    assert not ContactTag.objects.exists()


def test_a_tag_that_is_not_on_it_changes_nothing(alices_console: Console, ivan: Contact) -> None:
    ContactTagFactory.create(contact=ivan, tag__name="vip")
    before = snapshot()
    for name in ("VIP", "%00", "x" * 500):
        assert alices_console.data("DELETE", f"/contacts/{ivan.guid}/tags/{name}")["tags"] == ["vip"]
    assert snapshot() == before


@pytest.mark.parametrize(
    ("method", "path", "body", "refused"),
    [
        ("PATCH", "", {"name": "x" * 256}, ["name"]),
        ("PATCH", "", {"email": "nonsense"}, ["email"]),
        ("PATCH", "", {"attributes": {"plan": []}}, ["attributes.plan"]),
        ("PATCH", "", {"tags": ["vip"]}, ["tags"]),
        ("POST", "/tags", {"tags": []}, ["tags"]),
        ("POST", "/tags", {}, ["tags"]),
    ],
)
def test_bad_input_is_422(
    alices_console: Console, ivan: Contact, method: str, path: str, body: Any, refused: list[str]
) -> None:
    before = snapshot()
    answer = alices_console.request(method, f"/contacts/{ivan.guid}{path}", json=body)
    assert_problem(answer, 422, "invalid_input", errors=refused)
    assert snapshot() == before


CALLS: list[tuple[str, str, Any]] = [
    ("PATCH", "", {"name": "Ivan"}),
    ("POST", "/tags", {"tags": ["new"]}),
    ("DELETE", "/tags/vip", None),
]


@pytest.mark.parametrize(("method", "path", "body"), CALLS)
def test_another_widgets_contact_is_404(
    alices_console: Console, rival: Rival, method: str, path: str, body: Any
) -> None:
    ContactTagFactory.create(contact=rival.contact, tag__name="vip")
    before = snapshot()
    answer = alices_console.request(method, f"/contacts/{rival.contact.guid}{path}", json=body)
    assert_problem(answer, 404, "not_found")
    assert snapshot() == before


@pytest.mark.parametrize(("method", "path", "body"), CALLS)
def test_without_the_pages_token_or_suspended_it_is_403(
    alices_console: Console, ivan: Contact, alice: Agent, method: str, path: str, body: Any
) -> None:
    ContactTagFactory.create(contact=ivan, tag__name="vip")
    before = snapshot()
    forged = {"X-CSRFToken": "x" * 32}
    answer = alices_console.request(method, f"/contacts/{ivan.guid}{path}", json=body, headers=forged)
    assert_problem(answer, 403, "csrf_failed")
    assert snapshot() == before
    Agent.objects.filter(pk=alice.pk).update(status="banned")
    before = snapshot()
    answer = alices_console.request(method, f"/contacts/{ivan.guid}{path}", json=body)
    assert_problem(answer, 403, "not_an_operator")
    assert snapshot() == before
