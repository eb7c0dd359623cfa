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

from apps.accounts.cabinet import AccessLevel, TenantAdmin, changes_of, user_of
from apps.accounts.coded_values import display_value
from apps.ai.actions.evaluation_cases import TooManyCases, change_case, create_case, delete_case
from apps.ai.actions.evaluations import ChangedMeanwhile, put_live
from apps.ai.actions.personas import staff_actor
from apps.ai.forms.assistants import AssistantForm
from apps.ai.forms.evaluations import EvaluationCaseForm
from apps.ai.models import AnswerFeedback, Assistant, EvaluationCase, EvaluationResult, EvaluationRun
from apps.ai.rules.evaluations import ACTIVE, MAX_CASES, MAX_QUESTION, REFRESH_S

# What outcomes, verdicts, changes and states are called.
WORDS = (
    *(pgettext_lazy("value", "answer"), pgettext_lazy("value", "refusal"), pgettext_lazy("value", "person")),
    *(pgettext_lazy("value", "right"), pgettext_lazy("value", "wrong"), pgettext_lazy("value", "failed")),
    *(pgettext_lazy("value", "new"), pgettext_lazy("value", "better"), pgettext_lazy("value", "worse")),
    *(pgettext_lazy("value", "reworded"), pgettext_lazy("value", "same"), pgettext_lazy("value", "queued")),
    *(pgettext_lazy("value", "running"), pgettext_lazy("value", "finished"), pgettext_lazy("value", "stopped")),
    *(pgettext_lazy("value", "budget_exhausted"), pgettext_lazy("value", "provider_failure")),
    *(pgettext_lazy("value", "draft"), pgettext_lazy("value", "by_itself")),
    *(pgettext_lazy("value", "no_credential"), pgettext_lazy("value", "cancelled"), pgettext_lazy("value", "crashed")),
)


@admin.register(EvaluationCase)
class EvaluationCaseAdmin(TenantAdmin):
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
    }
    form = EvaluationCaseForm
    list_display = ("asked", "expected", "widget", "assistant")
    list_filter = ("widget", "expects")
    list_select_related = ("widget", "assistant")
    search_fields = ("question",)
    ordering = ("-id",)

    @admin.display(description=_("question"))
    def asked(self, case: EvaluationCase) -> str:
        return Truncator(case.question).chars(80)

    @admin.display(description=_("expected"), ordering="expects")
    def expected(self, case: EvaluationCase) -> str:
        return display_value(case.expects)

    def get_readonly_fields(self, request: HttpRequest, obj: EvaluationCase | None = None) -> tuple[str, ...]:
        return ("widget",) if obj else ()

    def write(self, request: HttpRequest, obj: EvaluationCase, form: "ModelForm[Any]", change: bool) -> None:
        if change:
            change_case(widget_id=obj.widget_id, case_id=obj.pk, changes=changes_of(form))
            return
        wanted = {name: value for name, value in form.cleaned_data.items() if name != "widget"}
        obj.pk = create_case(widget_id=obj.widget_id, **wanted).pk

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        try:
            page: HttpResponse = super().add_view(request, form_url, extra_context)
        except TooManyCases:
            messages.error(request, gettext("A widget has at most %(most)d test questions.") % {"most": MAX_CASES})
            return HttpResponseRedirect(reverse("admin:ai_evaluationcase_changelist"))
        return page

    def remove(self, request: HttpRequest, obj: EvaluationCase) -> None:
        delete_case(widget_id=obj.widget_id, case_id=obj.pk)


@admin.register(AnswerFeedback)
class AnswerFeedbackAdmin(TenantAdmin):
    account_path = "widget__account_id"
    titles = (_("rated answer"), _("rated answers"))
    labels = {"widget": _("widget"), "helpful": _("helpful"), "at": _("rated"), "chat": _("chat")}
    list_display = ("asked", "answered", "helpful", "widget", "at")
    list_filter = ("widget", "helpful")
    list_select_related = ("widget", "exchange")
    ordering = ("-at",)
    fields = (*list_display, "chat")
    readonly_fields = fields
    actions_detail = ("make_case",)

    @admin.display(description=_("question"))
    def asked(self, thumb: AnswerFeedback) -> str:
        return Truncator(thumb.exchange.question).chars(200) if thumb.exchange else "–"

    @admin.display(description=_("answer"))
    def answered(self, thumb: AnswerFeedback) -> str:
        return Truncator(thumb.exchange.answer).chars(200) if thumb.exchange else "–"

    @unfold_action(description=_("Make a test question of this…"), url_path="case")  # type: ignore[untyped-decorator]
    def make_case(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Opens a new test question, with the visitor's question filled in."""
        thumb: AnswerFeedback = self.get_object(request, object_id)
        about: dict[str, Any] = {"widget": thumb.widget_id}
        if thumb.exchange:
            about |= {
                "question": thumb.exchange.question[:MAX_QUESTION],
                "assistant": thumb.exchange.assistant_id or "",
            }
        return HttpResponseRedirect(f"{reverse('admin:ai_evaluationcase_add')}?{urlencode(about)}")


@admin.register(EvaluationRun)
class EvaluationRunAdmin(TenantAdmin):
    account_path = "widget__account_id"
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
    ordering = ("-id",)
    fields = (*list_display, "finished_at")
    readonly_fields = fields

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
        """A run's results, what is worse first; it is shown anew every few seconds while it is under way."""
        run: EvaluationRun = self.get_object(request, object_id)
        if request.method == "POST":
            return self._put_live(request, run)
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Evaluation of %(name)s") % {"name": run.assistant.name},
            "opts": self.opts,
            "run": run,
            "state": self.how_far(run),
            "results": _results(run),
            "cause": display_value(run.cause),
            "draft": [(_name_of(name), value) for name, value in (run.draft or {}).items()],
            "may_put_live": bool(run.draft) and run.state not in ACTIVE and self._may_change(request, run.assistant),
        }
        page = TemplateResponse(request, "admin/ai/evaluation.html", context)
        if run.state in ACTIVE:
            page["Refresh"] = str(REFRESH_S)
        return page

    def _may_change(self, request: HttpRequest, assistant: Assistant) -> bool:
        allowed: bool = self.admin_site.get_model_admin(Assistant).has_change_permission(request, assistant)
        return allowed

    def _put_live(self, request: HttpRequest, run: EvaluationRun) -> HttpResponse:
        """Gives the assistant what the run has examined."""
        if not run.draft or not self._may_change(request, run.assistant):
            raise PermissionDenied
        try:
            put_live(run=run, actor=staff_actor(user_of(request)))
        except ChangedMeanwhile:
            messages.error(request, gettext("The assistant's text was changed meanwhile. Change it anew."))
            return HttpResponseRedirect(request.path)
        messages.success(request, gettext("The change is live."))
        return HttpResponseRedirect(reverse("admin:ai_assistant_change", args=[run.assistant_id]))


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
        }
        for row in rows
    ]


def _said(kind: str, text: str) -> str:
    if kind == "missing":
        return gettext("“%(text)s” is missing") % {"text": text}
    if kind == "forbidden":
        return gettext("“%(text)s” stands there") % {"text": text}
    return gettext("it came out as: %(outcome)s") % {"outcome": display_value(text)}
