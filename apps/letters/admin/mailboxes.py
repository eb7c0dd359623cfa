"""The cabinet's page of mailboxes: what each is, whether it is read, and its repair."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.accounts.cabinet import AccessLevel, TenantAdmin
from apps.letters.actions.mailboxes import hook_url, remove_mailbox, save_mailbox, state_of, vet_servers
from apps.letters.cabinet import check_page
from apps.letters.forms import SERVERS, MailboxForm
from apps.letters.models import Mailbox

STATES = {
    "hook": _("waits for letters at its address"),
    "connecting": _("is being connected"),
    "reading": _("is read"),
    "problem": _("is not read"),
}


@admin.register(Mailbox)
class MailboxAdmin(TenantAdmin):
    account_path = "widget__account_id"
    may_add = may_change = may_delete = AccessLevel.ACCOUNT
    form = MailboxForm
    actions_detail = ("try_it",)
    titles = (_("mailbox"), _("mailboxes"))
    labels = {
        "widget": _("widget"),
        "address": _("address"),
        "name": pgettext_lazy("of a thing", "name"),
        "department": _("department"),
        "signature": _("signature"),
        "ai": _("AI"),
        "authserv_ids": _("servers whose results are believed"),
        "form_senders": _("addresses that write for others"),
        "last_inbound_at": _("last letter"),
    }
    list_display = ("address", "widget", "state_line", "last_inbound_at")
    list_filter = ("widget",)
    list_select_related = ("widget",)
    search_fields = ("address", "name")
    ordering = ("address",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("widget", "address", "state_line", "hook_line", "last_inbound_at") if obj else ()

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Readers see no password, and no address that lets letters in."""
        may_change = self.has_change_permission(request, obj)
        told = ("state_line", *(("hook_line",) if may_change else ()), "last_inbound_at") if obj else ()
        servers = SERVERS if may_change else ()
        own = ("department", "signature", "ai", "authserv_ids", "form_senders")
        return ("widget", "address", *told, "name", *servers, *own)

    @admin.display(description=_("state"))
    def state_line(self, mailbox: Mailbox) -> str:
        state, problem = state_of(mailbox)
        return ": ".join(filter(None, (str(STATES[state]), problem)))

    @admin.display(description=_("address of its hook"))
    def hook_line(self, mailbox: Mailbox) -> str:
        return hook_url(mailbox) if mailbox.pk else ""

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Hosts are looked up before the page's transaction begins."""
        given = {name: request.POST.get(name, "") for name in SERVERS} if request.method == "POST" else {}
        request.refused_servers = vet_servers(given)  # type: ignore[attr-defined]
        response: HttpResponse = super().changeform_view(request, object_id, form_url, extra_context)
        return response

    @unfold_action(description=_("Try it…"), url_path="try")  # type: ignore[untyped-decorator]
    def try_it(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Has the mailbox write to itself, and tells what came of it."""
        mailbox: Mailbox = self.get_object(request, object_id)
        if not self.has_change_permission(request, mailbox):
            raise PermissionDenied
        back = reverse("admin:letters_mailbox_change", args=[mailbox.pk])
        return check_page(self.admin_site, request, widget_id=mailbox.widget_id, mailbox=mailbox, back=back)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        return type("AskedMailboxForm", (form,), {"refused_servers": getattr(request, "refused_servers", {})})

    def write(self, request: HttpRequest, obj: Mailbox, form: "ModelForm[Any]", change: bool) -> None:
        chosen = {name: form.cleaned_data[name] for name in ("name", "signature", "ai", "authserv_ids", "form_senders")}
        chosen |= {name: form.cleaned_data[name] for name in SERVERS if form.cleaned_data.get(name)}
        chosen["department_id"] = form.cleaned_data["department"].pk if form.cleaned_data.get("department") else None
        saved = save_mailbox(widget_id=obj.widget_id, address=obj.address, changes=chosen, is_vetted=True)
        obj.pk = saved.pk

    def remove(self, request: HttpRequest, obj: Mailbox) -> None:
        remove_mailbox(widget_id=obj.widget_id, address=obj.address)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        return [str(one) for one in objs], {gettext("mailbox"): len(objs)}, set(), []
