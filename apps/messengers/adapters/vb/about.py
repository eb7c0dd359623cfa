"""Viber: how it is shown and connected."""

from django.utils.translation import gettext_lazy as _

from apps.messengers.adapters.about import HANDSET, About

ABOUT = About(
    name="Viber",
    listed=4,
    offered=6,
    picture=(
        "M6 2.5h12a3.5 3.5 0 0 1 3.5 3.5v9a3.5 3.5 0 0 1-3.5 3.5h-5L9 22v-3.5H6A3.5 3.5 0 0 1 2.5 15V6A3.5 "
        "3.5 0 0 1 6 2.5z" + HANDSET
    ),
    steps=(
        _("Make a bot at partners.viber.com; since 2024 Viber asks for a contract."),
        _("Copy the token from “Info” of the bot, and paste it below."),
    ),
    key_hint=_("The token of the bot, of the Viber admin panel."),
)
