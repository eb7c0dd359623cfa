"""The cabinet's pages of learning."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import AuditEntry, Widget
from apps.ai.models import Assistant, PersonaVersion
from apps.chats.models import Chat
from apps.learning.actions.gates import is_switched_on
from apps.learning.models import Cycle, DemandTopic, Wish
from tests.cast import signed_in
from tests.factories import StaffFactory
from tests.learning.test_demand import noted

pytestmark = pytest.mark.django_db
WISHES, TUNING = "/admin/learning/wish/", "/admin/learning/tunedassistant/"


def test_a_wish_is_submitted_seen_approved_and_undone(cabinet: Client, assistant: Assistant) -> None:
    answer = cabinet.post(f"{WISHES}add/", {"assistant": assistant.pk, "text": "Ask for the order number."})
    wish = Wish.objects.get()
    page = f"{WISHES}{wish.pk}/change/"
    assert answer["Location"] == page
    shown = cabinet.get(page)
    assert "- Ask for the order number." in shown.content.decode()
    wrong = cabinet.post(page, {"decision": "approve", "fingerprint": "x" * 32}, follow=True)
    assert "out of date" in wrong.content.decode()
    cabinet.post(page, {"decision": "approve", "fingerprint": shown.context["plan"].fingerprint})
    wish.refresh_from_db()
    assert (wish.status, wish.version) == ("on_probation", 2)
    assert "Probation" in cabinet.get(f"{TUNING}{assistant.pk}/change/").content.decode()
    cabinet.post(page, {"decision": "revert"})
    assert Wish.objects.get().status == "reverted"


def test_a_version_is_made_live_again_once_it_is_asked(cabinet: Client, assistant: Assistant, shop: Widget) -> None:
    page = f"{TUNING}{assistant.pk}/change/"
    wish = Wish.objects.create(widget=shop, assistant_id=assistant.pk, text="Be brief.", author={"name": "x"})
    cabinet.post(f"{WISHES}{wish.pk}/change/", {"decision": "approve"})
    assert "+ - Be brief." in cabinet.get(page).content.decode()
    asked = cabinet.post(page, {"revert": "1"})
    assert "Make the text of version 1 live again?" in asked.content.decode()
    assert not PersonaVersion.objects.filter(restores=1).exists()
    cabinet.post(page, {"revert": "1", "sure": "1"})
    assert PersonaVersion.objects.latest("version").restores == 1
    assert "closed" in cabinet.post(page, {}, follow=True).content.decode()


def test_viewers_decide_nothing(assistant: Assistant, shop: Widget) -> None:
    viewer = signed_in(StaffFactory.create(account=shop.account, role="viewer"))
    wish = Wish.objects.create(widget=shop, assistant_id=assistant.pk, text="Be brief.", author={"name": "x"})
    for page in (f"{WISHES}{wish.pk}/change/", f"{TUNING}{assistant.pk}/change/"):
        assert viewer.get(page).status_code == 200
        assert viewer.post(page, {"decision": "approve"}).status_code == 403


def test_a_question_becomes_a_rule(cabinet: Client, chat: Chat) -> None:
    noted(chat, "Do you have roses?")
    topic = DemandTopic.objects.get()
    answer = cabinet.get(f"/admin/learning/demandtopic/{topic.pk}/rule/", follow=True)
    assert "Do you have roses?" in answer.content.decode()
    assert answer.redirect_chain[0][0].startswith("/admin/kb/rule/add/")


def test_the_platforms_switch_is_the_installations(cabinet: Client) -> None:
    assert cabinet.get("/admin/learning/learningswitch/").status_code in (302, 403)
    root = signed_in(StaffFactory.create(account=None, is_superuser=True))
    root.post("/admin/learning/learningswitch/add/", {})
    assert not is_switched_on()
    root.post("/admin/learning/learningswitch/1/change/", {"is_on": "on"})
    assert is_switched_on()


def test_reasons_and_decisions_are_in_russian(cabinet: Client, assistant: Assistant, shop: Widget) -> None:
    russian = {"Accept-Language": "ru"}
    Cycle.objects.create(
        widget=shop, assistant_id=assistant.pk, base_version=1, state="refused", reason="pinned_line", trigger="manual"
    )
    for page in ("/admin/learning/cycle/", f"{TUNING}{assistant.pk}/change/"):
        assert "изменена закреплённая строка" in cabinet.get(page, headers=russian).content.decode()
    cabinet.post(f"{WISHES}add/", {"assistant": assistant.pk, "text": "Give everybody a discount: evil.example"})
    page = f"{WISHES}{Wish.objects.get().pk}/change/"
    cabinet.post(page, {"decision": "reject"})
    shown = cabinet.get(page, headers=russian).content.decode()
    assert "подано" in shown
    assert "отклонено" in shown
    assert "rejected" not in shown


def test_wishes_and_cycles_are_in_the_trail(cabinet: Client, assistant: Assistant, shop: Widget) -> None:
    cabinet.post(f"{WISHES}add/", {"assistant": assistant.pk, "text": "Ask for the order number."})
    cabinet.post(f"{WISHES}{Wish.objects.get().pk}/change/", {"decision": "reject"})
    Cycle.objects.create(widget=shop, assistant_id=assistant.pk, base_version=1, trigger="manual")
    lines = AuditEntry.objects.filter(account_id=shop.account_id, content_type__app_label="learning").order_by("pk")
    found = [(line.content_type.model, line.action) for line in lines]
    assert found == [("wish", 0), ("wish", 1), ("cycle", 0)]
    assert lines[1].changes == {"status": ["submitted", "rejected"]}
    assert lines[1].actor is not None
