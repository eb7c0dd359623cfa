"""An owner's test set: what is right, what has changed, and how a run is paid, stopped and shown."""

import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Widget
from apps.ai.actions import evaluations
from apps.ai.actions.assistants import change_assistant
from apps.ai.actions.evaluation_cases import change_case, create_case
from apps.ai.actions.evaluation_drafts import put_live
from apps.ai.actions.evaluation_passes import EvaluationPass
from apps.ai.actions.evaluations import AlreadyRunning, NoCases, evaluate_changes, start_evaluation
from apps.ai.errors import PERSONA_CHANGED, TOO_MANY_CASES
from apps.ai.models import (
    AiSettings,
    Alert,
    AnswerFeedback,
    Assistant,
    EvaluationCase,
    EvaluationResult,
    EvaluationRun,
    Usage,
)
from apps.ai.rules import evaluations as rules
from apps.ai.rules.actors import SYSTEM
from apps.ai.rules.evaluations import JudgedAnswer
from apps.ai.tasks import EVALUATION_QUEUE
from apps.chats.models import Chat
from apps.core.problems import Problem
from apps.demo.servers.language_models import Vendor, spoken
from apps.demo.servers.played import Says
from apps.kb.models import Rule
from apps.leases import claims
from tests.ai.examining import flora, run, works
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory
from tests.factories.ai import AssistantFactory, UsageFactory
from tests.factories.kb import RuleFactory

PAGES = "/admin/ai/"


def judged(answer: str, *, expects: str = "answer", hands_over: bool = False, **texts: Any) -> Any:
    return rules.judged(rules.ExpectedAnswer(expects, **texts), rules.GivenAnswer(answer, hands_over))


class TestTheJudgement:
    @pytest.mark.parametrize(
        ("answer", "must", "is_right"),
        [
            ("A rose costs 90 roubles.", ["90"], True),
            ("A rose costs 190 roubles.", ["90"], False),
            ("A rose costs 905 roubles.", ["90"], False),
            ("A rose costs 190 and a tulip 90.", ["90"], True),
            ("Ninety roubles.", ["90 | ninety"], True),
            ("Eighty roubles.", ["90 | ninety"], False),
            ("До\u00a018:00", ["до 18:00"], True),
            ("90, delivery is 300", ["90", "300"], True),
            ("90", ["90", "300"], False),
        ],
    )
    def test_all_that_must_be_there_is_there(self, answer: str, must: list[str], is_right: bool) -> None:
        assert judged(answer, must=must).verdict == ("right" if is_right else "wrong")

    def test_what_must_not_be_there_is_not(self) -> None:
        found = judged("We deliver free of charge.", must_not=["free"])
        assert (found.verdict, found.faults) == ("wrong", [("forbidden", "free")])

    @pytest.mark.parametrize(
        "answer",
        [
            "I don’t know that.",
            "К сожалению, я не знаю.",
            "Δεν γνωρίζω την απάντηση.",
            "Das weiß ich nicht.",
            "Lo siento, no lo sé.",
            "عذرا، لا أعرف ذلك.",
            "抱歉，我不知道。",
            "",
        ],
    )
    def test_a_refusal_is_known_in_the_seven_languages(self, answer: str) -> None:
        assert judged(answer, expects="refusal").verdict == "right"
        assert judged(answer).faults == [("outcome", "refusal")]

    def test_who_expects_a_refusal_takes_a_person_but_no_answer(self) -> None:
        assert judged("I call somebody.", expects="refusal", hands_over=True).verdict == "right"
        assert judged("We open at 9.", expects="refusal").faults == [("outcome", "answer")]

    def test_a_person_is_called_or_not(self) -> None:
        assert judged("One moment.", expects="person", hands_over=True).verdict == "right"
        assert judged("I don't know.", expects="person").faults == [("outcome", "refusal")]
        assert judged("90", must=["90"], hands_over=True).faults == [("outcome", "person")]

    def test_an_answer_with_all_that_it_must_have_may_not_know_more(self) -> None:
        assert judged("A rose costs 90. I don't know about tulips.", must=["90"]).verdict == "right"

    @pytest.mark.parametrize(
        ("before", "now", "change"),
        [
            (None, ("q", "right", "a"), "new"),
            (("p", "right", "a"), ("q", "right", "a"), "new"),
            (("q", "wrong", "a"), ("q", "right", "b"), "better"),
            (("q", "failed", ""), ("q", "right", "b"), "better"),
            (("q", "right", "a"), ("q", "wrong", "b"), "worse"),
            (("q", "right", "a"), ("q", "failed", ""), "worse"),
            (("q", "right", "a"), ("q", "right", "b"), "reworded"),
            (("q", "right", "A  b"), ("q", "right", "a b"), "same"),
        ],
    )
    def test_a_case_is_compared_with_the_run_before(self, before: Any, now: Any, change: str) -> None:
        assert rules.change_of(before and JudgedAnswer(*before), JudgedAnswer(*now)) == change


@pytest.fixture
def assistant(shop: Widget, vendor: Vendor) -> Assistant:
    return flora(shop, vendor)


def case(
    assistant: Assistant, question: str = "Сколько стоят розы?", only: Assistant | None = None, **values: Any
) -> EvaluationCase:
    """A case of the assistant's widget, for every assistant of it or for one."""
    wanted = {"must": ["90"], "assistant": only, **values}
    return create_case(widget_id=assistant.widget_id, question=question, **wanted)


@pytest.mark.django_db
class TestARun:
    def test_asks_each_case_as_a_visitor_would_and_makes_no_chat(self, assistant: Assistant, vendor: Vendor) -> None:
        case(assistant)
        case(assistant, "Кто вы по знаку?", must=[], expects="refusal")
        case(assistant, "Позовите человека", must=[], expects="person")
        chats = Chat.objects.count()
        done = run(assistant)
        assert (done.state, done.reason, done.model, done.persona_version, done.cases) == (
            *("finished", "", "m-1"),
            *(assistant.persona_version, 3),
        )
        results = list(EvaluationResult.objects.order_by("pk"))
        assert [(one.outcome, one.verdict, one.change) for one in results] == [
            ("answer", "right", "new"),
            ("refusal", "right", "new"),
            ("person", "right", "new"),
        ]
        assert (results[0].answer, results[0].prompt_tokens, results[0].operations) == ("По 90 рублей.", 11, 1)
        assert results[2].operations == 0
        assert Chat.objects.count() == chats

    def test_tells_what_has_changed_since_the_run_before(self, assistant: Assistant, vendor: Vendor) -> None:
        rose = case(assistant)
        case(assistant, "Кто вы?", must=["Флора"])
        assert run(assistant).previous is None
        change_case(widget_id=assistant.widget_id, case_id=rose.pk, changes={"must": ["95"]})
        second = run(assistant)
        assert second.previous is not None
        changes = EvaluationResult.objects.filter(run=second).order_by("pk").values_list("change", "faults")
        assert list(changes) == [
            ("worse", [["missing", "95"]]),
            ("same", [["outcome", "refusal"], ["missing", "Флора"]]),
        ]

    def test_asks_its_own_cases_and_those_of_all(self, assistant: Assistant, shop: Widget, rival: Rival) -> None:
        other = AssistantFactory.create(widget=shop)
        ours, all_ours = case(assistant, only=assistant), case(assistant)
        case(assistant, only=other)
        create_case(widget_id=rival.widget.pk, question="Ours?")
        run(assistant)
        assert set(EvaluationResult.objects.values_list("case_id", flat=True)) == {ours.pk, all_ours.pk}

    def test_counts_against_the_days_budget_and_stops_with_it(self, assistant: Assistant, vendor: Vendor) -> None:
        case(assistant)
        AiSettings.objects.update_or_create(widget=assistant.widget, defaults={"daily_token_budget": 10})
        done = run(assistant)
        assert (done.state, done.reason) == ("stopped", "budget_exhausted")
        assert (vendor.asked, EvaluationResult.objects.count()) == ([], 0)
        AiSettings.objects.update(daily_token_budget=100_000)
        assert run(assistant).state == "finished"
        assert Usage.objects.get().outcome == "ok"

    def test_stops_where_no_vendor_answers(self, assistant: Assistant, vendor: Vendor) -> None:
        for number in range(5):
            case(assistant, f"Сколько стоят розы {number}?")
        vendor.answer = lambda asked: Says(b"{}", status=500)
        done = run(assistant)
        assert (done.state, done.reason) == ("stopped", "provider_failure")
        assert set(EvaluationResult.objects.values_list("verdict", "reason")) == {("failed", "server_error")}
        assert EvaluationResult.objects.count() == rules.MOST_FAILURES

    def test_goes_on_where_a_lost_worker_was_and_pays_nothing_twice(
        self, assistant: Assistant, vendor: Vendor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for number in range(3):
            case(assistant, f"Сколько стоят розы {number}?")
        started = start_evaluation(assistant=assistant)
        judge, judged = EvaluationPass._result, 0

        def dying(self: Any, one: EvaluationCase) -> EvaluationResult:
            nonlocal judged
            if (judged := judged + 1) == 3:
                raise KeyboardInterrupt
            return judge(self, one)

        monkeypatch.setattr(EvaluationPass, "_result", dying)
        (lease,) = claims.claim(EVALUATION_QUEUE, wanted=1)
        with pytest.raises(KeyboardInterrupt):
            evaluations.work(lease)
        monkeypatch.undo()
        assert EvaluationResult.objects.count() == 2
        EvaluationRun.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        works()
        started.refresh_from_db()
        assert (started.state, EvaluationResult.objects.count(), len(vendor.asked)) == ("finished", 3, 3)

    def test_lets_others_have_their_turn(
        self, assistant: Assistant, vendor: Vendor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(evaluations, "SLICE_S", 0)
        case(assistant)
        started = start_evaluation(assistant=assistant)
        (lease,) = claims.claim(EVALUATION_QUEUE, wanted=1)
        lease.run()
        started.refresh_from_db()
        assert (started.state, started.due_at is None, started.claim_id) == ("running", False, None)

    def test_is_refused_without_cases_and_beside_another(self, assistant: Assistant) -> None:
        with pytest.raises(NoCases):
            start_evaluation(assistant=assistant)
        case(assistant)
        start_evaluation(assistant=assistant)
        with pytest.raises(AlreadyRunning):
            start_evaluation(assistant=assistant)
        assert EvaluationRun.objects.count() == 1

    def test_old_runs_go(self, assistant: Assistant, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rules, "RUNS_KEPT", 2)
        case(assistant)
        kept = [run(assistant).pk for _ in range(3)][1:]
        assert set(EvaluationRun.objects.values_list("pk", flat=True)) == set(kept)

    def test_a_widget_has_so_many_cases(self, assistant: Assistant, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("apps.ai.actions.evaluation_cases.MAX_CASES", 1)
        case(assistant)
        with pytest.raises(Problem) as refused:
            case(assistant)
        assert (refused.value.type, EvaluationCase.objects.count()) == (TOO_MANY_CASES, 1)


@pytest.fixture
def live(assistant: Assistant) -> Assistant:
    """Flora answers visitors, and her test set was run an hour ago; nothing has changed since."""
    AiSettings.objects.update_or_create(widget=assistant.widget, defaults={"enabled": True})
    case(assistant)
    run(assistant)
    quiet()
    return assistant


def quiet() -> None:
    """An hour passes without a change."""
    ago = timezone.now() - timedelta(hours=1)
    Assistant.objects.update(updated_at=ago)
    Rule.objects.update(updated_at=ago)


@pytest.mark.django_db
class TestByItself:
    def test_nothing_is_run_where_nothing_has_changed(self, live: Assistant) -> None:
        assert evaluate_changes() == 0

    def test_after_a_change_of_knowledge_once_things_are_quiet(self, live: Assistant) -> None:
        RuleFactory.create(widget=live.widget)
        assert evaluate_changes() == 0
        quiet()
        assert evaluate_changes() == 1
        assert evaluate_changes() == 0
        works()
        assert evaluate_changes() == 0
        last = EvaluationRun.objects.latest("pk")
        assert (last.cause, last.state, last.previous_id is not None) == ("by_itself", "finished", True)
        Rule.objects.all().delete()
        assert evaluate_changes() == 1

    def test_after_a_change_of_the_text_or_the_model(self, live: Assistant) -> None:
        changes: list[dict[str, Any]] = [{"persona": "Ты Роза."}, {"model": "m-2"}]
        for change in changes:
            change_assistant(widget_id=live.widget_id, assistant_id=live.pk, changes=change, actor=SYSTEM)
            assert evaluate_changes() == 0
            quiet()
            assert evaluate_changes() == 1
            works()

    def test_not_without_cases_nor_where_nobody_ever_ran_them_nor_where_it_does_not_answer(
        self, live: Assistant
    ) -> None:
        AssistantFactory.create(widget=live.widget)
        Assistant.objects.update(enabled=False)
        RuleFactory.create(widget=live.widget)
        quiet()
        assert evaluate_changes() == 0
        Assistant.objects.update(enabled=True)
        EvaluationCase.objects.all().delete()
        assert evaluate_changes() == 0

    def test_half_of_the_days_budget_is_left_to_visitors(self, live: Assistant, vendor: Vendor) -> None:
        RuleFactory.create(widget=live.widget)
        quiet()
        AiSettings.objects.update(daily_token_budget=20_000)
        spent = UsageFactory.create(widget=live.widget, prompt_tokens=10_000)
        assert evaluate_changes() == 0
        spent.prompt_tokens = 1
        spent.save()
        assert evaluate_changes() == 1
        spent.prompt_tokens = 10_000
        spent.save()
        asked = len(vendor.asked)
        works()
        last = EvaluationRun.objects.latest("pk")
        assert (last.state, last.reason, len(vendor.asked)) == ("stopped", "budget_exhausted", asked)

    def test_what_is_worse_is_told_until_all_is_right(self, live: Assistant, vendor: Vendor) -> None:
        answer, vendor.answer = vendor.answer, lambda asked: spoken(asked, "По сто.")
        RuleFactory.create(widget=live.widget)
        quiet()
        evaluate_changes()
        works()
        assert [one.code for one in Alert.objects.open()] == ["evaluation_worse"]
        vendor.answer = answer
        run(live)
        assert not Alert.objects.open().exists()


@pytest.mark.django_db
class TestADraft:
    def test_is_asked_and_not_live_until_it_is_put_there(self, live: Assistant, vendor: Vendor) -> None:
        draft = {"persona": "Ты Роза.", "model": "m-2"}
        drafted = start_evaluation(assistant=live, cause=rules.RunCause.DRAFT, draft=draft)
        works()
        drafted.refresh_from_db()
        live.refresh_from_db()
        asked = vendor.asked[-1].json
        assert (asked["model"], "Ты Роза." in str(asked["messages"])) == ("m-2", True)
        assert (live.persona, live.model, drafted.model) == ("Ты Флора. Роза: 90 рублей.", "", "m-2")
        assert drafted.previous is not None
        assert run(live).previous == drafted.previous  # a draft is nothing to compare with
        put_live(widget_id=live.widget_id, run_id=drafted.pk, actor=SYSTEM, accept_lost=1)
        live.refresh_from_db()
        drafted.refresh_from_db()
        assert (live.persona, live.model) == ("Ты Роза.", "m-2")
        assert (drafted.draft, drafted.persona_version) == (None, live.persona_version)

    def test_of_a_text_that_was_changed_meanwhile_is_not_put_live(self, live: Assistant) -> None:
        drafted = start_evaluation(assistant=live, cause=rules.RunCause.DRAFT, draft={"persona": "Ты Роза."})
        works()
        change_assistant(widget_id=live.widget_id, assistant_id=live.pk, changes={"persona": "Ты Ия."}, actor=SYSTEM)
        with pytest.raises(Problem) as refused:
            put_live(widget_id=live.widget_id, run_id=drafted.pk, actor=SYSTEM)
        assert refused.value.type is PERSONA_CHANGED
        live.refresh_from_db()
        assert live.persona == "Ты Ия."

    def test_is_offered_at_the_page_of_the_assistant(self, live: Assistant, shop: Widget) -> None:
        clerk = signed_in(StaffFactory.create(account=shop.account, role="owner"))
        address = f"{PAGES}assistant/{live.pk}/change/"
        page = clerk.get(address)
        assert "ai_assistant_evaluate_first" in page.content.decode()
        form = page.context["adminform"].form
        sent = {name: value for name in form.fields if (value := form[name].value()) not in (None, False)}
        sent |= {"persona": "Ты Роза.", "ai_assistant_evaluate_first": "1"}
        answered = clerk.post(address, sent)
        assert answered.status_code == 302, answered.context["adminform"].form.errors
        drafted = EvaluationRun.objects.latest("pk")
        assert answered["Location"] == f"{PAGES}evaluationrun/{drafted.pk}/change/"
        assert (drafted.cause, drafted.draft) == ("draft", {"persona": "Ты Роза."})
        live.refresh_from_db()
        assert live.persona == "Ты Флора. Роза: 90 рублей."
        works()
        assert "Ты Роза." in clerk.get(answered["Location"]).content.decode()
        viewer = signed_in(StaffFactory.create(account=shop.account, role="viewer"))
        assert viewer.post(answered["Location"]).status_code == 403
        assert clerk.post(answered["Location"]).status_code == 302
        live.refresh_from_db()
        assert live.persona == "Ты Флора. Роза: 90 рублей."
        page = clerk.get(answered["Location"]).content.decode()
        assert "Lost 1 of 1: a person decides" in page
        assert '<input type="hidden" name="accept_lost" value="1">' in page
        assert clerk.post(answered["Location"], {"accept_lost": "2"}).status_code == 302
        live.refresh_from_db()
        assert live.persona == "Ты Флора. Роза: 90 рублей."
        assert clerk.post(answered["Location"], {"accept_lost": "1"}).status_code == 302
        live.refresh_from_db()
        assert live.persona == "Ты Роза."

    def test_is_not_offered_without_cases(self, assistant: Assistant, shop: Widget) -> None:
        clerk = signed_in(StaffFactory.create(account=shop.account, role="owner"))
        page = clerk.get(f"{PAGES}assistant/{assistant.pk}/change/").content.decode()
        assert "ai_assistant_evaluate_first" not in page


@pytest.mark.django_db
class TestTheCommand:
    def test_prints_what_came_of_each_as_json(self, assistant: Assistant) -> None:
        case(assistant)
        said = StringIO()
        call_command("evaluate", assistant=assistant.pk, json=True, stdout=said)
        document = json.loads(said.getvalue())
        assert (document["state"], document["right"], document["cases"]) == ("finished", 1, 1)
        assert document["results"][0]["answer"] == "По 90 рублей."
        assert EvaluationRun.objects.get().due_at is None

    def test_ends_with_1_where_an_answer_is_wrong(self, assistant: Assistant) -> None:
        case(assistant, must=["91"])
        said = StringIO()
        with pytest.raises(SystemExit) as ended:
            call_command("evaluate", assistant=assistant.pk, stdout=said)
        assert ended.value.code == 1
        assert said.getvalue().splitlines() == [
            "wrong  new      Сколько стоят розы?  [missing: 91]",
            "finished: 0 of 1 are right",
        ]

    def test_that_is_interrupted_leaves_no_run_under_way(
        self, assistant: Assistant, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupted(self: Any, one: EvaluationCase) -> EvaluationResult:
            raise KeyboardInterrupt

        monkeypatch.setattr(EvaluationPass, "_result", interrupted)
        case(assistant)
        with pytest.raises(KeyboardInterrupt):
            call_command("evaluate", assistant=assistant.pk)
        ended = EvaluationRun.objects.get()
        assert (ended.state, ended.reason, ended.due_at) == ("stopped", "cancelled", None)

    def test_says_what_is_missing(self, assistant: Assistant) -> None:
        with pytest.raises(CommandError, match="there is no assistant"):
            call_command("evaluate", assistant=assistant.pk + 1)
        with pytest.raises(CommandError, match="no test questions"):
            call_command("evaluate", assistant=assistant.pk)


@pytest.mark.django_db
class TestTheCabinet:
    @pytest.fixture
    def clerk(self, shop: Widget) -> Client:
        return signed_in(StaffFactory.create(account=shop.account, role="owner"))

    def test_a_case_is_made_changed_and_deleted(self, clerk: Client, shop: Widget) -> None:
        form = {"widget": shop.pk, "question": "Сколько?", "expects": "answer", "must": "90\r\n300 | триста"}
        page = clerk.post(f"{PAGES}evaluationcase/add/", form)
        assert page.status_code == 302, page.context["adminform"].form.errors
        made = EvaluationCase.objects.get()
        assert (made.question, made.must, made.must_not, made.assistant_id) == (
            "Сколько?",
            ["90", "300 | триста"],
            [],
            None,
        )
        changed = {"question": "Кто?", "expects": "refusal", "must": "", "must_not": "90"}
        assert clerk.post(f"{PAGES}evaluationcase/{made.pk}/change/", changed).status_code == 302
        made.refresh_from_db()
        assert (made.question, made.expects, made.must, made.must_not) == ("Кто?", "refusal", [], ["90"])
        assert clerk.post(f"{PAGES}evaluationcase/{made.pk}/delete/", {"post": "yes"}).status_code == 302
        assert not EvaluationCase.objects.exists()

    def test_a_run_is_started_watched_and_read(self, clerk: Client, assistant: Assistant) -> None:
        rose = case(assistant)
        address = f"{PAGES}assistant/{assistant.pk}/evaluations/"
        assert "Refresh" not in clerk.get(address)
        assert clerk.post(address).status_code == 302
        assert clerk.get(address)["Refresh"] == "3"
        works()
        change_case(widget_id=assistant.widget_id, case_id=rose.pk, changes={"must": ["95"]})
        clerk.post(address)
        works()
        second = EvaluationRun.objects.latest("pk")
        page = clerk.get(address)
        assert "Refresh" not in page
        assert f"{PAGES}evaluationrun/{second.pk}/change/" in page.content.decode()
        text = clerk.get(f"{PAGES}evaluationrun/{second.pk}/change/").content.decode()
        assert "Сколько стоят розы?" in text
        assert "“95” is missing" in text
        assert clerk.get(f"{PAGES}evaluationrun/").status_code == 200

    def test_another_accounts_are_not_found(self, clerk: Client, rival: Rival) -> None:
        theirs = AssistantFactory.create(widget=rival.widget)
        assert clerk.post(f"{PAGES}assistant/{theirs.pk}/evaluations/").status_code in (302, 404)
        assert not EvaluationRun.objects.exists()

    def test_without_questions_or_credential_it_is_said(self, clerk: Client, assistant: Assistant) -> None:
        address = f"{PAGES}assistant/{assistant.pk}/evaluations/"
        assert "There are no test questions" in clerk.post(address, follow=True).content.decode()

    def test_a_case_has_its_checks_and_says_where_it_was_made(self, clerk: Client, shop: Widget, chat: Chat) -> None:
        form = {
            "widget": shop.pk,
            "question": "Сколько?",
            "expects": "answer",
            "language": "de",
            "sources": "Preise\r\nhttps://shop.example/preise",
            "judge": "It names a price.",
            "is_active": "on",
        }
        thumb = AnswerFeedback.objects.create(message_id=5, widget=shop, chat=chat, helpful=False)
        births = ({"made_of": "thumb", "of_message": "5"}, {"made_of": "demand"}, {"made_of": "thumb"}, {})
        for birth in births:
            assert clerk.post(f"{PAGES}evaluationcase/add/", {**form, **birth}).status_code == 302
        made = list(EvaluationCase.objects.order_by("pk"))
        assert [one.born_from for one in made] == ["thumb", "demand", "hand", "hand"]
        assert (made[0].born_chat_id, made[0].born_message_id) == (chat.pk, thumb.message_id)
        assert (made[0].language, made[0].sources, made[0].judge, made[0].is_active) == (
            *("de", ["Preise", "https://shop.example/preise"], "It names a price.", True),
        )
        page = clerk.get(f"{PAGES}evaluationcase/").content.decode()
        assert "demand" in page
        refused = clerk.post(f"{PAGES}evaluationcase/add/", {**form, "made_of": "wizard"})
        assert (refused.status_code, EvaluationCase.objects.count()) == (200, 4)

    def test_the_runs_of_what_is_live_are_a_line_of_links(self, clerk: Client, assistant: Assistant) -> None:
        case(assistant)
        case(assistant, "Кто вы?", must=["Флора"])
        first, second = run(assistant), run(assistant)
        drafted = run(assistant, cause=rules.RunCause.DRAFT, draft={"model": "m-2"})
        page = clerk.get(f"{PAGES}assistant/{assistant.pk}/evaluations/").content.decode()
        line = page[page.index("<svg role") : page.index("</svg>", page.index("<svg role"))]
        assert [f"evaluationrun/{one.pk}/" in line for one in (first, second, drafted)] == [True, True, False]
        assert 'points="8.0,40.0 592.0,40.0 "' in line
        assert "1 of 2 right" in line

    def test_a_results_checks_are_shown(self, clerk: Client, assistant: Assistant) -> None:
        case(assistant, language="de", sources=["Preise"])
        done = run(assistant)
        page = clerk.get(f"{PAGES}evaluationrun/{done.pk}/change/").content.decode()
        assert "it is in another language: ru" in page
        assert "it does not rest on “Preise”" in page
        assert page.count("✗") == 2
