"""What happens to tokens and widgets. Each change of a permission ends what processes have cached of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from apps.accounts import rules
from apps.accounts.models import ApiToken, User, Widget
from apps.core import plugins, rate_limits


class UnknownScopes(ValueError):
    """Scopes that no installed app declares."""

    def __init__(self, names: list[str]) -> None:
        super().__init__(f"unknown scopes: {', '.join(names)}")
        self.names = names


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

    An expiry in the past is accepted: the token is refused from the start. Raises UnknownScopes.
    """
    wanted = list(dict.fromkeys(scopes))
    if unknown := rules.unknown_scopes(wanted, plugins.scopes()):
        raise UnknownScopes(unknown)
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
def revoke_token(*, token: ApiToken) -> None:
    """Revokes a token: it is refused at the very next request. Revoking it again changes nothing."""
    revoked = ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())
    if revoked:
        token.refresh_from_db(fields=["revoked_at"])
    transaction.on_commit(rate_limits.begin_new_epoch)


@transaction.atomic
def set_api_enabled(*, widget: Widget, enabled: bool) -> None:
    """Flips the widget's switch “Allow widget API (JS and REST)”."""
    Widget.objects.filter(pk=widget.pk).update(api_enabled=enabled)
    widget.api_enabled = enabled
    transaction.on_commit(rate_limits.begin_new_epoch)
