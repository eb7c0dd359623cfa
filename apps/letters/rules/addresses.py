"""The e-mail addresses: reply, stop and bounce addresses by MAIL_REPLY_ADDRESS, Message-IDs, digests. Pure."""

import hashlib
import re
from enum import StrEnum
from typing import NamedTuple

from apps.letters.rules.domains import ascii_domain, canonical
from apps.letters.rules.rights import read_right

TAG = "{tag}"
_ID = re.compile(r"<?l\.([A-Za-z2-7]{20})@[^<>\s@]{1,253}>?")
MAX_ADDRESS = 254


class Purpose(StrEnum):
    """The purpose of an address with a right: the first letter of its tag."""

    REPLY = "r"
    STOP = "s"
    BOUNCE = "b"


class AddressTag(NamedTuple):
    """The meaning of an address: its purpose, and a right of the thread (REPLY, STOP) or of the letter (BOUNCE)."""

    purpose: Purpose
    right: str


def address_of(pattern: str, purpose: Purpose, right: str) -> str:
    """The address for a right by MAIL_REPLY_ADDRESS; empty where there are no reply addresses."""
    return pattern.replace(TAG, f"{purpose}{right}") if pattern else ""


def read_address(pattern: str, address: str) -> AddressTag | None:
    """The meaning of an address of ours, in upper or lower case; None for any other address."""
    if not pattern or len(address) > MAX_ADDRESS:
        return None
    before, _, after = pattern.lower().partition(TAG)
    lowered = address.strip().strip("<>").lower()
    if len(lowered) <= len(before) + len(after) or not (lowered.startswith(before) and lowered.endswith(after)):
        return None
    tag = lowered[len(before) : len(lowered) - len(after)]
    right = read_right(tag[1:])
    return AddressTag(Purpose(tag[0]), right) if right and tag[0] in list(Purpose) else None


def message_id_of(right: str, domain: str) -> str:
    """The Message-ID of a letter, `<l.RIGHT@domain>`."""
    return f"<l.{right}@{domain}>"


def read_message_id(text: str) -> str | None:
    """The right of the letter in a Message-ID of our form, in any case; None for any other."""
    found = _ID.fullmatch(text.strip())
    return read_right(found[1]) if found else None


def origin_of(public_url: str) -> str:
    """The id of an installation in X-Parley-Origin."""
    return hashlib.sha256(f"parley-origin:{public_url}".encode()).hexdigest()[:24]


def domain_of(sender: str) -> str:
    """The part of an address behind its @, as servers know it."""
    return ascii_domain(sender.rpartition("@")[2])


def normal(email: str) -> str:
    """An address as threads and digests have it: without blanks around it, in small letters, its domain as people
    write it.
    """
    return canonical(email.strip().lower())


def digest_of(email: str) -> bytes:
    """The hash that an address is found by."""
    return hashlib.sha256(canonical(email).casefold().encode()).digest()


def masked(email: str) -> str:
    """An address as somebody else may see it: `m•••@example.org`."""
    local, _, domain = email.rpartition("@")
    return f"{local[:1]}•••@{domain}"
