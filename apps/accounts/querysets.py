"""Named reads of accounts, widgets and tokens."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from django.contrib.auth.base_user import BaseUserManager
from django.db import models
from django.db.models.functions import Lower

from apps.accounts import rules
from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.accounts.models import Account, ApiToken, ImportedNumber, User, Widget  # noqa: F401 - named in a text


class AccountQuerySet(TenantQuerySet["Account"]):
    """The account that owns a widget."""

    widget_path = "widgets"


class UserManager(BaseUserManager["User"]):
    """Makes users; an e-mail address is the name they sign in with."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def get_by_natural_key(self, username: str | None) -> User:
        """The person who signs in with that e-mail address, in any case of its letters."""
        return self.annotate(address=Lower("email")).get(address=(username or "").lower())

    def reader_of(self, account: Account) -> User | None:
        """The person who reads mail to an account's address: theirs who signs in with it, else its first owner."""
        people = self.filter(account=account, is_active=True)
        return people.filter(email__iexact=account.email).first() or (
            people.filter(role=rules.OWNER, is_staff=True).order_by("pk").first()
        )

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


def is_last_owner(user: User) -> bool:
    """Whether the person, as stored, is the only owner of their account."""
    owners = type(user).objects.filter(account=user.account_id, role=rules.OWNER, is_staff=True, is_active=True)
    return bool(list(owners.values_list("pk", flat=True)[:2]) == [user.pk])


Row = TypeVar("Row", bound=models.Model)


def seen_by(user: User, rows: models.QuerySet[Row], account_path: str) -> models.QuerySet[Row]:
    """The rows that a cabinet user may see: those of its account, or all for the installation's staff.

    `account_path` is the look-up from a row to its account's id, such as "widget__account_id".
    """
    if user.account_id is not None:
        return rows.filter(**{account_path: user.account_id})
    return rows if user.is_superuser else rows.none()


class WidgetQuerySet(models.QuerySet["Widget"]):
    def with_guid(self, guid: str) -> Widget | None:
        return self.filter(guid=guid).first()

    def moving(self) -> WidgetQuerySet:
        """The widgets whose account moves to another installation."""
        return self.filter(moving_since__isnull=False)


class ImportedNumberQuerySet(TenantQuerySet["ImportedNumber"]):
    widget_path = "importing_id"


class ApiTokenQuerySet(TenantQuerySet["ApiToken"]):
    def not_revoked(self) -> ApiTokenQuerySet:
        """The tokens that are not revoked, past their expiry or not."""
        return self.filter(revoked_at=None)

    def valid(self, now: datetime) -> ApiTokenQuerySet:
        """The tokens that are let in: neither revoked nor past their expiry."""
        return self.not_revoked().filter(models.Q(expires_at=None) | models.Q(expires_at__gt=now))

    def with_digest(self, digest: bytes) -> ApiToken | None:
        """The token of that hash with its widget, revoked or not; None when there is none."""
        return self.select_related("widget").filter(digest=digest).first()
