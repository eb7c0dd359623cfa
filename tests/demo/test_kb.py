"""The demo's knowledge (design of the knowledge base, 8)."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from apps.demo import seeding
from tests.client import ApiClient

pytestmark = pytest.mark.django_db


def test_two_runs_make_the_same_knowledge(settings: Settings, tmp_path: Path) -> None:
    settings.PARLEY_HOME = tmp_path / "home"
    first, second = (seeding.seed() for _ in range(2))
    for accounts in (first["accounts"], second["accounts"]):
        (shop, none), (rival,) = (account["widgets"] for account in accounts)
        assert len(shop["kb"]["rule_ids"]) == 10
        assert len(rival["kb"]["rule_ids"]) == 2
        assert none["kb"] == {"rule_ids": [], "source_ref": None, "upload_id": None}
        assert shop["path_ids"]["kb_rule"] == shop["kb"]["rule_ids"][0]
        assert shop["path_ids"]["kb_upload"] == shop["kb"]["upload_id"]
    assert [one["kb"] for one in first["accounts"][0]["widgets"]] == [
        one["kb"] for one in second["accounts"][0]["widgets"]
    ]
    shop = second["accounts"][0]["widgets"][0]
    api = ApiClient(shop["tokens"]["all"])
    assert api.get(f"/kb/uploads/{shop['kb']['upload_id']}").json()["data"]["state"] == "ready"
    found = api.get("/kb/search", query={"q": "сколько стоит сенча"}).json()["data"]["chunks"]
    assert found[0]["title"] == "Цены › Сенча"
    rival = second["accounts"][1]["widgets"][0]
    assert api.get(f"/kb/rules/{rival['kb']['rule_ids'][0]}").status_code == 404
