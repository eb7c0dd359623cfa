"""Why a mailbox's server cannot be used: codes, told from the words of servers. Pure."""

import re
from enum import StrEnum

from apps.letters.rules.mail_providers import is_within


class ServerProblem(StrEnum):
    """Why a mailbox is not read, or sends nothing. The words for people are in `labels.py`."""

    LOGIN_REFUSED = "login_refused"
    APP_PASSWORD = "app_password"  # noqa: S105 - a code
    LOGIN_OR_OFF = "login_or_off"
    SWITCHED_OFF = "switched_off"
    PASSWORDS_OFF = "passwords_off"
    NO_FOLDER = "no_folder"
    UNREACHABLE = "unreachable"
    NO_TLS = "no_tls"
    TOO_SLOW = "too_slow"
    ODD_ANSWER = "odd_answer"
    NOT_FOUND = "not_found"
    BUSY = "busy"


# The mailbox rests until its owner changes something: its server lets nobody in by the stored login.
NEEDS_OWNER = frozenset(
    {
        ServerProblem.LOGIN_REFUSED,
        ServerProblem.APP_PASSWORD,
        ServerProblem.LOGIN_OR_OFF,
        ServerProblem.SWITCHED_OFF,
        ServerProblem.PASSWORDS_OFF,
    }
)
# The words of providers that let nobody in, first match first. A counterpart of each is in the tests.
_SAID = (
    (re.compile(r"app(?:lication)?[- ](?:specific )?password|parol prilozheniya", re.I), ServerProblem.APP_PASSWORD),
    (re.compile(r"invalid credentials or imap is disabled", re.I), ServerProblem.LOGIN_OR_OFF),
    (
        re.compile(
            r"not enabled for imap|(?:imap|smtp)(?: access)? is disabled|access rights to this service"
            r"|smtpclientauthentication is disabled",
            re.I,
        ),
        ServerProblem.SWITCHED_OFF,
    ),
    (
        re.compile(
            r"basic ?auth|\b5\.7\.(?:30|139)\b|no suitable authentication method|auth extension not supported", re.I
        ),
        ServerProblem.PASSWORDS_OFF,
    ),
)
# They let nobody in by a password any more, and say no more than that the login failed.
_WITHOUT_PASSWORDS = ("office365.com", "outlook.com")
MOST_SAID = 1_000


def login_problem(host: str, said: str) -> ServerProblem:
    """Why a server lets nobody in, by its words."""
    for pattern, problem in _SAID:
        if pattern.search(said[:MOST_SAID]):
            return problem
    if any(is_within(host, domain) for domain in _WITHOUT_PASSWORDS):
        return ServerProblem.PASSWORDS_OFF
    return ServerProblem.LOGIN_REFUSED


def connection_problem(reason: str) -> ServerProblem:
    """Why there is no talk with a server; hosts that may not be called and hosts that are not there look the same."""
    known = {"tls": ServerProblem.NO_TLS, "too_large": ServerProblem.ODD_ANSWER, "timeout": ServerProblem.TOO_SLOW}
    return known.get(reason, ServerProblem.UNREACHABLE)
