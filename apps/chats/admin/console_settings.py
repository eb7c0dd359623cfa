"""The cabinet's page of how a widget's operators work."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from apps.agents.models import Agent
from apps.cabinet.menu import MenuTab
from apps.cabinet.settings_pages import SettingsPageAdmin
from apps.chats.models import ConsoleSettings
from apps.chats.settings import SETTINGS


@admin.register(ConsoleSettings)
class ConsoleSettingsAdmin(SettingsPageAdmin):
    table = SETTINGS
    menu = MenuTab(Agent, 10, _("Console"))
    purpose = _("When AI helps operators, and when the chats of an absent one ring for all.")
    account_path = "widget__account_id"
    titles = (_("settings of the console"), _("settings of the console"))
    labels = {"widget": _("widget"), **SETTINGS.labels}
    list_display = ("widget", "away_minutes")
    list_select_related = ("widget",)
    ordering = ("widget__name", "widget_id")
