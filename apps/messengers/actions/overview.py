"""All providers as a widget has them: four statements, however many are connected."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from apps.agents.questions import MessengerFacts
from apps.messengers.actions.accounts import app_callback
from apps.messengers.adapters import ADAPTERS, PROVIDERS, is_writable
from apps.messengers.adapters.adapter import Adapter
from apps.messengers.models import Channel, Connection, OutboundMessage, VendorSettings
from apps.messengers.rules.channels import channel_id_of
from apps.messengers.rules.providers import CUSTOM, ConnectionState, WebhookStatus, connection_state
from apps.messengers.serializers import problem, webhook

DAY = timedelta(days=1)
_CUSTOM_NAME = "Custom channels"


def providers_of(widget_id: int) -> list[dict[str, Any]]:
    """The API's view of every provider, in their order."""
    connections: dict[str, Connection] = {}
    for connection in Connection.objects.for_widget(widget_id).order_by("-is_primary", "id"):
        connections.setdefault(connection.provider, connection)
    failed = Counter(
        OutboundMessage.objects.for_widget(widget_id)
        .failed_since(timezone.now() - DAY)
        .values_list("channel", flat=True)
    )
    apps = {row.provider: row for row in VendorSettings.objects.filter(app_digest__isnull=False)}
    has_channels = Channel.objects.for_widget(widget_id).exists()
    shown = [_shown(code, connections.get(code), failed[code], apps.get(code)) for code in PROVIDERS[:-1]]
    of_channels = sum(number for channel, number in failed.items() if channel_id_of(channel) is not None)
    return [*shown, {**_shown(CUSTOM, None, of_channels, None), "connected": has_channels}]


def provider_of(widget_id: int, provider: str) -> dict[str, Any]:
    """The API's view of one provider."""
    return next(one for one in providers_of(widget_id) if one["provider"] == provider)


def link_of(connection: Connection) -> str | None:
    """The link for visitors: the url that was given, or one made of the provider's own name."""
    return ADAPTERS[connection.provider].link(connection.url, connection.public_name, connection.account)


def unproved_at(connection: Connection) -> datetime | None:
    """When an update came last that nothing proved; None where one that was proved has come since."""
    at, heard = connection.unproved_at, connection.last_inbound_at
    return at if at is not None and (heard is None or heard < at) else None


def state_of(connection: Connection) -> ConnectionState:
    """The worth of a saved key: a saved key is not a connected messenger."""
    status = WebhookStatus(connection.webhook_status)
    return connection_state(status, connection.problem_code, has_heard=connection.last_inbound_at is not None)


def links_of(widget_id: int) -> list[dict[str, Any]]:
    """The messengers that visitors can go to, in the providers' order."""
    found: dict[str, str] = {}
    for connection in Connection.objects.for_widget(widget_id).order_by("-is_primary", "id"):
        if connection.provider in PROVIDERS and (link := link_of(connection)):
            found.setdefault(connection.provider, link)
    return [served_messenger(ADAPTERS[code], found[code]) for code in PROVIDERS if code in found]


def served_messenger(adapter: Adapter, url: str) -> dict[str, Any]:
    """A messenger as the config that visitors are served shows it."""
    about = {"name": adapter.called, "picture": adapter.about.picture, "continues": adapter.carries_chats}
    return {"code": adapter.code, "url": url, **about}


def messenger_facts() -> list[MessengerFacts]:
    """Each messenger, as far as other apps know it."""
    return [
        MessengerFacts(code, one.name, one.called, one.about.in_departments, one.can.takes_changes)
        for code, one in ADAPTERS.items()
    ]


def served_config(widget_id: int, language: str) -> dict[str, Any]:
    """The member `messengers` of the config that visitors are served."""
    return {"messengers": links_of(widget_id)}


def _shown(code: str, connection: Connection | None, failed: int, app: VendorSettings | None) -> dict[str, Any]:
    adapter = ADAPTERS.get(code)
    fields = list(adapter.fields) if adapter else []
    shown: dict[str, Any] = {
        "provider": code,
        "name": adapter.name if adapter else _CUSTOM_NAME,
        "connected": connection is not None,
        "writable": is_writable(code),
        "fields": fields,
        "has_token": connection is not None,
    }
    if "sid" in fields:
        shown["has_sid"] = connection is not None and connection.sid is not None
    if adapter and "app_secret" in adapter.optional:
        shown["has_app_secret"] = connection is not None and bool(connection.app_secret)
        shown["unproved_at"] = unproved_at(connection) if connection else None
    shown |= {"has_url": bool(connection and connection.url), "link": link_of(connection) if connection else None}
    shown |= {"callback_url": None, "account": None, "webhook": None, "problem": None}
    if connection is not None:
        shown["callback_url"] = app_callback(app) if app else None
        if connection.account_id:
            shown["account"] = {"id": connection.account_id, "name": connection.account_name}
        c = connection
        shown["webhook"] = webhook(c.webhook_attempted, c.webhook_status, c.webhook_detail, c.webhook_at)
        shown["problem"] = problem(c.problem_code, c.problem_detail, c.problem_at)
    return {
        **shown,
        "last_inbound_at": connection.last_inbound_at if connection else None,
        "last_outbound_at": connection.last_outbound_at if connection else None,
        "failed_24h": failed,
        "connected_at": connection.created_at if connection else None,
        "updated_at": connection.updated_at if connection else None,
    }
