"""Gates and tuning cycles, against a loopback vendor (design of learning, 3 and 4)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.ai.actions.settings import change_settings
from apps.ai.models import Alert, Assistant, PersonaHistory
from apps.chats.models import Chat, Message, Rating
from apps.demo.servers.language_models import Vendor
from apps.demo.servers.language_models import chat as says
from apps.demo.servers.played import PlayedRequest, Says
from apps.egress.call_budget import CallBudget
from apps.learning.actions import cycles
from apps.learning.actions.evidence import pairs_of
from apps.learning.models import Cycle, Probation
from apps.learning.tasks import CYCLE_QUEUE
from apps.leases import LeaseLost, claims
from tests.client import ApiClient, assert_problem
from tests.factories.ai import CredentialFactory
from tests.factories.chats import ChatFactory, MessageFactory
from tests.learning.conftest import PERSONA

pytestmark = pytest.mark.django_db
GOOD = [{"op": "append", "field": "persona", "text": "Ask for the delivery address first."}]


@pytest.fixture
def vendor(settings: Settings, shop: Widget) -> Iterator[Vendor]:
    """A vendor that proposes GOOD and finds the new answer better."""
    with Vendor() as vendor:
        settings.EGRESS_ALLOW = [vendor.host]
        url = f"{vendor.url}/v1"
        CredentialFactory.create(widget=shop, provider="openai_compatible", base_url=url, target=url, model="m-1")
        vendor.answer = proposing(GOOD)
        yield vendor


def proposing(operations: Any, *, better: str = "new") -> Callable[[PlayedRequest], Any]:
    """Answers as a model that proposes these operations, and prefers `new` or `old`."""

    def answer(request: PlayedRequest) -> Any:
        last = request.json["messages"][-1]["content"]
        try:
            task = json.loads(last)
        except ValueError:
            return says("new" if "Ask for the delivery" in request.json["messages"][0]["content"] else "old")
        if task["task"] == "persona_patch":
            return says("Here: " + json.dumps({"summary": "Asks back.", "operations": operations}) + " {")
        return says(json.dumps({"better": next(name for name in "ab" if task[name] == better)}))

    return answer


@pytest.fixture
def ready(shop: Widget, assistant: Assistant, vendor: Vendor) -> Assistant:
    """An assistant whose gates are open, with ten pairs of evidence."""
    change_settings(widget_id=shop.pk, changes={"enabled": True, "autonomous_tuning_enabled": True})
    for number in range(10):
        chat = ChatFactory.create(contact__widget=shop)
        talk(chat, f"How do I order bouquet {number}?", f"Which address shall we bring it to? ({number})")
    return assistant


def talk(chat: Chat, question: str, answer: str, **more: Any) -> Message:
    MessageFactory.create(chat=chat, body=question)
    return MessageFactory.create(chat=chat, body=answer, sender_kind="agent", **more)


def run() -> None:
    for lease in claims.claim(CYCLE_QUEUE, wanted=4):
        lease.run()


def tuned(api: ApiClient) -> Cycle:
    response = api.post("/ai/learning/tune")
    assert response.status_code == 202, response.content
    assert response.json()["data"]["state"] == "queued"
    run()
    return Cycle.objects.latest("pk")


def switch(api: ApiClient) -> dict[str, Any]:
    found: dict[str, Any] = api.get("/ai/learning/kill-switch").json()["data"]
    assert found["may_run"] == all(gate["open"] for gate in found["gates"])
    return {gate["name"]: gate["reason"] for gate in found["gates"]}


class TestGates:
    def test_each_has_its_reasons(self, api: ApiClient, shop: Widget, ready: Assistant) -> None:
        assert switch(api) == {"platform": None, "widget": None, "target": None}
        call_command("learning_switch", "off")
        assert switch(api)["platform"] == "switched_off"
        call_command("learning_switch", "on")
        for name, reason in (("autonomous_tuning_enabled", "autonomous_tuning_disabled"), ("enabled", "ai_disabled")):
            change_settings(widget_id=shop.pk, changes={name: False})
            assert switch(api)["widget"] == reason
        Assistant.objects.update(enabled=False)
        assert switch(api)["target"] == "assistant_disabled"
        Assistant.objects.update(enabled=True)
        shop.ai_credentials.update(is_active=False)
        assert switch(api)["target"] == "no_credential"

    def test_a_closed_one_refuses(self, api: ApiClient, shop: Widget, ready: Assistant) -> None:
        change_settings(widget_id=shop.pk, changes={"autonomous_tuning_enabled": False})
        response = api.post("/ai/learning/tune")
        assert_problem(response, 409, "learning_gate_closed")
        assert (response.json()["gate"], response.json()["gate_reason"]) == ("widget", "autonomous_tuning_disabled")
        assert not Cycle.objects.exists()

    def test_tuning_without_an_assistant_is_409(self, api: ApiClient) -> None:
        assert switch(api)["target"] == "no_assistant"
        assert_problem(api.post("/ai/learning/tune"), 409, "learning_gate_closed")
        panel = api.get("/ai/learning/settings").json()["data"]
        assert (panel["assistant_id"], panel["live_version"], panel["next_cycle_at"]) == (None, None, None)

    @pytest.mark.parametrize("path", ["settings", "kill-switch", "cycles"])
    def test_unknown_assistants_are_422(self, api: ApiClient, path: str) -> None:
        response = api.get(f"/ai/learning/{path}", query={"assistant_id": "99"})
        assert_problem(response, 422, "invalid_input", errors=["assistant_id"])
        assert_problem(api.post("/ai/learning/tune", query={"assistant_id": "99"}), 422, "invalid_input")


class TestEvidence:
    def test_what_people_answered_is_redacted(self, shop: Widget, chat: Chat) -> None:
        MessageFactory.create(chat=chat, body="Hello")
        talk(chat, "My mail is ivan@mail.test", "Noted: ivan@mail.test")
        (pair,) = pairs_of(shop.pk, now=timezone.now())
        assert (pair.question, pair.answer) == ("Hello\nMy mail is [EMAIL_1]", "Noted: [EMAIL_1]")

    def test_each_contact_gives_one_pair_the_newest(self, shop: Widget, chat: Chat) -> None:
        for number in range(6):
            talk(chat, f"Where is order {number}?", "On its way.")
        other = ChatFactory.create(contact=chat.contact, channel="telegram")
        talk(other, "Where is my bouquet?", "At the door.")
        talk(ChatFactory.create(contact__widget=shop), "Do you sell tulips?", "In spring.")
        pairs = pairs_of(shop.pk, now=timezone.now())
        assert [pair.answer for pair in pairs] == ["In spring.", "At the door."]

    def test_one_contact_alone_changes_no_assistant(self, api: ApiClient, ready: Assistant, vendor: Vendor) -> None:
        only = Chat.objects.earliest("pk")
        Message.objects.exclude(chat=only).update(is_internal=True)
        for number in range(9):
            talk(only, f"How do I order vase {number}?", "Which address shall we bring it to?")
        cycle = tuned(api)
        assert (cycle.state, cycle.reason, vendor.asked) == ("no_change", "too_little_evidence", [])
        ready.refresh_from_db()
        assert ready.persona == PERSONA

    @pytest.mark.parametrize("more", [{"via": "support_api"}, {"via": "legacy_bot"}, {"is_internal": True}])
    def test_what_is_no_persons_word(self, shop: Widget, chat: Chat, more: dict[str, Any]) -> None:
        talk(chat, "Where is it?", "On its way.", **more)
        assert not pairs_of(shop.pk, now=timezone.now())

    def test_spam_bad_chats_and_lengths_are_left_out(self, shop: Widget, chat: Chat) -> None:
        talk(chat, "Where is it?", "x" * 1_501)
        talk(chat, "??", "On its way.")
        assert not pairs_of(shop.pk, now=timezone.now())
        talk(chat, "Where is it?", "On its way.")
        assert len(pairs_of(shop.pk, now=timezone.now())) == 1
        Rating.objects.create(widget=shop, chat=chat, value=2)
        assert not pairs_of(shop.pk, now=timezone.now())
        Rating.objects.update(value=3)
        Chat.objects.update(status="spam")
        assert not pairs_of(shop.pk, now=timezone.now())

    def test_old_ones_are_left_out(self, shop: Widget, chat: Chat) -> None:
        talk(chat, "Where is it?", "On its way.")
        assert not pairs_of(shop.pk, now=timezone.now() + timedelta(days=31))


class TestCycles:
    def test_a_good_proposal_is_applied_and_on_probation(
        self, api: ApiClient, ready: Assistant, vendor: Vendor
    ) -> None:
        cycle = tuned(api)
        assert (cycle.state, cycle.reason, cycle.version) == ("applied", "", 2)
        ready.refresh_from_db()
        assert ready.persona == f"{PERSONA}\n{GOOD[0]['text']}"
        assert cycle.evaluation == {"examples": 2, "better": 2, "worse": 0, "same": 0}
        assert cycle.evidence["pairs"] == 10
        assert cycle.provider_http_operations == len(vendor.asked) == 7
        assert {asked.headers["x-service-purpose"] for asked in vendor.asked} == {"tuning"}
        task = json.loads(vendor.asked[0].json["messages"][-1]["content"])
        assert len(task["examples"]) == 8, "the newest two are held out"
        assert PersonaHistory.objects.latest("pk").action == "tuned"
        assert Probation.objects.get().cycle_id == cycle.pk
        (shown,) = api.get("/ai/learning/cycles").json()["data"]
        assert (shown["id"], shown["patch"]["operations"][0]["find"]) == (cycle.pk, None)
        panel = api.get("/ai/learning/settings").json()["data"]
        assert panel["last_cycle"] == shown
        assert (panel["probation"]["state"], panel["cycles_applied"], panel["may_run"]) == ("running", 1, False)
        assert switch(api)["target"] == "on_probation"

    def test_one_that_is_worse_changes_nothing(self, api: ApiClient, ready: Assistant, vendor: Vendor) -> None:
        vendor.answer = proposing(GOOD, better="old")
        cycle = tuned(api)
        assert (cycle.state, cycle.reason, cycle.evaluation["worse"]) == ("no_change", "not_better", 2)
        assert api.get("/ai/learning/cycles").json()["data"] == []

    @pytest.mark.parametrize(
        ("operations", "state", "reason"),
        [
            ([], "no_change", "nothing_proposed"),
            ("prose", "failed", "invalid_proposal"),
            ([{"op": "append", "field": "name", "text": "x"}], "failed", "invalid_proposal"),
            ([*GOOD] * 100, "refused", "too_many_operations"),
            ([{"op": "append", "field": "persona", "text": "See https://evil.example"}], "refused", "new_link"),
            ([{"op": "replace", "field": "persona", "find": "! Never", "text": "Always"}], "refused", "pinned_line"),
        ],
    )
    def test_any_other_proposal_changes_nothing(
        self, api: ApiClient, ready: Assistant, vendor: Vendor, operations: Any, state: str, reason: str
    ) -> None:
        vendor.answer = proposing(operations)
        cycle = tuned(api)
        assert (cycle.state, cycle.reason, cycle.version) == (state, reason, None)
        assert len(vendor.asked) == (2 if reason == "invalid_proposal" else 1)
        ready.refresh_from_db()
        assert (ready.persona, ready.persona_version) == (PERSONA, 1)
        is_refused = state == "refused"
        assert Alert.objects.filter(code="learning_refused").exists() == is_refused
        assert PersonaHistory.objects.filter(action="refused").exists() == is_refused

    def test_a_provider_that_fails(self, api: ApiClient, ready: Assistant, vendor: Vendor) -> None:
        vendor.answer = lambda _: Says({}, status=500)
        assert tuned(api).reason == "provider_failure"

    def test_too_little_evidence_asks_nobody(self, api: ApiClient, ready: Assistant, vendor: Vendor) -> None:
        Message.objects.filter(chat_id__gt=Chat.objects.earliest("pk").pk + 3).delete()
        cycle = tuned(api)
        assert (cycle.state, cycle.reason, vendor.asked) == ("no_change", "too_little_evidence", [])

    @pytest.mark.parametrize("call", range(7))
    def test_a_gate_that_closes_meanwhile_stops_it(
        self, api: ApiClient, ready: Assistant, vendor: Vendor, call: int
    ) -> None:
        good = vendor.answer
        assert good is not None

        def answer(request: PlayedRequest) -> Any:
            if len(vendor.asked) == call + 1:
                threadless_switch_off()
            return good(request)

        asked_before = []

        def threadless_switch_off() -> None:
            asked_before.append(len(vendor.asked))

        vendor.answer = answer
        api.post("/ai/learning/tune")
        keep = cycles._CyclePass._keep

        def closing(self: Any, *fields: str) -> None:
            keep(self, *fields)
            if asked_before:
                call_command("learning_switch", "off")

        cycles._CyclePass._keep = closing  # type: ignore[method-assign]
        try:
            run()
        finally:
            cycles._CyclePass._keep = keep  # type: ignore[method-assign]
        cycle = Cycle.objects.get()
        assert (cycle.state, cycle.reason) == ("failed", "gate_closed")
        assert len(vendor.asked) == call + 1

    def test_a_text_that_changed_meanwhile_is_left_alone(
        self, api: ApiClient, ready: Assistant, vendor: Vendor
    ) -> None:
        api.post("/ai/learning/tune")
        api.patch(f"/ai/assistants/{ready.pk}", json={"persona": "By hand."})
        run()
        assert Cycle.objects.get().reason == "persona_changed"

    def test_one_at_a_time(self, api: ApiClient, ready: Assistant) -> None:
        assert api.post("/ai/learning/tune").status_code == 202
        assert_problem(api.post("/ai/learning/tune"), 409, "learning_cycle_running")

    def test_a_lost_cycle_goes_on_without_paying_again(
        self, api: ApiClient, ready: Assistant, vendor: Vendor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        api.post("/ai/learning/tune")
        monkeypatch.setattr(cycles._CyclePass, "_try", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        (lease,) = claims.claim(CYCLE_QUEUE, wanted=1)
        with pytest.raises(KeyboardInterrupt):
            cycles._CyclePass(lease).work()
        monkeypatch.undo()
        Cycle.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        run()
        cycle = Cycle.objects.get()
        assert (cycle.state, cycle.provider_http_operations, len(vendor.asked)) == ("applied", 7, 7)

    @pytest.mark.parametrize("step", range(12))
    def test_whatever_step_a_worker_dies_behind_it_is_applied_once(
        self, api: ApiClient, ready: Assistant, vendor: Vendor, monkeypatch: pytest.MonkeyPatch, step: int
    ) -> None:
        """Of what was paid for, only what the step had not kept yet is asked for again; the dead one is fenced."""
        api.post("/ai/learning/tune")
        keep, kept = cycles._CyclePass._keep, 0

        def dying(self: Any, *fields: str) -> None:
            nonlocal kept
            keep(self, *fields)
            if (kept := kept + 1) == step + 1:
                raise KeyboardInterrupt

        monkeypatch.setattr(cycles._CyclePass, "_keep", dying)
        (lease,) = claims.claim(CYCLE_QUEUE, wanted=1)
        with pytest.raises(KeyboardInterrupt):
            cycles._CyclePass(lease).work()
        monkeypatch.undo()
        Cycle.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        run()
        cycle = Cycle.objects.get()
        assert (cycle.state, cycle.version, cycle.claims) == ("applied", 2, 0)
        assert (PersonaHistory.objects.filter(action="tuned").count(), Probation.objects.count()) == (1, 1)
        assert 7 <= len(vendor.asked) <= 10
        assert cycle.provider_http_operations == len(vendor.asked)
        stale = cycles._CyclePass.__new__(cycles._CyclePass)
        stale._lease, stale._cycle, stale._spent_before = lease, lease.row, 0
        stale._meter = CallBudget(operations=1, seconds=1.0)
        with pytest.raises(LeaseLost):
            stale._keep("progress")
        assert Cycle.objects.get().version == 2

    def test_after_three_lost_leases_it_has_crashed(self, api: ApiClient, ready: Assistant) -> None:
        api.post("/ai/learning/tune")
        Cycle.objects.update(claims=3, state="running")
        run()
        assert (Cycle.objects.get().state, Cycle.objects.get().reason) == ("failed", "crashed")


class TestSchedule:
    def test_once_a_day_with_new_evidence(self, api: ApiClient, ready: Assistant, shop: Widget) -> None:
        now = timezone.now()
        for _ in range(2):
            call_command("schedule_learning", as_of=now.isoformat())
        assert [cycle.trigger for cycle in Cycle.objects.all()] == ["schedule"]
        Cycle.objects.update(state="no_change", due_at=None)
        call_command("schedule_learning", as_of=(now + timedelta(hours=23)).isoformat())
        call_command("schedule_learning", as_of=(now + timedelta(hours=25)).isoformat())
        assert Cycle.objects.count() == 1, "nothing new was answered since"

    def test_not_behind_a_closed_gate(self, ready: Assistant, shop: Widget) -> None:
        change_settings(widget_id=shop.pk, changes={"autonomous_tuning_enabled": False})
        call_command("schedule_learning")
        assert not Cycle.objects.exists()
