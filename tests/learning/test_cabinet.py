"""The cabinet's pages of learning."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import Widget
from apps.ai.models import Assistant, PersonaVersion
from apps.chats.models import Chat
from apps.learning.actions.gates import is_switched_on
from apps.learning.models import DemandTopic, Wish
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


def test_a_version_is_made_live_again(cabinet: Client, assistant: Assistant, shop: Widget) -> None:
    page = f"{TUNING}{assistant.pk}/change/"
    wish = Wish.objects.create(widget=shop, assistant_id=assistant.pk, text="Be brief.", author={"name": "x"})
    cabinet.post(f"{WISHES}{wish.pk}/change/", {"decision": "approve"})
    assert "+ - Be brief." in cabinet.get(page).content.decode()
    cabinet.post(page, {"revert": "1"})
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
