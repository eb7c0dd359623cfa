"""The only writer of mailboxes: an address is one mailbox of a widget. Its proof: `mailbox_proofs.py`."""

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models.functions import Now
from django.urls import reverse

from apps import egress, leases
from apps.accounts.rules import digest
from apps.agents.models import Department
from apps.core.database import lock
from apps.core.errors import INVALID_INPUT
from apps.core.mail import sender_address
from apps.letters.models import Mailbox, ReadJob
from apps.letters.rules.addresses import normal, read_address
from apps.letters.rules.mailboxes import (
    MAX_NAME,
    MAX_SIGNATURE,
    Ai,
    BadServer,
    MailServer,
    mailbox_of,
    new_hook_key,
    read_imap,
    read_smtp,
)

MOST_IDS = 20
# Of a widget: each is read for minutes, in a place that all widgets share.
MOST_MAILBOXES = 20
_SERVERS = (("imap", read_imap), ("smtp", read_smtp))


def save_mailbox(*, widget_id: int, address: str, changes: dict[str, Any], is_vetted: bool = False) -> Mailbox:
    """Makes the mailbox of an address, or changes it: `changes` may have name, imap, smtp, department_id, signature,
    ai, authserv_ids and form_senders. Another server, or another password, has it read at once.

    Raises INVALID_INPUT (422). An address that another widget has, too, is told to nobody: each proves it for itself.
    Outside of transactions: hosts are looked up, unless the caller has looked them up
    (`vet_servers`).
    """
    address = mailbox_address(address)
    values = _checked(widget_id, changes, is_vetted=is_vetted)
    with transaction.atomic():
        lock(f"letters.mailboxes:{widget_id}")
        mailbox = Mailbox.objects.for_widget(widget_id).filter(address=address).first()
        if mailbox is None:
            lock(f"letters.mailboxes:{widget_id}")
            require_room(widget_id)
            key = new_hook_key()
            mailbox = Mailbox(widget_id=widget_id, address=address, hook_key=key, digest=digest(key))
        for name, value in values.items():
            setattr(mailbox, name, value)
        mailbox.save()
        _follow(mailbox, is_changed="imap" in values)
    return mailbox


def require_room(widget_id: int) -> None:
    """Raises INVALID_INPUT where the widget has as many mailboxes as it may have."""
    if Mailbox.objects.for_widget(widget_id).count() >= MOST_MAILBOXES:
        raise INVALID_INPUT(errors={"address": [f"A widget has at most {MOST_MAILBOXES} mailboxes."]})


def drafts_in(widget_id: int, channel: str) -> bool:
    """Whether AI drafts answers to the letters of that channel, for an operator to send."""
    mailbox_id = mailbox_of(channel)
    return mailbox_id is not None and Mailbox.objects.for_widget(widget_id).filter(pk=mailbox_id, ai=Ai.DRAFTS).exists()


def remove_mailbox(*, widget_id: int, address: str) -> None:
    """Removes a mailbox; its chats stay, and nothing leaves from them any more. Raises NOT_FOUND (404)."""
    Mailbox.objects.for_widget(widget_id).get_or_404(address=normal(address)).delete()


def _follow(mailbox: Mailbox, *, is_changed: bool) -> None:
    """Has the mailbox read as long as it has a server, from now on."""
    if not mailbox.imap:
        ReadJob.objects.for_widget(mailbox.widget_id).filter(mailbox=mailbox).delete()
        return
    if is_changed:
        anew = {"problem_code": "", "problem_detail": "", "problem_at": None, "due_at": Now(), "attempts": 0}
        made = {"widget_id": mailbox.widget_id, "turn_of": mailbox.widget_id, **anew}
        ReadJob.objects.for_widget(mailbox.widget_id).update_or_create(mailbox=mailbox, defaults=made)
        leases.wake_workers()


def mailbox_address(text: str) -> str:
    """The address of a mailbox as it is stored. Raises INVALID_INPUT (422)."""
    address = normal(text)
    try:
        validate_email(address)
    except ValidationError:
        raise INVALID_INPUT(errors={"address": ["This is no e-mail address."]}) from None
    if address == normal(sender_address()) or read_address(settings.MAIL_REPLY_ADDRESS, address):
        raise INVALID_INPUT(errors={"address": ["The installation itself writes from this address."]})
    return address


def vet_servers(servers: dict[str, str]) -> dict[str, list[str]]:
    """Why `imap` and `smtp` cannot be called, by name; empty where they can. Outside of transactions."""
    refused: dict[str, list[str]] = {}
    for name, read in _SERVERS:
        if servers.get(name):
            try:
                _vet(read(servers[name]))
            except BadServer as malformed:
                refused[name] = [f"The address {malformed}."]
            except (egress.EgressRefused, egress.InvalidUrl):
                refused[name] = ["This host may not be called, or is not there."]
    return refused


def _checked(widget_id: int, changes: dict[str, Any], *, is_vetted: bool) -> dict[str, Any]:
    values = dict(changes)
    refused: dict[str, list[str]] = {}
    for name, longest in (("name", MAX_NAME), ("signature", MAX_SIGNATURE)):
        if len(values.get(name) or "") > longest:
            refused[name] = [f"At most {longest} characters."]
    if "ai" in values and values["ai"] not in list(Ai):
        refused["ai"] = ["One of off, drafts, answers."]
    if not is_vetted:
        refused |= vet_servers(values)
    for name in ("authserv_ids", "form_senders"):
        if name in values:
            values[name] = [one.strip().lower() for one in values[name] if one.strip()]
            if len(values[name]) > MOST_IDS or any(len(one) > 254 for one in values[name]):
                refused[name] = [f"At most {MOST_IDS} of at most 254 characters."]
    if values.get("department_id") is not None:
        departments = Department.objects.for_widget(widget_id)
        if not departments.filter(pk=values["department_id"]).exists():
            refused["department_id"] = ["There is no such department."]
    if refused:
        raise INVALID_INPUT(errors=refused)
    return values


def _vet(server: MailServer) -> None:
    """Looks a server's host up, as any call's; without TLS only hosts that EGRESS_ALLOW names. Raises EgressRefused."""
    uses_tls = server.uses_tls or server.starts_tls
    host = f"[{server.host}]" if ":" in server.host else server.host
    egress.vet(f"{'https' if uses_tls else 'http'}://{host}:{server.port}/")


def hook_url(mailbox: Mailbox) -> str:
    """The address at which providers deliver the mailbox's letters. A secret."""
    return settings.PUBLIC_URL + reverse("letters-hook", args=[mailbox.hook_key])


def state_of(mailbox: Mailbox) -> tuple[str, str]:
    """A mailbox's state and problem: `hook` (letters are brought), `connecting`, `reading`, `problem`; the problem is
    a code, and its host or folder (`unreachable: imap.shop.example`)."""
    reading = ReadJob.objects.for_widget(mailbox.widget_id).filter(mailbox=mailbox).first()
    if reading is None:
        return "hook", ""
    if reading.problem_code:
        return "problem", f"{reading.problem_code}: {reading.problem_detail}".rstrip(": ")
    return ("reading", "") if reading.connected_at else ("connecting", "")
