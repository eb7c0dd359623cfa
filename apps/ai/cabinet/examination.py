"""The page of an assistant's examination: its questions, what is found or answered, and what is missing."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext

from apps.accounts.models import Widget
from apps.ai.actions.evaluations import AlreadyRunning, NoCases, start_evaluation
from apps.ai.actions.examination import has_knowledge, pages_of, passage_of, prepare_examination
from apps.ai.cabinet.start import set_up_of
from apps.ai.models import Assistant, EvaluationResult, EvaluationRun
from apps.ai.rules.evaluations import ACTIVE, REFRESH_S, CaseOutcome, EvaluationState
from apps.ai.rules.examination import heading_of, questions_of_headings
from apps.cabinet.refusals import words_of
from apps.core.problems import Problem

LINE_WIDTH, LINE_HEIGHT, LINE_EDGE = 600, 80, 8


def examination_page(request: HttpRequest, widget: Widget, *, context: dict[str, Any]) -> HttpResponse:
    """The page at a GET; a POST makes the questions and has them answered."""
    found = set_up_of(widget.pk)
    assistant = found.assistant
    if request.method == "POST":
        if assistant is not None and found.model:
            _examine(request, assistant)
        return HttpResponseRedirect(request.path)
    run = None
    if assistant is not None:
        runs = EvaluationRun.objects.for_widget(widget.pk).filter(assistant=assistant).counted()
        run = runs.order_by("-pk").first()
    rows = _answers(run) if run is not None else _passages(widget.pk)
    page = TemplateResponse(
        request,
        "admin/ai/examination.html",
        {
            **context,
            "found": found,
            "run": run,
            "rows": rows,
            "known": sum(row["is_known"] for row in rows),
            "has_pages": bool(rows) or bool(pages_of(widget.pk)),
            "is_active": run is not None and run.state in ACTIVE,
            "start": reverse("admin:ai_aisettings_start", args=[widget.pk]),
            "sources": reverse("admin:kb_crawler_changelist") if has_knowledge() else "",
        },
    )
    if run is not None and run.state in ACTIVE:
        page["Refresh"] = str(REFRESH_S)
    return page


def lost_words(lost: int, of: int) -> str:
    """The sentence for a change that loses cases."""
    return gettext("Lost %(lost)d of %(of)d: a person decides") % {"lost": lost, "of": of}


def line_of(runs: Sequence[Any]) -> list[dict[str, Any]]:
    """The finished runs of the live assistant as the points of a line, oldest first: the share of right answers.

    The picture is LINE_WIDTH by LINE_HEIGHT; with one run it is a point. `runs` are newest first, and counted.
    """
    shown = [run for run in reversed(runs) if run.draft is None and run.state == EvaluationState.FINISHED and run.cases]
    step = (LINE_WIDTH - 2 * LINE_EDGE) / max(1, len(shown) - 1)
    return [
        {
            "x": round(LINE_EDGE + place * step, 1),
            "y": round(LINE_HEIGHT - LINE_EDGE - (LINE_HEIGHT - 2 * LINE_EDGE) * run.right / run.cases, 1),
            "run": run,
            "name": gettext("%(right)d of %(cases)d right") % {"right": run.right, "cases": run.cases},
        }
        for place, run in enumerate(shown)
    ]


def _examine(request: HttpRequest, assistant: Assistant) -> None:
    prepare_examination(assistant=assistant)
    try:
        start_evaluation(assistant=assistant)
    except NoCases:
        messages.error(request, gettext("There are no pages yet to make questions of: add your website first."))
    except AlreadyRunning:
        messages.info(request, gettext("An evaluation is under way."))
    except Problem as refused:
        messages.error(request, words_of(refused))


def _answers(run: EvaluationRun) -> list[dict[str, Any]]:
    """The answers of a run, what is not known first."""
    results = EvaluationResult.objects.for_widget(run.widget_id).filter(run=run)
    rows = [
        _row(
            run.widget_id,
            result.question,
            is_known=_is_known(result),
            answer=result.answer,
            sources=result.grounds.get("sources", []),
            stands=result.grounds.get("stands"),
        )
        for result in results
    ]
    return sorted(rows, key=lambda row: row["is_known"])


def _is_known(result: EvaluationResult) -> bool:
    """Whether the answer rests on knowledge; a result of before, which does not say so, answers at least."""
    return bool(result.grounds.get("rests", result.outcome == CaseOutcome.ANSWER))


def _passages(widget_id: int) -> list[dict[str, Any]]:
    """The passages found for the headings of the pages, while no model has answered: known where it is the page's."""
    rows = []
    for question in questions_of_headings(pages_of(widget_id)):
        found = passage_of(widget_id, question.text)
        is_known = found is not None and found.ref == question.page.ref
        sources = [{"title": found.title, "url": found.url}] if found is not None and is_known else []
        page = {"title": heading_of(question.page), "url": None, "text": question.page.text}
        stands = {"title": found.title, "url": found.url, "text": found.content} if found and is_known else page
        rows.append(_row(widget_id, question.text, is_known=is_known, sources=sources, stands=stands))
    return rows


def _row(
    widget_id: int,
    question: str,
    *,
    is_known: bool,
    answer: str = "",
    sources: list[dict[str, Any]],
    stands: dict[str, Any] | None,
) -> dict[str, Any]:
    """A question with its answer, the `sources` of the answer, and the text that `stands` where the question was
    made."""
    rule = ""
    if not is_known and has_knowledge():
        rule = f"{reverse('admin:kb_rule_add')}?{urlencode({'widget': widget_id, 'question': question})}"
    row = {"question": question, "answer": answer, "is_known": is_known, "rule": rule}
    return {**row, "sources": sources, "stands": stands}
