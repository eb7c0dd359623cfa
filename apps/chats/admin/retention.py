"""The cabinet's page of what a widget keeps for a time."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from apps.cabinet.menu import ACCOUNT, MenuPlace
from apps.cabinet.settings_pages import SettingsPageAdmin
from apps.chats.models import Retention
from apps.chats.settings import RETENTION


@admin.register(Retention)
class RetentionAdmin(SettingsPageAdmin):
    """For how many days a widget keeps what; what is left empty stays for ever."""

    table = RETENTION
    menu = MenuPlace(ACCOUNT, 30, _("Retention"))
    account_path = "widget__account_id"
    titles = (_("retention"), _("retention"))
    labels = {"widget": _("widget"), **RETENTION.labels}
    list_display = ("widget", *RETENTION.by_name)
    list_select_related = ("widget",)
    ordering = ("widget__name", "widget_id")
