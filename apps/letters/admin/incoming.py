"""The cabinet's page of letters that are in no chat: of machines, not readable, or parked."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.accounts.cabinet import AccessLevel, TenantAdmin
from apps.letters.actions.receiving.parked import delete_letter, let_in
from apps.letters.models import InLetter
from apps.letters.rules.mailboxes import LetterKind

REASONS = {
    "machine": _("written by a machine"),
    "too_large": _("too large"),
    "no_from": _("without a sender"),
    "no_headers": _("no letter"),
    "sender": _("too many of this sender within an hour"),
    "thread": _("too many in this chat within an hour"),
    "door": _("too many at this mailbox within an hour"),
    "new_senders": _("too many new senders within an hour"),
}


@admin.register(InLetter)
class InLetterAdmin(TenantAdmin):
    account_path = "widget__account_id"
    may_change = AccessLevel.READERS
    may_delete = AccessLevel.ACCOUNT
    titles = (_("letter without a chat"), _("letters without a chat"))
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
        return super().get_queryset(request).filter(kind__in=(LetterKind.NO_CHAT, LetterKind.PARKED))

    @admin.display(description=_("why"))
    def reason_line(self, letter: InLetter) -> str:
        return str(REASONS.get(letter.reason, letter.reason))

    @admin.action(description=_("Let in"), permissions=["delete"])
    def let_letters_in(self, request: HttpRequest, rows: "QuerySet[InLetter]") -> None:
        count = sum(let_in(letter) for letter in rows[:100])
        messages.success(request, gettext("Letters let in: %(count)d.") % {"count": count})

    def write(self, request: HttpRequest, obj: InLetter, form: Any, change: bool) -> None:
        raise NotImplementedError

    def remove(self, request: HttpRequest, obj: InLetter) -> None:
        delete_letter(obj)
