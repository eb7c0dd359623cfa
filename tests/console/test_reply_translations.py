"""Canned replies in other languages (design, "Translation both ways")."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat, Contact
from apps.console.export import EXPORT
from apps.console.models import CannedReply
from apps.console.rules.translated_replies import MAX_TRANSLATIONS, translations_refusal
from tests.client import assert_problem
from tests.console.browser import Console
from tests.factories.console import CannedReplyFactory
from tests.factories.widget import VisitorSessionFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db

RUSSIAN = "Здравствуйте, {visitor.name|друг}! Доставка 300 ₽, до 18:00."
GERMAN = "Guten Tag, {visitor.name|Gast}! Lieferung 300 ₽, bis 18:00."


@pytest.fixture
def reply(shop: Widget) -> CannedReply:
    return CannedReplyFactory.create(widget=shop, body=RUSSIAN)


def approve(console: Console, reply: CannedReply, lang: str = "de", text: str = GERMAN) -> Any:
    return console.put(f"/replies/{reply.pk}/translations/{lang}", json={"text": text})


def test_a_translation_is_approved_replaced_and_dropped(reply: CannedReply, alices_console: Console) -> None:
    approve(alices_console, reply, "en", "Hello, {visitor.name|there}! Delivery 300 ₽, until 18:00.")
    approve(alices_console, reply, "de", GERMAN.replace("Guten Tag", "Hallo"))
    shown = approve(alices_console, reply).json()["data"]
    assert [(one["lang"], one["state"]) for one in shown["translations"]] == [("de", "approved"), ("en", "approved")]
    assert shown["translations"][0]["text"] == GERMAN
    for _ in range(2):
        shown = alices_console.delete(f"/replies/{reply.pk}/translations/de").json()["data"]
        assert [one["lang"] for one in shown["translations"]] == ["en"]


def test_it_is_what_a_chat_of_that_language_is_given(chat: Chat, reply: CannedReply, alices_console: Console) -> None:
    Contact.objects.filter(pk=chat.contact_id).update(name="")
    VisitorSessionFactory.create(contact=chat.contact, lang="de-AT")
    path = f"/chats/{chat.pk}/replies/{reply.pk}"
    assert alices_console.data("GET", path)["text"].startswith("Здравствуйте, друг!")
    approve(alices_console, reply)
    filled = alices_console.data("GET", path)
    assert (filled["text"], filled["lang"]) == ("Guten Tag, Gast! Lieferung 300 ₽, bis 18:00.", "de")
    assert alices_console.get(path, query={"lang": "ru"}).json()["data"]["text"].startswith("Здравствуйте, друг!")


def test_a_changed_text_makes_it_stale(chat: Chat, reply: CannedReply, alices_console: Console) -> None:
    approve(alices_console, reply)
    changed = alices_console.data("PATCH", f"/replies/{reply.pk}", json={"shortcut": "other"})
    assert [one["state"] for one in changed["translations"]] == ["approved"]
    changed = alices_console.data("PATCH", f"/replies/{reply.pk}", json={"body": RUSSIAN.replace("300", "400")})
    assert [one["state"] for one in changed["translations"]] == ["stale"]
    filled = alices_console.get(f"/chats/{chat.pk}/replies/{reply.pk}", query={"lang": "de"}).json()["data"]
    assert "400" in filled["text"]
    again = approve(alices_console, reply, text=GERMAN.replace("300", "400")).json()["data"]
    assert [one["state"] for one in again["translations"]] == ["approved"]


def test_another_price_or_time_is_refused(reply: CannedReply, alices_console: Console) -> None:
    before = snapshot()
    refused = approve(alices_console, reply, text=GERMAN.replace("300", "350").replace("18:00", "19:00"))
    problem = assert_problem(refused, 422, "translation_differs")
    assert [(one["source"], one["text"]) for one in problem["differs"]] == [("300 ₽", "350 ₽"), ("18:00", "19:00")]
    assert snapshot() == before


@pytest.mark.parametrize(
    "text", ["", "x" * 4_001, GERMAN.replace("visitor.name", "name"), "Guten Tag! Lieferung 300 ₽, bis 18:00."]
)
def test_a_bad_text_is_refused(reply: CannedReply, alices_console: Console, text: str) -> None:
    before = snapshot()
    assert_problem(approve(alices_console, reply, text=text), 422, "invalid_input", errors=["text"])
    assert snapshot() == before


def test_what_is_no_language_and_what_is_anothers_are_404(
    reply: CannedReply, boris: Agent, alices_console: Console, rival: Any
) -> None:
    own = CannedReplyFactory.create(widget=boris.widget, agent=boris, body=RUSSIAN)
    theirs = CannedReplyFactory.create(widget=rival.widget, body=RUSSIAN)
    before = snapshot()
    for of, lang in ((reply, "klingon"), (reply, "d3"), (own, "de"), (theirs, "de")):
        assert approve(alices_console, of, lang).status_code == 404
        assert alices_console.delete(f"/replies/{of.pk}/translations/{lang}").status_code == 404
    assert snapshot() == before


def test_there_are_only_so_many(reply: CannedReply, alices_console: Console) -> None:
    codes = [first + second for first in "qrst" for second in "abcdefghijklm"][:MAX_TRANSLATIONS]
    reply.translations = [{"lang": code, "text": "x", "state": "approved"} for code in codes]
    reply.save()
    before = snapshot()
    assert_problem(approve(alices_console, reply), 422, "invalid_input", errors=["text"])
    assert snapshot() == before


class TestImport:
    def test_they_go_with_the_reply(self, reply: CannedReply, alices_console: Console) -> None:
        approve(alices_console, reply)
        table = next(each for each in EXPORT.tables(reply.widget_id) if each.model is CannedReply)
        assert table.checks["translations"] is translations_refusal
        reply.refresh_from_db()
        assert translations_refusal(reply.translations) is None

    @pytest.mark.parametrize(
        "found",
        [
            {},
            [{"lang": "de", "text": "x"}],
            [{"lang": "d3", "text": "x", "state": "approved"}],
            [{"lang": "de", "text": "", "state": "approved"}],
            [{"lang": "de", "text": "x", "state": "new"}],
            [{"lang": "de", "text": "x", "state": "approved"}] * 2,
        ],
    )
    def test_anything_else_is_refused(self, found: Any) -> None:
        assert translations_refusal(found) is not None
