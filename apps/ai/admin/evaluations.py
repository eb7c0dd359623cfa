"""The cabinet's pages of evaluations: the test set, the runs, and a run's results beside those before."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.ai.actions.evaluation_cases import change_case, create_case, delete_case
from apps.ai.actions.evaluation_drafts import put_live
from apps.ai.actions.evaluation_gates import examined
from apps.ai.actions.personas import staff_actor
from apps.ai.cabinet.examination import lost_words
from apps.ai.forms.assistants import AssistantForm
from apps.ai.forms.evaluations import EvaluationCaseForm
from apps.ai.models import Alert, AnswerFeedback, Assistant, EvaluationCase, EvaluationResult, EvaluationRun
from apps.ai.rules.evaluations import ACTIVE, MAX_QUESTION, REFRESH_S, CaseOrigin, EvaluationState
from apps.cabinet.coded_values import display_value
from apps.cabinet.log_admin import LogAdmin
from apps.cabinet.menu import KNOWLEDGE, MenuPlace, MenuTab
from apps.cabinet.refusals import words_of
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin, changes_of, user_of
from apps.core.problems import Problem

# Of a number that a form sends.
MAX_DIGITS = 6
# What outcomes, verdicts, changes and states are called.
WORDS = (
    *(pgettext_lazy("value", "answer"), pgettext_lazy("value", "refusal"), pgettext_lazy("value", "person")),
    *(pgettext_lazy("value", "right"), pgettext_lazy("value", "wrong"), pgettext_lazy("value", "failed")),
    *(pgettext_lazy("value", "new"), pgettext_lazy("value", "better"), pgettext_lazy("value", "worse")),
    *(pgettext_lazy("value", "reworded"), pgettext_lazy("value", "same"), pgettext_lazy("value", "queued")),
    *(pgettext_lazy("value", "running"), pgettext_lazy("value", "finished"), pgettext_lazy("value", "stopped")),
    *(pgettext_lazy("value", "budget_exhausted"), pgettext_lazy("value", "provider_failure")),
    *(pgettext_lazy("value", "draft"), pgettext_lazy("value", "by_itself")),
    *(pgettext_lazy("value", "unsure"), pgettext_lazy("value", "cycle"), pgettext_lazy("value", "persona_changed")),
    *(pgettext_lazy("value", "hand"), pgettext_lazy("value", "api"), pgettext_lazy("value", "chat")),
    *(pgettext_lazy("value", "thumb"), pgettext_lazy("value", "demand"), pgettext_lazy("value", "wizard")),
    *(pgettext_lazy("value", "outcome"), pgettext_lazy("value", "must"), pgettext_lazy("value", "must_not")),
    *(pgettext_lazy("value", "language"), pgettext_lazy("value", "sources"), pgettext_lazy("value", "facts")),
    pgettext_lazy("value", "judge"),
    *(pgettext_lazy("value", "no_credential"), pgettext_lazy("value", "cancelled"), pgettext_lazy("value", "crashed")),
)


@admin.register(EvaluationCase)
class EvaluationCaseAdmin(TenantAdmin):
    menu = MenuPlace(KNOWLEDGE, 50, _("Evaluation"), _("Questions"))
    purpose = _("Questions that you ask again after each change, with what the answer must have.")
    account_path = "widget__account_id"
    may_add = AccessLevel.ACCOUNT
    may_change = AccessLevel.ACCOUNT
    may_delete = AccessLevel.ACCOUNT
    titles = (_("test question"), _("test questions"))
    labels = {
        "widget": _("widget"),
        "assistant": _("assistant"),
        "question": _("question"),
        "expects": _("expected"),
        "must": _("must be in the answer"),
        "must_not": _("must not be in the answer"),
        "language": _("language of the answer"),
        "sources": _("sources that the answer must rest on"),
        "judge": _("criterion that a model judges"),
        "is_active": _("asked"),
        "born_from": _("made of"),
    }
    form = EvaluationCaseForm
    list_display = ("asked", "expected", "widget", "assistant", "is_active", "born")
    list_filter = ("widget", "expects", "is_active")
    list_select_related = ("widget", "assistant")
    search_fields = ("question",)
    ordering = ("-id",)

    @admin.display(description=_("question"))
    def asked(self, case: EvaluationCase) -> str:
        return Truncator(case.question).chars(80)

    @admin.display(description=_("expected"), ordering="expects")
    def expected(self, case: EvaluationCase) -> str:
        return display_value(case.expects)

    @admin.display(description=_("made of"), ordering="born_from")
    def born(self, case: EvaluationCase) -> str:
        return display_value(case.born_from)

    def get_fields(self, request: HttpRequest, obj: EvaluationCase | None = None) -> list[Any]:
        """Without the hidden ones where nothing is sent: a page that is read would show them."""
        is_sent = self.has_change_permission(request, obj)
        return [name for name in super().get_fields(request, obj) if is_sent or name not in _ABOUT_BIRTH]

    def get_readonly_fields(self, request: HttpRequest, obj: EvaluationCase | None = None) -> tuple[str, ...]:
        return ("widget",) if obj else ()

    def write(self, request: HttpRequest, obj: EvaluationCase, form: "ModelForm[Any]", change: bool) -> None:
        if change:
            change_case(widget_id=obj.widget_id, case_id=obj.pk, changes=changes_of(form))
            return
        wanted = {name: value for name, value in form.cleaned_data.items() if name not in ("widget", *_ABOUT_BIRTH)}
        wanted |= _birth_of(obj.widget_id, form.cleaned_data)
        obj.pk = create_case(widget_id=obj.widget_id, **wanted).pk

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        try:
            page: HttpResponse = super().add_view(request, form_url, extra_context)
        except Problem as refused:
            messages.error(request, words_of(refused))
            return HttpResponseRedirect(reverse("admin:ai_evaluationcase_changelist"))
        return page

    def remove(self, request: HttpRequest, obj: EvaluationCase) -> None:
        delete_case(widget_id=obj.widget_id, case_id=obj.pk)


_ABOUT_BIRTH = ("made_of", "of_message")


def _birth_of(widget_id: int, sent: dict[str, Any]) -> dict[str, Any]:
    """The origin of a case that a button led to: a thumb of the widget's, a question asked in vain, else a hand."""
    thumbs = AnswerFeedback.objects.for_widget(widget_id).filter(message_id=sent["of_message"] or 0)
    if sent["made_of"] == CaseOrigin.THUMB and (thumb := thumbs.first()) is not None:
        return {
            "born_from": CaseOrigin.THUMB,
            "born_chat_id": thumb.chat_id,
            "born_message_id": thumb.message_id,
        }
    return {"born_from": CaseOrigin.DEMAND if sent["made_of"] == CaseOrigin.DEMAND else CaseOrigin.HAND}


@admin.register(AnswerFeedback)
class AnswerFeedbackAdmin(LogAdmin):
    menu = MenuTab(Alert, 20, _("rated answers"))
    purpose = _("Answers of AI that visitors rated.")
    titles = (_("rated answer"), _("rated answers"))
    labels = {"widget": _("widget"), "helpful": _("helpful"), "at": _("rated"), "chat": _("chat")}
    list_display = ("asked", "answered", "helpful", "widget", "at")
    list_filter = ("widget", "helpful")
    list_select_related = ("widget", "exchange")
    ordering = ("-at",)
    fields = (*list_display, "chat")
    actions_detail = ("make_case",)

    @admin.display(description=_("question"))
    def asked(self, feedback: AnswerFeedback) -> str:
        return Truncator(feedback.exchange.question).chars(200) if feedback.exchange else "–"

    @admin.display(description=_("answer"))
    def answered(self, feedback: AnswerFeedback) -> str:
        return Truncator(feedback.exchange.answer).chars(200) if feedback.exchange else "–"

    @unfold_action(description=_("Make a test question of this…"), url_path="case")  # type: ignore[untyped-decorator]
    def make_case(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Opens a new test question, with the visitor's question filled in."""
        thumb: AnswerFeedback = self.get_object(request, object_id)
        about: dict[str, Any] = {"widget": thumb.widget_id}
        if thumb.exchange:
            about |= {
                "made_of": CaseOrigin.THUMB.value,
                "of_message": thumb.message_id,
                "question": thumb.exchange.question[:MAX_QUESTION],
                "assistant": thumb.exchange.assistant_id or "",
            }
        return HttpResponseRedirect(f"{reverse('admin:ai_evaluationcase_add')}?{urlencode(about)}")


@admin.register(EvaluationRun)
class EvaluationRunAdmin(LogAdmin):
    menu = MenuTab(EvaluationCase, 10, _("Runs"))
    purpose = _("Runs of the test questions, each compared with the one before.")
    titles = (_("evaluation"), _("evaluations"))
    labels = {
        "widget": _("widget"),
        "assistant": _("assistant"),
        "model": _("model"),
        "persona_version": _("version of the persona"),
        "queued_at": _("queued"),
        "finished_at": _("finished"),
    }
    list_display = ("queued_at", "assistant", "widget", "how_far", "right", "model", "persona_version")
    list_filter = ("widget", "state")
    list_select_related = ("widget", "assistant")
    fields = (*list_display, "finished_at")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).counted()  # type: ignore[attr-defined]

    @admin.display(description=_("state"), ordering="state")
    def how_far(self, run: EvaluationRun) -> str:
        return " ".join(filter(None, [display_value(run.state), display_value(run.reason)]))

    @admin.display(description=_("right"))
    def right(self, run: EvaluationRun) -> str:
        return f"{run.right} / {run.cases}"  # type: ignore[attr-defined]  # of `counted`

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """A run's results, the worse ones first; it is shown anew every few seconds while it is under way."""
        run: EvaluationRun = self.get_object(request, object_id)
        if request.method == "POST":
            return self._put_live(request, run)
        lost = examined(run).lost
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Evaluation of %(name)s") % {"name": run.assistant.name},
            "opts": self.opts,
            "run": run,
            "state": self.how_far(run),
            "results": _results(run),
            "cause": display_value(run.cause),
            "draft": [(_name_of(name), value) for name, value in (run.draft or {}).items()],
            "lost_words": lost_words(lost, run.cases) if run.draft and lost else "",
            "lost": lost,
            "may_put_live": _is_applicable(run) and self._may_change(request, run.assistant),
        }
        page = TemplateResponse(request, "admin/ai/evaluation.html", context)
        if run.state in ACTIVE:
            page["Refresh"] = str(REFRESH_S)
        return page

    def _may_change(self, request: HttpRequest, assistant: Assistant) -> bool:
        allowed: bool = self.admin_site.get_model_admin(Assistant).has_change_permission(request, assistant)
        return allowed

    def _put_live(self, request: HttpRequest, run: EvaluationRun) -> HttpResponse:
        """Gives the assistant the draft of the run."""
        if not run.draft or not self._may_change(request, run.assistant):
            raise PermissionDenied
        seen = request.POST.get("accept_lost", "")
        try:
            put_live(
                widget_id=run.widget_id,
                run_id=run.pk,
                actor=staff_actor(user_of(request)),
                accept_lost=int(seen) if seen.isdecimal() and len(seen) < MAX_DIGITS else None,
            )
        except Problem as refused:
            messages.error(request, words_of(refused))
            return HttpResponseRedirect(request.path)
        messages.success(request, gettext("The change is live."))
        return HttpResponseRedirect(reverse("admin:ai_assistant_change", args=[run.assistant_id]))


def _is_applicable(run: EvaluationRun) -> bool:
    """Whether the run's draft can be put live from its page: that of a wish is, by approving the wish."""
    return bool(run.draft) and run.wish_id is None and run.state == EvaluationState.FINISHED


def _name_of(field: str) -> str:
    """A field of an assistant, as its page calls it."""
    return str(AssistantForm.base_fields[field].label or field)


def _results(run: EvaluationRun) -> list[dict[str, Any]]:
    results = EvaluationResult.objects.for_widget(run.widget_id)
    earlier = results.filter(run_id=run.previous_id) if run.previous_id else results.none()
    before = {row.case_id: row for row in earlier}
    order = {"worse": 0, "better": 2, "reworded": 3, "new": 4, "same": 5}
    rows = sorted(results.filter(run=run), key=lambda row: (order[row.change], row.verdict == "right", row.pk))
    return [
        {
            "row": row,
            "expected": display_value(row.expects),
            "outcome": display_value(row.outcome or row.reason),
            "verdict": display_value(row.verdict),
            "change": display_value(row.change),
            "before": before[row.case_id].answer if row.change in ("worse", "better", "reworded") else "",
            "faults": [_said(kind, text) for kind, text in row.faults],
            "checks": [(display_value(one["name"]), one["ok"]) for one in row.checks],
        }
        for row in rows
    ]


def _said(kind: str, text: str) -> str:
    if kind == "missing":
        return gettext("“%(text)s” is missing") % {"text": text}
    if kind == "forbidden":
        return gettext("“%(text)s” stands there") % {"text": text}
    if kind == "ungrounded":
        return gettext("nothing of it stands where the question is from")
    if kind == "language":
        return gettext("it is in another language: %(language)s") % {"language": text}
    if kind == "source":
        return gettext("it does not rest on “%(text)s”") % {"text": text}
    if kind == "facts":
        return gettext("“%(text)s” stands nowhere, and was taken out") % {"text": text}
    if kind == "judge":
        return gettext("the judge says no: %(reason)s") % {"reason": text}
    return gettext("it came out as: %(outcome)s") % {"outcome": display_value(text)}
