"""The cabinet's page of what a widget keeps for a time."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from apps.accounts.cabinet import AccessLevel
from apps.accounts.widget_pages import WidgetPageAdmin
from apps.chats.actions.retention import keep_everything, set_retention
from apps.chats.models import Retention
from apps.chats.rules.retention import KINDS

if TYPE_CHECKING:
    from django.forms import ModelForm


class RetentionForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """The days of each kind, each with what goes when they are over."""

    class Meta:
        model = Retention
        fields = KINDS
        help_texts = {
            "chats": _(
                "Counted from the last message of a closed chat: then it goes for good, with its messages and files. "
                "Empty: it stays for ever."
            ),
            "files": _(
                "Counted from the day that a file was sent. Its message stays, and says that the file is gone. "
                "Empty: as long as its chat."
            ),
            "contacts": _(
                "Counted from the last visit of a contact who has no chat left: name, e-mail and phone go for good. "
                "Empty: for ever."
            ),
            "deliveries": _("What webhooks sent and what was answered. Empty: as long as the installation keeps it."),
            "exchanges": _("What AI was asked and answered, to be looked up. Empty: 180 days."),
        }


@admin.register(Retention)
class RetentionAdmin(WidgetPageAdmin):
    """For how many days a widget keeps what; what is left empty stays for ever."""

    account_path = "widget__account_id"
    may_add = may_change = may_delete = AccessLevel.ACCOUNT
    titles = (_("retention"), _("retention"))
    labels = {
        "widget": _("widget"),
        "chats": _("closed chats, days"),
        "files": _("files, days"),
        "contacts": _("contacts without a chat, days"),
        "deliveries": _("deliveries of webhooks, days"),
        "exchanges": _("exchanges with AI, days"),
    }
    list_display = ("widget", *KINDS)
    list_select_related = ("widget",)
    form = RetentionForm
    ordering = ("widget__name", "widget_id")
    fields = ("widget", *KINDS)

    def get_readonly_fields(self, request: HttpRequest, obj: Retention | None = None) -> tuple[str, ...]:
        return ("widget",) if obj else ()

    def write(self, request: HttpRequest, obj: Retention, form: "ModelForm[Any]", change: bool) -> None:
        set_retention(widget_id=obj.widget_id, days={kind: form.cleaned_data[kind] for kind in KINDS})

    def remove(self, request: HttpRequest, obj: Retention) -> None:
        keep_everything(widget_id=obj.widget_id)
