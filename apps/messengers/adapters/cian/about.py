"""Cian: how it is shown and connected."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from apps.messengers.adapters.about import About

ABOUT = About(
    name=gettext_noop("Cian"),
    called="Циан",
    listed=8,
    offered=8,
    picture="M12 1.5a8 8 0 0 1 8 8c0 5.5-8 13-8 13s-8-7.5-8-13a8 8 0 0 1 8-8zM12 5.2L7.7 9v4.5h8.6V9z",
    steps=(
        _("Ask your manager at Cian for access to the API, or find the key in the settings of your account."),
        _("Paste the key below."),
    ),
    key_hint=_("The API key of the account."),
)
