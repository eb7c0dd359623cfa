"""AliExpress: how it is shown and connected."""

from django.utils.translation import gettext_lazy as _

from apps.messengers.adapters.about import About

ABOUT = About(
    name="AliExpress",
    listed=9,
    offered=9,
    picture=(
        "M8 7.5V6a4 4 0 0 1 8 0v1.5h3.5l1.5 14H3l1.5-14zm2 0h4V6a2 2 0 0 0-4 0zM7.8 11a4.2 5 0 0 0 8.4 "
        "0h-1.8a2.4 3 0 0 1-4.8 0z"
    ),
    steps=(
        _("In the seller's cabinet, open “API” and make a token with the right to messages."),
        _("Paste the token below."),
    ),
    key_hint=_("The API token of the shop."),
    is_rechecked=False,
)
