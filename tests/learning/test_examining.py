"""Wishes and tuning cycles are examined before they change a text (design of proof, 6)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.ai.actions.evaluation_cases import create_case
from apps.ai.actions.settings import change_settings
from apps.ai.models import AiSettings, Alert, Assistant, Credential, EvaluationCase, EvaluationRun
from apps.demo.servers.language_models import Vendor, last_words, spoken
from apps.demo.servers.played import PlayedRequest
from apps.learning.models import Cycle, Wish
from apps.learning.tasks import CYCLE_QUEUE
from apps.leases import claims
from tests.ai.examining import run as examined
from tests.ai.examining import works
from tests.cast import signed_in
from tests.client import ApiClient, assert_problem
from tests.factories import StaffFactory
from tests.factories.ai import AssistantFactory, CredentialFactory, UsageFactory
from tests.factories.chats import ChatFactory, MessageFactory
from tests.learning.conftest import PERSONA
from tests.rows import snapshot

pytestmark = pytest.mark.django_db
WISH = "Ask for the order number first."
ORDER = "Which order do you mean?"


def answers(request: PlayedRequest) -> Any:
    """A model that knows that roses are cheap until it is to ask for an order, and proposes that it asks for one."""
    purpose, words = request.headers.get("x-service-purpose"), last_words(request)
    if purpose == "classifier":
        return spoken(request, '{"escalate": false}')
    if purpose == "tuning":
        return spoken(request, tuning(words))
    return spoken(request, ORDER if "order number" in str(request.json["messages"][0]) else "Roses are cheap.")


def tuning(words: str) -> str:
    try:
        task = json.loads(words)
    except ValueError:
        return "An answer."
    if task["task"] == "persona_patch":
        operations = [{"op": "append", "field": "persona", "text": "Ask for the order number first."}]
        return json.dumps({"summary": "Asks back.", "operations": operations})
    return json.dumps({"better": "same"})


@pytest.fixture
def vendor(settings: Settings, shop: Widget) -> Iterator[Vendor]:
    with Vendor() as vendor:
        settings.EGRESS_ALLOW = [vendor.host]
        url = f"{vendor.url}/v1"
        CredentialFactory.create(widget=shop, provider="openai_compatible", base_url=url, target=url, model="m-1")
        vendor.answer = answers
        yield vendor


@pytest.fixture
def cases(shop: Widget, assistant: Assistant, vendor: Vendor) -> list[int]:
    """Two questions, of which one is lost as soon as the assistant asks for an order; and a run of the live text."""
    rose = create_case(widget_id=shop.pk, question="What does a rose cost?", must=["cheap"])
    who = create_case(widget_id=shop.pk, question="What do you sell?")
    assert examined(assistant).state == "finished"
    return [rose.pk, who.pk]


def wished(api: ApiClient, text: str = WISH) -> int:
    response = api.post("/wishes", json={"text": text})
    assert response.status_code == 201, response.content
    found: int = response.json()["data"]["id"]
    return found


def seen(api: ApiClient, wish_id: int) -> Any:
    return api.get(f"/wishes/{wish_id}/preview").json()["data"]


def examine(api: ApiClient, assistant: Assistant, wish_id: int) -> Any:
    response = api.post("/ai/evaluations", json={"assistant_id": assistant.pk, "wish_id": wish_id})
    assert response.status_code == 202, response.content
    return response.json()["data"]


class TestAWish:
    def test_is_approved_once_it_was_examined(self, api: ApiClient, assistant: Assistant, cases: list[int]) -> None:
        wish_id = wished(api, "Be kind to everybody.")
        assert seen(api, wish_id)["evaluation"] is None
        before = snapshot()
        assert_problem(api.post(f"/wishes/{wish_id}/approve"), 409, "not_examined")
        assert snapshot() == before
        run = examine(api, assistant, wish_id)
        assert (run["wish_id"], run["cause"]) == (wish_id, "draft")
        assert run["draft"] == seen(api, wish_id)["after"]
        assert seen(api, wish_id)["evaluation"] == {"run_id": run["id"], "state": "queued", "lost": 0, "of": 2}
        assert_problem(api.post(f"/wishes/{wish_id}/approve"), 409, "not_examined")
        works()
        assert seen(api, wish_id)["evaluation"] == {"run_id": run["id"], "state": "finished", "lost": 0, "of": 2}
        assert api.post(f"/wishes/{wish_id}/approve").json()["data"]["status"] == "on_probation"

    def test_that_loses_a_case_asks_for_exactly_that_number(
        self, api: ApiClient, assistant: Assistant, cases: list[int]
    ) -> None:
        wish_id = wished(api)
        run = examine(api, assistant, wish_id)
        works()
        assert api.get(f"/ai/evaluations/{run['id']}").json()["data"]["lost"] == [cases[0]]
        assert seen(api, wish_id)["evaluation"] == {"run_id": run["id"], "state": "finished", "lost": 1, "of": 2}
        before = snapshot()
        for body in ({}, {"accept_lost": 0}, {"accept_lost": 2}):
            refused = api.post(f"/wishes/{wish_id}/approve", json=body)
            assert_problem(refused, 409, "loses_cases")
            assert (refused.json()["lost"], refused.json()["of"]) == (1, 2)
        assert snapshot() == before
        approved = api.post(f"/wishes/{wish_id}/approve", json={"accept_lost": 1})
        assert approved.json()["data"]["status"] == "on_probation"

    def test_whose_run_was_of_another_text_was_not_examined(
        self, api: ApiClient, assistant: Assistant, cases: list[int]
    ) -> None:
        wish_id = wished(api, "Be kind to everybody.")
        examine(api, assistant, wish_id)
        works()
        api.patch(f"/ai/assistants/{assistant.pk}", json={"persona": "You sell cacti."})
        assert seen(api, wish_id)["evaluation"] is None
        assert_problem(api.post(f"/wishes/{wish_id}/approve"), 409, "not_examined")

    def test_whose_run_was_stopped_was_not_examined(
        self, api: ApiClient, assistant: Assistant, cases: list[int]
    ) -> None:
        wish_id = wished(api, "Be kind to everybody.")
        examine(api, assistant, wish_id)
        Credential.objects.update(is_active=False)
        works()
        assert seen(api, wish_id)["evaluation"]["state"] == "stopped"
        assert_problem(api.post(f"/wishes/{wish_id}/approve"), 409, "not_examined")

    def test_nothing_is_asked_while_no_case_is_active_or_the_gate_is_off(
        self, api: ApiClient, shop: Widget, assistant: Assistant, cases: list[int]
    ) -> None:
        EvaluationCase.objects.update(is_active=False)
        assert api.post(f"/wishes/{wished(api)}/approve").status_code == 200
        from apps.learning.models import Probation

        Probation.objects.all().delete()
        EvaluationCase.objects.update(is_active=True)
        change_settings(widget_id=shop.pk, changes={"evaluation_gate": "off"})
        assert api.post(f"/wishes/{wished(api, 'Be kind.')}/approve").status_code == 200

    def test_run_is_not_put_live_by_itself(self, api: ApiClient, assistant: Assistant, cases: list[int]) -> None:
        run = examine(api, assistant, wished(api, "Be kind to everybody."))
        works()
        assert_problem(api.post(f"/ai/evaluations/{run['id']}/apply"), 409, "nothing_to_apply")

    def test_of_another_assistant_or_in_another_state_is_422(
        self, api: ApiClient, shop: Widget, assistant: Assistant, cases: list[int]
    ) -> None:
        other = AssistantFactory.create(widget=shop, name="Ivy")
        wish_id = wished(api)
        for assistant_id, status in ((other.pk, "submitted"), (assistant.pk, "rejected")):
            Wish.objects.update(status=status)
            refused = api.post("/ai/evaluations", json={"assistant_id": assistant_id, "wish_id": wish_id})
            assert_problem(refused, 422, "invalid_input", errors=["wish_id"])

    def test_is_examined_and_decided_on_its_page(
        self, api: ApiClient, shop: Widget, assistant: Assistant, cases: list[int]
    ) -> None:
        clerk = signed_in(StaffFactory.create(account=shop.account, role="owner"))
        wish_id = wished(api)
        address = f"/admin/learning/wish/{wish_id}/change/"
        page = clerk.get(address).content.decode()
        assert 'value="examine"' in page
        assert 'value="approve"' not in page
        assert clerk.post(address, {"decision": "examine"}).status_code == 302
        assert clerk.get(address)["Refresh"] == "3"
        works()
        page = clerk.get(address).content.decode()
        assert "Lost 1 of 2: a person decides" in page
        assert '<input type="hidden" name="accept_lost" value="1">' in page
        clerk.post(address, {"decision": "approve"})
        assert Wish.objects.get().status == "submitted"
        clerk.post(address, {"decision": "approve", "accept_lost": "1"})
        assert Wish.objects.get().status == "on_probation"


@pytest.fixture
def tuned(shop: Widget, assistant: Assistant, vendor: Vendor) -> Assistant:
    """An assistant whose gates are open, with ten pairs of evidence."""
    change_settings(widget_id=shop.pk, changes={"enabled": True, "autonomous_tuning_enabled": True})
    for number in range(10):
        chat = ChatFactory.create(contact__widget=shop)
        MessageFactory.create(chat=chat, body=f"How do I order bouquet {number}?")
        MessageFactory.create(chat=chat, body=f"Which order is it? ({number})", sender_kind="agent")
    return assistant


def turn() -> Cycle:
    """The cycle after a worker looked at it, which is due again."""
    Cycle.objects.filter(due_at__isnull=False).update(due_at=timezone.now())
    for lease in claims.claim(CYCLE_QUEUE, wanted=4):
        lease.run()
    found: Cycle = Cycle.objects.latest("pk")
    return found


class TestACycle:
    def test_that_loses_a_case_is_refused(self, api: ApiClient, tuned: Assistant, cases: list[int]) -> None:
        assert api.post("/ai/learning/tune").status_code == 202
        assert turn().state == "running"
        run = EvaluationRun.objects.latest("pk")
        assert (run.cause, run.draft["persona"]) == ("cycle", f"{PERSONA}\nAsk for the order number first.")
        works()
        cycle = turn()
        assert (cycle.state, cycle.reason, cycle.version) == ("refused", "loses_cases", None)
        tuned.refresh_from_db()
        assert tuned.persona == PERSONA
        alert = Alert.objects.open().get(code="learning_refused")
        assert (alert.sentence, alert.values) == ("cases_lost", {"lost": 1, "of": 2})

    def test_that_loses_none_is_applied_after_the_run(self, api: ApiClient, tuned: Assistant, cases: list[int]) -> None:
        EvaluationCase.objects.filter(pk=cases[0]).update(must=[])
        api.post("/ai/learning/tune")
        for _ in range(2):
            assert turn().state == "running"
        assert EvaluationRun.objects.filter(cause="cycle").count() == 1
        works()
        cycle = turn()
        assert (cycle.state, cycle.version) == ("applied", 2)

    def test_asks_the_live_text_first_where_no_run_ever_was(
        self, api: ApiClient, shop: Widget, tuned: Assistant
    ) -> None:
        create_case(widget_id=shop.pk, question="What does a rose cost?", must=["cheap"])
        api.post("/ai/learning/tune")
        turn()
        assert list(EvaluationRun.objects.values_list("cause", "draft")) == [("cycle", None)]
        works()
        assert turn().state == "running"
        works()
        cycle = turn()
        assert (cycle.state, cycle.reason) == ("refused", "loses_cases")

    def test_waits_for_a_run_of_somebody_else(self, api: ApiClient, tuned: Assistant, cases: list[int]) -> None:
        from apps.ai.actions.evaluations import start_evaluation

        start_evaluation(assistant=tuned)
        api.post("/ai/learning/tune")
        assert turn().state == "running"
        assert not EvaluationRun.objects.filter(cause="cycle").exists()
        works()
        turn()
        assert EvaluationRun.objects.filter(cause="cycle").count() == 1

    def test_leaves_half_of_the_days_budget_to_visitors(
        self, api: ApiClient, shop: Widget, tuned: Assistant, cases: list[int]
    ) -> None:
        api.post("/ai/learning/tune")
        assert turn().state == "running"
        AiSettings.objects.update(daily_token_budget=100_000)
        UsageFactory.create(widget=shop, prompt_tokens=50_000)
        works()
        cycle = turn()
        assert (cycle.state, cycle.reason) == ("failed", "budget_exhausted")
        tuned.refresh_from_db()
        assert tuned.persona == PERSONA

    def test_whose_text_is_changed_meanwhile_fails(self, api: ApiClient, tuned: Assistant, cases: list[int]) -> None:
        api.post("/ai/learning/tune")
        turn()
        api.patch(f"/ai/assistants/{tuned.pk}", json={"persona": "You sell cacti."})
        works()
        assert EvaluationRun.objects.latest("pk").reason == "persona_changed"
        cycle = turn()
        assert (cycle.state, cycle.reason) == ("failed", "persona_changed")

    def test_asks_nothing_where_the_gate_is_off(
        self, api: ApiClient, shop: Widget, tuned: Assistant, cases: list[int]
    ) -> None:
        change_settings(widget_id=shop.pk, changes={"evaluation_gate": "off"})
        api.post("/ai/learning/tune")
        assert turn().state == "applied"
