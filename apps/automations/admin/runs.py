"""The cabinet's log of runs: the conditions that held, the acts and their undoing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.automations.actions.undo import undo_run
from apps.automations.cabinet import words
from apps.automations.cabinet.names import names_of
from apps.automations.cabinet.runs import checked_words, done_words, trigger_words, undone_words
from apps.automations.models import Automation, AutomationRun
from apps.cabinet.list_columns import chip
from apps.cabinet.log_admin import LogAdmin
from apps.cabinet.menu import MenuTab
from apps.cabinet.refusals import words_of
from apps.core.problems import Problem

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

TONES = {"done": "success", "partly": "warning", "limit": "danger"}


@admin.register(AutomationRun)
class AutomationRunAdmin(LogAdmin):
    """Each time that a rule or a macro acted, newest first."""

    menu = MenuTab(Automation, 10, pgettext_lazy("of an automation", "Runs"))
    purpose = _("Each time that a rule acted: where, why, and what it did. Kept for 90 days.")
    list_select_related = ("widget", "agent")
    titles = (_("run"), _("runs"))
    labels = {"name": _("rule or macro"), "at": _("when"), "undone_at": _("undone"), "version": _("version")}
    list_display = ("at", "name", "came_of_it", "chat_link", "did_what", "undone_at", "widget")
    list_display_links = ("at", "name")
    list_filter = ("widget", "automation")
    show_full_result_count = False
    actions_detail = ("undo",)
    fields = ("name", "came_of_it", "at", "by", "chat_link", "trigger_line", "held", "did_list", "undone_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        return rows.select_related("agent")

    @admin.display(description=_("result"))
    def came_of_it(self, run: AutomationRun) -> SafeString:
        return chip(str(words.RUN_STATES.get(run.state, run.state)), TONES.get(run.state, ""))

    @admin.display(description=_("chat"))
    def chat_link(self, run: AutomationRun) -> SafeString:
        address = reverse("admin:chats_chat_change", args=[run.chat_id])
        return format_html('<a class="text-link" href="{}">{}</a>', address, run.chat_id)

    @admin.display(description=_("what was done"))
    def did_what(self, run: AutomationRun) -> str:
        return ", ".join(str(words.ACTS.get(each["do"], each["do"])) for each in run.did if each["result"] == "done")

    @admin.display(description=_("operator"), empty_value="—")
    def by(self, run: AutomationRun) -> str | None:
        """The person who ran a macro."""
        return run.agent.full_name if run.agent is not None else None

    @admin.display(description=_("why"))
    def trigger_line(self, run: AutomationRun) -> str:
        return trigger_words(run.trigger)

    @admin.display(description=_("conditions"), empty_value="—")
    def held(self, run: AutomationRun) -> str:
        lines = checked_words(run.why, names_of(run.widget_id))
        return render_to_string("automations/lines.html", {"lines": lines}) if lines else ""

    @admin.display(description=_("what was done"))
    def did_list(self, run: AutomationRun) -> str:
        return render_to_string("automations/lines.html", {"lines": done_words(run.did)})

    @unfold_action(description=_("Undo…"), url_path="undo")  # type: ignore[untyped-decorator]
    def undo(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks at a GET; at a POST takes the run back, and names the acts that stay."""
        run: AutomationRun = self.get_object(request, object_id)
        page = reverse("admin:automations_automationrun_change", args=[run.pk])
        if not self.has_view_permission(request, run):
            raise PermissionDenied
        if request.method == "POST":
            try:
                done = undo_run(widget_id=run.widget_id, run_id=run.pk)
            except Problem as problem:
                messages.error(request, words_of(problem))
            else:
                for line in undone_words(done):
                    messages.success(request, line)
            return HttpResponseRedirect(page)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Undo what the rule did"),
            "run": run,
            "lines": done_words(run.did),
            "back": page,
        }
        return TemplateResponse(request, "automations/undo.html", context)
