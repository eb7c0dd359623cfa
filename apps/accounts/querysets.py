"""Named reads of accounts, widgets and tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.auth.base_user import BaseUserManager
from django.db import models

if TYPE_CHECKING:
    from apps.accounts.models import ApiToken, User


class UserManager(BaseUserManager["User"]):
    """Makes users; an e-mail address is the name they sign in with."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class WidgetQuerySet(models.QuerySet["Widget"]):
    def seen_by(self, user: User) -> WidgetQuerySet:
        """The widgets that a cabinet user may act on: those of its account, or all for the installation's staff."""
        if user.account_id is None:
            return self if user.is_superuser else self.none()
        return self.filter(account_id=user.account_id)


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def seen_by(self, user: User) -> ApiTokenQuerySet:
        """The tokens that a cabinet user may see."""
        if user.account_id is None:
            return self if user.is_superuser else self.none()
        return self.filter(widget__account_id=user.account_id)

    def with_digest(self, digest: bytes) -> ApiToken | None:
        """The token of that hash with its widget, revoked or not; None when there is none."""
        return self.select_related("widget").filter(digest=digest).first()
