"""The cabinet's page of asking for ratings: when, where, how, and the follow-up of a low one."""

from typing import Any

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from apps.cabinet.menu import MenuTab
from apps.cabinet.settings_pages import SettingsPageAdmin
from apps.reports.models.pages import WidgetRatingPolicy, WidgetRatingsReport
from apps.reports.settings import POLICY, policy_of


@admin.register(WidgetRatingPolicy)
class WidgetRatingPolicyAdmin(SettingsPageAdmin):
    """The policy of `PATCH /v1/rating-policy`, and the same refusals."""

    table = POLICY
    menu = MenuTab(WidgetRatingsReport, 10, _("Asking for ratings"))
    purpose = _("When visitors are asked to rate a conversation, where and how, and what follows a low rating.")
    titles = (_("asking for ratings"), _("asking for ratings"))
    list_display = ("name", "asks")

    @admin.display(description=_("who asks for ratings"))
    def asks(self, widget: WidgetRatingPolicy) -> Any:
        return POLICY.by_name["ask"].choices[policy_of(widget.pk).ask]
