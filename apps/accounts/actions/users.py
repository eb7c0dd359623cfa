"""Adding, changing and suspending the people of an account."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.hashers import make_password
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import get_language

from apps.accounts import querysets
from apps.accounts.audit.records import record_secret
from apps.accounts.events import PersonSuspended, UserChanged
from apps.accounts.mail import password_changed_mail
from apps.accounts.models import Account, User
from apps.core import bus, mail
from apps.core.errors import NOT_FOUND


class LastOwner(PermissionDenied):
    """An account would be left without anybody who can act as its owner; 403 where no form has said so before."""


class PasswordReplaced(Exception):
    """Another password was stored since the old one was compared, or its owner may not sign in any more."""


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


def seen_language(language: str) -> str:
    """The cabinet's language that a browser or a page speaks, such as "ru" of "ru-RU"; blank if it is another."""
    code = language[:2]
    return code if code in dict(User._meta.get_field("language").flatchoices) else ""


def note_language(*, user: User, language: str) -> None:
    """Keeps the browser's language of a person who has chosen none, where it is one of the cabinet's and a new one."""
    code = seen_language(language)
    if code in ("", user.mail_language):
        return
    User.objects.filter(pk=user.pk, language="").update(seen_language=code)
    user.seen_language = code


def change_password(*, user: User, password: str) -> None:
    """Stores a new password of a person who gave the old one or a mail's link, and queues a mail that tells them.

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
        letter = password_changed_mail(
            email=stored.email,
            language=stored.language or get_language() or "en",
            is_first=stored.has_never_signed_in,
            has_owner=stored.account_id is not None and not stored.is_owner,
        )
        mail.queue(letter)
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
