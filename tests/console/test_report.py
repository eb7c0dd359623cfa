"""`GET /console/report`: an operator's own figures, beside the times of the team; no ranking, no names."""

from datetime import UTC, datetime

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from tests.client import ApiClient, assert_problem
from tests.console.browser import Console
from tests.reports.made import episode

pytestmark = pytest.mark.django_db
AT = datetime(2026, 10, 20, 9, tzinfo=UTC)
DAYS = {"from": "2026-10-19", "to": "2026-10-26"}


@pytest.fixture
def busy(shop: Widget, alice: Agent, boris: Agent) -> Widget:
    """Alice answers in 30 s and is rated 5, Boris in 600."""
    episode(shop, AT, answered_s=30, agent=alice, value=5)
    episode(shop, AT, answered_s=600, agent=boris, value=1)
    return shop


def test_it_is_the_report_with_the_callers_own_agent_id(
    alices_console: Console, busy: Widget, api: ApiClient, alice: Agent
) -> None:
    own = alices_console.data("GET", "/report", query=DAYS)
    report = api.get("/reports", query={**DAYS, "agent_id": str(alice.pk)}).json()["data"]
    assert own["figures"] == report["figures"]
    assert (own["figures"]["episodes"]["value"], own["figures"]["good"]["value"]) == (1, 1)


def test_the_teams_times_have_no_list_and_no_name(alices_console: Console, busy: Widget, boris: Agent) -> None:
    answer = alices_console.request("GET", "/report", query=DAYS)
    assert answer.json()["data"]["team"] == {
        "first_reply": {"n": 2, "p50": 30, "p90": 600},
        "person_reply": {"n": 2, "p50": 30, "p90": 600},
    }
    assert boris.name not in answer.content.decode()


def test_days_that_are_none_are_refused(alices_console: Console, busy: Widget) -> None:
    answer = alices_console.request("GET", "/report", query={"from": "yesterday"})
    assert list(assert_problem(answer, 422, "invalid_input")["errors"]) == ["from"]
