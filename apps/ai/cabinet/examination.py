"""The page of an assistant's examination: its questions, what is found or answered, and what is missing."""

from typing import Any
from urllib.parse import urlencode

from django.apps import apps as django_apps
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext

from apps.accounts.models import Widget
from apps.accounts.refusals import words_of
from apps.ai.actions.evaluations import AlreadyRunning, NoCases, start_evaluation
from apps.ai.actions.examination import Passage, pages_of, passage_of, prepare_examination
from apps.ai.cabinet.start import set_up_of
from apps.ai.models import Assistant, EvaluationResult, EvaluationRun
from apps.ai.rules.evaluations import ACTIVE, REFRESH_S, CaseOutcome
from apps.ai.rules.examination import as_question
from apps.core.problems import Problem


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
            "is_active": run is not None and run.state in ACTIVE,
            "start": reverse("admin:ai_aisettings_start", args=[widget.pk]),
            "sources": reverse("admin:kb_crawler_changelist") if django_apps.is_installed("apps.kb") else "",
        },
    )
    if run is not None and run.state in ACTIVE:
        page["Refresh"] = str(REFRESH_S)
    return page


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
            result.answer,
            is_known=result.outcome == CaseOutcome.ANSWER,
            passage=passage_of(run.widget_id, result.question),
        )
        for result in results
    ]
    return sorted(rows, key=lambda row: row["is_known"])


def _passages(widget_id: int) -> list[dict[str, Any]]:
    """The passages found for the headings of the pages, while no model has answered."""
    rows = []
    for question in dict.fromkeys(as_question(page) for page in pages_of(widget_id)):
        passage = passage_of(widget_id, question)
        rows.append(_row(widget_id, question, "", is_known=passage is not None, passage=passage))
    return rows


def _row(widget_id: int, question: str, answer: str, *, is_known: bool, passage: Passage | None) -> dict[str, Any]:
    rule = ""
    if not is_known and django_apps.is_installed("apps.kb"):
        rule = f"{reverse('admin:kb_rule_add')}?{urlencode({'widget': widget_id, 'content': question})}"
    return {"question": question, "answer": answer, "is_known": is_known, "passage": passage, "rule": rule}
