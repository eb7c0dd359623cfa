"""The place of the reports in the cabinet's menu: second, after the overview."""

from django.utils.translation import gettext_lazy as _

from apps.cabinet.menu import MenuGroup

REPORTS = MenuGroup(5, _("Reports"), "bar_chart")
