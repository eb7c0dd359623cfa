"""The second factor of people who sign in: a code of an authenticator app, or a backup code.

People who have one are asked for it at each sign-in. The audit trail records when it was set up, turned off or reset.
"""

from __future__ import annotations

import logging
import math
import secrets
from base64 import b32encode
from collections.abc import Iterable
from urllib.parse import quote, urlencode

import segno
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.accounts import rules
from apps.accounts.events import UserChanged
from apps.accounts.models import AuditEntry, Authenticator, BackupCodes, User
from apps.core import bus
from apps.core.database.encryption import DecryptionFailed

logger = logging.getLogger(__name__)

ISSUER = "Parley"
_SECRET_BYTES = 20

Factor = Authenticator | BackupCodes


def is_set_up(user: User) -> bool:
    """Whether the person is asked for a code when they sign in."""
    found: bool = Authenticator.objects.filter(user=user, confirmed=True).exists()
    return found


def is_by_password_alone(user: User) -> bool:
    """Whether a signed-in person has given no code to us, or to the provider that vouches for them."""
    return getattr(user, "otp_device", None) is None and not user.by_provider


def is_owed(user: User) -> bool:
    """Whether the person is signed in by their password alone, and is asked for a code since."""
    return is_by_password_alone(user) and is_set_up(user)


def is_to_be_set_up(user: User) -> bool:
    """Whether a signed-in person has to set up a second factor before anything else."""
    return settings.REQUIRE_TWO_FACTOR and is_by_password_alone(user) and not is_set_up(user)


def codes_left(user: User) -> int:
    """The number of the person's unused backup codes."""
    codes = BackupCodes.objects.filter(user=user).first()
    return len(codes.digests) if codes else 0


@transaction.atomic
def begin(*, user: User) -> Authenticator:
    """The authenticator that a person is about to set up: the same until its first code is given.

    An authenticator whose key can't be decrypted gets another key. Raises ValueError for a person who has one.
    """
    new_key = secrets.token_hex(_SECRET_BYTES)
    found: Authenticator
    found, _ = Authenticator.objects.get_or_create(
        user=user, defaults={"name": ISSUER, "confirmed": False, "key": new_key}
    )
    if found.confirmed:
        raise ValueError("there is an authenticator already")
    try:
        secret_text(found)
    except DecryptionFailed:
        found.key = new_key
        found.save(update_fields=["key"])
    return found


@transaction.atomic
def confirm(*, user: User, code: str) -> tuple[Authenticator, list[str]] | None:
    """Turns the second factor on, if the code is of the authenticator that was begun; gives it and the backup codes.

    These are nowhere else. None for a wrong code, which changes nothing but the wait until the next.
    """
    authenticator = Authenticator.objects.select_for_update().filter(user=user, confirmed=False).first()
    if authenticator is None or not _accepts(authenticator, code):
        return None
    authenticator.confirmed = True
    authenticator.save(update_fields=["confirmed"])
    _record(user, "off", "on")
    bus.publish(UserChanged(user_id=user.pk))  # what is open by the password alone is closed
    return authenticator, _new_codes(user)


@transaction.atomic
def renew_codes(*, user: User) -> list[str]:
    """New backup codes in the place of the old ones."""
    codes = _new_codes(user)
    _record(user, "on", "new backup codes")
    return codes


@transaction.atomic
def reset(*, users: Iterable[User]) -> int:
    """Takes the second factor of each away, and says of how many: they sign in with their password alone again."""
    count = 0
    for user in users:
        had, _ = Authenticator.objects.filter(user=user, confirmed=True).delete()
        BackupCodes.objects.filter(user=user).delete()
        if had:
            count += 1
            _record(user, "on", "off")
            bus.publish(UserChanged(user_id=user.pk))  # what was let in by it is closed
    return count


@transaction.atomic
def match(*, user: User, code: str) -> Factor | None:
    """The factor that accepted the code, which is then used up; None for a wrong one, a used one, or one that came too
    soon.

    Also None if the authenticator's key can't be decrypted: a backup code and a reset lead on from there.
    """
    code = code.strip()
    kind: type[Factor] = Authenticator if is_authenticator_code(code) else BackupCodes
    factor: Factor | None = kind.objects.select_for_update().filter(user=user, confirmed=True).first()
    return factor if factor is not None and _accepts(factor, code) else None


def _accepts(factor: Factor, code: str) -> bool:
    """Uses the code up, if it is right. False for an authenticator whose key can't be decrypted."""
    try:
        return bool(factor.verify_token(code))
    except DecryptionFailed:
        logger.exception("the authenticator of user %s can't be used", factor.user_id)
        return False


def is_authenticator_code(code: str) -> bool:
    return len(code) <= 6


def seconds_until_next_code(*, user: User, code: str) -> int:
    """How long no code of this kind is looked at, after wrong ones."""
    kind: type[Factor] = Authenticator if is_authenticator_code(code.strip()) else BackupCodes
    factor = kind.objects.filter(user=user).first()
    _, why = factor.verify_is_allowed() if factor is not None else (True, None)
    return max(1, math.ceil((why["locked_until"] - timezone.now()).total_seconds())) if why else 0


def address(authenticator: Authenticator) -> str:
    """The address that authenticator apps read: `otpauth://totp/…`. `otpauth://totp/…`."""
    label = quote(f"{ISSUER}:{authenticator.user.email}")
    return f"otpauth://totp/{label}?{urlencode({'secret': secret_text(authenticator), 'issuer': ISSUER})}"


def secret_text(authenticator: Authenticator) -> str:
    """The secret to be typed in, where no camera is at hand."""
    return b32encode(authenticator.secret).decode()


def qr_code(authenticator: Authenticator) -> str:
    """The address as an SVG, drawn here: no other service learns of it."""
    svg: str = segno.make(address(authenticator), error="m").svg_inline(scale=5, dark="#000", light="#fff", border=3)
    return svg


def _new_codes(user: User) -> list[str]:
    codes = rules.new_backup_codes()
    BackupCodes.objects.update_or_create(
        user=user, defaults={"name": "backup codes", "digests": [rules.backup_code_digest(code) for code in codes]}
    )
    return codes


def _record(user: User, before: str, after: str) -> None:
    AuditEntry.objects.log_create(user, action=AuditEntry.Action.UPDATE, changes={"second_factor": [before, after]})
