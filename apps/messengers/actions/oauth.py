"""Avito's tokens: each is renewed a minute early, by one process at a time."""

from datetime import timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.messengers.actions.connections import note_problem
from apps.messengers.actions.provider_calls import IN_THREAD, Way, adapter_of, credentials_of, vendor, wire_of
from apps.messengers.adapters.av.adapter import Avito
from apps.messengers.adapters.client import ProviderCallFailed
from apps.messengers.models import Connection
from apps.messengers.rules.delivery import Failure, FailureCode
from apps.messengers.rules.providers import ProblemCode, cleaned

EARLY = timedelta(seconds=60)
LONGEST_RENEWAL = timedelta(seconds=30)
# After how long who finds another process renewing looks again.
LOOK_AGAIN_S = 2.0


async def renewed(connection: Connection, way: Way = IN_THREAD) -> Connection:
    """The connection with a token that still holds. Raises ProviderCallFailed: CREDENTIAL_REJECTED, which is its
    problem from then on, where the renewal is refused; SLOW_DOWN while another process renews; UNAVAILABLE."""
    until = connection.token_expires_at
    if until is None or until - EARLY > timezone.now():
        return connection
    if not await way.ask(_begin, connection):
        other: Connection = await way.ask(_of_another, connection)
        return other
    adapter = adapter_of(connection)
    assert isinstance(adapter, Avito)  # noqa: S101 - others' tokens have no end
    client = wire_of(connection, way=way, settings_=await way.ask(vendor, connection.provider))
    try:
        refresh_token = connection.refresh_token or ""
        found = await adapter.tokens(client, grant_type="refresh_token", refresh_token=refresh_token)
        changes = token_columns(found, refresh_token)
    except ProviderCallFailed as error:
        raise await way.ask(_not_renewed, connection, error) from None
    new: Connection = await way.ask(_with, connection, changes)
    return new


def _same(connection: Connection) -> QuerySet[Connection]:
    return Connection.objects.for_widget(connection.widget_id).filter(pk=connection.pk)


def _begin(connection: Connection) -> bool:
    """Whether this process is the one that renews the token."""
    now = timezone.now()
    free = Q(renewing_until__isnull=True) | Q(renewing_until__lte=now)
    same = _same(connection).filter(free, token_expires_at=connection.token_expires_at)
    return bool(same.update(renewing_until=now + LONGEST_RENEWAL))


def _with(connection: Connection, changes: dict[str, object]) -> Connection:
    _same(connection).update(**changes, renewing_until=None)
    return _same(connection).get()


def _not_renewed(connection: Connection, failed: ProviderCallFailed) -> ProviderCallFailed:
    _same(connection).update(renewing_until=None)
    return _judged(connection, failed)


def token_columns(found: dict[str, object], refresh_token: str = "") -> dict[str, object]:
    """The columns that hold what Avito has answered for a code or a refresh token.

    Raises ProviderCallFailed for nonsense.
    """
    token, lives = found.get("access_token"), found.get("expires_in")
    if not isinstance(token, str) or not token or not isinstance(lives, int | float) or lives <= 0:
        raise ProviderCallFailed(Failure(FailureCode.UNAVAILABLE, "The provider answered without a token."))
    given = found.get("refresh_token")
    return {
        "token": token,
        "refresh_token": given if isinstance(given, str) and given else refresh_token,
        "token_expires_at": timezone.now() + timedelta(seconds=min(lives, 10**8)),
    }


def _of_another(connection: Connection) -> Connection:
    """The connection as another process has renewed it. Raises ProviderCallFailed while that is still at it."""
    now = _same(connection).first()
    if now is None or now.token_expires_at is None or now.token_expires_at - EARLY <= timezone.now():
        raise ProviderCallFailed(Failure(FailureCode.SLOW_DOWN, retry_after_s=LOOK_AGAIN_S))
    return now


def _judged(connection: Connection, failed: ProviderCallFailed) -> ProviderCallFailed:
    failure = failed.failure
    if failure.code in (FailureCode.UNAVAILABLE, FailureCode.SLOW_DOWN):
        return failed
    hidden = (*credentials_of(connection).hidden, connection.refresh_token or "", connection.hook_key)
    detail = cleaned(failure.detail, hidden)
    note_problem(connection, ProblemCode.CREDENTIAL_REJECTED, detail)
    return ProviderCallFailed(Failure(FailureCode.CREDENTIAL_REJECTED, detail))
