"""Odnoklassniki: how it is shown and connected."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from apps.messengers.adapters.about import About

ABOUT = About(
    name=gettext_noop("Odnoklassniki"),
    called="OK",
    listed=6,
    offered=7,
    picture=(
        "M12 2a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zm0 2.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM6.5 "
        "13.3l1.2-2.1c2.6 1.7 6 1.7 8.6 0l1.2 2.1c-1.1.8-2.4 1.3-3.7 1.5l3.5 3.7-1.8 1.8L12 16.7l-3.5 "
        "3.6-1.8-1.8 3.5-3.7c-1.3-.2-2.6-.7-3.7-1.5z"
    ),
    steps=(
        _("In your group, open “Settings → Messages” and switch the group's messages on."),
        _("There, make a key of the bot API, and paste it below."),
    ),
    key_hint=_("The key of the group's bot API."),
)
