"""The cabinet's pages of invitations to chat: a list of sentences, a page to write, look at and judge one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminTextareaWidget, UnfoldBooleanSwitchWidget

from apps.accounts.models import Widget
from apps.cabinet.chosen_widget import OFFERED, current_widget
from apps.cabinet.list_columns import chip
from apps.cabinet.menu import WIDGET, MenuPlace
from apps.cabinet.refusals import in_readers_words, words_of
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin
from apps.core.problems import Problem
from apps.widget.actions.invitations import (
    change_invitation,
    change_invitation_settings,
    create_invitation,
    delete_invitation,
)
from apps.widget.actions.previews import new_preview
from apps.widget.cabinet.invitation_form import InvitationForm
from apps.widget.cabinet.invitation_words import STATES, effect_words, percent, rule_sentences, rule_words
from apps.widget.models import ChatInvitation, VisitorSession
from apps.widget.querysets.effects import results_of
from apps.widget.querysets.settings import found_on, settings_of
from apps.widget.rules.invitations import InvitationState
from apps.widget.rules.patterns import MAX_NEVER_ON

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.utils.safestring import SafeString

CHIPS = {"live": "success", "paused": "", "draft": ""}


class InvitationSettingsForm(forms.Form):
    """The settings of all invitations of a widget."""

    is_on = forms.BooleanField(label=_("Visitors are invited"), required=False, widget=UnfoldBooleanSwitchWidget)
    never_on = forms.CharField(
        label=_("Never on these pages"),
        required=False,
        max_length=30_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 6, "spellcheck": "false"}),
        help_text=_("One a line: /prices*, shop.example/sale or /*cart*. A star stands for anything."),
    )
    per_visit = forms.IntegerField(
        label=_("In a visit at most"), min_value=1, max_value=10, widget=UnfoldAdminIntegerFieldWidget
    )
    gap_s = forms.IntegerField(
        label=_("Seconds between two"), min_value=0, max_value=3600, widget=UnfoldAdminIntegerFieldWidget
    )

    def changes(self) -> dict[str, Any]:
        """The members of the API."""
        lines = [line.strip() for line in self.cleaned_data["never_on"].splitlines() if line.strip()]
        return {**self.cleaned_data, "never_on": lines[: MAX_NEVER_ON + 1]}


@admin.register(ChatInvitation)
class ChatInvitationAdmin(TenantAdmin):
    """Invitations to chat as sentences."""

    menu = MenuPlace(WIDGET, 13, _("Invitations to chat"))
    purpose = _("Invite visitors who hesitate to chat: on which pages, when, and whether it helps.")
    account_path = "widget__account_id"
    may_add = may_change = may_delete = AccessLevel.ACCOUNT
    titles = (_("invitation to chat"), _("invitations to chat"))
    labels = {"widget": _("widget"), "name": pgettext_lazy("of a thing", "name"), "created_at": _("created")}
    list_display = ("name", "shown_where", "shown_state", "widget")
    list_filter = ("widget",)
    list_select_related = ("widget",)
    search_fields = ("name",)
    ordering = ("widget", "-priority", "id")
    actions_list = ("invitation_settings",)
    show_full_result_count = False

    @admin.display(description=_("when it is shown"))
    def shown_where(self, invitation: ChatInvitation) -> str:
        return rule_words(invitation.rule)

    @admin.display(description=_("state"))
    def shown_state(self, invitation: ChatInvitation) -> SafeString:
        return chip(str(STATES[invitation.state]), CHIPS[invitation.state])

    # The page of one.

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        widgets = self.own_choices(Widget, request)
        widget = _widget_of_page(request, widgets)
        if widget is None:
            context = {**self.admin_site.each_context(request), "title": gettext("New invitation"), "opts": self.opts}
            return TemplateResponse(request, "admin/no_widget.html", context)
        form = InvitationForm(request.POST or None, settings=settings_of(widget.pk))
        if request.method == "POST" and form.is_valid():
            try:
                made = create_invitation(widget_id=widget.pk, values=form.values())
            except Problem as problem:
                form.refuse(problem)
            else:
                messages.success(request, gettext("Saved. Look at it on your page, then show it to visitors."))
                return HttpResponseRedirect(_page_of(made.pk))
        others = list(widgets.exclude(pk=widget.pk).order_by("pk")[:OFFERED])
        return self._editor(request, form, widget, None, {"title": gettext("New invitation"), "others": others})

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        invitation: ChatInvitation = self.get_object(request, object_id)
        if not self.has_view_permission(request, invitation):
            raise PermissionDenied
        does = request.POST.get("does", "save") if request.method == "POST" else ""
        if does and not self.has_change_permission(request, invitation):
            raise PermissionDenied
        data = request.POST if does == "save" else None
        form = InvitationForm(data, settings=settings_of(invitation.widget_id), invitation=invitation)
        look = ""
        if does == "look":
            look = f"{_address_of(request, invitation.widget)}#parley-preview={new_preview(invitation.widget_id)}"
        elif does and self._done(request, invitation, does, form):
            return HttpResponseRedirect(request.path)
        return self._editor(request, form, invitation.widget, invitation, {"title": invitation.name, "look": look})

    def _done(self, request: HttpRequest, invitation: ChatInvitation, does: str, form: InvitationForm) -> bool:
        """Follows the button that was pressed; a refusal is told on the page."""
        where = {"widget_id": invitation.widget_id, "invitation_id": invitation.pk}
        if does not in ("live", "paused"):
            if not form.is_valid():
                return False
            try:
                change_invitation(**where, changes=form.values())
            except Problem as problem:
                form.refuse(problem)
                return False
            messages.success(request, gettext("Saved."))
            return True
        try:
            change_invitation(**where, changes={"state": InvitationState(does)})
        except Problem as problem:
            messages.error(request, words_of(problem))
            return False
        is_live = does == InvitationState.LIVE
        said = gettext("Visitors see it from now on.") if is_live else gettext("Visitors do not see it any more.")
        messages.success(request, said)
        return True

    def _editor(
        self,
        request: HttpRequest,
        form: InvitationForm,
        widget: Widget,
        invitation: ChatInvitation | None,
        about: dict[str, Any],
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "form": form,
            "groups": [
                (title, note, fields, folded and not any(field.errors for field in fields))
                for title, note, fields, folded in form.groups()
            ],
            "widget": widget,
            "invitation": invitation,
            "may_change": self.has_change_permission(request, invitation) if invitation else True,
            "never_on": settings_of(widget.pk).invitations["never_on"],
            "back": reverse("admin:widget_chatinvitation_changelist"),
            "site": _site_of(widget),
            **(_told(invitation) if invitation else {}),
            **about,
        }
        if invitation:
            context["remove"] = reverse("admin:widget_chatinvitation_delete", args=[invitation.pk])
        return TemplateResponse(request, "admin/widget/invitation.html", context)

    @unfold_action(description=_("Settings"), url_path="settings", permissions=())  # type: ignore[untyped-decorator]
    def invitation_settings(self, request: HttpRequest) -> HttpResponse:
        """The settings of all invitations of the widget."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        widget = _widget_of_page(request, self.own_choices(Widget, request))
        title = gettext("Settings of invitations")
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": title}
        if widget is None:
            return TemplateResponse(request, "admin/no_widget.html", context)
        own = settings_of(widget.pk).invitations
        form = InvitationSettingsForm(request.POST or None, initial={**own, "never_on": "\n".join(own["never_on"])})
        if request.method == "POST" and form.is_valid():
            try:
                change_invitation_settings(widget_id=widget.pk, changes=form.changes())
            except Problem as problem:
                for texts in problem.errors.values():
                    form.add_error("never_on", " ".join(in_readers_words(text) for text in texts))
            else:
                messages.success(request, gettext("Saved."))
                return HttpResponseRedirect(f"{request.path}?widget={widget.pk}")
        back = reverse("admin:widget_chatinvitation_changelist")
        more = {"form": form, "note": widget.name, "button": gettext("Save"), "back": back}
        return TemplateResponse(request, "admin/simple_form.html", {**context, **more})

    def remove(self, request: HttpRequest, obj: ChatInvitation) -> None:
        delete_invitation(widget_id=obj.widget_id, invitation_id=obj.pk)


def _told(invitation: ChatInvitation) -> dict[str, Any]:
    """The rule, the figures and the effect in words."""
    results = results_of(invitation, invitation.round)
    return {
        "sentences": rule_sentences(invitation.rule) or [rule_words(invitation.rule)],
        "state": STATES[invitation.state],
        "results": results,
        "rates": {name: percent(value) for name, value in results["rate"].items()},
        "effect": effect_words(results, has_goal=invitation.goal is not None, holdout=invitation.holdout),
    }


def _widget_of_page(request: HttpRequest, widgets: QuerySet[Widget]) -> Widget | None:
    """The widget that the address or the form names, else the current one, else the first one."""
    named = request.POST.get("widget") or request.GET.get("widget") or ""
    if named.isascii() and named.isdecimal() and len(named) < 19:
        return widgets.filter(pk=named).first()
    return current_widget(request) or widgets.order_by("pk").first()


def _site_of(widget: Widget) -> str:
    """A page of the website that has the widget, as far as one is known."""
    visited = VisitorSession.objects.for_widget(widget.pk).on_websites().order_by("-pk").first()
    own = next((origin for origin in widget.allowed_origins if "*" not in origin), "")
    return (visited.page_url.partition("#")[0] if visited else "") or found_on(widget.pk) or own


def _address_of(request: HttpRequest, widget: Widget) -> str:
    """The page that the owner named, if it is one of the web; else a known one."""
    named = request.POST.get("page", "").strip()[:2000].partition("#")[0]
    return named if named.lower().startswith(("https://", "http://")) else _site_of(widget)


def _page_of(key: int) -> str:
    return reverse("admin:widget_chatinvitation_change", args=[key])
