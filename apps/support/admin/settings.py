"""The cabinet's page "Support desk": who answers, what they may send, where, and how often."""

from typing import Any

from django.contrib import admin
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.accounts.cabinet import AccessLevel
from apps.accounts.widget_pages import WidgetPageAdmin
from apps.support.actions.settings import change_settings, settings_of
from apps.support.forms import SupportDeskForm, operators_of, tokens_of
from apps.support.labels import CHANNEL_NAMES, LABELS, LINKS, SECTIONS
from apps.support.models import SupportDesk, SupportSettings
from apps.support.rules.settings import KINDS, as_sent


@admin.register(SupportDesk)
class SupportDeskAdmin(WidgetPageAdmin):
    """The settings of `manage.py support_settings`, and the same refusals."""

    account_path = "account_id"
    may_change = AccessLevel.ACCOUNT
    titles = (_("support desk"), _("support desk"))
    lines_from = ("support.supportsettings",)
    form = SupportDeskForm
    list_display = ("name", "is_open")
    ordering = ("name",)
    readonly_fields = ("name", "chosen", "links")

    def settings_shown(self) -> Any:
        return LABELS.values()

    def get_fieldsets(self, request: HttpRequest, obj: SupportDesk | None = None) -> Any:
        if not self.has_change_permission(request, obj):
            return ((None, {"fields": ("name", "chosen", "links")}),)
        return tuple(
            (title, {"classes": ["tab"], "fields": (*names, "links") if names is LINKS else names})
            for title, names in SECTIONS
        )

    def get_form(
        self, request: HttpRequest, obj: SupportDesk | None = None, change: bool = False, **options: Any
    ) -> Any:
        """The settings are fields of the form, and no fields of the model."""
        options["fields"] = []
        return super().get_form(request, obj, change, **options)

    @admin.display(description=_("open"), boolean=True)
    def is_open(self, widget: SupportDesk) -> bool:
        return bool(settings_of(widget.pk).enabled)

    @admin.display(description=_("settings"))
    def chosen(self, widget: SupportDesk) -> Any:
        """The settings in effect, for people who only read."""
        settings = settings_of(widget.pk)
        return format_html_join(
            "", "<p>{}: <strong>{}</strong></p>", ((LABELS[name], words(settings, name)) for name in KINDS)
        )

    @admin.display(description=_("as a customer sees them"))
    def links(self, widget: SupportDesk) -> Any:
        """Every link that the stored catalogue allows, as it stands in an answer."""
        shown = as_sent(settings_of(widget.pk))
        if not shown:
            return gettext("Agents may send no link and name no address.")
        return format_html_join("", "<p>{}</p>", ((_linked(*each),) for each in shown))

    def write(self, request: HttpRequest, obj: SupportDesk, form: "ModelForm[Any]", change: bool) -> None:
        change_settings(widget_id=obj.pk, changes=form.changes)  # type: ignore[attr-defined]


def _linked(text: str, address: str) -> Any:
    if not address:
        return text
    return format_html('<a class="underline" href="{}" target="_blank" rel="noopener noreferrer">{}</a>', address, text)


def words(settings: SupportSettings, name: str) -> str:
    """A setting's value in words."""
    value: Any = getattr(settings, name)
    if name == "operator_id":
        return str(dict(operators_of(settings.widget_id)).get(value or "", "-"))
    if name == "token_ids":
        return ", ".join(str(token) for pk, token in tokens_of(settings) if pk in value) or "-"
    if name == "channels":
        return ", ".join(str(CHANNEL_NAMES[channel]) for channel in value) or "-"
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return (", ".join(value) if isinstance(value, list) else str(value)) or "-"
