"""The two forms of a domain with letters beyond ASCII: as people write it (почта.рф), and as servers do (xn--…).
Pure.
"""

import unicodedata

from apps.core.parsing.normal_forms import normalize

_ACE = "xn--"
# To compose marks takes the square of their number; a longer text is no label.
MAX_LABEL = 63


def unicode_domain(domain: str) -> str:
    """A domain as people write it, in small letters; labels that are no valid form of one stay as they are."""
    return ".".join(_unicode_label(label) for label in domain.lower().split("."))


def ascii_domain(domain: str) -> str:
    """A domain as servers know it, in small letters. The other way round it is the same domain again."""
    return ".".join(_ascii_label(label) for label in domain.lower().split("."))


def canonical(address: str) -> str:
    """An address with its domain as people write it: both forms are one address."""
    local, at, domain = address.rpartition("@")
    return f"{local}{at}{unicode_domain(domain)}"


def ascii_form(address: str) -> str:
    """An address with its domain as servers know it."""
    local, at, domain = address.rpartition("@")
    return f"{local}{at}{ascii_domain(domain)}"


def is_mailable(address: str) -> bool:
    """Whether letters to such an address can be sent at all: of a domain with a dot, whose labels are letters, digits
    and dashes. Odd local parts live, so they are let be.
    """
    local, _, domain = address.rpartition("@")
    labels = ascii_domain(domain).split(".")
    return (
        bool(local)
        and _is_printed(local)
        and len(labels) > 1
        and all(map(_is_label, labels))
        and not labels[-1].isdigit()
    )


def _unicode_label(label: str) -> str:
    if len(label) > MAX_LABEL or (label.isascii() and not label.startswith(_ACE)):
        return label
    if not label.startswith(_ACE):
        return normalize("NFC", label)
    try:
        found = label.removeprefix(_ACE).encode("ascii").decode("punycode")
    except (UnicodeError, ValueError):
        return label
    is_plain = all(sign == "-" or unicodedata.category(sign)[0] in "LMN" for sign in found)
    is_same = found == normalize("NFKC", found).lower() and _ascii_label(found) == label
    return found if is_plain and is_same else label


def _ascii_label(label: str) -> str:
    if label.isascii() or len(label) > MAX_LABEL:
        return label
    return f"{_ACE}{normalize('NFC', label).encode('punycode').decode('ascii')}"


def _is_label(label: str) -> bool:
    return (
        0 < len(label) <= MAX_LABEL
        and label.replace("-", "").replace("_", "").isalnum()
        and label.isascii()
        and label[0] != "-"
    )


def _is_printed(text: str) -> bool:
    return "\ufffd" not in text and all(unicodedata.category(sign)[0] not in "CZ" for sign in text)
