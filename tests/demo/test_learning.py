"""The demo's learning (design of learning, 10)."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from apps.demo import seeding
from tests.client import ApiClient

pytestmark = pytest.mark.django_db


def test_two_runs_make_the_same(settings: Settings, tmp_path: Path) -> None:
    settings.PARLEY_HOME = tmp_path / "home"
    first, second = (seeding.seed() for _ in range(2))
    shop, none = (one["learning"] for one in first["accounts"][0]["widgets"])
    assert [one["learning"] for one in second["accounts"][0]["widgets"]] == [shop, none]
    assert set(shop["wish_ids"]) == {"submitted", "kept", "reverted", "rejected"}
    assert shop["versions"] == shop["live_version"] == 6
    assert len(shop["cycle_ids"]) == 1
    assert none["assistant_id"] is None
    rival = first["accounts"][1]["widgets"][0]["learning"]
    assert (set(rival["wish_ids"]), rival["versions"]) == ({"submitted"}, 2)
    widget = second["accounts"][0]["widgets"][0]
    assert widget["path_ids"]["wish"] == shop["wish_ids"]["submitted"]
    api = ApiClient(widget["tokens"]["all"])
    cases = {one["id"]: one for one in api.get("/ai/evaluation-cases").json()["data"]}
    assert sorted(cases) == widget["proof"]["case_ids"] == first["accounts"][0]["widgets"][0]["proof"]["case_ids"]
    assert [one["is_active"] for one in cases.values()] == [False, False]
    assert widget["path_ids"]["evaluation_case"] in cases
    assert api.get(f"/ai/evaluations/{widget['path_ids']['evaluation']}").json()["data"]["right"] == 2
    found = api.get("/ai/demand-signals").json()["data"]
    assert all(found["totals"].values())
    assert api.get(f"/wishes/{shop['wish_ids']['kept']}").json()["data"]["status"] == "kept"
    (cycle,) = api.get("/ai/learning/cycles").json()["data"]
    assert (cycle["id"], cycle["state"], cycle["trigger"]) == (shop["cycle_ids"][0], "applied", "schedule")
    assert {"tuned", "kept"} <= {one["action"] for one in api.get("/ai/learning/history?limit=100").json()["data"]}
