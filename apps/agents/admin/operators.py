"""The cabinet's pages of operators and invitations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import get_language, gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action
from unfold.enums import ActionVariant

from apps.accounts.models import Widget
from apps.agents.actions import restore_agent, suspend_agent, update_profile
from apps.agents.actions.invitations import invite, resend_invitation, revoke_invitation
from apps.agents.cabinet import PEOPLE, AgentForm, InviteForm, avatar_page
from apps.agents.models import Agent, Department, Invitation
from apps.cabinet.coded_values import display_value
from apps.cabinet.menu import MenuPlace, RowTab
from apps.cabinet.refusals import words_of
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin, changes_of
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.problems import Problem

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# What the stored values are called.
VALUES = (
    *(pgettext_lazy("value", "Human"), pgettext_lazy("value", "Ai"), pgettext_lazy("value", "Webhook")),
    *(pgettext_lazy("value", "Active"), pgettext_lazy("value", "Relaxation"), pgettext_lazy("value", "Banned")),
    *(pgettext_lazy("value", "Owner"), pgettext_lazy("value", "Operator")),
    *(pgettext_lazy("value", "Pending"), pgettext_lazy("value", "Accepted")),
    *(pgettext_lazy("value", "Revoked"), pgettext_lazy("value", "Expired")),
)


@admin.register(Agent)
class AgentAdmin(TenantAdmin):
    """An operator becomes one by an invitation; here the account's staff name, suspend and restore them."""

    menu = MenuPlace(PEOPLE, 10, _("Operators"))
    row_tab = RowTab(Agent, 0, _("Operator"))
    purpose = _("The people who answer visitors. They are invited, and accept by mail.")
    found_at = 40
    account_path = "widget__account_id"
    may_change = AccessLevel.ACCOUNT
    titles = (_("operator"), _("operators"))
    labels = {
        "widget": _("widget"),
        "name": _("name"),
        "surname": _("surname"),
        "email": _("e-mail"),
        "type": _("kind"),
        "role": _("role"),
        "status": _("status"),
        "user": _("signs in as"),
        "show_in_header": _("shown in the widget's header"),
        "created_at": _("created"),
    }
    list_display = ("full_name", "email", "widget", "type_name", "role_name", "status_name")
    list_filter = ("widget", "type", "status")
    list_select_related = ("widget",)
    search_fields = ("name", "surname", "email")
    ordering = ("widget", "id")
    actions_detail = ("picture", "suspend", "restore")
    form = AgentForm
    fields = (
        "name",
        "surname",
        "show_in_header",
        "status_name",
        "type_name",
        "role_name",
        "email",
        "user",
        "widget",
        "created_at",
    )
    readonly_fields = ("status_name", "type_name", "role_name", "email", "user", "widget", "created_at")

    @admin.display(description=_("name"), ordering="name")
    def full_name(self, agent: Agent) -> str:
        return agent.full_name

    @admin.display(description=_("kind"), ordering="type")
    def type_name(self, agent: Agent) -> str:
        return display_value(Agent.Type(agent.type).label)

    @admin.display(description=_("role"), ordering="role")
    def role_name(self, agent: Agent) -> str:
        return display_value(Agent.Role(agent.role).label)

    @admin.display(description=_("status"), ordering="status")
    def status_name(self, agent: Agent) -> str:
        return display_value(Agent.Status(agent.status).label)

    def write(self, request: HttpRequest, obj: Agent, form: ModelForm[Any], change: bool) -> None:
        update_profile(widget_id=obj.widget_id, agent_id=obj.pk, changes=changes_of(form))

    def get_actions_detail(self, request: HttpRequest, object_id: str) -> list[Any]:
        """The picture, and the one of the other two that there is something to do for; that not for the owner."""
        agent: Agent = self.get_object(request, object_id)
        if not self.has_change_permission(request, agent):
            return []
        wanted = ["picture"]
        if agent.role != Agent.Role.OWNER:
            wanted.append("restore" if agent.status == Agent.Status.BANNED else "suspend")
        found = super().get_actions_detail(request, object_id)
        return [action for action in found if any(name in action.action_name for name in wanted)]

    @unfold_action(description=_("Picture…"), url_path="picture")  # type: ignore[untyped-decorator]
    def picture(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The picture that visitors see."""
        agent: Agent = self.get_object(request, object_id)
        if not self.has_change_permission(request, agent):
            raise PermissionDenied
        return avatar_page(self, request, agent, reverse("admin:agents_agent_change", args=[agent.pk]))

    @unfold_action(description=_("Suspend…"), variant=ActionVariant.DANGER, url_path="suspend")  # type: ignore[untyped-decorator]
    def suspend(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks at a GET, suspends at a POST."""
        question = _("The operator is signed out at once and their seat is free. Chats, ratings and the log stay.")
        return self._asked(request, object_id, suspend_agent, gettext("Suspend"), question, _("Suspended."))

    @unfold_action(description=_("Restore…"), url_path="restore")  # type: ignore[untyped-decorator]
    def restore(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks at a GET, restores at a POST; a person needs a free seat."""
        question = _("The operator may sign in again, and takes a seat.")
        return self._asked(request, object_id, restore_agent, gettext("Restore"), question, _("Restored."))

    def _asked(
        self, request: HttpRequest, object_id: str, act: Any, button: str, question: StrOrPromise, done: StrOrPromise
    ) -> HttpResponse:
        agent: Agent = self.get_object(request, object_id)
        if not self.has_change_permission(request, agent):
            raise PermissionDenied
        back = reverse("admin:agents_agent_change", args=[agent.pk])
        if request.method != "POST":
            context = {"title": agent.full_name, "question": question, "button": button, "back": back}
            return asking(self, request, context)
        try:
            act(widget_id=agent.widget_id, agent_id=agent.pk)
        except Problem as refused:
            messages.error(request, words_of(refused))
        else:
            messages.success(request, done)
        return HttpResponseRedirect(back)


def asking(page: TenantAdmin, request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    """A page that asks before something is done."""
    shown = {**page.admin_site.each_context(request), "opts": page.opts, "button_class": "button-danger", **context}
    return TemplateResponse(request, "admin/agents/ask.html", shown)


@admin.register(Invitation)
class InvitationAdmin(TenantAdmin):
    """The page of invitations to become an operator.

    An invitation is sent by mail, and can be taken back while it is pending.
    """

    menu = MenuPlace(PEOPLE, 30, _("Invitations"))
    purpose = _("Who was invited to answer visitors, and has not come yet.")
    account_path = "widget__account_id"
    may_change = AccessLevel.ACCOUNT
    titles = (_("invitation"), _("invitations"))
    labels = {
        "email": _("e-mail"),
        "widget": _("widget"),
        "agent": _("operator"),
        "department": _("department"),
        "created_at": _("sent"),
        "expires_at": _("expires"),
    }
    list_display = ("email", "widget", "status_name", "created_at", "expires_at")
    list_filter = ("widget",)
    list_select_related = ("widget",)
    search_fields = ("email",)
    ordering = ("-id",)
    fields = ("email", "widget", "department", "status_name", "agent", "created_at", "expires_at")
    readonly_fields = fields
    actions_list = ("invite",)
    actions_detail = ("send_again", "revoke")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).for_api()  # type: ignore[attr-defined,no-any-return]

    @admin.display(description=_("status"))
    def status_name(self, invitation: Invitation) -> str:
        return display_value(invitation.status_now.capitalize())

    def get_actions_detail(self, request: HttpRequest, object_id: str) -> list[Any]:
        """None on the page of one that is not pending."""
        invitation = self.get_object(request, object_id)
        if invitation.status_now != "pending" or not self.has_change_permission(request, invitation):
            return []
        found: list[Any] = super().get_actions_detail(request, object_id)
        return found

    @unfold_action(description=_("Invite…"), url_path="invite")  # type: ignore[untyped-decorator]
    def invite(self, request: HttpRequest) -> HttpResponse:
        """The form at a GET; at a POST the mail is sent and the invitation stored, or it is said why not."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        departments = self.own_choices(Department, request).filter(internal=False)
        form = InviteForm(request.POST or None, widgets=self.own_choices(Widget, request), departments=departments)
        if request.method == "POST" and form.is_valid():
            wanted = form.cleaned_data
            try:
                outbound = ExternalCall(wanted["widget"].pk)
                department_id = wanted["department"].pk if wanted["department"] else None
                language = get_language() or "en"
                invite(email=wanted["email"], language=language, outbound=outbound, department_id=department_id)
            except Problem as refused:
                form.add_error(None, words_of(refused))
            else:
                messages.success(request, gettext("%(email)s is invited.") % {"email": wanted["email"]})
                return HttpResponseRedirect(reverse("admin:agents_invitation_changelist"))
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": gettext("Invite"), "form": form}
        return TemplateResponse(request, "admin/agents/invite.html", context)

    @unfold_action(description=_("Send again…"), url_path="again")  # type: ignore[untyped-decorator]
    def send_again(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks at a GET, sends another link at a POST."""
        invitation: Invitation = self.get_object(request, object_id)
        if not self.has_change_permission(request, invitation):
            raise PermissionDenied
        back = reverse("admin:agents_invitation_change", args=[invitation.pk])
        if request.method != "POST":
            question = _(
                "Another mail goes out, whose link works for 7 days. The link of the mail before stops working."
            )
            context = {
                "title": invitation.email,
                "question": question,
                "button": gettext("Send again"),
                "button_class": "button-primary",
                "back": back,
            }
            return asking(self, request, context)
        try:
            outbound = ExternalCall(invitation.widget_id)
            resend_invitation(invitation, language=get_language() or "en", outbound=outbound)
        except Problem as refused:
            messages.error(request, words_of(refused))
        else:
            messages.success(request, gettext("%(email)s is invited.") % {"email": invitation.email})
        return HttpResponseRedirect(back)

    @unfold_action(description=_("Take back…"), variant=ActionVariant.DANGER, url_path="revoke")  # type: ignore[untyped-decorator]
    def revoke(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks at a GET, revokes at a POST."""
        invitation: Invitation = self.get_object(request, object_id)
        if not self.has_change_permission(request, invitation):
            raise PermissionDenied
        back = reverse("admin:agents_invitation_changelist")
        if request.method != "POST":
            question = _("The link in the mail stops working at once.")
            context = {"title": invitation.email, "question": question, "button": gettext("Take back"), "back": back}
            return asking(self, request, context)
        try:
            revoke_invitation(invitation)
        except Problem as refused:
            messages.error(request, words_of(refused))
        else:
            messages.success(request, gettext("The invitation is taken back."))
        return HttpResponseRedirect(back)
