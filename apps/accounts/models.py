"""Accounts, cabinet users, widgets and API tokens."""

import secrets
import time
from hmac import compare_digest
from typing import Any

from auditlog.models import AbstractLogEntry
from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.contrib.auth.models import AbstractBaseUser, PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Lower, Now
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _
from django_otp.models import Device, ThrottlingMixin
from django_otp.oath import TOTP

from apps.accounts import rules
from apps.accounts.audit.trail import AuditEntryManager
from apps.accounts.querysets import (
    AccountQuerySet,
    ApiTokenQuerySet,
    ImportedNumberQuerySet,
    UserManager,
    WidgetQuerySet,
)
from apps.core.database.fields import EncryptedTextField
from apps.core.database.tenants import TenantQuerySet


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

    objects = models.Manager.from_queryset(AccountQuerySet)()  # above the tenants

    def __str__(self) -> str:
        return self.email


class User(AbstractBaseUser, PermissionsMixin):
    """A person who signs in: to the cabinet (`is_staff`), to the operator console, or both.

    Staff with an account see only its rows, and may do there what their role allows; superusers belong to no account,
    run the installation and see all.
    """

    class Role(models.TextChoices):
        OWNER = rules.OWNER, _("owner")
        MANAGER = rules.MANAGER, _("manager")
        VIEWER = rules.VIEWER, _("viewer")

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=255, blank=True, db_default="")
    surname = models.CharField(max_length=255, blank=True, db_default="")
    account = models.ForeignKey(Account, models.CASCADE, null=True, blank=True, related_name="users")
    is_staff = models.BooleanField(db_default=False, default=False, help_text=_("May sign in to the cabinet."))
    role = models.CharField(
        max_length=16,
        choices=Role,
        db_default=Role.VIEWER,
        default=Role.VIEWER,
        help_text=_("In the cabinet: owners may do everything, managers all but people and the account; viewers read."),
    )
    is_active = models.BooleanField(db_default=True, default=True)
    language = models.CharField(
        max_length=2,
        blank=True,
        db_default="",
        default="",
        choices=[("ru", "Русский"), ("en", "English")],
        help_text=_("Of the cabinet. None chosen means the browser's."),
    )
    # That of their browser, the last time that they came to the cabinet without a choice, at first that of the mail
    # which opened their account: letters are written in it.
    seen_language = models.CharField(max_length=2, blank=True, db_default="", default="", editable=False)
    # When they last accepted an owner's invitation: a link that was signed before counts no more.
    joined_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Who they are for the provider that they sign in by: its issuer and their number there, from the first time on.
    provider_subject = models.CharField(max_length=512, unique=True, null=True, blank=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects: Any = UserManager()

    # Whether the session that they are read for began by a provider's word, which asks for a second factor of its own.
    by_provider: bool = False

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Lower("email"),
                name="accounts_user_email_once",
                violation_error_message=_("A user with this e-mail address already exists."),
            ),
            models.CheckConstraint(
                condition=models.Q(is_superuser=False) | models.Q(account=None),
                name="accounts_user_superuser_of_no_account",
                violation_error_message=_("A superuser belongs to no account."),
            ),
        ]

    def __str__(self) -> str:
        return self.email

    @property
    def mail_language(self) -> str:
        """The language of what is written to them when they are not there: a process has none of its own."""
        return self.language or self.seen_language or settings.LANGUAGE_CODE[:2]

    def check_password(self, raw_password: str | None) -> bool:
        """Whether that is the password.

        A password with an outdated hash is hashed again and stored, unless it has been replaced since.
        """
        before = self.password

        def store(password: str) -> None:
            self.set_password(password)
            self._password = None
            User.objects.filter(pk=self.pk, password=before).update(password=self.password)

        return check_password(raw_password, self.password, store)

    def get_full_name(self) -> str:
        return f"{self.name} {self.surname}".strip()

    def get_short_name(self) -> str:
        return self.name

    def has_session_hash(self, given: str) -> bool:
        """Whether a session that began with this hash holds: under the same password, and a SECRET_KEY that is kept."""
        hashes = [self.get_session_auth_hash(), *self.get_session_auth_fallback_hash()]
        return any(constant_time_compare(given, known) for known in hashes)

    @property
    def has_never_signed_in(self) -> bool:
        """Whether their password is still the one that was made for them, and that nobody knows."""
        return self.last_login is None

    @property
    def is_owner(self) -> bool:
        """Whether they can act as an owner of their account."""
        return rules.is_owner(role=self.role, is_staff=self.is_staff, is_active=self.is_active)


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
    # `rules.Answerer`, beside people; `actions.set_answerer` is the only one to write it.
    answerers = ArrayField(models.CharField(max_length=32), db_default=[], default=list, blank=True, editable=False)
    # Since when one that answers first is at work: who waited before waits for people until it has spoken.
    answered_first_since = models.DateTimeField(null=True, blank=True, editable=False)
    # `actions.moves` is the only one to write it.
    moving_since = models.DateTimeField(null=True, blank=True, editable=False)
    # When the owner put the first steps away that the cabinet lists; empty while they are listed.
    steps_put_away_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = WidgetQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name

    @property
    def is_moving(self) -> bool:
        """Whether its account moves to another installation: its data is read, and nothing is added."""
        return self.moving_since is not None


class WidgetImport(models.Model):
    """An export that is being put into a new widget, and how far that has come. It goes when all is there.

    `digest` is of what tells the export from others. `step` is the table that is worked on, `position` where its file
    is read on; `left_out` counts rows that refer to others which are not there.
    """

    widget = models.OneToOneField(Widget, models.CASCADE, primary_key=True, related_name="+")
    digest = models.BinaryField(max_length=32, editable=False)
    keeps_numbers = models.BooleanField()
    step = models.PositiveIntegerField(db_default=0, default=0)
    position = models.PositiveBigIntegerField(db_default=0, default=0)
    left_out = models.PositiveBigIntegerField(db_default=0, default=0)
    begun_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TenantQuerySet["WidgetImport"].as_manager()

    def __str__(self) -> str:
        return f"#{self.pk}"


class ImportedNumber(models.Model):
    """The number that a row of an export has got, while the export is put in."""

    importing = models.ForeignKey(WidgetImport, models.CASCADE, related_name="numbers", db_index=False)
    table = models.CharField(max_length=32)
    was = models.BigIntegerField()
    now = models.BigIntegerField()

    objects = ImportedNumberQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["importing", "table", "was"], name="accounts_importednumber_once")
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.was}: {self.now}"


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


class SecondFactor(ThrottlingMixin, Device):  # type: ignore[misc] # django-otp has no types
    """The second factor beside the password.

    After a wrong code the next is not looked at for 1, 2, 4… seconds, 64 at most: a person is never locked out for
    long.
    """

    LONGEST_WAIT = 7  # wrong codes in a row

    class Meta:
        abstract = True

    def get_throttle_factor(self) -> int:
        return 1

    def throttle_increment(self, commit: bool = True) -> None:
        self.throttling_failure_count: int = min(self.throttling_failure_count, self.LONGEST_WAIT - 1)
        super().throttle_increment(commit)


class Authenticator(SecondFactor):
    """A person's authenticator app: a secret that both know, from which a code of six digits follows each 30 s.

    A code is taken once, and 30 s early or late at most. Until its first code it is not `confirmed`, and no code is
    asked for.
    """

    user = models.OneToOneField(User, models.CASCADE, related_name="authenticator")
    key = EncryptedTextField(help_text=_("The secret, as hexadecimal digits."))
    last_step = models.BigIntegerField(default=-1, help_text=_("When the last code was of, in steps of 30 s."))

    @property
    def secret(self) -> bytes:
        return bytes.fromhex(self.key)

    def verify_token(self, token: str) -> bool:
        """Whether it is a fresh code. Counts it either way: call it with the row locked."""
        if not self.verify_is_allowed()[0]:
            return False
        totp = TOTP(self.secret)
        totp.time = time.time()
        if token.isascii() and token.isdigit() and totp.verify(int(token), tolerance=1, min_t=self.last_step + 1):
            self.last_step = totp.t()
            self.throttle_reset()
            return True
        self.throttle_increment()
        return False


class BackupCodes(SecondFactor):
    """Codes for who has lost their authenticator, each good for once. Only their hashes are kept."""

    user = models.OneToOneField(User, models.CASCADE, related_name="backup_codes")
    digests = ArrayField(models.BinaryField(), default=list)

    def verify_token(self, token: str) -> bool:
        """Whether it is a code not used yet, which it then is. Call it with the row locked."""
        if not self.verify_is_allowed()[0]:
            return False
        wanted = rules.backup_code_digest(token)
        left = [digest for digest in map(bytes, self.digests) if not compare_digest(digest, wanted)]
        if len(left) < len(self.digests):
            self.digests = left
            self.throttle_reset()
            return True
        self.throttle_increment()
        return False


class AuditEntry(AbstractLogEntry):  # type: ignore[misc] # django-auditlog has no types
    """A line of the audit trail: who changed what, and when.

    `account_id` is the account that the row belonged to, or null for the installation's own. The database has no
    constraint on it or on the actor: the line outlives both. `token_id` is of the API token that changed it, if one
    did.
    """

    actor = models.ForeignKey(
        User, models.DO_NOTHING, null=True, blank=True, db_constraint=False, related_name="+", verbose_name=_("who")
    )
    account_id = models.BigIntegerField(null=True, editable=False)
    token_id = models.BigIntegerField(null=True, editable=False)

    objects = AuditEntryManager()

    class Meta(AbstractLogEntry.Meta):  # type: ignore[misc]
        verbose_name = _("change")
        verbose_name_plural = _("audit trail")
        indexes = [models.Index(fields=["account_id", "-id"], name="accounts_audit_list")]

    def __str__(self) -> str:
        return str(self.object_repr)


class BackupNote(models.Model):
    """The last backup of each name, as its script has told it (`manage.py note_backup`)."""

    name = models.CharField(max_length=64, unique=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
