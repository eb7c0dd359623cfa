"""Changes of accounts, users, widgets and tokens. A changed permission ends what processes have cached of it."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.backends.db import SessionStore
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import Q, RestrictedError
from django.utils import timezone
from django.utils.translation import get_language
from psycopg.errors import DeadlockDetected, ForeignKeyViolation, LockNotAvailable

from apps.accounts import querysets, rules
from apps.accounts.audit.records import record_secret
from apps.accounts.events import AccountDeleted, PersonSuspended, UserChanged, WidgetAdded, WidgetChanged
from apps.accounts.mail import password_changed_mail
from apps.accounts.models import Account, ApiToken, AuditEntry, User, Widget
from apps.accounts.querysets import ApiTokenQuerySet
from apps.core import bus, database, mail, plugins
from apps.core.database.changes import save_changed, set_changes
from apps.core.errors import NOT_FOUND
from apps.core.redis import RedisAway, last_requests, rate_limits

_ASK_AGAIN_S = 0.25
DELETION_TRIES = 5
# Seconds for each statement: one may delete all the messages that an account ever had.
DELETION_STATEMENT_S = 600.0
# A row that came amidst a deletion, or a writer's lock against ours.
_IN_THE_WAY = (ForeignKeyViolation, RestrictedError, DeadlockDetected, LockNotAvailable)


class UnknownScopes(ValueError):
    """Scopes that no installed app declares."""

    def __init__(self, names: list[str]) -> None:
        super().__init__(f"unknown scopes: {', '.join(names)}")
        self.names = names


class OwnersScopes(PermissionDenied):
    """Scopes that move the account, granted by a person who is no owner; 403 where no form has said so before."""


class LastOwner(PermissionDenied):
    """An account would be left without anybody who can act as its owner; 403 where no form has said so before."""


class PasswordReplaced(Exception):
    """Another password was stored since the old one was compared, or its owner may not sign in any more."""


class HeldByLeftOutApp(Exception):
    """An app that PARLEY_WITHOUT_APPS leaves out has rows of the account, which cannot be deleted here."""

    def __init__(self, app: str) -> None:
        super().__init__(f"{app} is left out, and has rows of the account")
        self.app = app


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A token at the only moment its plain text exists."""

    token: ApiToken
    plain_text: str

    def __repr__(self) -> str:
        return f"IssuedToken({self.token!r})"


@transaction.atomic
def open_account(*, account: Account) -> None:
    """Opens an account."""
    account.save(force_insert=True)


@transaction.atomic
def change_profile(*, account_id: int, changes: Mapping[str, str | None]) -> Account:
    """Changes those of `email`, `name`, `surname` and `phone` that are given; returns the account. None clears one.

    Two changes at once of different members lose nothing. A new name is news for each widget that the account owns
    (`WidgetChanged`). Raises NOT_FOUND (404) for a deleted account.
    """
    account = Account.objects.select_for_update(no_key=True).filter(pk=account_id).first()
    if account is None:
        raise NOT_FOUND()
    changed = set_changes(account, {name: value or "" for name, value in changes.items()})
    save_changed(account, changed)
    if "name" in changed:
        _tell_of_new_name(account)
    return account


def delete_account(*, account: Account) -> None:
    """Deletes an account and all that belongs to it, for good. Its tokens are refused at the very next request.

    A concurrent write either came first, and is deleted too, or finds no account (404). Raises HeldByLeftOutApp, and
    deletes nothing then.
    """
    for tries_left in reversed(range(DELETION_TRIES)):
        try:
            _delete_account(account.pk)
            return
        except (IntegrityError, OperationalError) as error:
            if (app := _app_of_row_in_the_way(error)) in settings.WITHOUT_APPS:
                raise HeldByLeftOutApp(app) from None
            if not tries_left or not isinstance(error.__cause__ or error, _IN_THE_WAY):
                raise


def _app_of_row_in_the_way(error: Exception) -> str:
    cause = error.__cause__
    table = cause.diag.table_name if isinstance(cause, ForeignKeyViolation) else None
    return f"apps.{(table or '').partition('_')[0]}"


@transaction.atomic
def _delete_account(account_id: int) -> None:
    account = Account.objects.select_for_update().filter(pk=account_id).first()
    if account is None:
        return
    # First what is written to most: who writes into a chat holds it, and refers to the widget at the end.
    widgets = Widget.objects.filter(account=account).order_by("pk")
    with database.statements_may_take(DELETION_STATEMENT_S):
        bus.publish(AccountDeleted(account_id=account_id, widget_ids=tuple(widget.pk for widget in widgets)))
        list(widgets.select_for_update())
        account.delete()
        connection.check_constraints()  # now and not with the page's transaction, so that it can be tried again
    transaction.on_commit(end_cached_permissions)


@transaction.atomic
def add_user(*, user: User) -> None:
    """Stores a new person who may sign in."""
    user.save(force_insert=True)
    bus.publish(UserChanged(user_id=user.pk))


@transaction.atomic
def change_user(*, user_id: int, changes: Mapping[str, Any]) -> User:
    """Changes those fields of a person who signs in and keeps concurrent changes of the others; returns the person.

    A person who may no longer sign in (`is_active`) is signed out of everything at once. Raises NOT_FOUND (404);
    LastOwner when that would take the last owner from an account.
    """
    account_id = User.objects.filter(pk=user_id).values_list("account_id", flat=True).first()
    if account_id is not None:
        Account.objects.select_for_update().filter(pk=account_id).first()
    user = _locked_user(user_id)
    was_last_owner = querysets.is_last_owner(user)
    _save_user(user, changes)
    if was_last_owner and not user.is_owner:
        raise LastOwner
    return user


@transaction.atomic
def suspend_person(*, account_id: int, user_id: int) -> User:
    """Ends a person's rights in an account and at its widgets, at its owners' request; returns the person.

    People with no other account are signed out. People with another one leave this account and keep their sign-in: it
    is not this account's to take. Raises NOT_FOUND (404), LastOwner.
    """
    Account.objects.select_for_update().filter(pk=account_id).first()
    user = _locked_user(user_id)
    if user.account_id != account_id:
        raise NOT_FOUND()
    if querysets.is_last_owner(user):
        raise LastOwner
    bus.publish(PersonSuspended(account_id=account_id, user_id=user_id))
    user.refresh_from_db()
    if user.account_id == account_id:
        _save_user(user, {"is_active": False})
    return user


@transaction.atomic
def leave_account(*, user_id: int) -> None:
    """Takes a person out of an account that is being deleted or that suspends them; they keep their sign-in for other
    accounts.
    """
    _save_user(_locked_user(user_id), {"account": None, "is_staff": False, "role": User.Role.VIEWER})


def change_password(*, user: User, password: str) -> None:
    """Stores a new password of a person who gave the old one, and queues a mail that tells them.

    Their other sessions are closed at once.

    `user` is as they were read when the old one was compared. Raises PasswordReplaced if another one was stored since,
    or they may not sign in any more; nothing changes then.
    """
    hashed = make_password(password)  # it takes a while by intention, so not under the lock
    with transaction.atomic():
        stored = _locked_user(user.pk)
        if stored.password != user.password or not stored.is_active:
            raise PasswordReplaced
        record_secret(stored, "password", "changed", by=stored)
        mail.queue(password_changed_mail(email=stored.email, language=stored.language or get_language() or "en"))
        _save_user(stored, {"password": hashed})
    user.password = hashed


def _locked_user(user_id: int) -> User:
    user: User | None = User.objects.select_for_update(no_key=True).filter(pk=user_id).first()
    if user is None:
        raise NOT_FOUND()
    return user


def _save_user(user: User, changes: Mapping[str, Any]) -> None:
    """Saves those fields alone: a save of the whole row would undo what others have changed."""
    for name, value in changes.items():
        setattr(user, name, value)
    user.save(update_fields=list(changes))
    bus.publish(UserChanged(user_id=user.pk))


@transaction.atomic
def add_widget(*, account: Account, name: str, owner: User, seats: int = 3) -> Widget:
    """Adds a widget, its API switched off. Its owner is one of the account's people, and takes a seat.

    Raises ValueError for an owner of another account.
    """
    if owner.account_id != account.pk:
        raise ValueError("the owner of a widget is one of its account's people")
    widget = Widget.objects.create(account=account, name=name, seats=seats)
    bus.publish(WidgetAdded(widget_id=widget.pk, widget_guid=widget.guid, owner_id=owner.pk))
    return widget


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


@transaction.atomic
def set_api_enabled(*, widget: Widget, enabled: bool) -> None:
    """Flips the widget's switch “Allow widget API (JS and REST)”; it counts from the very next request."""
    widget.api_enabled = enabled
    widget.save(update_fields=["api_enabled"])
    _tell_of_change(widget)
    transaction.on_commit(end_cached_permissions)


@transaction.atomic
def change_widget(*, widget: Widget, changes: Mapping[str, Any]) -> None:
    """Changes those of `name`, `allowed_origins` (who may embed it), `seats` and `time_zone` that are given.

    Raises ValueError for a bad origin.
    """
    if "allowed_origins" in changes:
        origins = dict.fromkeys(rules.origin_of(origin) for origin in changes["allowed_origins"])
        changes = {**changes, "allowed_origins": list(origins)}
    for name, value in changes.items():
        setattr(widget, name, value)
    widget.save(update_fields=list(changes))
    _tell_of_change(widget)


@transaction.atomic
def set_answerer(*, widget_id: int, answerer: rules.Answerer, answers: bool) -> None:
    """Notes whether a kind of answerer is at work in a widget, in the transaction that switches it on or off.

    Posting reads the widget's row anyhow, and its events name the answerers: a handler that has nothing to do asks
    nothing.
    """
    found = Widget.objects.select_for_update(no_key=True).values_list("answerers", flat=True).filter(pk=widget_id)
    for before in found:
        now = [each for each in rules.Answerer if (answers if each is answerer else each in before)]
        if now != before:
            Widget.objects.filter(pk=widget_id).update(answerers=now)


def _tell_of_change(widget: Widget) -> None:
    bus.publish(WidgetChanged(widget_id=widget.pk, widget_guid=widget.guid))


def _tell_of_new_name(account: Account) -> None:
    for widget in account.widgets.order_by("pk"):
        _tell_of_change(widget)


def end_cached_permissions() -> None:
    """Returns when no process relies on a permission it read before.

    Without Redis nothing new is cached, but Redis may come back remembering the old epoch; so it is asked again until
    whatever was cached has become too old to be used.
    """
    deadline = time.monotonic() + rules.MAX_CACHED_S
    while not rate_limits.begin_new_epoch() and time.monotonic() < deadline:
        time.sleep(_ASK_AGAIN_S)


@transaction.atomic
def forget_old_changes() -> int:
    """Deletes what the audit trail has kept for AUDIT_DAYS, and says how many lines."""
    before = timezone.now() - timedelta(days=settings.AUDIT_DAYS)
    deleted, _ = AuditEntry.objects.filter(timestamp__lt=before).delete()
    return int(deleted)


def forget_old_sessions() -> None:
    """Deletes expired sessions, which otherwise stay until their owner signs out."""
    SessionStore.clear_expired()
