"""The cabinet's pages of automations: a list of sentences, and a page to write, try and switch one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.accounts.models import Widget
from apps.automations.actions.automations import (
    change_automation,
    create_automation,
    delete_automation,
    order_automations,
)
from apps.automations.actions.trials import try_automation
from apps.automations.actions.undo import undo_since
from apps.automations.cabinet.names import names_of
from apps.automations.cabinet.pages import (
    TRIAL_DAYS,
    editor_context,
    other_widgets,
    problem_words,
    trial_context,
    widget_of_page,
)
from apps.automations.cabinet.sentences import Names, sentence
from apps.automations.cabinet.starters import STARTERS
from apps.automations.forms import AutomationForm, UndoSinceForm
from apps.automations.models import Automation
from apps.cabinet.list_columns import chip, column_of
from apps.cabinet.menu import MenuPlace
from apps.cabinet.refusals import words_of
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin
from apps.chats.cabinet.conversations import CONVERSATIONS
from apps.core.problems import Problem

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

COLUMNS = {"if": "condition"}  # of the members of an automation that are called otherwise in its row
ON, OFF = pgettext_lazy("an automation", "On"), pgettext_lazy("an automation", "Off")


@admin.register(Automation)
class AutomationAdmin(TenantAdmin):
    """Automations as sentences, in the order in which they are asked."""

    menu = MenuPlace(CONVERSATIONS, 22, _("Automation"), _("Rules"))
    purpose = _("What is done by itself: tell the managers, answer outside hours, close what is silent.")
    found_at = 95
    account_path = "widget__account_id"
    may_add = may_change = may_delete = AccessLevel.ACCOUNT
    titles = (_("rule"), _("automation"))
    labels = {"widget": _("widget"), "name": pgettext_lazy("of a thing", "name"), "created_at": _("created")}
    list_display = ("switched", "widget", "trouble", "moves")
    list_filter = ("widget",)
    list_select_related = ("widget",)
    search_fields = ("name",)
    ordering = ("widget", "position", "id")
    actions_detail = ("undo_all",)
    show_full_result_count = False

    def get_urls(self) -> list[Any]:
        """With the steps up and down of the list."""
        steps = [
            path(
                f"<path:object_id>/{name}/",
                self.admin_site.admin_view(view),
                name=f"automations_automation_{name}",
            )
            for name, view in (("up", self.up), ("down", self.down))
        ]
        return [*steps, *super().get_urls()]

    @admin.display(description=_("state"))
    def switched(self, automation: Automation) -> SafeString:
        return chip(str(ON if automation.is_enabled else OFF), "success" if automation.is_enabled else "")

    @admin.display(description=_("not possible now"), empty_value="—")
    def trouble(self, automation: Automation) -> str:
        return problem_words(automation.problem)

    @admin.display(description=_("order"))
    def moves(self, automation: Automation) -> SafeString:
        """Buttons that change the place of a rule; they are of the list's own form."""
        at = reverse("admin:automations_automation_up", args=[automation.pk])
        down = reverse("admin:automations_automation_down", args=[automation.pk])
        button = (
            '<button type="submit" class="row-actions" formaction="{}" title="{}" aria-label="{}">'
            '<span class="material-symbols-outlined" aria-hidden="true">{}</span></button>'
        )
        up_words, down_words = gettext("Earlier"), gettext("Later")
        return format_html(
            f'<span class="moves">{{}} {button} {button}</span>',
            automation.position + 1,
            *(at, up_words, up_words, "arrow_upward"),
            *(down, down_words, down_words, "arrow_downward"),
        )

    def get_list_display(self, request: HttpRequest) -> Any:
        """With the names of each widget's rows read once; without the buttons where nothing may be changed."""
        known: dict[int, Names] = {}

        @admin.display(description=_("rule"))
        def told(automation: Automation) -> str:
            if automation.widget_id not in known:
                known[automation.widget_id] = names_of(automation.widget_id)
            return _sentence(automation, known[automation.widget_id])

        found = super().get_list_display(request)
        shown = [each for each in found if self.has_change_permission(request) or _name_of(each) != "moves"]
        return [column_of(self, told), *shown]

    def up(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._move(request, object_id, -1)

    def down(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._move(request, object_id, 1)

    def _move(self, request: HttpRequest, object_id: str, by: int) -> HttpResponse:
        """Changes places with the rule beside it; at a GET, and at the end of the list, nothing."""
        automation = self._row_to_change(request, object_id)
        keys = list(Automation.objects.for_widget(automation.widget_id).in_order().values_list("pk", flat=True))
        at = keys.index(automation.pk)
        if request.method == "POST" and 0 <= at + by < len(keys):
            keys[at], keys[at + by] = keys[at + by], keys[at]
            order_automations(widget_id=automation.widget_id, ids=keys)
        return HttpResponseRedirect(reverse("admin:automations_automation_changelist"))

    def _row_to_change(self, request: HttpRequest, object_id: str) -> Automation:
        automation: Automation = self.get_object(request, object_id)
        if not self.has_change_permission(request, automation):
            raise PermissionDenied
        return automation

    # The page of one.

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        widgets = self.own_choices(Widget, request)
        widget = widget_of_page(request, widgets)
        if widget is None:
            context = {**self.admin_site.each_context(request), "title": gettext("New rule"), "opts": self.opts}
            return TemplateResponse(request, "admin/no_widget.html", context)
        names = names_of(widget.pk)
        form = AutomationForm(names)
        if request.method == "POST":
            values = form.read(request.POST)
            if not form.is_wrong:
                try:
                    made = create_automation(widget_id=widget.pk, values=values)
                except Problem as problem:
                    form.refuse(problem)
                else:
                    messages.success(request, gettext("Saved. Try it, then switch it on."))
                    return HttpResponseRedirect(_page_of(made.pk))
        elif (starter := STARTERS.get(request.GET.get("from", ""))) is not None:
            made_up = starter.make()
            form.fill(name="", when=made_up["when"], condition=made_up["if"], then=made_up["then"], stop=False)
        starters = [(f"?from={name}&widget={widget.pk}", each.title) for name, each in STARTERS.items()]
        return self._editor(
            request,
            form,
            widget,
            {"title": gettext("New rule"), "starters": starters, "others": other_widgets(widget, widgets)},
        )

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        automation: Automation = self.get_object(request, object_id)
        if not self.has_view_permission(request, automation):
            raise PermissionDenied
        names = names_of(automation.widget_id)
        form = AutomationForm(names).fill(
            name=automation.name,
            when=automation.when,
            condition=automation.condition,
            then=automation.then,
            stop=automation.stop,
        )
        tried: Mapping[str, Any] | None = None
        if request.method == "POST":
            if not self.has_change_permission(request, automation):
                raise PermissionDenied
            does = request.POST.get("does", "save")
            if does == "try":
                tried = self._try(request, automation)
                automation.refresh_from_db()
            elif self._done(request, automation, does, form, names):
                return HttpResponseRedirect(request.path)
        about = {
            "title": capfirst(gettext("rule")),
            "automation": automation,
            "sentence": _sentence(automation, names),
            "trouble": problem_words(automation.problem),
            "trial": trial_context(automation, tried, names),
            "runs": f"{reverse('admin:automations_automationrun_changelist')}?automation__id__exact={automation.pk}",
        }
        return self._editor(request, form, automation.widget, about)

    def _done(
        self, request: HttpRequest, automation: Automation, does: str, form: AutomationForm, names: Names
    ) -> bool:
        """Follows the button that was pressed; a refusal is told on the page."""
        where = {"widget_id": automation.widget_id, "automation_id": automation.pk}
        try:
            if does not in ("on", "off"):
                return self._saved(request, automation, form)
            change_automation(**where, changes={"is_enabled": does == "on"})
        except Problem as problem:
            messages.error(request, words_of(problem))
            return False
        said = gettext("The rule is on: it acts from now on.") if does == "on" else gettext("The rule is off.")
        messages.success(request, said)
        return True

    def _saved(self, request: HttpRequest, automation: Automation, form: AutomationForm) -> bool:
        sent = AutomationForm(form.names)
        values = sent.read(request.POST)
        form.__dict__.update(sent.__dict__)
        if form.is_wrong:
            return False
        changes = {
            name: value for name, value in values.items() if value != getattr(automation, COLUMNS.get(name, name))
        }
        try:
            if changes:
                change_automation(widget_id=automation.widget_id, automation_id=automation.pk, changes=changes)
        except Problem as problem:
            form.refuse(problem)
            return False
        is_new = bool(changes.keys() - {"name"})
        messages.success(
            request, gettext("Saved, and switched off: try it, then switch it on.") if is_new else gettext("Saved.")
        )
        return True

    def _try(self, request: HttpRequest, automation: Automation) -> Mapping[str, Any] | None:
        try:
            return try_automation(
                widget_id=automation.widget_id,
                when=automation.when,
                condition=automation.condition,
                then=automation.then,
                stop=automation.stop,
                days=TRIAL_DAYS,
                automation_id=automation.pk,
            )
        except Problem as problem:
            messages.error(request, words_of(problem))
            return None

    def _editor(
        self, request: HttpRequest, form: AutomationForm, widget: Widget, about: Mapping[str, Any]
    ) -> HttpResponse:
        automation = about.get("automation")
        context = {
            **self.admin_site.each_context(request),
            **editor_context(form.names),
            "opts": self.opts,
            "form": form,
            "widget": widget,
            "may_change": self.has_change_permission(request, automation) if automation else True,
            "back": reverse("admin:automations_automation_changelist"),
            "remove": automation and reverse("admin:automations_automation_delete", args=[automation.pk]),
            "undo": automation and reverse("admin:automations_automation_undo_all", args=[automation.pk]),
            **about,
        }
        return TemplateResponse(request, "automations/rule.html", context)

    @unfold_action(description=_("Undo…"), url_path="undo")  # type: ignore[untyped-decorator]
    def undo_all(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks since when at a GET; at a POST takes its runs since then back."""
        automation = self._row_to_change(request, object_id)
        form = UndoSinceForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            since = form.cleaned_data["since"]
            runs = undo_since(widget_id=automation.widget_id, automation_id=automation.pk, since=since)
            said = ngettext("%(count)d run is undone.", "%(count)d runs are undone.", runs) % {"count": runs}
            messages.success(request, said)
            return HttpResponseRedirect(_page_of(automation.pk))
        note = gettext("What it set goes back where it still stands. Replies and notices stay.")
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Undo what the rule did"),
            "form": form,
            "note": note,
            "button": gettext("Undo"),
            "back": _page_of(automation.pk),
        }
        return TemplateResponse(request, "admin/simple_form.html", context)

    def remove(self, request: HttpRequest, obj: Automation) -> None:
        delete_automation(widget_id=obj.widget_id, automation_id=obj.pk)


def _sentence(automation: Automation, names: Names) -> str:
    return sentence(automation.when, automation.condition, automation.then, names, stop=automation.stop)


def _name_of(column: Any) -> str:
    return str(getattr(column, "__name__", column))


def _page_of(key: int) -> str:
    return reverse("admin:automations_automation_change", args=[key])
