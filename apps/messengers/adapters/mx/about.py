"""MAX: how it is shown and connected."""

from django.utils.translation import gettext_lazy as _

from apps.messengers.adapters.about import About

ABOUT = About(
    name="MAX",
    listed=7,
    offered=4,
    picture=(
        "M12 2.5a9.5 9.5 0 1 1-4.2 18L3 21.5l1.2-4.7A9.5 9.5 0 0 1 12 2.5zm0 5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z"
    ),
    steps=(
        _("Make a bot on the platform for partners of MAX (business.max.ru), for your organisation."),
        _("Copy the bot's token from its settings, and paste it below."),
    ),
    key_hint=_("The token of the bot, of the MAX platform for partners."),
)
