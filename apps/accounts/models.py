"""Accounts, cabinet users, widgets and API tokens."""

import secrets
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Lower, Now
from django.utils.translation import gettext_lazy as _

from apps.accounts import rules
from apps.accounts.querysets import ApiTokenQuerySet, UserManager, WidgetQuerySet


class Account(models.Model):
    """The customer: owns widgets; its name, surname and phone are what the API's account resource shows.

    `referral_code` is what the account recommends the service with; `referred_by` recommended it to this one.
    """

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=255, blank=True, db_default="")
    surname = models.CharField(max_length=255, blank=True, db_default="")
    phone = models.CharField(max_length=32, blank=True, db_default="")
    referral_code = models.CharField(max_length=16, unique=True, default=rules.new_referral_code, editable=False)
    referred_by = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="referred")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return self.email


class User(AbstractBaseUser, PermissionsMixin):
    """A person who signs in: to the cabinet (`is_staff`), to the operator console, or both.

    Staff with an account see only its rows; superusers belong to no account, run the installation and see all.
    """

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=255, blank=True, db_default="")
    surname = models.CharField(max_length=255, blank=True, db_default="")
    account = models.ForeignKey(Account, models.CASCADE, null=True, blank=True, related_name="users")
    is_staff = models.BooleanField(db_default=False, default=False, help_text=_("May sign in to the cabinet."))
    is_active = models.BooleanField(db_default=True, default=True)
    language = models.CharField(
        max_length=2,
        blank=True,
        db_default="",
        default="",
        choices=[("ru", "Русский"), ("en", "English")],
        help_text=_("Of the cabinet. None chosen means the browser's."),
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects: Any = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Lower("email"),
                name="accounts_user_email_once",
                violation_error_message=_("Somebody with this e-mail address is there already."),
            ),
            models.CheckConstraint(
                condition=models.Q(is_superuser=False) | models.Q(account=None),
                name="accounts_user_superuser_of_no_account",
                violation_error_message=_("A superuser belongs to no account."),
            ),
        ]

    def __str__(self) -> str:
        return self.email

    def get_full_name(self) -> str:
        return f"{self.name} {self.surname}".strip()

    def get_short_name(self) -> str:
        return self.name


def new_guid() -> str:
    """A 32-character opaque identifier."""
    return secrets.token_hex(16)


class Widget(models.Model):
    """The tenant: one chat widget of an account, with its own chats, agents, tokens and settings."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="widgets")
    guid = models.CharField(max_length=32, unique=True, default=new_guid, editable=False)
    name = models.CharField(max_length=255)
    api_enabled = models.BooleanField(
        _("Allow widget API (JS and REST)"),
        db_default=False,
        default=False,
        help_text=_("Issuing a token does not enable it."),
    )
    allowed_origins = ArrayField(
        models.CharField(max_length=255),
        blank=True,
        default=list,
        help_text=_("Origins whose pages may embed the widget, such as https://shop.example. None set means all."),
    )
    time_zone = models.CharField(
        max_length=64,
        db_default="Europe/Moscow",
        default="Europe/Moscow",
        help_text=_("Of the departments' hours, such as Europe/Berlin."),
    )
    seats = models.PositiveIntegerField(db_default=3, default=3, help_text=_("How many human agents may be active."))
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = WidgetQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class ApiToken(models.Model):
    """An API token: exactly one widget, an explicit list of scopes. Only a hash of its plain text is kept."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=255, blank=True, db_default="")
    hint = models.CharField(max_length=12, editable=False, help_text=_("The first characters, to tell tokens apart."))
    digest = models.BinaryField(unique=True, editable=False)
    scopes = ArrayField(models.CharField(max_length=64), default=list)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)
    last_used_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text=_("Up to two minutes late. Empty: not used yet.")
    )
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, editable=False, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        verbose_name = "API token"

    def __str__(self) -> str:
        return self.name or f"{self.hint}…"
