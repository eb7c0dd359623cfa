"""Avito: how it is shown and connected."""

from django.utils.translation import gettext_noop

from apps.messengers.adapters.about import About

ABOUT = About(
    name=gettext_noop("Avito"),
    listed=11,
    offered=5,
    picture=(
        "M9 3a5 5 0 1 1 0 10A5 5 0 0 1 9 3zm9 3a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM7 15a3 3 0 1 1 0 6 3 3 0 0 1 "
        "0-6zm9-1a3.7 3.7 0 1 1 0 7.4 3.7 3.7 0 0 1 0-7.4z"
    ),
    page="adcabinet",
    in_departments=False,
)
