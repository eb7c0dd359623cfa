"""The demo's invitation to chat, and its help centers."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from apps.demo import seeding
from tests.client import ApiClient

pytestmark = pytest.mark.django_db


def test_each_widget_has_an_invitation_that_is_paused(settings: Settings, tmp_path: Path) -> None:
    settings.PARLEY_HOME = tmp_path / "home"
    first, second = (seeding.seed() for _ in range(2))
    for accounts in (first["accounts"], second["accounts"]):
        for widget in (widget for account in accounts for widget in account["widgets"]):
            assert widget["path_ids"]["chat_invitation"] == widget["first_word"]["invitation_id"]
    shop, rival = (second["accounts"][number]["widgets"][0] for number in (0, 1))
    assert shop["first_word"] == first["accounts"][0]["widgets"][0]["first_word"]
    api = ApiClient(shop["tokens"]["all"])
    shown = api.get(f"/chat-invitations/{shop['first_word']['invitation_id']}").json()["data"]
    assert (shown["state"], shown["texts"]["ru"]) == ("paused", "Помочь выбрать чай?")
    assert api.get(f"/chat-invitations/{rival['first_word']['invitation_id']}").status_code == 404


def test_each_widget_has_a_public_help_center_of_six_articles(settings: Settings, tmp_path: Path) -> None:
    settings.PARLEY_HOME = tmp_path / "home"
    first, second = (seeding.seed() for _ in range(2))
    assert first["accounts"][0]["widgets"][0]["first_word"] == second["accounts"][0]["widgets"][0]["first_word"]
    widgets = [widget for account in second["accounts"] for widget in account["widgets"]]
    for widget in widgets:
        told = widget["first_word"]
        api = ApiClient(widget["tokens"]["all"])
        data = api.get("/articles?state=published").json()["data"]
        assert sorted(each["id"] for each in data) == told["article_ids"]
        assert len(data) == 6
        assert all(each["texts"].keys() == {"en", "ru"} for each in data)
        center = api.get("/help-center").json()["data"]
        shown = (center["is_public"], center["in_widget"], center["for_ai"], center["slug"], center["url"])
        assert shown == (True, "off", False, told["slug"], told["help_url"])
        paths = widget["path_ids"]
        assert (paths["article"], paths["article_category"]) == (told["article_ids"][0], told["category_id"])
