"""Reads for the compat routes. Custom channels may be left out of an installation: then no secret is one's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.apps import apps as django_apps

from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.compat.models import ClaimedChat, LegacyBot  # noqa: F401 - in the names of types


class LegacyBotQuerySet(TenantQuerySet["LegacyBot"]):
    """Bots of widgets."""

    def active(self) -> LegacyBotQuerySet:
        """The bots that are told."""
        return self.filter(is_active=True)


class ClaimedChatQuerySet(TenantQuerySet["ClaimedChat"]):
    """Chats that persons have."""

    widget_path = "chat__widget_id"


def channel_with_secret(secret: str) -> Any:
    """The custom channel of that plain secret, with its widget; None if there is none."""
    if not django_apps.is_installed("apps.messengers"):
        return None
    from apps.messengers.models import Channel

    return Channel.objects.unscoped("found by its secret").with_secret(secret)


def is_online(channel: Any) -> bool:
    """Whether a person is there to answer what comes by a custom channel."""
    from apps.messengers import querysets as messengers

    return messengers.is_online(channel.widget_id)
