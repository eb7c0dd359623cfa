"""The cabinet's list of addresses: proven, dead, stopped."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from apps.accounts.cabinet import TenantAdmin
from apps.letters.models import Address


@admin.register(Address)
class AddressAdmin(TenantAdmin):
    """The addresses that letters went to. A stop is lifted by the address's owner alone, on the stop page."""

    account_path = "widget__account_id"
    titles = (_("address"), _("addresses of letters"))
    labels = {
        "email": _("address"),
        "widget": _("widget"),
        "proven_at": _("proven"),
        "dead_at": _("does not exist since"),
        "dead_detail": _("the mail server's words"),
        "stopped_at": _("wants no letters since"),
        "unopened": _("letters without a sign of life"),
    }
    list_display = ("email", "widget", "proven_at", "dead_at", "dead_detail", "stopped_at", "unopened")
    list_select_related = ("widget",)
    ordering = ("-id",)
    fields = readonly_fields = list_display
