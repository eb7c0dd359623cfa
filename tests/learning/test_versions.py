"""Versions, history and reverting (design of learning, 2 and 7)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.models import Widget
from apps.ai.actions.assistants import change_assistant
from apps.ai.models import Assistant, PersonaHistory, PersonaVersion
from apps.ai.rules.actors import SYSTEM
from apps.core.problems import Problem
from apps.learning.actions import wishes
from apps.learning.actions.probation import review_probations
from apps.learning.actions.versions import revert_to
from apps.learning.models import Wish
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories.ai import AssistantFactory
from tests.learning.conftest import PERSONA

pytestmark = pytest.mark.django_db
VERSIONS = "/ai/learning/persona-versions"


def edited(api: ApiClient, assistant: Assistant, persona: str) -> None:
    assert api.patch(f"/ai/assistants/{assistant.pk}", json={"persona": persona}).status_code == 200


class TestReading:
    def test_snapshots_are_exact_and_newest_first(self, api: ApiClient, assistant: Assistant) -> None:
        odd = "  Ё\u200b\r\n\ttab  \n"
        edited(api, assistant, odd)
        edited(api, assistant, odd)
        rows = api.get(VERSIONS).json()["data"]
        assert [(row["version"], row["cause"], row["is_live"]) for row in rows] == [
            (2, "edited", True),
            (1, "created", False),
        ]
        one = api.get(f"{VERSIONS}/2").json()["data"]
        assert one["persona"] == odd
        assert one["previous"] == {"version": 1, "persona": PERSONA, "system_prompt": "Answer in two sentences."}
        assert api.get(f"{VERSIONS}/1").json()["data"]["previous"] is None

    @pytest.mark.parametrize("version", ["0", "3", "abc", "1" + "0" * 30])
    def test_a_version_that_never_was(self, api: ApiClient, assistant: Assistant, version: str) -> None:
        assert api.get(f"{VERSIONS}/{version}").status_code == 404
        assert api.post(f"{VERSIONS}/{version}/revert").status_code == 404

    def test_versions_of_an_unknown_assistant_are_refused(
        self, api: ApiClient, assistant: Assistant, rival: Rival
    ) -> None:
        query = {"assistant_id": str(AssistantFactory.create(widget=rival.widget).pk)}
        assert_problem(api.get(VERSIONS, query=query), 422, "invalid_input", errors=["assistant_id"])
        assert_problem(api.get(f"{VERSIONS}/1", query=query), 404, "not_found")
        assert_problem(api.post(f"{VERSIONS}/1/revert", query=query), 404, "not_found")
        assert_problem(api.get("/ai/learning/history", query=query), 404, "not_found")
        for path in (VERSIONS, f"{VERSIONS}/1", "/ai/learning/history"):
            assert_problem(api.get(path, query={"assistant_id": "x"}), 422, "invalid_input", errors=["assistant_id"])

    def test_no_assistant_at_all(self, api: ApiClient) -> None:
        assert api.get(VERSIONS).json()["data"] == []
        assert_problem(api.get(f"{VERSIONS}/1"), 404, "not_found")
        assert_problem(api.post(f"{VERSIONS}/1/revert"), 404, "not_found")

    def test_history_is_filtered_and_append_only(self, api: ApiClient, assistant: Assistant) -> None:
        edited(api, assistant, "New.")
        lines = api.get("/ai/learning/history").json()["data"]
        assert [(line["action"], line["from_version"], line["to_version"]) for line in lines] == [
            ("edited", 1, 2),
            ("created", None, 1),
        ]
        (created,) = api.get("/ai/learning/history", query={"action": "created"}).json()["data"]
        assert created == lines[1]
        assert_problem(api.get("/ai/learning/history", query={"action": "x"}), 422, "invalid_input")
        for change in (PersonaHistory.objects.all().delete, lambda: PersonaHistory.objects.update(reason="x")):
            with pytest.raises(DatabaseError), transaction.atomic():
                change()


class TestReverting:
    def test_it_makes_a_new_version(self, api: ApiClient, assistant: Assistant) -> None:
        edited(api, assistant, "New.")
        response = api.post(f"{VERSIONS}/1/revert", json={"reason": "Better", "expected_live_version": 2})
        made = response.json()["data"]
        assert (made["version"], made["cause"], made["restores"], made["persona"]) == (3, "revert", 1, PERSONA)
        line = api.get("/ai/learning/history").json()["data"][0]
        assert (line["action"], line["reason"], line["to_version"]) == ("reverted", "Better", 3)
        assert api.get(f"/ai/assistants/{assistant.pk}").json()["data"]["persona"] == PERSONA

    def test_refusals_change_nothing(self, api: ApiClient, assistant: Assistant) -> None:
        edited(api, assistant, "New.")
        assert_problem(api.post(f"{VERSIONS}/2/revert"), 409, "already_live")
        response = api.post(f"{VERSIONS}/1/revert", json={"expected_live_version": 1})
        assert_problem(response, 409, "persona_changed")
        response = api.post(f"{VERSIONS}/1/revert", json={"reason": "x" * 501})
        assert_problem(response, 422, "invalid_input", errors=["reason"])
        assert PersonaVersion.objects.count() == 2


STEP = st.one_of(
    st.tuples(st.just("edit"), st.sampled_from(["A.", "B.\nC.", ""])),
    st.tuples(st.sampled_from(["wish", "approve", "undo", "review"]), st.integers(0, 9)),
    st.tuples(st.just("revert"), st.integers(1, 6)),
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(STEP, max_size=14))
def test_the_live_text_is_the_highest_version_and_the_history_replays_it(
    shop: Widget, assistant: Assistant, steps: list[tuple[str, Any]]
) -> None:
    for what, value in steps:
        _do(shop.pk, assistant.pk, what, value)
    row = Assistant.objects.get(pk=assistant.pk)
    texts = {one.version: (one.persona, one.system_prompt) for one in PersonaVersion.objects.filter(assistant=row)}
    assert texts[max(texts)] == (row.persona, row.system_prompt)
    assert sorted(texts) == list(range(1, row.persona_version + 1))
    live = None
    for line in PersonaHistory.objects.filter(assistant_id=row.pk).order_by("pk"):
        assert line.from_version == live
        live = line.to_version
    assert live == row.persona_version
    assert Wish.objects.filter(widget=shop, status="on_probation").count() <= 1


def _do(widget_id: int, assistant_id: int, what: str, value: Any) -> None:
    every = list(Wish.objects.for_widget(widget_id).order_by("pk"))
    one = every[value % len(every)].pk if every and isinstance(value, int) else 0
    try:
        if what == "edit":
            change_assistant(widget_id=widget_id, assistant_id=assistant_id, changes={"persona": value}, actor=SYSTEM)
        elif what == "wish":
            wishes.submit_wish(widget_id=widget_id, text=f"Wish {value}.", author=SYSTEM)
        elif what == "approve":
            wishes.approve_wish(widget_id=widget_id, wish_id=one, actor=SYSTEM)
        elif what == "undo":
            wishes.revert_wish(widget_id=widget_id, wish_id=one, actor=SYSTEM)
        elif what == "review":
            review_probations(as_of=timezone.now() + timedelta(days=value % 4))
        else:
            revert_to(widget_id=widget_id, assistant_id=assistant_id, version=value, actor=SYSTEM)
    except Problem:
        pass
