"""The demo's invitation to chat."""

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
