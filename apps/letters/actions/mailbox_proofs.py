"""The proof that a mailbox is the widget's: a code that was mailed to it, typed in by its owner or come back by itself.

Before that a mailbox receives, but nothing leaves under its address, and nothing is taken for a letter of its own. Each
widget proves it for itself; the installation's administrator may vouch for one (`manage.py mailbox`).
"""

import hashlib
import hmac
import secrets
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_noop

from apps.accounts.rules.mailboxes import counted_mailbox
from apps.core import mail
from apps.core.database.tenants import TenantQuerySet
from apps.core.errors import INVALID_INPUT, RATE_LIMITED
from apps.core.quotas import Quota
from apps.letters.mail import proof_code_letter
from apps.letters.models import Mailbox
from apps.letters.rules.addresses import digest_of

DIGITS = 8
WRONG_CODE = gettext_noop("This is not the code of the last e-mail, or it is over a day old.")
LASTS = timedelta(days=1)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
# Codes that are mailed: to one address from all widgets together, and of a widget. Then, codes that are typed.
TO_ADDRESS = Quota("mailbox_codes_to_address", 5, DAY, RATE_LIMITED, per="mailbox")
OF_WIDGET = Quota("mailbox_codes_of_widget", 20, DAY, RATE_LIMITED)
TRIES = Quota("mailbox_code_tries", 10, HOUR, RATE_LIMITED, per="mailbox")


@transaction.atomic
def send_code(mailbox: Mailbox, *, language: str) -> None:
    """Mails a code to the mailbox's address, from the installation's own. An older one counts no more.

    Raises RATE_LIMITED (429): an address gets five a day from all widgets, and a widget mails twenty.
    """
    TO_ADDRESS.spend(digest_of(counted_mailbox(mailbox.address)).hex())
    OF_WIDGET.spend(mailbox.widget_id)
    code = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
    guid = mail.queue(proof_code_letter(to=mailbox.address, code=code, language=language))
    _rows(mailbox).update(proof_code=_digest(mailbox, code), proof_letter=guid, proof_asked_at=Now())


def prove(mailbox: Mailbox, code: str) -> None:
    """Takes the code that was mailed. Raises INVALID_INPUT (422) on `code`, RATE_LIMITED (429): ten tries an hour."""
    with transaction.atomic():
        TRIES.spend(mailbox.pk)
    with transaction.atomic():
        row = _rows(mailbox).select_for_update().get()
        given = _digest(mailbox, "".join(code.split()))
        if not _is_asked(row) or not hmac.compare_digest(bytes(row.proof_code or b""), given):
            raise INVALID_INPUT(errors={"code": [WRONG_CODE]})
        vouch(mailbox)


def note_came_back(mailbox: Mailbox | None, message_id: str) -> None:
    """The letter with the code lies in the very mailbox that it was mailed to: nobody else knows its id."""
    if mailbox is None or mailbox.proved_at is not None:
        return
    try:
        guid = UUID(message_id.strip("<>").partition("@")[0])
    except ValueError:
        return
    row = _rows(mailbox).first()
    if row is not None and row.proof_letter == guid and _is_asked(row):
        vouch(mailbox)


def vouch(mailbox: Mailbox) -> None:
    """The mailbox is the widget's, by a proof or by the word of the installation's administrator."""
    mailbox.proved_at = timezone.now()
    mailbox.proof_letter = mailbox.proof_code = None
    mailbox.save(update_fields=["proved_at", "proof_letter", "proof_code"])


def _rows(mailbox: Mailbox) -> TenantQuerySet[Mailbox]:
    return Mailbox.objects.for_widget(mailbox.widget_id).filter(pk=mailbox.pk)


def _is_asked(row: Mailbox) -> bool:
    """Whether a code is on its way that still counts."""
    return row.proof_asked_at is not None and row.proof_asked_at > timezone.now() - LASTS


def _digest(mailbox: Mailbox, code: str) -> bytes:
    text = f"parley.mailbox-code:{mailbox.pk}:{code}".encode()
    return hmac.new(settings.SECRET_KEY.encode(), text, hashlib.sha256).digest()
