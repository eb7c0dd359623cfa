"""The cabinet's pages of macros: those that all operators of a widget share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Widget
from apps.automations.actions.macros import change_macro, create_macro, delete_macro
from apps.automations.cabinet.names import names_of
from apps.automations.cabinet.pages import editor_context, other_widgets, widget_of_page
from apps.automations.cabinet.sentences import acts_words, begun
from apps.automations.forms import MacroForm
from apps.automations.models import Macro
from apps.cabinet.menu import MenuPlace
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin
from apps.chats.cabinet.conversations import CONVERSATIONS
from apps.core.problems import Problem


@admin.register(Macro)
class MacroAdmin(TenantAdmin):
    """Macros as sentences; an operator's own are in the console alone."""

    menu = MenuPlace(CONVERSATIONS, 23, _("Macros"))
    purpose = _("Several acts at one click of an operator, in the console at / and by Alt+1 to Alt+9.")
    found_at = 96
    account_path = "widget__account_id"
    may_add = may_change = may_delete = AccessLevel.ACCOUNT
    titles = (_("macro"), _("macros"))
    labels = {"widget": _("widget"), "name": pgettext_lazy("of a thing", "name"), "key": _("key")}
    list_display = ("name", "told", "shortcut", "widget")
    list_filter = ("widget",)
    list_select_related = ("widget",)
    search_fields = ("name",)
    ordering = ("widget", "name", "id")
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).filter(agent=None)

    @admin.display(description=_("what it does"))
    def told(self, macro: Macro) -> str:
        return begun(acts_words(macro.then, names_of(macro.widget_id)))

    @admin.display(description=_("key"), ordering="key", empty_value="—")
    def shortcut(self, macro: Macro) -> str | None:
        return f"Alt+{macro.key}" if macro.key else None

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        widgets = self.own_choices(Widget, request)
        widget = widget_of_page(request, widgets)
        if widget is None:
            context = {**self.admin_site.each_context(request), "title": gettext("New macro"), "opts": self.opts}
            return TemplateResponse(request, "admin/no_widget.html", context)
        form = MacroForm(names_of(widget.pk))
        if request.method == "POST":
            values = form.read(request.POST)
            if not form.is_wrong:
                try:
                    create_macro(widget_id=widget.pk, values=values)
                except Problem as problem:
                    form.refuse(problem)
                else:
                    return self._saved(request)
        return self._editor(
            request, form, widget, {"title": gettext("New macro"), "others": other_widgets(widget, widgets)}
        )

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        macro: Macro = self.get_object(request, object_id)
        if not self.has_view_permission(request, macro):
            raise PermissionDenied
        names = names_of(macro.widget_id)
        form = MacroForm(names).fill(name=macro.name, key=macro.key, then=macro.then, inputs=macro.inputs)
        if request.method == "POST":
            if not self.has_change_permission(request, macro):
                raise PermissionDenied
            form = MacroForm(names)
            values = form.read(request.POST)
            if not form.is_wrong:
                changes = {name: value for name, value in values.items() if value != getattr(macro, name)}
                try:
                    if changes:
                        change_macro(widget_id=macro.widget_id, macro_id=macro.pk, changes=changes)
                except Problem as problem:
                    form.refuse(problem)
                else:
                    return self._saved(request)
        about = {"title": gettext("Macro"), "macro": macro, "sentence": begun(acts_words(macro.then, names))}
        return self._editor(request, form, macro.widget, about)

    def _saved(self, request: HttpRequest) -> HttpResponse:
        messages.success(request, gettext("The macro is saved."))
        return HttpResponseRedirect(reverse("admin:automations_macro_changelist"))

    def _editor(self, request: HttpRequest, form: MacroForm, widget: Widget, about: Mapping[str, Any]) -> HttpResponse:
        macro = about.get("macro")
        context = {
            **self.admin_site.each_context(request),
            **editor_context(form.names),
            "opts": self.opts,
            "form": form,
            "widget": widget,
            "may_change": self.has_change_permission(request, macro) if macro else True,
            "back": reverse("admin:automations_macro_changelist"),
            "remove": macro and reverse("admin:automations_macro_delete", args=[macro.pk]),
            **about,
        }
        return TemplateResponse(request, "automations/macro.html", context)

    def remove(self, request: HttpRequest, obj: Macro) -> None:
        delete_macro(widget_id=obj.widget_id, macro_id=obj.pk)
