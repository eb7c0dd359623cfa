"""The cabinet's pages of assistants."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.accounts.models import Widget
from apps.ai.actions.assistants import change_assistant, create_assistant, delete_assistant
from apps.ai.actions.evaluation_drafts import DRAFTED
from apps.ai.actions.evaluations import AlreadyRunning, NoCases, start_evaluation
from apps.ai.actions.personas import staff_actor
from apps.ai.actions.testing import left_out_of
from apps.ai.actions.trials import ask
from apps.ai.cabinet.examination import LINE_HEIGHT, LINE_WIDTH, line_of
from apps.ai.cabinet.languages import TranslationForm, language_of, language_page
from apps.ai.forms import AssistantForm, QuestionForm, TemplateForm
from apps.ai.models import Assistant, EvaluationCase, EvaluationRun, Trial, Usage
from apps.ai.rules.evaluations import ACTIVE, REFRESH_S, RUNS_KEPT, RunCause
from apps.cabinet.coded_values import display_value
from apps.cabinet.menu import KNOWLEDGE, MenuPlace
from apps.cabinet.refusals import words_of
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin, changes_of, user_of
from apps.core.problems import Problem, problem_types

# Of a number that a bigint holds.
MAX_DIGITS = 19
# As unfold names the button.
_EVALUATE_FIRST = "ai_assistant_evaluate_first"


@admin.register(Assistant)
class AssistantAdmin(TenantAdmin):
    menu = MenuPlace(KNOWLEDGE, 20, _("Assistants"))
    purpose = _("An assistant is what the AI says and how: its character, rules and greeting.")
    found_at = 70
    account_path = "widget__account_id"
    may_add = AccessLevel.ACCOUNT
    may_change = AccessLevel.ACCOUNT
    may_delete = AccessLevel.ACCOUNT
    titles = (_("assistant"), _("assistants"))
    labels = {
        "widget": _("widget"),
        "name": pgettext_lazy("of a thing", "name"),
        "enabled": _("enabled"),
        "is_default": _("default"),
        "persona": _("persona"),
        "system_prompt": _("instructions"),
        "temperature": _("temperature"),
        "rag_enabled": _("uses the knowledge base"),
        "greeting": _("greeting"),
        "model": _("model"),
        "created_at": _("created"),
    }
    form = AssistantForm
    list_display = ("name", "widget", "enabled", "is_default", "provider", "model", "created_at")
    list_filter = ("widget", "enabled")
    list_select_related = ("widget",)
    search_fields = ("name",)
    ordering = ("-id",)
    actions_detail = ("try_it", "evaluations", "translations")
    actions_list = ("from_template",)
    actions_submit_line = ("evaluate_first",)

    def get_readonly_fields(self, request: HttpRequest, obj: Assistant | None = None) -> tuple[str, ...]:
        return ("widget",) if obj else ()

    def write(self, request: HttpRequest, obj: Assistant, form: "ModelForm[Any]", change: bool) -> None:
        actor = staff_actor(user_of(request))
        if change:
            changes = changes_of(form)
            if _EVALUATE_FIRST in request.POST:
                self._evaluate_first(request, obj, changes)
                return
            change_assistant(widget_id=obj.widget_id, assistant_id=obj.pk, changes=changes, actor=actor)
            return
        wanted = {name: value for name, value in form.cleaned_data.items() if name not in ("widget", "is_default")}
        mark: dict[str, Any] = {"is_default": True} if form.cleaned_data["is_default"] else {}
        obj.pk = create_assistant(widget_id=obj.widget_id, actor=actor, **{**mark, **wanted}).pk

    @unfold_action(description=_("Ask the test questions first"))  # type: ignore[untyped-decorator]
    def evaluate_first(self, request: HttpRequest, obj: Assistant) -> None:
        """Nothing more is to be done: `write` has queued a run of the change, and saved nothing."""

    def get_actions_submit_line(self, request: HttpRequest, object_id: str) -> Any:
        """Without test questions, nothing can be asked first."""
        found = super().get_actions_submit_line(request, object_id)
        assistant = self.get_object(request, str(object_id))
        cases = EvaluationCase.objects.for_widget(assistant.widget_id).asked_of(assistant.pk)
        return found if cases.exists() else []

    def _evaluate_first(self, request: HttpRequest, obj: Assistant, changes: dict[str, Any]) -> None:
        """Queues a run of the assistant as it would be with the change, which is not saved."""
        draft = {name: value for name, value in changes.items() if name in DRAFTED}
        assistant: Assistant = Assistant.objects.for_widget(obj.widget_id).select_related("widget").get(pk=obj.pk)
        if len(draft) < len(changes):
            messages.warning(request, gettext("Only what answers are made of is asked first; the rest is not saved."))
        run = _start_evaluation(request, assistant, draft)
        request.evaluation = run  # type: ignore[attr-defined]

    def response_change(self, request: HttpRequest, obj: Assistant) -> HttpResponse:
        if _EVALUATE_FIRST not in request.POST:
            answer: HttpResponse = super().response_change(request, obj)
            return answer
        run = getattr(request, "evaluation", None)
        if run is None:
            return HttpResponseRedirect(request.path)
        return HttpResponseRedirect(reverse("admin:ai_evaluationrun_change", args=[run.pk]))

    def remove(self, request: HttpRequest, obj: Assistant) -> None:
        delete_assistant(widget_id=obj.widget_id, assistant_id=obj.pk)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Names the AI operators that still run it, instead of deleting it."""
        try:
            answer: HttpResponse = super().delete_view(request, object_id, extra_context)
        except Problem as refused:
            names = ", ".join(one["name"] for one in refused.members.get("operators", ()))
            messages.error(request, gettext("AI operators run it: %(names)s.") % {"names": names})
            return HttpResponseRedirect(reverse("admin:ai_assistant_change", args=[object_id]))
        return answer

    @unfold_action(description=_("In other languages"), url_path="languages")  # type: ignore[untyped-decorator]
    def translations(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The greeting and the quick phrases by language."""
        assistant: Assistant = self.get_object(request, object_id)
        if not self.has_change_permission(request, assistant):
            raise PermissionDenied
        language = language_of(request)
        form = TranslationForm(request.POST or None, assistant=assistant, language=language)
        context = {
            **self.admin_site.each_context(request),
            "title": assistant.name,
            "note": gettext("What is left empty is said as on the assistant's own page."),
            "back": reverse("admin:ai_assistant_change", args=[assistant.pk]),
        }
        where: dict[str, Any] = {
            "widget_id": assistant.widget_id,
            "assistant_id": assistant.pk,
            "actor": staff_actor(user_of(request)),
        }
        return language_page(request, context, form, language, lambda made: change_assistant(**where, changes=made))

    @unfold_action(description=_("From a template…"), url_path="template", permissions=["add"])  # type: ignore[untyped-decorator]
    def from_template(self, request: HttpRequest) -> HttpResponse:
        """An assistant that is made of a template of the marketplace, in the language that is chosen."""
        form = TemplateForm(request.POST or None, widgets=self.own_choices(Widget, request))
        if request.method == "POST" and form.is_valid():
            made = form.apply(staff_actor(user_of(request)))
            messages.success(request, gettext("The assistant is made: look it through, then switch it on."))
            return HttpResponseRedirect(reverse("admin:ai_assistant_change", args=[made.pk]))
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("An assistant from a template"),
            "form": form,
            "button": gettext("Make it"),
            "back": reverse("admin:ai_assistant_changelist"),
        }
        return TemplateResponse(request, "admin/simple_form.html", context)

    @unfold_action(description=_("Try it…"), url_path="try")  # type: ignore[untyped-decorator]
    def try_it(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks the assistant a question as a visitor would, with a real, paid call and no chat."""
        assistant: Assistant = self.get_object(request, object_id)
        if not self.has_change_permission(request, assistant):
            raise PermissionDenied
        trial = self._trial(request, assistant)
        asked_before = {name: getattr(trial, name) for name in QuestionForm.base_fields} if trial else {}
        form = QuestionForm(request.POST or None, initial=asked_before)
        if request.method == "POST" and form.is_valid():
            try:
                asked = ask(assistant=assistant, **form.cleaned_data)
            except Problem as refused:
                messages.error(request, words_of(refused))
            else:
                return HttpResponseRedirect(f"{request.path}?trial={asked.pk}")
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Try %(name)s") % {"name": assistant.name},
            "form": form,
            "assistant": assistant,
            "trial": trial,
            "is_asked": trial is not None and trial.ended_at is None,
            "took_s": round((timezone.now() - trial.asked_at).total_seconds()) if trial else 0,
            "refusal": _refusal_of(trial),
            "result": trial.result if trial else None,
            "used": _used_by(trial) if trial else [],
            "left_out": ", ".join(left_out_of(assistant, (trial.result or {}).get("operator_id"))) if trial else "",
        }
        page = TemplateResponse(request, "admin/ai/try.html", context)
        if context["is_asked"]:
            page["Refresh"] = str(REFRESH_S)
        return page

    def _trial(self, request: HttpRequest, assistant: Assistant) -> Trial | None:
        """The question that the address names, of this assistant."""
        named = request.GET.get("trial", "")
        trials = Trial.objects.for_widget(assistant.widget_id).filter(assistant=assistant)
        return trials.filter(pk=int(named)).first() if named.isdecimal() and len(named) < MAX_DIGITS else None

    @unfold_action(description=_("Evaluations"), url_path="evaluations")  # type: ignore[untyped-decorator]
    def evaluations(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The runs of the owner's test set against the assistant, and the button that starts one."""
        assistant: Assistant = self.get_object(request, object_id)
        if not self.has_change_permission(request, assistant):
            raise PermissionDenied
        if request.method == "POST":
            _start_evaluation(request, assistant)
            return HttpResponseRedirect(request.path)
        runs = EvaluationRun.objects.for_widget(assistant.widget_id).filter(assistant=assistant).counted()
        shown = list(runs.order_by("-pk")[:RUNS_KEPT])
        cases = EvaluationCase.objects.for_widget(assistant.widget_id).asked_of(assistant.pk)
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Evaluations of %(name)s") % {"name": assistant.name},
            "assistant": assistant,
            "cases": cases.count(),
            "runs": [(run, *map(display_value, (run.state, run.reason, run.cause))) for run in shown],
            "is_active": any(run.state in ACTIVE for run in shown),
            "line": line_of(shown),
            "line_size": (LINE_WIDTH, LINE_HEIGHT),
        }
        page = TemplateResponse(request, "admin/ai/evaluations.html", context)
        if context["is_active"]:
            page["Refresh"] = str(REFRESH_S)
        return page


def _used_by(trial: Trial) -> list[Usage]:
    """The vendor requests of a question: those of the assistant outside of chats, meanwhile."""
    rows = Usage.objects.for_widget(trial.widget_id).filter(assistant_id=trial.assistant_id, chat_id=None)
    meanwhile = rows.filter(at__gte=trial.asked_at, at__lte=trial.ended_at or timezone.now())
    return list(meanwhile.order_by("id")[:10])


def _refusal_of(trial: Trial | None) -> str:
    """Why there is no answer, in words; empty where there is one, or none yet."""
    if trial is None or trial.refusal is None:
        return ""
    type_, reason = problem_types().get(trial.refusal["code"]), trial.refusal["reason"]
    if type_ is None:
        return gettext("The question was lost: the worker that asked it ended. Ask again.")
    return gettext(type_.explanation) if reason is None else f"{type_.title}: {reason}"


def _start_evaluation(
    request: HttpRequest, assistant: Assistant, draft: dict[str, Any] | None = None
) -> EvaluationRun | None:
    try:
        cause = RunCause.DRAFT if draft else RunCause.PERSON
        run = start_evaluation(assistant=assistant, cause=cause, draft=draft or None)
    except NoCases:
        messages.error(request, gettext("There are no test questions for this assistant."))
    except AlreadyRunning:
        messages.info(request, gettext("An evaluation is under way."))
    except Problem as refused:
        messages.error(request, words_of(refused))
    else:
        messages.success(request, gettext("The evaluation is queued."))
        return run
    return None
