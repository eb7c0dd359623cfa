"""Forms of the cabinet that somebody has left open: what others changed meanwhile is not undone."""

import re
from typing import Any

from django.test import Client

from apps.accounts.models import Widget
from apps.ai.actions.settings import change_settings
from apps.ai.models import AiSettings
from tests.accounts.test_races import page_of, shown
from tests.factories.ai import AssistantFactory


def texts(response: Any) -> str:
    return re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", response.content.decode()))


def test_what_was_left_alone_keeps_what_others_have_made_of_it(cabinet: Client, shop: Widget) -> None:
    change_settings(widget_id=shop.pk, changes={"enabled": True, "takeover_timeout_sec": 60})
    settings = AiSettings.objects.get(widget=shop)
    page = f"/admin/ai/aisettings/{shop.pk}/change/"
    form = shown(cabinet, settings)
    change_settings(widget_id=shop.pk, changes={"enabled": False})
    answer = cabinet.post(page, form | {"takeover_timeout_sec": 120}, follow=True)
    settings.refresh_from_db()
    assert (settings.enabled, settings.takeover_timeout_sec) == (False, 120)
    assert "Somebody else has changed meanwhile, and it stays so: The AI answers: yes → no." in texts(answer)


def test_one_field_of_two_people_is_a_conflict_with_both_values(cabinet: Client, shop: Widget) -> None:
    form = shown(cabinet, shop)
    Widget.objects.filter(pk=shop.pk).update(name="Roses")
    mine = form | {"name": "Tulips", "allowed_origins": "https://tulips.example"}
    answer = cabinet.post(page_of(shop), mine)
    shop.refresh_from_db()
    assert (answer.status_code, shop.name, shop.allowed_origins) == (200, "Roses", [])
    assert "Somebody else has changed this meanwhile. Now it is: Roses. You wrote: Tulips." in texts(answer)
    # Who saves again has read it.
    bound = answer.context["adminform"].form["name"]
    assert (bound.value(), bound.initial) == ("Tulips", "Roses")
    assert 'name="initial-name" value="Roses"' in answer.content.decode()
    assert cabinet.post(page_of(shop), mine | {"initial-name": "Roses"}).status_code == 302
    shop.refresh_from_db()
    assert (shop.name, shop.allowed_origins) == ("Tulips", ["https://tulips.example"])


def test_the_same_change_twice_is_no_conflict(cabinet: Client, shop: Widget) -> None:
    form = shown(cabinet, shop)
    Widget.objects.filter(pk=shop.pk).update(name="Roses")
    assert cabinet.post(page_of(shop), form | {"name": "Roses"}).status_code == 302


def test_ends_of_lines_are_no_change(cabinet: Client, shop: Widget) -> None:
    assistant = AssistantFactory.create(widget=shop, persona="One.\nTwo.")
    form = shown(cabinet, assistant) | {"persona": "One.\r\nTwo.", "initial-persona": "One.\r\nTwo."}
    answer = cabinet.post(page_of(assistant), form | {"name": "Rose"}, follow=True)
    assistant.refresh_from_db()
    assert (assistant.name, assistant.persona) == ("Rose", "One.\nTwo.")
    assert "Somebody else" not in texts(answer)


def test_an_own_translation_of_somebody_else_stays(cabinet: Client, shop: Widget) -> None:
    page = f"/admin/widget/widgetlook/{shop.pk}/translations/"
    stale = {bound.html_name: bound.value() or "" for bound in cabinet.get(page).context["form"]}
    stale |= {f"initial-{name}": value for name, value in stale.items()}
    first, second = [name for name in stale if not name.startswith("initial-")][:2]
    assert cabinet.post(page, stale | {first: "First"}).status_code == 302
    assert cabinet.post(page, stale | {second: "Second"}).status_code == 302
    form = cabinet.get(page).context["form"]
    assert (form[first].value(), form[second].value()) == ("First", "Second")
