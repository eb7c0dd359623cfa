"""`/console/settings`: how all operators of a widget work; `/console/me`: what each chooses for themselves."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.agents.models import Agent
from tests.client import assert_problem
from tests.console.browser import Console

pytestmark = pytest.mark.django_db

DEFAULTS = {
    "drafts": "asked",
    "past_answers": True,
    "summaries": "handover",
    "translation": "offer",
    "away_minutes": 15,
}


def test_a_widget_without_settings_has_the_defaults(alices_console: Console) -> None:
    assert alices_console.data("GET", "/settings") == DEFAULTS


def test_an_owner_changes_what_is_named_for_everybody(alices_console: Console, olga: Agent) -> None:
    changed = Console(olga).data("PATCH", "/settings", json={"drafts": "waiting", "away_minutes": 0})
    assert changed == {**DEFAULTS, "drafts": "waiting", "away_minutes": 0}
    assert alices_console.data("GET", "/settings") == changed


@pytest.mark.parametrize(("role", "is_staff"), [(User.Role.MANAGER, False), (User.Role.VIEWER, True)])
def test_who_is_no_manager_changes_nothing(alice: Agent, role: str, is_staff: bool) -> None:
    User.objects.filter(pk=alice.user_id).update(role=role, is_staff=is_staff)
    console = Console(alice)
    assert_problem(console.request("PATCH", "/settings", json={"drafts": "off"}), 403, "managers_only")
    assert console.data("GET", "/settings") == DEFAULTS


def test_a_manager_may(alice: Agent) -> None:
    User.objects.filter(pk=alice.user_id).update(role=User.Role.MANAGER, is_staff=True)
    assert Console(alice).data("PATCH", "/settings", json={"translation": "auto"})["translation"] == "auto"


@pytest.mark.parametrize(
    "body",
    [
        {"drafts": "always"},
        {"past_answers": 1},
        {"summaries": None},
        {"translation": "on"},
        {"away_minutes": 4},
        {"away_minutes": 721},
        {"away_minutes": "15"},
        {"other": 1},
    ],
)
def test_what_no_setting_can_be_is_named(olga: Agent, body: dict[str, Any]) -> None:
    console = Console(olga)
    problem = assert_problem(console.request("PATCH", "/settings", json=body), 422, "invalid_input")
    assert set(problem["errors"]) == set(body)
    assert console.data("GET", "/settings") == DEFAULTS


def test_each_operator_chooses_for_themselves(alices_console: Console, boriss_console: Console) -> None:
    own = {"reads": ["ru", "es"], "show_translation": True, "next_after_close": False, "formatting": False}
    changed = alices_console.data("PATCH", "/me", json=own)
    assert {name: changed[name] for name in own} == own
    others = boriss_console.data("GET", "/me")
    assert {name: others[name] for name in own} == {
        "reads": ["en"],
        "show_translation": False,
        "next_after_close": True,
        "formatting": True,
    }


@pytest.mark.parametrize("reads", [[], ["e"], ["english"], ["EN"], ["en", "en"], ["xx"] * 11, "en", [1]])
def test_what_is_no_list_of_languages_is_refused(alices_console: Console, reads: Any) -> None:
    assert_problem(alices_console.request("PATCH", "/me", json={"reads": reads}), 422, "invalid_input")
    assert alices_console.data("GET", "/me")["reads"] == ["en"]
