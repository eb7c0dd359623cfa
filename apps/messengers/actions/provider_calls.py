"""Speaking with a provider: where it is called, by whose credential, and which answers concern the connection."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, Literal, NamedTuple

from django.conf import settings
from django.utils import timezone

from apps.messengers.adapters import ADAPTERS
from apps.messengers.adapters.adapter import Adapter
from apps.messengers.adapters.client import CALL_S, REQUEST_S, Credentials, Fetch, ProviderClient, in_thread
from apps.messengers.models import Connection, VendorSettings
from apps.messengers.rules.providers import Updates

# A connection's row is not written for each message: all that pass would wait for each other's transactions.
TRAFFIC_EVERY = timedelta(seconds=10)
# By hand: each update and each send asks it, and compiling a queryset costs more than running it.
_VENDOR = "SELECT * FROM messengers_vendorsettings WHERE provider = %s"


def vendor(provider: str) -> VendorSettings:
    """The vendor's settings as they are now."""
    found = VendorSettings.objects.raw(_VENDOR, [provider])
    return next(iter(found), None) or VendorSettings(provider=provider)


def credentials_of(connection: Connection, settings_: VendorSettings | None = None) -> Credentials:
    """The credentials with which an adapter calls for a connection."""
    about = settings_ or vendor(connection.provider)
    adapter = adapter_of(connection)
    base = connection.target if adapter.has_own_address else about.base or adapter.base
    return Credentials(
        base=base.rstrip("/"),
        token=connection.token,
        sid=connection.sid or "",
        callback=callback_address(connection),
        account=connection.account,
        account_id=connection.account_id,
        account_name=connection.account_name,
        secret=connection.secret,
        app_secret=connection.app_secret or about.app_secret or "",
        verify_token=connection.verify_token or "",
        confirmation=connection.confirmation or "",
        server_id=connection.server_id,
        client_id=about.client_id,
        client_secret=about.client_secret or "",
    )


def adapter_of(connection: Connection) -> Adapter:
    """The adapter of a connection's provider."""
    return ADAPTERS[connection.provider]


async def _here(call: Callable[..., Any], *given: Any) -> Any:
    return call(*given)


class Way(NamedTuple):
    """How a send waits: for its calls (`fetch`), and for the database (`ask(call, *given)`)."""

    fetch: Fetch = in_thread
    ask: Callable[..., Awaitable[Any]] = _here


# All of it in the thread that calls: see `client.answered`.
IN_THREAD = Way()


def wire_of(
    connection: Connection,
    *,
    each_s: float = CALL_S,
    all_s: float = REQUEST_S,
    way: Way = IN_THREAD,
    settings_: VendorSettings | None = None,
) -> ProviderClient:
    """The wire by which a connection's provider is called. `settings_` are the vendor's, if they are read."""
    credentials, judge = credentials_of(connection, settings_), adapter_of(connection).judge
    return ProviderClient(credentials, judge, each_s=each_s, all_s=all_s, fetch=way.fetch)


def callback_address(connection: Connection) -> str:
    """The address to which the provider delivers. A secret."""
    return f"{settings.PUBLIC_URL}/hooks/{connection.provider}/{connection.hook_key}"


def note_traffic(connection: Connection, column: Literal["last_inbound_at", "last_outbound_at"]) -> None:
    """Notes that a message has come or gone, unless one had within TRAFFIC_EVERY when the connection was read."""
    now, noted = timezone.now(), getattr(connection, column)
    if noted is None or now - noted > TRAFFIC_EVERY:
        Connection.objects.for_widget(connection.widget_id).filter(pk=connection.pk).update(**{column: now})
        setattr(connection, column, now)


def is_polled(connection: Connection, about: VendorSettings) -> bool:
    """Whether the connection's updates are to be fetched: as the settings say, or where it could not call us."""
    if not adapter_of(connection).is_pollable or about.updates == Updates.WEBHOOK:
        return False
    return about.updates == Updates.LONG_POLL or not settings.PUBLIC_URL.startswith("https://")
