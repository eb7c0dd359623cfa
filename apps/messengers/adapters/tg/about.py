"""Telegram: how it is shown and connected."""

from django.utils.translation import gettext_lazy as _

from apps.messengers.adapters.about import About

ABOUT = About(
    name="Telegram",
    listed=1,
    offered=1,
    picture="M2 11.5L22 4l-3 16-6-4.5-3 3.5-1-6 8-6.5-10 5.5z",
    steps=(
        _("Open @BotFather in Telegram and send /newbot; a bot that you have already is fine, too: /mybots."),
        _("Copy the token that it answers with, such as 123456789:AA…, and paste it below."),
        _("Write something to the bot: it comes to the console."),
    ),
    key_hint=_("The token that @BotFather gives for a bot."),
)
