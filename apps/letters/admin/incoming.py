"""The cabinet's page of letters that are in no chat: of machines, not readable, parked, or dropped."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.cabinet.menu import MenuTab
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin
from apps.letters.actions.receiving.parked import delete_letter, let_in
from apps.letters.models import InLetter, WidgetLetters
from apps.letters.rules.mailboxes import LetterKind

REASONS = {
    "machine": _("automatic e-mail"),
    "too_large": _("too large"),
    "no_from": _("without a sender"),
    "no_headers": _("no e-mail"),
    "sender": _("too many of this sender within an hour"),
    "thread": _("too many in this chat within an hour"),
    "door": _("too many at this mailbox within an hour"),
    "new_senders": _("too many new senders within an hour"),
    "repeated": _("came here before"),
    "ours": _("written by this service, or from this mailbox"),
    "blocked": _("from a blocked visitor"),
    "not_ours": _("a report about somebody else's e-mail"),
}

# Everything that became no message: reports about e-mails of ours are told at the message.
LEFT_OUT = Q(kind__in=(LetterKind.NO_CHAT, LetterKind.PARKED, LetterKind.DROPPED)) | Q(
    kind=LetterKind.REPORT, reason="not_ours"
)


@admin.register(InLetter)
class InLetterAdmin(TenantAdmin):
    menu = MenuTab(WidgetLetters, 20, _("Without a chat"))
    purpose = _("E-mails that became no message of a chat, and why.")
    account_path = "widget__account_id"
    may_change = AccessLevel.READERS
    may_delete = AccessLevel.ACCOUNT
    titles = (_("e-mail without a chat"), _("e-mails without a chat"))
    labels = {
        "sender": _("sender"),
        "subject": _("subject"),
        "kind": _("kind"),
        "mailbox": _("mailbox"),
        "received_at": _("came"),
    }
    list_display = ("sender", "subject", "reason_line", "mailbox", "received_at")
    list_filter = ("mailbox",)
    list_select_related = ("mailbox",)
    search_fields = ("sender", "subject")
    ordering = ("-id",)
    actions = ("let_letters_in",)
    fields = readonly_fields = (
        "sender",
        "sender_name",
        "subject",
        "reason_line",
        "proof",
        "mailbox",
        "received_at",
        "size",
    )

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        return super().get_queryset(request).filter(LEFT_OUT)

    @admin.display(description=_("why"))
    def reason_line(self, letter: InLetter) -> str:
        return str(REASONS.get(letter.reason, letter.reason))

    @admin.action(description=_("Take all the same"), permissions=["delete"])
    def let_letters_in(self, request: HttpRequest, rows: "QuerySet[InLetter]") -> None:
        count = sum(let_in(letter) for letter in rows[:100])
        messages.success(request, gettext("E-mails let in: %(count)d.") % {"count": count})

    def write(self, request: HttpRequest, obj: InLetter, form: Any, change: bool) -> None:
        raise NotImplementedError

    def remove(self, request: HttpRequest, obj: InLetter) -> None:
        delete_letter(obj)
