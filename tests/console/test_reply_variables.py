"""Canned replies with variables: what is filled in, what falls back, and what stays to be filled in by hand."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat, Contact
from apps.console.models import CannedReply
from tests.client import assert_problem
from tests.console.browser import Console
from tests.factories.widget import VisitorSessionFactory

pytestmark = pytest.mark.django_db


def reply(shop: Widget, body: str) -> CannedReply:
    return CannedReply.objects.create(widget=shop, shortcut="hi", body=body)


def fill(console: Console, chat: Chat, canned: CannedReply, **query: Any) -> Any:
    return console.get(f"/chats/{chat.pk}/replies/{canned.pk}", query=query)


def test_a_reply_is_filled_in_with_what_is_known_of_the_chat(
    chat: Chat, shop: Widget, alice: Agent, alices_console: Console
) -> None:
    Contact.objects.filter(pk=chat.contact_id).update(
        name="Иван Петров", phone="", attributes={"order": 17, "vip": True}
    )
    body = "{visitor.first_name}: {attr.order} {attr.vip}, {operator.name} {chat.id} {visitor.phone} {weekday|}"
    answer = fill(alices_console, chat, reply(shop, body), lang="de").json()["data"]
    begin = f"Иван: 17 yes, {alice.full_name} {chat.pk} {{visitor.phone}} "
    assert answer["text"].startswith(begin)
    assert answer["text"].removeprefix(begin).endswith(("tag", "woch"))
    assert (answer["lang"], answer["missing"]) == ("de", ["visitor.phone"])


def test_another_variable_is_refused_on_the_text(alices_console: Console) -> None:
    answer = alices_console.post("/replies", json={"shortcut": "hi", "body": "Hi {name}"})
    assert (answer.status_code, list(answer.json()["errors"])) == (422, ["body"])
    assert not CannedReply.objects.exists()


def test_another_operators_own_reply_is_404(chat: Chat, shop: Widget, boris: Agent, alices_console: Console) -> None:
    own = CannedReply.objects.create(widget=shop, agent=boris, shortcut="hi", body="Hi")
    assert fill(alices_console, chat, own).status_code == 404


@pytest.mark.parametrize("language", [" ", "xx", "../en", "ENGLISH"])
def test_a_browsers_odd_language_keeps_no_reply_back(
    chat: Chat, shop: Widget, alices_console: Console, language: str
) -> None:
    VisitorSessionFactory.create(contact=chat.contact, lang=language)
    answer = fill(alices_console, chat, reply(shop, "{weekday|}"))
    assert answer.json()["data"]["text"].endswith("day")


def test_a_language_that_is_no_code_is_refused_by_name(chat: Chat, shop: Widget, alices_console: Console) -> None:
    assert_problem(fill(alices_console, chat, reply(shop, "Hi"), lang=" "), 422, "invalid_input", errors=["lang"])
