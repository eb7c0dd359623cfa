"""The cabinet's pages of tuning: an assistant's gates, probation and versions; cycles; and the platform's switch."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from apps.ai.actions.personas import staff_actor
from apps.ai.models import PersonaVersion
from apps.cabinet.coded_values import display_value
from apps.cabinet.log_admin import LogAdmin
from apps.cabinet.menu import INSTALLATION, MenuPlace, MenuTab
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin, user_of
from apps.core.problems import Problem
from apps.learning.actions.cycles import tune
from apps.learning.actions.gates import switch
from apps.learning.actions.panel import panel_of
from apps.learning.actions.versions import revert_to
from apps.learning.models import Cycle, DemandTopic, LearningSwitch, TunedAssistant
from apps.learning.rules.differences import differences

# What gates, their reasons, states and causes are called.
WORDS = (
    *(pgettext_lazy("value", "platform"), pgettext_lazy("value", "widget"), pgettext_lazy("value", "target")),
    *(pgettext_lazy("value", "switched_off"), pgettext_lazy("value", "ai_disabled")),
    *(pgettext_lazy("value", "autonomous_tuning_disabled"), pgettext_lazy("value", "assistant_disabled")),
    *(pgettext_lazy("value", "no_credential"), pgettext_lazy("value", "no_assistant")),
    *(pgettext_lazy("value", "applied"), pgettext_lazy("value", "no_change"), pgettext_lazy("value", "refused")),
    *(pgettext_lazy("value", "created"), pgettext_lazy("value", "template"), pgettext_lazy("value", "migrated")),
    *(pgettext_lazy("value", "edited"), pgettext_lazy("value", "wish"), pgettext_lazy("value", "cycle")),
    *(pgettext_lazy("value", "revert"), pgettext_lazy("value", "rollback")),
    # Why a cycle applied nothing.
    *(pgettext_lazy("value", "too_little_evidence"), pgettext_lazy("value", "nothing_proposed")),
    *(pgettext_lazy("value", "not_better"), pgettext_lazy("value", "provider_failure")),
    *(pgettext_lazy("value", "invalid_proposal"), pgettext_lazy("value", "gate_closed")),
    *(pgettext_lazy("value", "persona_changed"), pgettext_lazy("value", "budget_exhausted")),
    pgettext_lazy("value", "crashed"),
    # The guard rails.
    *(pgettext_lazy("value", "too_many_operations"), pgettext_lazy("value", "too_long")),
    *(pgettext_lazy("value", "find_not_unique"), pgettext_lazy("value", "pinned_line")),
    *(pgettext_lazy("value", "whole_rewrite"), pgettext_lazy("value", "new_link")),
    *(pgettext_lazy("value", "new_pledge"), pgettext_lazy("value", "new_contact")),
    pgettext_lazy("value", "marker"),
    *(pgettext_lazy("value", "secret"), pgettext_lazy("value", "forbidden_characters")),
    pgettext_lazy("value", "copied_text"),
)
VERSIONS_SHOWN = 20


@admin.register(TunedAssistant)
class TunedAssistantAdmin(TenantAdmin):
    menu = MenuTab(DemandTopic, 20, _("Tuning"))
    purpose = _("Assistants, and what was learnt for each.")
    account_path = "widget__account_id"
    may_change = AccessLevel.ACCOUNT
    titles = (_("tuning of an assistant"), _("tuning of assistants"))
    list_display = ("name", "widget", "persona_version", "enabled")
    list_filter = ("widget",)
    list_select_related = ("widget",)
    ordering = ("-id",)
    fields = list_display
    readonly_fields = fields

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Gates as three lamps, probation's figures side by side, versions with their differences."""
        assistant: TunedAssistant = self.get_object(request, object_id)
        may_decide = self.has_change_permission(request, assistant)
        if request.method == "POST":
            if not may_decide:
                raise PermissionDenied
            if (version := request.POST.get("revert", "")) and "sure" not in request.POST:
                return self._asked(request, assistant, version)
            self._decide(request, assistant)
            return HttpResponseRedirect(request.path)
        panel = panel_of(assistant.widget_id, assistant)
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Tuning of %(name)s") % {"name": assistant.name},
            "opts": self.opts,
            "assistant": assistant,
            "panel": panel,
            "gates": [
                (display_value(gate["name"]), gate["reason"] and display_value(gate["reason"]))
                for gate in panel["gates"]
            ],
            "last_state": panel["last_cycle"] and display_value(panel["last_cycle"].state),
            "last_reason": panel["last_cycle"] and display_value(panel["last_cycle"].reason),
            "versions": _versions(assistant),
            "may_decide": may_decide,
        }
        return TemplateResponse(request, "admin/learning/tuning.html", context)

    def _asked(self, request: HttpRequest, assistant: TunedAssistant, version: str) -> HttpResponse:
        """Asks before visitors hear another text."""
        question = gettext("Make the text of version %(version)s live again? From now on %(name)s speaks by it.")
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Tuning of %(name)s") % {"name": assistant.name},
            "opts": self.opts,
            "question": question % {"version": version[:20], "name": assistant.name},
            "version": version[:20],
        }
        return TemplateResponse(request, "admin/learning/revert.html", context)

    def _decide(self, request: HttpRequest, assistant: TunedAssistant) -> None:
        try:
            if version := request.POST.get("revert", ""):
                revert_to(
                    widget_id=assistant.widget_id,
                    assistant_id=assistant.pk,
                    version=int(version) if version.isdecimal() and len(version) < 10 else 0,
                    actor=staff_actor(user_of(request)),
                )
                messages.success(request, gettext("The text is live again."))
            else:
                tune(widget_id=assistant.widget_id, assistant=assistant)
                messages.success(request, gettext("A tuning cycle is queued."))
        except Problem as problem:
            messages.error(request, gettext(problem.type.title))


def _versions(assistant: TunedAssistant) -> list[dict[str, Any]]:
    """The newest versions, each with its differences from the one before: (sign, line)."""
    rows = PersonaVersion.objects.for_widget(assistant.widget_id).filter(assistant_id=assistant.pk).order_by("-version")
    found = list(rows[: VERSIONS_SHOWN + 1])
    before = {row.version + 1: row for row in found}
    return [
        {
            "version": row.version,
            "cause": display_value(row.cause),
            "summary": row.summary,
            "at": row.created_at,
            "who": row.actor["name"],
            "is_live": row.version == assistant.persona_version,
            "lines": _differences(before.get(row.version), row),
        }
        for row in found[:VERSIONS_SHOWN]
    ]


def _differences(old: PersonaVersion | None, new: PersonaVersion) -> list[tuple[str, str]]:
    return [
        line
        for name in ("persona", "system_prompt")
        for line in differences(getattr(old, name) if old else "", getattr(new, name))
    ]


@admin.register(Cycle)
class CycleAdmin(LogAdmin):
    menu = MenuTab(DemandTopic, 30, _("Cycles"))
    purpose = _("Each time an assistant was tuned, and what came of it.")
    titles = (_("tuning cycle"), _("tuning cycles"))
    labels = {
        "widget": _("widget"),
        "queued_at": _("queued"),
        "finished_at": _("finished"),
        "version": _("version made"),
        "summary": _("what it changed"),
    }
    list_display = ("queued_at", "widget", "how_far", "why", "version", "summary")
    list_filter = ("widget", "state")
    fields = (*list_display, "finished_at")

    @admin.display(description=_("state"), ordering="state")
    def how_far(self, cycle: Cycle) -> str:
        return display_value(cycle.state)

    @admin.display(description=_("why not"))
    def why(self, cycle: Cycle) -> str:
        return display_value(cycle.reason)


@admin.register(LearningSwitch)
class LearningSwitchAdmin(TenantAdmin):
    """The installation's: whether assistants may tune themselves at all."""

    menu = MenuPlace(INSTALLATION, 40, _("Tuning switch"))
    may_add = AccessLevel.INSTALLATION
    may_change = AccessLevel.INSTALLATION
    titles = (_("tuning switch"), _("tuning switch"))
    labels = {"is_on": _("assistants may tune themselves")}
    list_display = ("is_on", "changed_at")
    fields = ("is_on",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not LearningSwitch.objects.exists()

    def write(self, request: HttpRequest, obj: LearningSwitch, form: "ModelForm[Any]", change: bool) -> None:
        switch(is_on=form.cleaned_data["is_on"])
        obj.pk = 1
