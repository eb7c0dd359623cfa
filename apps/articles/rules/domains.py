"""The proof that a domain is a help center's, and its states over time. Pure."""

import ipaddress
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from apps.articles.rules.states import DomainState

TXT_LABEL, TXT_VALUE = "_parley", "parley-domain="
# So long a verified domain answers without its record.
KEPT_WITHOUT_RECORD = timedelta(days=7)
MOST_LABELS_BELOW = 10


class DomainProblem(StrEnum):
    """Why a domain is not proved: there is no record, it has another value, or DNS does not answer."""

    NO_RECORD = "no_record"
    OTHER_VALUE = "other_value"
    NO_ANSWER = "no_answer"


class DomainStanding(NamedTuple):
    """How a domain stands after its record was looked for."""

    state: DomainState
    problem: DomainProblem | None
    failed_since: datetime | None


def txt_name(domain: str) -> str:
    """The name of the record that proves a domain."""
    return f"{TXT_LABEL}.{domain}"


def txt_value(token: str) -> str:
    """The text of that record."""
    return f"{TXT_VALUE}{token}"


def domain_refusal(host: str) -> str | None:
    """Why a host, in lower case and ASCII, can't be a help center's domain."""
    labels = host.split(".")
    try:
        ipaddress.ip_address(host)
    except ValueError:
        pass
    else:
        return "A domain name is expected, not an address."
    if len(labels) < 2 or labels[-1] == "localhost":
        return "A whole domain name is expected, such as help.shop.example."
    if "_" in host or len(labels) > MOST_LABELS_BELOW:
        return "The domain name is not valid."
    return None


def problem_of(records: Sequence[str] | None, token: str) -> DomainProblem | None:
    """The problem of the records that were found at the name; None where one of them proves the domain."""
    if records is None:
        return DomainProblem.NO_ANSWER
    if txt_value(token) in (record.strip() for record in records):
        return None
    is_other = any(record.strip().startswith(TXT_VALUE) for record in records)
    return DomainProblem.OTHER_VALUE if is_other else DomainProblem.NO_RECORD


def standing_after(
    state: DomainState, problem: DomainProblem | None, *, failed_since: datetime | None, now: datetime
) -> DomainStanding:
    """How a domain stands after a look: a verified one lapses after seven days without its record."""
    if problem is None:
        return DomainStanding(DomainState.VERIFIED, None, None)
    since = failed_since or now
    if state is DomainState.VERIFIED and now - since >= KEPT_WITHOUT_RECORD:
        state = DomainState.LAPSED
    return DomainStanding(state, problem, since)
