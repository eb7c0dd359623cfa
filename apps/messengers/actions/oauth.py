"""Avito's tokens: each is renewed a minute early, by one process at a time."""

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from apps.messengers.actions.connections import note_problem
from apps.messengers.actions.provider_calls import adapter_of, credentials_of, wire_of
from apps.messengers.adapters.av.adapter import Avito
from apps.messengers.adapters.client import ProviderCallFailed
from apps.messengers.models import Connection
from apps.messengers.rules.delivery import Failure, FailureCode
from apps.messengers.rules.providers import ProblemCode, cleaned

EARLY = timedelta(seconds=60)
LONGEST_RENEWAL = timedelta(seconds=30)
# After how long who finds another process renewing looks again.
LOOK_AGAIN_S = 2.0


def renewed(connection: Connection) -> Connection:
    """The connection with a token that still holds. Raises ProviderCallFailed: CREDENTIAL_REJECTED, which is its
    problem from then on, where the renewal is refused; SLOW_DOWN while another process renews; UNAVAILABLE."""
    now, until = timezone.now(), connection.token_expires_at
    if until is None or until - EARLY > now:
        return connection
    adapter, same = adapter_of(connection), Connection.objects.for_widget(connection.widget_id).filter(pk=connection.pk)
    assert isinstance(adapter, Avito)  # noqa: S101 - others' tokens have no end
    free = Q(renewing_until__isnull=True) | Q(renewing_until__lte=now)
    if not same.filter(free, token_expires_at=until).update(renewing_until=now + LONGEST_RENEWAL):
        return _of_another(connection)
    try:
        found = adapter.tokens(
            wire_of(connection), grant_type="refresh_token", refresh_token=connection.refresh_token or ""
        )
        changes = token_columns(found, connection.refresh_token or "")
    except ProviderCallFailed as error:
        same.update(renewing_until=None)
        raise _judged(connection, error) from None
    same.update(**changes, renewing_until=None)
    return Connection.objects.for_widget(connection.widget_id).get(pk=connection.pk)


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
    now = Connection.objects.for_widget(connection.widget_id).filter(pk=connection.pk).first()
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
