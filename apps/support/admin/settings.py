"""The cabinet's page "Support desk": who answers, what they may send, where, and how often."""

from typing import Any

from django.contrib import admin
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.cabinet.menu import MenuPlace
from apps.cabinet.settings_pages import SettingsPageAdmin
from apps.support.cabinet import DESK
from apps.support.models import SupportDesk
from apps.support.rules.settings import as_sent
from apps.support.settings import SETTINGS, settings_of


@admin.register(SupportDesk)
class SupportDeskAdmin(SettingsPageAdmin):
    """The settings of `manage.py support_settings`, and the same refusals."""

    table = SETTINGS
    menu = MenuPlace(DESK, 20, _("Settings"))
    titles = (_("support desk"), _("support desk"))
    list_display = ("name", "is_open")

    @admin.display(description=_("open"), boolean=True)
    def is_open(self, widget: SupportDesk) -> bool:
        return bool(settings_of(widget.pk).enabled)

    @admin.display(description=_("as a customer sees them"))
    def links(self, widget: SupportDesk) -> Any:
        """Every link that the stored catalogue allows, as it stands in an answer."""
        shown = as_sent(settings_of(widget.pk))
        if not shown:
            return gettext("Agents may send no link and name no address.")
        return format_html_join("", "<p>{}</p>", ((_linked(*each),) for each in shown))


def _linked(text: str, address: str) -> Any:
    if not address:
        return text
    return format_html('<a class="underline" href="{}" target="_blank" rel="noopener noreferrer">{}</a>', address, text)
