"""The demo's learning: a wish of each status but on probation, a cycle, versions of a text, and what visitors asked in
vain over two months; of the rival a second version and a submitted wish.
"""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts.models import Widget
from apps.ai.actions.assistants import change_assistant
from apps.ai.models import Assistant, EvaluationCase, EvaluationResult, EvaluationRun, PersonaVersion
from apps.ai.rules.actors import SYSTEM
from apps.ai.rules.configuration import PersonaCause
from apps.ai.rules.evaluations import CaseChange, CaseOutcome, EvaluationState, Verdict, checks_of
from apps.chats.models import Chat
from apps.demo.document import Demo
from apps.learning.actions.demand import note_demand
from apps.learning.actions.probation import begin, review_probations
from apps.learning.actions.texts import rewrite, texts_of
from apps.learning.actions.wishes import approve_wish, reject_wish, revert_wish, submit_wish
from apps.learning.models import Cycle, Wish
from apps.learning.rules import patches
from apps.learning.rules.cycles import Pair, evidence_told
from apps.learning.rules.probation import LASTS
from apps.learning.rules.states import CycleState, CycleTrigger, DemandCategory

WHOLE = "shop"
AGO = timedelta(days=7)
TUNED = "Если адрес доставки меняют после оплаты, сразу зови оператора."
WISHES = {
    "kept": "Спрашивай, к какому дню нужен подарочный набор.",
    "reverted": "Добавляй шутку в каждый ответ.",
    "rejected": "Отвечай только по-английски.",
    "submitted": "Рассказывай, как хранить открытый чай.",
}
EXAMINED = {"Как хранить открытый чай?": ["в закрытой банке"], "Вы доставляете в Казань?": ["доставляем"]}
ASKED = {
    DemandCategory.KNOWLEDGE_GAP: ("Есть ли у вас чай без кофеина?", "Бывает ли чай без кофеина?"),
    DemandCategory.ESCALATION: ("Можно ли изменить адрес доставки после оплаты?",),
    DemandCategory.DISSATISFACTION: ("Почему курьер опоздал на два часа?",),
    DemandCategory.MISSED_CONTACT: ("Нужны наборы чая на свадьбу в июне, перезвоните.",),
}


def seed(demo: Demo) -> None:
    """Adds what is not there yet; the document has the ids."""
    for name, widget in demo.rows(Widget).items():
        part = demo.part(widget)
        assistant = Assistant.objects.for_widget(widget.pk).default()
        part["learning"] = _learning(widget.pk, assistant, is_whole=name == WHOLE) if assistant else _nothing()
        wishes = part["learning"]["wish_ids"]
        if assistant:
            part["path_ids"] |= {"wish": wishes["submitted"], "persona_version": part["learning"]["live_version"]}
            _examined(demo, widget, assistant)


def _examined(demo: Demo, widget: Widget, assistant: Assistant) -> None:
    """Test questions, asleep: there is no key yet that they could be asked with; and the run of last week."""
    cases = EvaluationCase.objects.for_widget(widget.pk).order_by("pk")
    if not cases.exists():
        made = [
            EvaluationCase.objects.create(widget=widget, question=question, must=must, is_active=False)
            for question, must in EXAMINED.items()
        ]
        run = EvaluationRun.objects.create(
            widget=widget,
            assistant=assistant,
            state=EvaluationState.FINISHED,
            model="demo",
            persona_version=assistant.persona_version,
            cases=len(made),
            finished_at=timezone.now() - AGO,
        )
        for case in made:
            EvaluationResult.objects.create(
                run=run,
                case_id=case.pk,
                question=case.question,
                expects=CaseOutcome.ANSWER,
                outcome=CaseOutcome.ANSWER,
                verdict=Verdict.RIGHT,
                change=CaseChange.NEW,
                checks=checks_of([]),
                answer=f"{case.must[0].capitalize()}.",
                language="ru",
            )
    found, part = list(cases.values_list("pk", flat=True)), demo.part(widget)
    part.setdefault("proof", {"review_ids": []})["case_ids"] = found
    runs = EvaluationRun.objects.for_widget(widget.pk).order_by("pk")
    part["path_ids"] |= {"evaluation_case": found[0], "evaluation": runs.values_list("pk", flat=True)[0]}


def _nothing() -> dict[str, Any]:
    return {"assistant_id": None, "versions": 0, "live_version": None, "wish_ids": {}, "cycle_ids": []}


def _learning(widget_id: int, assistant: Assistant, *, is_whole: bool) -> dict[str, Any]:
    if not Wish.objects.for_widget(widget_id).exists():
        changes = {"persona": f"{assistant.persona}\nBe brief.".strip()}
        change_assistant(widget_id=widget_id, assistant_id=assistant.pk, changes=changes, actor=SYSTEM)
        _wish(widget_id, *(WISHES if is_whole else ("submitted",)))
        if is_whole:
            _cycle(widget_id, assistant)
            _signals(widget_id)
    assistant.refresh_from_db()
    wishes = {wish.status: wish.pk for wish in Wish.objects.for_widget(widget_id)}
    return {
        "assistant_id": assistant.pk,
        "versions": PersonaVersion.objects.for_widget(widget_id).filter(assistant=assistant).count(),
        "live_version": assistant.persona_version,
        "wish_ids": wishes,
        "cycle_ids": list(Cycle.objects.for_widget(widget_id).order_by("pk").values_list("pk", flat=True)),
    }


@transaction.atomic
def _cycle(widget_id: int, assistant: Assistant) -> None:
    """A cycle of last week that was applied and kept, as a cycle ends; what a model would have said is written here."""
    assistant = Assistant.objects.for_widget(widget_id).get_for_update(pk=assistant.pk)
    base, now = assistant.persona_version, timezone.now()
    changes = patches.literal(TUNED)
    times = {"queued_at": now - AGO, "started_at": now - AGO, "finished_at": now - AGO}
    evidence = evidence_told([Pair(0, 0, (now - AGO).isoformat(), ASKED[DemandCategory.ESCALATION][0], TUNED)])
    cycle = Cycle.objects.create(
        widget_id=widget_id,
        assistant_id=assistant.pk,
        trigger=CycleTrigger.SCHEDULE,
        state=CycleState.APPLIED,
        base_version=base,
        version=base + 1,
        summary=TUNED,
        patch=patches.dump(changes),
        evidence=evidence,
        evaluation={"examples": 1, "better": 1, "worse": 0, "same": 0},
        provider_http_operations=4,
        **times,
    )
    rewrite(
        assistant,
        patches.applied(texts_of(assistant), changes),
        actor=SYSTEM,
        cause=PersonaCause.CYCLE,
        cycle_id=cycle.pk,
        patch=cycle.patch,
        summary=TUNED,
    )
    begin(assistant, base_version=base, cycle=cycle, at=now - AGO)
    review_probations(as_of=now)


def _wish(widget_id: int, *statuses: str) -> None:
    """Wishes that come to these statuses as wishes do."""
    for status in statuses:
        one: dict[str, Any] = {"widget_id": widget_id}
        one["wish_id"] = submit_wish(widget_id=widget_id, text=WISHES[status], author=SYSTEM).pk
        if status in ("kept", "reverted"):
            approve_wish(**one, actor=SYSTEM)
        if status == "kept":
            review_probations(as_of=timezone.now() + LASTS)
        if status == "reverted":
            revert_wish(**one, actor=SYSTEM)
        if status == "rejected":
            reject_wish(**one, actor=SYSTEM)


def _signals(widget_id: int) -> None:
    chats = list(Chat.objects.for_widget(widget_id).order_by("pk").values_list("pk", flat=True)[:4])
    for number, (category, questions) in enumerate(ASKED.items()):
        for days_ago in (1, 20, 45):
            note_demand(
                widget_id=widget_id,
                category=category,
                chat_id=chats[number % len(chats)],
                burst_id=days_ago,
                question=questions[days_ago % len(questions)],
                at=timezone.now() - timedelta(days=days_ago + number),
            )
