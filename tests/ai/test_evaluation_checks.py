"""The checks of an answer: by code first, by a judge last and only where it is asked (design of proof, 6)."""

import json
from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.ai.actions.assistants import change_assistant
from apps.ai.actions.evaluation_cases import change_case, create_case
from apps.ai.actions.evaluations import evaluate_changes, start_evaluation
from apps.ai.models import AiSettings, Assistant, EvaluationCase, EvaluationResult, EvaluationRun, Usage
from apps.ai.rules import evaluations as rules
from apps.ai.rules.actors import SYSTEM
from apps.ai.rules.evaluations import ExpectedAnswer, Fault, GivenAnswer, JudgedAnswer, RunCause
from apps.ai.rules.judges import MAX_READ, Ruling, ruling_of
from apps.demo.servers.language_models import Vendor
from apps.demo.servers.played import Says
from tests.ai.examining import answering, flora, judged_tasks, knows_roses, run, works
from tests.factories.ai import UsageFactory
from tests.factories.kb import RuleFactory

CHECKS = ["outcome", "must", "must_not", "language", "sources", "facts"]
CRITERION = "It names a price in roubles."


def faults_of(expected: ExpectedAnswer, given: GivenAnswer) -> list[tuple[str, str]]:
    return [tuple(fault) for fault in rules.judged(expected, given).faults]


class TestTheRules:
    def test_the_language_counts_where_it_is_told(self) -> None:
        german = ExpectedAnswer(language="de")
        assert faults_of(german, GivenAnswer("Guten Tag", language="de")) == []
        assert faults_of(german, GivenAnswer("90", language="")) == []
        assert faults_of(german, GivenAnswer("Hello there", language="en")) == [("language", "en")]
        assert faults_of(ExpectedAnswer(), GivenAnswer("Hello there", language="en")) == []

    def test_each_source_is_among_the_answers_by_title_or_address(self) -> None:
        wanted = ExpectedAnswer(sources=["Prices", "https://shop.example/delivery"])
        given = GivenAnswer("90", sources=["PRICES", "https://shop.example/prices"])
        assert faults_of(wanted, given) == [("source", "https://shop.example/delivery")]
        assert faults_of(wanted, given._replace(sources=[*given.sources, "https://shop.example/delivery"])) == []

    def test_no_fact_had_to_be_removed(self) -> None:
        assert faults_of(ExpectedAnswer(), GivenAnswer("We open.", facts_removed=["09:00"])) == [("facts", "09:00")]

    def test_the_checks_stand_in_their_order_and_the_judge_only_where_it_was_asked(self) -> None:
        faults = [Fault("missing", "90"), Fault("missing", "300"), Fault("facts", "9:00")]
        assert rules.checks_of(faults) == [
            {"name": name, "ok": name not in details, "detail": details.get(name)}
            for details in [{"must": "90; 300", "facts": "9:00"}]
            for name in CHECKS
        ]
        judged = rules.checks_of([Fault("judge", "No price.")], judge=False, is_judged=True)
        assert [check["name"] for check in judged] == [*CHECKS, "judge"]
        assert judged[-1] == {"name": "judge", "ok": False, "detail": "No price."}

    @pytest.mark.parametrize(("before", "now"), [("right", "unsure"), ("unsure", "right"), ("unsure", "wrong")])
    def test_an_unsure_result_is_neither_better_nor_worse(self, before: str, now: str) -> None:
        change = rules.change_of(JudgedAnswer("q", before, "a"), JudgedAnswer("q", now, "b"))
        assert change == "reworded"

    @pytest.mark.parametrize(
        ("text", "ruling"),
        [
            ('{"ok": true, "reason": "A price\\n stands there."}', Ruling(True, "A price stands there.")),
            ('Here you are: {"ok": false} Good luck!', Ruling(False, "")),
            ('{"ok": true, "reason": 5}', Ruling(True, "")),
            ("Yes, the criterion holds.", None),
            ('{"ok": "true"}', None),
            ('{"ok": 1}', None),
            ('{"reason": "ok"}', None),
            ('["ok", true]', None),
            ('{"ok": true', None),
            ('{"a":' * 3_000, None),
            ("", None),
        ],
    )
    def test_a_judge_is_read_to_the_letter(self, text: str, ruling: Ruling | None) -> None:
        assert ruling_of(text) == ruling

    def test_a_judges_long_texts_are_cut_or_not_read(self) -> None:
        long = json.dumps({"ok": True, "reason": "x" * 5_000})
        assert ruling_of(long) == Ruling(True, "x" * 500)
        assert ruling_of(json.dumps({"ok": True, "reason": "x" * MAX_READ})) is None


@pytest.fixture
def assistant(shop: Widget, vendor: Vendor) -> Assistant:
    return flora(shop, vendor)


def case(assistant: Assistant, question: str = "Сколько стоят розы?", **values: Any) -> EvaluationCase:
    return create_case(widget_id=assistant.widget_id, question=question, **{"must": ["90"], **values})


def result() -> EvaluationResult:
    """The newest result."""
    found: EvaluationResult = EvaluationResult.objects.latest("pk")
    return found


def checked() -> dict[str, Any]:
    """The checks of the newest result, by name."""
    return {check["name"]: check["ok"] for check in result().checks}


@pytest.mark.django_db
class TestARun:
    def test_checks_language_and_sources_of_real_answers(self, assistant: Assistant) -> None:
        case(assistant, language="ru")
        run(assistant)
        assert checked() == dict.fromkeys(CHECKS, True)
        EvaluationCase.objects.update(language="de", sources=["Preise"])
        done = run(assistant)
        assert (result().verdict, result().change, done.state) == ("wrong", "worse", "finished")
        assert checked() == {**dict.fromkeys(CHECKS, True), "language": False, "sources": False}
        assert [check["detail"] for check in result().checks][3:5] == ["ru", "Preise"]

    def test_a_named_source_is_one_that_the_answer_rests_on(self, assistant: Assistant, shop: Widget) -> None:
        RuleFactory.create(widget=shop, title="Цены на розы", content="Розы стоят по 90 рублей за штуку.")
        case(assistant, sources=["Цены на розы"])
        run(assistant)
        assert checked()["sources"]

    def test_a_fact_that_had_to_be_taken_out_is_wrong(self, assistant: Assistant, vendor: Vendor) -> None:
        vendor.answer = answering(says=lambda words: "Розы по 90 рублей. Скидка до 31.12.2031.")
        case(assistant)
        run(assistant)
        assert (result().verdict, result().answer) == ("wrong", "Розы по 90 рублей.")
        assert checked() == {**dict.fromkeys(CHECKS, True), "facts": False}

    def test_a_case_that_is_switched_off_is_not_asked(self, assistant: Assistant, vendor: Vendor) -> None:
        case(assistant)
        asleep = case(assistant, "Кто вы?", is_active=False)
        assert run(assistant).cases == 1
        assert not EvaluationResult.objects.filter(case_id=asleep.pk).exists()

    def test_stops_where_the_text_changes_beside_it_and_is_run_anew(self, assistant: Assistant, vendor: Vendor) -> None:
        case(assistant)
        started = start_evaluation(assistant=assistant)
        change_assistant(
            widget_id=assistant.widget_id, assistant_id=assistant.pk, changes={"persona": "Ты Ия."}, actor=SYSTEM
        )
        works()
        started.refresh_from_db()
        assert (started.state, started.reason, vendor.asked) == ("stopped", "persona_changed", [])
        AiSettings.objects.update_or_create(widget=assistant.widget, defaults={"enabled": True})
        Assistant.objects.update(updated_at="2020-01-01T00:00:00Z")
        assert evaluate_changes() == 1


@pytest.mark.django_db
class TestTheJudge:
    def test_is_asked_once_all_else_holds(self, assistant: Assistant, vendor: Vendor) -> None:
        case(assistant, judge=CRITERION)
        run(assistant)
        assert checked() == dict.fromkeys([*CHECKS, "judge"], True)
        assert judged_tasks(vendor) == [
            {
                "task": "judge",
                "question": "Сколько стоят розы?",
                "answer": "По 90 рублей.",
                "criterion": CRITERION,
            }
        ]
        assert Usage.objects.filter(purpose="judge", outcome="ok").count() == 1
        assert (result().operations, result().prompt_tokens) == (2, 22)

    def test_is_not_asked_where_code_has_found_a_fault(self, assistant: Assistant, vendor: Vendor) -> None:
        case(assistant, must=["91"], judge=CRITERION)
        run(assistant)
        assert (judged_tasks(vendor), list(checked())) == ([], CHECKS)

    def test_that_says_no_makes_it_wrong_and_gives_its_reason(self, assistant: Assistant, vendor: Vendor) -> None:
        case(assistant, judge=CRITERION)
        run(assistant)
        vendor.answer = answering(says=knows_roses, judges='{"ok": false, "reason": "No price."}')
        run(assistant)
        assert (result().verdict, result().change) == ("wrong", "worse")
        assert result().checks[-1] == {"name": "judge", "ok": False, "detail": "No price."}

    @pytest.mark.parametrize("said", ["Of course it does!", '{"ok": "yes"}', "{" + "x" * 1_000_000])
    def test_that_cannot_be_read_twice_is_unsure_and_neither_lost_nor_right(
        self, assistant: Assistant, vendor: Vendor, said: str
    ) -> None:
        case(assistant, judge=CRITERION)
        run(assistant)
        vendor.answer = answering(says=knows_roses, judges=said)
        done = EvaluationRun.objects.counted().get(pk=run(assistant).pk)
        assert (done.state, done.right, done.wrong, done.failed, done.unsure) == ("finished", 0, 0, 0, 1)
        assert (done.lost, done.won, len(judged_tasks(vendor))) == ([], [], 1 + 2)
        assert result().checks[-1] == {"name": "judge", "ok": None, "detail": None}

    def test_is_heard_where_the_second_answer_can_be_read(self, assistant: Assistant, vendor: Vendor) -> None:
        case(assistant, judge=CRITERION)
        replies = iter(["Well…", '{"ok": true, "reason": ""}'])
        plain = answering(says=knows_roses)
        vendor.answer = lambda request: (
            answering(says=knows_roses, judges=next(replies))(request)
            if request.headers.get("x-service-purpose") == "judge"
            else plain(request)
        )
        run(assistant)
        assert (result().verdict, len(judged_tasks(vendor))) == ("right", 2)

    def test_whose_vendor_fails_is_a_failure_and_not_a_loss(self, assistant: Assistant, vendor: Vendor) -> None:
        case(assistant, judge=CRITERION)
        run(assistant)
        plain = answering(says=knows_roses)
        vendor.answer = lambda request: (
            Says(b"{}", status=500) if request.headers.get("x-service-purpose") == "judge" else plain(request)
        )
        done = EvaluationRun.objects.counted().get(pk=run(assistant).pk)
        assert (done.failed, done.lost, result().reason) == (1, [], "server_error")

    def test_sees_no_personal_data_but_the_owners(self, assistant: Assistant, vendor: Vendor) -> None:
        Assistant.objects.update(persona="Ты Флора. Почта: shop@example.com.")
        vendor.answer = answering(says=lambda words: "Пишите на shop@example.com.")
        case(assistant, "Мой адрес ivan@mail.test, а ваш?", must=[], judge=CRITERION)
        run(Assistant.objects.get())
        (task,) = judged_tasks(vendor)
        assert task["question"] == "Мой адрес [EMAIL_1], а ваш?"
        assert task["answer"] == "Пишите на shop@example.com."


@pytest.mark.django_db
class TestLostAndWon:
    def test_are_told_by_case_beside_the_run_before(self, assistant: Assistant) -> None:
        rose, who = case(assistant), case(assistant, "Кто вы?", must=["Флора"])
        first = run(assistant)
        change_case(widget_id=assistant.widget_id, case_id=rose.pk, changes={"must": ["95"]})
        change_case(widget_id=assistant.widget_id, case_id=who.pk, changes={"must": [], "expects": "refusal"})
        done = EvaluationRun.objects.counted().get(pk=run(assistant).pk)
        assert (done.previous_id, done.lost, done.won) == (first.pk, [rose.pk], [who.pk])
        assert (done.right, done.wrong, done.done) == (1, 1, 2)

    def test_a_question_that_was_reworded_is_not_lost(self, assistant: Assistant) -> None:
        rose = case(assistant)
        run(assistant)
        changes = {"question": "Почём розы?", "must": ["95"]}
        change_case(widget_id=assistant.widget_id, case_id=rose.pk, changes=changes)
        done = EvaluationRun.objects.counted().get(pk=run(assistant).pk)
        assert (done.wrong, done.lost) == (1, [])

    def test_the_run_that_drafts_are_compared_with_is_kept(
        self, assistant: Assistant, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(rules, "RUNS_KEPT", 1)
        case(assistant)
        live = run(assistant)
        for _ in range(2):
            drafted = run(assistant, cause=RunCause.DRAFT, draft={"model": "m-2"})
        assert (drafted.previous_id, EvaluationRun.objects.count()) == (live.pk, 2)


@pytest.mark.django_db
class TestTheBudget:
    def test_its_end_is_left_to_visitors_whoever_started_the_run(self, assistant: Assistant, vendor: Vendor) -> None:
        case(assistant)
        AiSettings.objects.update_or_create(widget=assistant.widget, defaults={"daily_token_budget": 20_000})
        UsageFactory.create(widget=assistant.widget, prompt_tokens=18_500)
        done = run(assistant)
        assert (done.state, done.reason, vendor.asked) == ("stopped", "budget_exhausted", [])

    def test_a_cycles_run_has_the_automatic_share(self, assistant: Assistant, vendor: Vendor) -> None:
        case(assistant)
        AiSettings.objects.update_or_create(widget=assistant.widget, defaults={"daily_token_budget": 20_000})
        UsageFactory.create(widget=assistant.widget, prompt_tokens=10_000)
        done = run(assistant, cause=RunCause.CYCLE)
        assert (done.state, done.reason, vendor.asked) == ("stopped", "budget_exhausted", [])
        assert run(assistant).state == "finished"
