"""The cabinet's list of addresses: proven, dead, stopped."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from apps.cabinet.log_admin import LogAdmin
from apps.cabinet.menu import MenuTab
from apps.letters.models import Address, WidgetLetters


@admin.register(Address)
class AddressAdmin(LogAdmin):
    """The addresses that letters went to. A stop is lifted by the address's owner alone, on the stop page."""

    menu = MenuTab(WidgetLetters, 30, _("Addresses"))
    purpose = _("Addresses that have unsubscribed, or do not exist.")
    titles = (_("address"), _("e-mail addresses"))
    labels = {
        "email": _("address"),
        "widget": _("widget"),
        "proven_at": _("proven"),
        "dead_at": _("does not exist since"),
        "dead_detail": _("the mail server's words"),
        "stopped_at": _("unsubscribed since"),
        "unopened": _("e-mails without a sign of life"),
    }
    list_display = ("email", "widget", "proven_at", "dead_at", "dead_detail", "stopped_at", "unopened")
    fields = list_display
