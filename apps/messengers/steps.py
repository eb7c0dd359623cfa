"""The steps by which each messenger is connected, as its form shows them, and whether the widget has a plan for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from apps.accounts.chosen_widget import current_widget
from apps.core.questions import entitlements_of

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django_stubs_ext import StrOrPromise

    from apps.accounts.models import Widget

# So many widgets are asked for their plans; of more, one is chosen first.
_LOOKED_AT = 5

STEPS: Mapping[str, tuple[StrOrPromise, ...]] = {
    "tg": (
        _("Open @BotFather in Telegram and send /newbot; a bot that you have already is fine, too: /mybots."),
        _("Copy the token that it answers with, such as 123456789:AA…, and paste it below."),
        _("Write something to the bot: it comes to the console."),
    ),
    "wa": (
        _("At developers.facebook.com, make an app of the kind “Business” and add the product WhatsApp."),
        _("In “API Setup” copy the phone number id; it is no phone number."),
        _("In the business settings, give a system user a permanent token with whatsapp_business_messaging."),
        _("Save below, then enter the address and the verify token that are shown in “Configuration → Webhook”."),
        _("There, subscribe to the field “messages”."),
    ),
    "vk": (
        _("Open “Manage → Settings → API usage” of your community and make a key with the right to messages."),
        _("In “Messages”, switch the community's messages on."),
        _("Paste the community's address and the key below."),
    ),
    "mx": (
        _("Make a bot on the platform for partners of MAX (business.max.ru), for your organisation."),
        _("Copy the bot's token from its settings, and paste it below."),
    ),
    "vb": (
        _("Make a bot at partners.viber.com; since 2024 Viber asks for a contract."),
        _("Copy the token from “Info” of the bot, and paste it below."),
    ),
    "ok": (
        _("In your group, open “Settings → Messages” and switch the group's messages on."),
        _("There, make a key of the bot API, and paste it below."),
    ),
    "cian": (
        _("Ask your manager at Cian for access to the API, or find the key in the settings of your account."),
        _("Paste the key below."),
    ),
    "ali": (
        _("In the seller's cabinet, open “API” and make a token with the right to messages."),
        _("Paste the token below."),
    ),
    "fb": (
        _("At developers.facebook.com, make an app of the kind “Business” and add the product Messenger."),
        _("Join your page to it, and copy the page's token."),
        _("Save below, then enter the address and the verify token that are shown in “Webhooks”."),
        _("There, subscribe the page to the field “messages”."),
    ),
    "apple": (
        _("Register at register.apple.com as a business, with this service as the messaging service provider."),
        _("Enter the service provider id, its secret and the address of the gateway below."),
    ),
}


def widget_without_plan(request: HttpRequest, widgets: QuerySet[Widget]) -> Widget | None:
    """The widget that is meant, where it has no plan for messengers: said before anybody looks for a token.

    None where one has, or where there are too many to ask.
    """
    chosen = current_widget(request)
    few = [chosen] if chosen is not None else list(widgets[: _LOOKED_AT + 1])
    if not few or len(few) > _LOOKED_AT:
        return None
    return None if any(entitlements_of(widget.pk).paid for widget in few) else few[0]
