"""Issuing, renaming and revoking API tokens."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.accounts import rules
from apps.accounts.actions.permissions import end_cached_permissions
from apps.accounts.models import ApiToken, User, Widget
from apps.accounts.querysets import ApiTokenQuerySet
from apps.core import plugins
from apps.core.redis import RedisAway, last_requests


class UnknownScopes(ValueError):
    """Scopes that no installed app declares."""

    def __init__(self, names: list[str]) -> None:
        super().__init__(f"unknown scopes: {', '.join(names)}")
        self.names = names


class OwnersScopes(PermissionDenied):
    """Scopes that move the account, granted by a person who is no owner; 403 where no form has said so before."""


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A token at the only moment its plain text exists."""

    token: ApiToken
    plain_text: str

    def __repr__(self) -> str:
        return f"IssuedToken({self.token!r})"


@transaction.atomic
def issue_token(
    *,
    widget: Widget,
    scopes: Iterable[str],
    name: str = "",
    expires_at: datetime | None = None,
    issued_by: User | None = None,
) -> IssuedToken:
    """Issues a token for a widget; its plain text is in the answer and nowhere else.

    An expiry in the past is accepted: the token is refused from the start. Raises UnknownScopes; OwnersScopes for an
    issuer who is neither an owner nor of the installation.
    """
    wanted = list(dict.fromkeys(scopes))
    if unknown := rules.unknown_scopes(wanted, plugins.scopes()):
        raise UnknownScopes(unknown)
    may_grant_all = issued_by is None or issued_by.is_superuser or issued_by.is_owner
    if not may_grant_all and rules.scopes_of_owners(wanted, plugins.scopes()):
        raise OwnersScopes
    plain_text = rules.new_token()
    token = ApiToken.objects.create(
        widget=widget,
        name=name,
        hint=plain_text[: rules.HINT_LENGTH],
        digest=rules.digest(plain_text),
        scopes=wanted,
        expires_at=expires_at,
        created_by=issued_by,
    )
    return IssuedToken(token, plain_text)


@transaction.atomic
def rename_token(*, token: ApiToken, name: str) -> None:
    """Names a token. Nothing else of a token can be changed: it is revoked, and another one issued."""
    token.name = name
    token.save(update_fields=["name"])


def revoke_token(*, token: ApiToken) -> None:
    """Revokes a token: once this has returned, it is refused at the very next request. Repeatable."""
    revoke_tokens(tokens=ApiToken.objects.unscoped("read with its widget before").filter(pk=token.pk))
    token.refresh_from_db(fields=["revoked_at"])


@transaction.atomic
def revoke_tokens(*, tokens: ApiTokenQuerySet) -> int:
    """Revokes those of the tokens that still stand, and returns how many; see `revoke_token`."""
    now, standing = timezone.now(), list(tokens.not_revoked().order_by("pk").select_for_update(of=("self",)))
    for token in standing:
        token.revoked_at = now
        token.save(update_fields=["revoked_at"])
    transaction.on_commit(end_cached_permissions)
    return len(standing)


def store_token_uses() -> int:
    """Stores when tokens were last used, as was noted since the last time; returns of how many. Never goes back."""
    try:
        uses = last_requests.take_uses(rules.TOKEN_USES)
    except RedisAway:
        return 0
    stored = 0
    for token_id, seconds in uses.items():
        at = datetime.fromtimestamp(seconds, UTC)
        earlier = Q(last_used_at=None) | Q(last_used_at__lt=at)
        stored += (
            ApiToken.objects.unscoped("of tokens that were let in").filter(earlier, pk=token_id).update(last_used_at=at)
        )
    return stored
