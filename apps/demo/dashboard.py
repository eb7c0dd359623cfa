"""The way from the cabinet to the demo's page."""

from django.utils.translation import gettext_lazy as _

from apps.cabinet.menu import WayOut

DEMO = WayOut(order=20, title=_("Demo page"), icon="storefront", address="/demo/")
