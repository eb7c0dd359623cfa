"""Whatever the calls of the guides have made of the demo data, the next `make run` starts, with the data as it is."""

from dataclasses import replace
from typing import Any

import pytest
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.ai.models import Alert, Credential
from apps.chats.models import Chat, Contact
from apps.demo import seeding
from launcher.banner import banner
from launcher.prepare import demo_data
from tests.client import ApiClient
from tests.contract.requests import to
from tests.contract.routes import ROUTES, writes
from tests.contract.samples import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def first(settings: Settings, tmp_path: Any) -> dict[str, Any]:
    """The document of the first run, and a home of the test's own."""
    settings.PARLEY_HOME = tmp_path / "home"
    return demo_data()


def shop_of(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["accounts"][0]["widgets"][0]
    return found


@pytest.fixture
def demo_world(world: World, first: dict[str, Any]) -> World:
    """The world of the samples, with the demo's shop in place of the cast's."""
    widget = Widget.objects.get(pk=shop_of(first)["id"])
    chat = Chat.objects.get(pk=shop_of(first)["chat_ids"][0])
    agent = Agent.objects.filter(widget=widget, type=Agent.Type.HUMAN, status=Agent.Status.ACTIVE).earliest("pk")
    return replace(world, widget=widget, agent=agent, contact=Contact.objects.get(pk=chat.contact_id), chat=chat)


AREAS = sorted({route.path.removeprefix("/api/v1/").strip("/").split("/")[0] for route in ROUTES if writes(route)})


@pytest.mark.slow
@pytest.mark.parametrize("area", AREAS)
def test_it_starts_again_after_every_write(area: str, demo_world: World, first: dict[str, Any]) -> None:
    token = shop_of(first)["tokens"]["all"]
    for route in ROUTES:
        if writes(route) and route.path.removeprefix("/api/v1/").strip("/").split("/")[0] == area:
            assert to(route, demo_world, token).send().status_code != 500, route.name
    again = demo_data()
    assert "problem" not in again
    assert shop_of(again)["id"] == shop_of(first)["id"]


def test_rows_that_look_like_the_demos_are_left_to_their_people(first: dict[str, Any]) -> None:
    """Three ordinary calls of the guides (and a second alert by the service) after which it never started again."""
    shop = shop_of(first)
    api = ApiClient(shop["tokens"]["all"])
    assert api.post("/ai/credentials", json={"provider": "openai", "api_key": "sk-x"}).status_code == 201
    assert api.post("/departments", json={"name": "Поддержка"}).status_code == 201
    Alert.objects.filter(widget_id=shop["id"]).update(acknowledged_at="2026-01-01T00:00:00Z")
    Alert.objects.create(
        widget_id=shop["id"],
        code="not_configured",
        severity="warning",
        message="Again.",
        first_at="2026-01-02T00:00:00Z",
    )
    before = {model: model.objects.count() for model in (Credential, Department, Alert)}
    again = demo_data()
    assert "problem" not in again
    assert shop_of(again)["path_ids"] == shop["path_ids"]
    assert {model: model.objects.count() for model in before} == before


def test_a_row_that_was_renamed_is_the_same_row(first: dict[str, Any]) -> None:
    shop = shop_of(first)
    Department.objects.filter(pk=shop["path_ids"]["department"]).update(name="Цветы")
    assert shop_of(demo_data())["path_ids"] == shop["path_ids"]


def test_where_the_data_cannot_be_made_it_starts_and_says_so_in_a_line(
    first: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def seed(*, keep_tokens: bool) -> dict[str, Any]:
        raise Credential.MultipleObjectsReturned("get() returned more than\none Credential")

    monkeypatch.setattr(seeding, "seed", seed)
    found = demo_data()
    assert found == first | {"problem": "MultipleObjectsReturned: get() returned more than one Credential"}
    (line,) = [line for line in banner("http://127.0.0.1:8000", found).splitlines() if "can't be brought" in line]
    reason = "MultipleObjectsReturned: get() returned more than one Credential"
    assert line == f"The demo data stays as it is, for it can't be brought up to date ({reason})."
    assert "demo page" in banner("http://127.0.0.1:8000", found)


def test_demo_logins_whose_document_is_lost_are_told_all_the_same(
    first: dict[str, Any], settings: Settings, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PARLEY_HOME = tmp_path / "another"
    monkeypatch.setattr(seeding, "_seed", lambda *_: [][0])
    assert "DEMO LOGINS" in banner("http://127.0.0.1:8000", demo_data())


def test_without_an_earlier_run_it_starts_without_demo_data(
    settings: Settings, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PARLEY_HOME = tmp_path / "home"
    monkeypatch.setattr(seeding, "_seed", lambda *_: [][0])
    found = demo_data()
    assert (found["accounts"], found["is_seeded"]) == ([], False)
    text = banner("http://127.0.0.1:8000", found)
    assert "(IndexError: list index out of range)" in text
    assert "No demo data was made." in text
