"""The way from the cabinet to the console."""

from django.utils.translation import gettext_lazy as _

from apps.cabinet.menu import WayOut

CONSOLE = WayOut(
    order=10, title=_("Operators' console"), icon="support_agent", address="/console/", in_persons_menu=True
)
