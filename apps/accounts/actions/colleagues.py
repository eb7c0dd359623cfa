"""Owners invite to the cabinet. Nothing is stored of who is invited before they have proved their address.

The link itself says who is invited to which account, as what, and by whom; it is signed, and counts once, for 7 days.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.hashers import make_password
from django.core import signing
from django.db import transaction
from django.utils import timezone

from apps.accounts import rules
from apps.accounts.actions import add_user, change_user
from apps.accounts.audit.records import record_invitation
from apps.accounts.mail import colleague_mail
from apps.accounts.models import Account, User
from apps.core import mail
from apps.core.database.constraints import unique_or
from apps.core.errors import RATE_LIMITED
from apps.core.quotas import Quota

SENT = Quota("accounts.invitations", rules.INVITATIONS_AN_HOUR, timedelta(hours=1), RATE_LIMITED)
_SALT = "accounts.colleague"


class LinkIsOver(Exception):
    """The link counts no more: it was used, or who invited is no owner any more."""


class OfAnotherAccount(Exception):
    """The person with the address belongs to another account, or runs the installation."""


class AccountExists(Exception):
    """The invited address has a sign-in by now: its password is asked for, not a new one."""


@dataclass(frozen=True, slots=True)
class Colleague:
    """The content of an invitation's link: `at` are seconds of the Unix clock."""

    account: int
    email: str
    role: str
    inviter: int
    at: float

    @property
    def invited_at(self) -> datetime:
        return datetime.fromtimestamp(self.at, UTC)


def read_link(link: str) -> Colleague | None:
    """The content of a link; None for one that is not ours, or too old."""
    try:
        said: Any = signing.loads(link, salt=_SALT, max_age=rules.COLLEAGUE_LIVES_S)
    except signing.BadSignature:
        return None
    return Colleague(**said)


@transaction.atomic
def invite_colleague(*, email: str, role: str, inviter: User, path_of: Callable[[str], str], language: str) -> None:
    """Queues the invitation's mail, whether the address is known or not, and records it.

    `inviter` is an owner of the account. Raises RATE_LIMITED (429): ten an account and hour.
    """
    account = Account.objects.get(pk=inviter.account_id or 0)
    SENT.spend(account.pk)
    said = Colleague(account.pk, email, role, inviter.pk, timezone.now().timestamp())
    path = path_of(signing.dumps(asdict(said), salt=_SALT))
    record_invitation(account, email=email, role=role, by=inviter)
    mail.queue(colleague_mail(email=email, inviter=inviter.email, path=path, language=language))


def accept_colleague(
    *, invitation: Colleague, user: User | None = None, name: str = "", surname: str = "", password: str = ""
) -> User:
    """Makes the holder of the link staff of the account: `user`, whose password was given, or a new person.

    Raises LinkIsOver, OfAnotherAccount, AccountExists.
    """
    hashed = make_password(password) if user is None else ""  # it takes a while by intention, so not under the lock
    with transaction.atomic():
        Account.objects.select_for_update().filter(pk=invitation.account).first()
        inviter = User.objects.filter(pk=invitation.inviter, account=invitation.account).first()
        if inviter is None or not inviter.is_owner:
            raise LinkIsOver
        rights = {"is_staff": True, "role": invitation.role, "joined_at": timezone.now()}
        if user is None:
            return _new(invitation, rights, name=name, surname=surname, password=hashed)
        stored = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if stored.is_superuser or stored.account_id not in (None, invitation.account):
            raise OfAnotherAccount
        used = stored.joined_at is not None and stored.joined_at >= invitation.invited_at
        if used or stored.is_staff or not stored.is_active:
            raise LinkIsOver
        return change_user(user_id=stored.pk, changes={"account_id": invitation.account, **rights})


def _new(invitation: Colleague, rights: dict[str, Any], **fields: str) -> User:
    email = User.objects.normalize_email(invitation.email)
    user = User(email=email, account_id=invitation.account, **fields, **rights)
    with unique_or(AccountExists, "accounts_user_email"), transaction.atomic():
        add_user(user=user)
    return user
