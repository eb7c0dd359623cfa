"""Bodies of a hook: the raw letter and its envelope, in four forms of providers; and what says that a form has none."""

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class HookBody(NamedTuple):
    """The raw letter of a hook's body, and the envelope as far as it tells it."""

    raw: bytes
    recipients: tuple[str, ...] = ()
    sender: str | None = None


# What a provider's parsed form has, and where its raw form is switched on.
PARSED = {
    "body-plain": "Mailgun: end the address of the route's forward() with /mime.",
    "stripped-text": "Mailgun: end the address of the route's forward() with /mime.",
    "envelope": "SendGrid: tick `POST the raw, full MIME message` of the Inbound Parse host.",
    "TextBody": "Postmark: tick `Include raw email content in JSON payload` of the inbound stream.",
}


class NoLetter(ValueError):
    """There is no raw letter in the body; its text says where it is switched on."""

    def __init__(self, detail: str = "There is no letter in the body.") -> None:
        super().__init__(detail)
        self.detail = detail


def of_form(fields: Mapping[str, bytes]) -> HookBody:
    """The letter of a form: Mailgun's `body-mime`, SendGrid's `email`. Raises NoLetter."""
    if raw := fields.get("body-mime"):
        return HookBody(raw, _split(fields.get("recipient")), _text(fields.get("sender")))
    if raw := fields.get("email"):
        recipients, sender = _envelope(fields.get("envelope", b""))
        return HookBody(raw, recipients, sender)
    raise _refusal(fields)


def of_json(content: bytes) -> HookBody:
    """The letter of a JSON body: Postmark's `RawEmail`. Raises NoLetter."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        raise NoLetter from None
    if not isinstance(document, Mapping):
        raise NoLetter
    raw = document.get("RawEmail")
    if not isinstance(raw, str) or not raw.strip():
        raise _refusal(document)
    recipient = document.get("OriginalRecipient")
    return HookBody(_raw_of(raw), (recipient,) if isinstance(recipient, str) else ())


def _raw_of(text: str) -> bytes:
    """Postmark gives the letter as a text."""
    if ":" in text[:1000].partition("\n")[0]:
        return text.encode("utf-8", "ignore")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return text.encode("utf-8", "ignore")


def _refusal(members: Mapping[str, object]) -> NoLetter:
    where = next((said for name, said in PARSED.items() if name in members), "")
    return NoLetter(f"The body has no raw letter. {where}") if where else NoLetter()


def _envelope(value: bytes) -> tuple[tuple[str, ...], str | None]:
    try:
        found = json.loads(value or b"{}")
    except (ValueError, RecursionError):
        return (), None
    if not isinstance(found, Mapping):
        return (), None
    to, sender = found.get("to"), found.get("from")
    recipients = (
        tuple(one for one in to if isinstance(one, str)) if isinstance(to, Sequence) and not isinstance(to, str) else ()
    )
    return recipients, sender if isinstance(sender, str) else None


def _split(value: bytes | None) -> tuple[str, ...]:
    return tuple(one.strip() for one in (_text(value) or "").split(",") if one.strip())


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "ignore")
