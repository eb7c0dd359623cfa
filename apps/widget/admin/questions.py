"""The cabinet's page of a widget's questions before a chat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import get_language, gettext, override
from django.utils.translation import gettext_lazy as _

from apps.agents.querysets.hours import hours_of_widget
from apps.agents.rules.departments import department_channel
from apps.cabinet.menu import WIDGET, MenuPlace
from apps.cabinet.refusals import words_of
from apps.cabinet.tenant_admin import AccessLevel
from apps.cabinet.widget_pages import WidgetPageAdmin
from apps.chats.rules.languages import NAMES
from apps.core.endpoints.serializers import validated_body
from apps.core.problems import Problem
from apps.widget.actions.questions import set_questions
from apps.widget.cabinet.question_rows import QuestionRow, questions_of, rows_of, rows_sent
from apps.widget.cabinet.question_words import KINDS, said, told
from apps.widget.models import QuestionSet
from apps.widget.querysets import CHANNEL
from apps.widget.querysets.settings import settings_of
from apps.widget.rules.fields import FALLBACK, SUPPORTED
from apps.widget.rules.questions import MAX_QUESTIONS
from apps.widget.serializers.questions import QuestionSetBody

SPARE_ROWS = 3
_BODY = QuestionSetBody()


@admin.register(QuestionSet)
class QuestionSetAdmin(WidgetPageAdmin):
    """The questions as rows of one form, and the same refusals as the API's."""

    menu = MenuPlace(WIDGET, 14, _("Questions before a chat"))
    purpose = _("What visitors of the website are asked when a chat begins: a topic, an order, a consent.")
    account_path = "widget__account_id"
    may_change = AccessLevel.ACCOUNT
    titles = (_("questions before a chat"), _("questions before a chat"))
    labels = {"widget": _("widget"), "is_on": _("is asked"), "intro": _("intro"), "questions": _("questions")}
    list_display = ("widget",)
    list_select_related = ("widget",)
    ordering = ("widget__name", "widget_id")

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        row: QuestionSet = self.get_object(request, object_id)
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        codes = _languages(row.widget_id)
        rows, intro, errors = rows_of(row.questions, codes), dict(row.intro or {}), []
        is_on = row.is_on
        if request.method == "POST":
            if not self.has_change_permission(request, row):
                raise PermissionDenied
            rows, is_on = rows_sent(request.POST, codes), bool(request.POST.get("is_on"))
            intro = {code: text for code in codes if (text := _text(request, f"intro_{code}"))}
            errors = _saved(row.widget_id, rows, codes, {"is_on": is_on, "intro": intro or None})
            if not errors and not any(each.error for each in rows):
                messages.success(request, gettext("The questions are saved."))
                return HttpResponseRedirect(request.path)
        form = {"rows": _with_spare(rows), "is_on": is_on, "errors": errors}
        form["intro"] = [(code, NAMES[code], intro.get(code, "")) for code in codes]
        return self._shown(request, row, codes, form)

    def _shown(
        self, request: HttpRequest, row: QuestionSet, codes: Sequence[str], form: Mapping[str, Any]
    ) -> HttpResponse:
        request.head_widget = row.widget  # type: ignore[attr-defined]
        filled = [each for each in form["rows"] if each.kind]
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": self.name_of_list(),
            "original": row,
            "form": form,
            "rows": [(each, each.languages(codes)) for each in form["rows"]],
            "told": told(row.questions, get_language() or "en"),
            "is_asked": row.is_on,
            "kinds": KINDS.items(),
            "earlier": [(str(each.place), f"{number}. {each.title}") for number, each in enumerate(filled, 1)],
            "may_change": self.has_change_permission(request, row),
        }
        return TemplateResponse(request, "widget/questions.html", context)


def _languages(widget_id: int) -> list[str]:
    """The widget's languages, the one that it falls back on first."""
    values = settings_of(widget_id).values
    first = values[FALLBACK]
    return [first, *(code for code in values[SUPPORTED] if code != first)]


def _text(request: HttpRequest, name: str) -> str:
    return request.POST.get(name, "").replace("\r\n", "\n").strip()


def _with_spare(rows: Sequence[QuestionRow]) -> list[QuestionRow]:
    """The rows that are shown: those that are filled in, and empty ones at the places that are free."""
    free = (place for place in range(MAX_QUESTIONS) if place not in {row.place for row in rows})
    spare = [QuestionRow(place, len(rows) + more) for more, place in enumerate(free, 1)]
    return [*rows, *spare[:SPARE_ROWS]]


def _saved(widget_id: int, rows: Sequence[QuestionRow], codes: Sequence[str], members: Mapping[str, Any]) -> list[str]:
    """Stores the questions. A refusal of a question stands at its row; the others are answered."""
    departments = hours_of_widget(widget_id, channel=department_channel(CHANNEL)).departments
    ids = {name: each.id for each in departments for name in (each.name, str(each.id))}
    try:
        questions = questions_of(rows, codes[0], ids.get)
        with override("en"):  # as `said` knows the refusals
            body = validated_body(_BODY, {**members, "questions": questions})
        set_questions(widget_id=widget_id, members=body)
    except Problem as problem:
        return _refused(problem, rows)
    return []


def _refused(problem: Problem, rows: Sequence[QuestionRow]) -> list[str]:
    if not problem.errors:
        return [words_of(problem)]
    rest = []
    for path, texts in problem.errors.items():
        words = " ".join(dict.fromkeys(map(said, texts)))
        _first, _dot, below = path.partition("questions.")
        place = below.partition(".")[0]
        if place.isdecimal() and int(place) < len(rows):
            row = rows[int(place)]
            row.error = row.error or words
        else:
            rest.append(words)
    return rest
