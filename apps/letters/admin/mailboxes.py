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

from apps.cabinet.menu import MenuTab
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin
from apps.core.mail import sender_address
from apps.letters.actions.logins import try_logins
from apps.letters.actions.mailboxes import hook_url, remove_mailbox, save_mailbox, state_of
from apps.letters.cabinet import check_page, mail_code, proof_page
from apps.letters.forms import IMAP_FIELDS, SMTP_FIELDS, MailboxForm, problem_words
from apps.letters.models import Mailbox, WidgetLetters

STATES = {
    "hook": _("waits for e-mails at its address"),
    "connecting": _("is being connected"),
    "reading": _("is read"),
    "problem": _("is not read"),
}


@admin.register(Mailbox)
class MailboxAdmin(TenantAdmin):
    menu = MenuTab(WidgetLetters, 10, _("Mailboxes"))
    purpose = _("Mailboxes of the shop: what people write to them becomes chats.")
    account_path = "widget__account_id"
    may_add = may_change = may_delete = AccessLevel.ACCOUNT
    form = MailboxForm
    actions_detail = ("try_it", "prove")
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
        "last_inbound_at": _("last e-mail"),
    }
    list_display = ("address", "widget", "state_line", "proof_line", "last_inbound_at")
    list_filter = ("widget",)
    list_select_related = ("widget",)
    search_fields = ("address", "name")
    ordering = ("address",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("widget", "address", "state_line", "proof_line", "hook_line", "last_inbound_at") if obj else ()

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Readers see no servers, and no address that lets letters in."""
        may_change = self.has_change_permission(request, obj)
        told = ("state_line", "proof_line", *(("hook_line",) if may_change else ()), "last_inbound_at") if obj else ()
        servers = (
            (_("Receiving"), {"fields": IMAP_FIELDS}),
            (_("Sending"), {"fields": SMTP_FIELDS}),
        )
        return (
            (None, {"fields": ("widget", "address", *told, "name")}),
            *(servers if may_change else ()),
            (_("Chats"), {"fields": ("department", "signature", "ai")}),
            (_("Senders"), {"fields": ("authserv_ids", "form_senders")}),
        )

    @admin.display(description=_("state"))
    def state_line(self, mailbox: Mailbox) -> str:
        state, problem = state_of(mailbox)
        code, _sep, about = problem.partition(": ")
        return ": ".join(filter(None, (str(STATES[state]), problem_words(code, about))))

    @admin.display(description=_("proof"))
    def proof_line(self, mailbox: Mailbox) -> str:
        if mailbox.proved_at:
            return gettext("yours: answers leave from %s") % mailbox.address
        return gettext("not proved: answers leave from %s") % sender_address()

    @admin.display(description=_("address of its hook"))
    def hook_line(self, mailbox: Mailbox) -> str:
        return hook_url(mailbox) if mailbox.pk else ""

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Logins are tried before the page's transaction begins, once the form itself is in order."""
        if request.method == "POST":
            self._try_logins(request, object_id)
        response: HttpResponse = super().changeform_view(request, object_id, form_url, extra_context)
        return response

    def _try_logins(self, request: HttpRequest, object_id: str | None) -> None:
        mailbox = self.get_object(request, object_id) if object_id else None
        may = self.has_change_permission(request, mailbox) if mailbox else self.has_add_permission(request)
        if not may:
            return
        form = self.get_form(request, mailbox, change=mailbox is not None)(request.POST, instance=mailbox)
        if not form.is_valid() or not form.wanted:
            return
        owned = form.instance
        request.tried_logins = try_logins(  # type: ignore[attr-defined]
            widget_id=owned.widget_id, address=owned.address, wanted=form.wanted
        )

    @unfold_action(description=_("Try it…"), url_path="try")  # type: ignore[untyped-decorator]
    def try_it(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Has the mailbox write to itself, and tells what came of it."""
        mailbox: Mailbox = self.get_object(request, object_id)
        if not self.has_change_permission(request, mailbox):
            raise PermissionDenied
        back = reverse("admin:letters_mailbox_change", args=[mailbox.pk])
        return check_page(self.admin_site, request, widget_id=mailbox.widget_id, mailbox=mailbox, back=back)

    @unfold_action(description=_("Prove that it is yours…"), url_path="prove")  # type: ignore[untyped-decorator]
    def prove(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Mails the mailbox a code, and takes it."""
        mailbox: Mailbox = self.get_object(request, object_id)
        if not self.has_change_permission(request, mailbox):
            raise PermissionDenied
        return proof_page(self.admin_site, request, mailbox)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        return type("TriedMailboxForm", (form,), {"tried": getattr(request, "tried_logins", None)})

    def write(self, request: HttpRequest, obj: Mailbox, form: "ModelForm[Any]", change: bool) -> None:
        chosen = {name: form.cleaned_data[name] for name in ("name", "signature", "ai", "authserv_ids", "form_senders")}
        chosen |= form.changes()  # type: ignore[attr-defined]
        chosen["department_id"] = form.cleaned_data["department"].pk if form.cleaned_data.get("department") else None
        saved = save_mailbox(widget_id=obj.widget_id, address=obj.address, changes=chosen, is_vetted=True)
        obj.pk = saved.pk
        if not change:
            mail_code(request, saved)

    def remove(self, request: HttpRequest, obj: Mailbox) -> None:
        remove_mailbox(widget_id=obj.widget_id, address=obj.address)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        return [str(one) for one in objs], {gettext("mailbox"): len(objs)}, set(), []
