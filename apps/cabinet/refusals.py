"""Refusals of actions in the reader's language: what a form says where the API says it in English.

A problem has its words for people in its app's `errors.py`; here are those of fields' errors that several apps have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_address

from django.utils.translation import gettext, gettext_noop

from apps.core.problems import Problem
from apps.egress import BulkheadFull, EgressRefused

FIELDS = (
    gettext_noop("Must be an absolute URL."),
    gettext_noop("Must be an absolute URL that starts with https://."),
    gettext_noop("Must not contain spaces, backslashes or control characters."),
    gettext_noop("Must not contain a user name or password."),
    gettext_noop("Must be a number."),
    gettext_noop("Must be a text."),
    gettext_noop("Must consist of visible characters."),
    gettext_noop("Must be true or false."),
    gettext_noop("Must start with https://."),
    gettext_noop("Must start with https://: this address is none that EGRESS_ALLOW names."),
    gettext_noop("The IPv6 address is not valid."),
    gettext_noop("The address could not be reached."),
)
# Texts with a number in them: how the API says it, and how a form does.
PATTERNS = (
    (re.compile(r"Ensure this field has no more than (\d+) characters\."), gettext_noop("At most %s characters.")),
    (re.compile(r"Must have at most (\d+) characters\."), gettext_noop("At most %s characters.")),
    (re.compile(r"Must have at most (\d+) bytes\."), gettext_noop("At most %s bytes.")),
)


def words_of(problem: Problem) -> str:
    """The refusal in the reader's language: its code's sentence, then what is said of its fields."""
    of_fields = list(field_words(problem))
    if of_fields and problem.type.code == "invalid_input":
        return " ".join(of_fields)
    return gettext(problem.type.for_people or problem.type.explanation)


def field_words(problem: Problem) -> Iterator[str]:
    """The errors of a refusal's fields, each text in the reader's language."""
    return (in_readers_words(text) for texts in problem.errors.values() for text in texts)


OWN_NETWORKS = (".local", ".localhost", ".internal", ".lan", ".home.arpa")


def why_not_called(address: str, refusal: object) -> str:
    """Why an address that was typed can't be called, in the reader's language; `refusal` is what `egress.vet` raised.

    The advice on EGRESS_ALLOW is for addresses of one's own network alone, and looks at the text only: what a name
    resolves to is not told.
    """
    if isinstance(refusal, BulkheadFull):
        return gettext("Too many addresses are looked up now. Try again in a second.")
    reason = refusal.reason if isinstance(refusal, EgressRefused) else ""
    if reason == "userinfo":
        return gettext("Must not contain a user name or password.")
    if reason == "not_https":
        host = re.split(r"[/?#]", address.partition("://")[2], maxsplit=1)[0]
        if not _is_of_own_network(host):
            return gettext("The address must begin with https://.")
        advice = gettext(
            "For a program on this machine or in your own network, whoever runs the installation names it in "
            "EGRESS_ALLOW, here %(host)s."
        ) % {"host": host}
        return gettext("An https address of a public host is needed, whose name is known.") + " " + advice
    return gettext("An https address of a public host is needed, whose name is known.")


def _is_of_own_network(host: str) -> bool:
    name = host.rpartition(":")[0] if re.search(r":\d*$", host) else host
    try:
        return not ip_address(name.strip("[]")).is_global
    except ValueError:
        return "." not in name.rstrip(".") or name.rstrip(".").lower().endswith(OWN_NETWORKS)


def in_readers_words(text: str) -> str:
    """A field's error, as an action or a serializer has said it in English, in the reader's language."""
    for pattern, words in PATTERNS:
        if found := pattern.fullmatch(text):
            return gettext(words) % found.groups()
    return gettext(text) if text else ""
