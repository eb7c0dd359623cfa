"""VK: how it is shown and connected."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from apps.messengers.adapters.about import About

ABOUT = About(
    name=gettext_noop("VK"),
    listed=2,
    offered=3,
    picture=("M2 7h2.7l2.5 7 2.5-7h2.6L8.6 17H5.8zM13 7h2.5v4l3.3-4h3L18 11.5l4.2 5.5h-3.1L15.5 12.3V17H13z"),
    steps=(
        _("Open “Manage → Settings → API usage” of your community and make a key with the right to messages."),
        _("In “Messages”, switch the community's messages on."),
        _("Paste the community's address and the key below."),
    ),
    page="community",
)
