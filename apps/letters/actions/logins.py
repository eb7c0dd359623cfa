"""The logins of a mailbox, tried before anything is kept, and the servers that are found for it.

Outside of transactions: servers are waited for.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.core.mail.utils import DNS_NAME

from apps import egress
from apps.core.redis import rate_limits
from apps.egress.exchangers import mail_exchangers
from apps.egress.smtp import SmtpRefused, smtp_talk
from apps.letters.actions.receiving.reading import ReadingFailed, connected
from apps.letters.rules.mail_providers import (
    Encryption,
    ServerPlace,
    Side,
    common_places,
    domain_of_address,
    provider_of,
)
from apps.letters.rules.mailboxes import MailServer
from apps.letters.rules.server_problems import ServerProblem, connection_problem, login_problem

# Of one login; a person waits for both.
LOGIN_S = 8.0
# Of one place of those that are tried one after another.
LOOK_S = 2.5
EXCHANGERS_S = 2.0
# Of a widget, each of both servers: nobody guesses the passwords of others' mailboxes by way of this installation.
TRIES_A_MINUTE = 6


class ServerFailure(NamedTuple):
    """Why a server cannot be used: a code, and the host or the folder that it is about."""

    code: ServerProblem
    about: str


class Wanted(NamedTuple):
    """A server as somebody typed it; without a `place` it is found by the mailbox's address."""

    place: ServerPlace | None
    user: str
    password: str
    folder: str = "INBOX"
    marks_seen: bool = False
    moves_to: str = ""

    def at(self, place: ServerPlace) -> MailServer:
        return MailServer(
            host=place.host,
            port=place.port,
            user=self.user,
            password=self.password,
            uses_tls=place.encryption is Encryption.TLS,
            starts_tls=place.encryption is Encryption.STARTTLS,
            folder=self.folder,
            marks_seen=self.marks_seen,
            moves_to=self.moves_to,
        )


class Tried(NamedTuple):
    """The outcome of a login: the server that was found or typed, None without one, and why it cannot be used."""

    server: MailServer | None
    failure: ServerFailure | None = None


_BUSY = Tried(None, ServerFailure(ServerProblem.BUSY, ""))


def try_logins(*, widget_id: int, address: str, wanted: dict[Side, Wanted]) -> dict[Side, Tried]:
    """Signs in to each server, within a place of the bulkhead, and a few times a minute. Stores nothing."""
    if not rate_limits.spend(f"mailbox-logins:{widget_id}", TRIES_A_MINUTE).allowed:
        return dict.fromkeys(wanted, _BUSY)
    try:
        with egress.outbound_waits.slot(widget_id):
            found: dict[Side, Tried] = {}
            hosts: list[str] = []
            for side, one in wanted.items():
                found[side] = _tried(side, one, address, hosts)
                hosts += [server.host] if (server := found[side].server) else []
            return found
    except egress.BulkheadFull:
        return dict.fromkeys(wanted, _BUSY)


def _tried(side: Side, wanted: Wanted, address: str, known: Sequence[str]) -> Tried:
    domain = domain_of_address(address)
    if wanted.place is not None:
        server = wanted.at(wanted.place)
        return Tried(server, sign_in(side, server))
    provider = provider_of(domain) or provider_of(domain, mail_exchangers(domain, timeout=EXCHANGERS_S))
    if provider is not None:
        server = wanted.at(provider.place(side))
        return Tried(server, sign_in(side, server))
    places = common_places(domain, side)
    # The host that was found for the other side comes first.
    for place in sorted(places, key=lambda place: place.host not in known):
        server = wanted.at(place)
        failure = sign_in(side, server, seconds=LOOK_S)
        if failure is None or failure.code not in _NOT_THERE:
            return Tried(server, failure)
    hosts = ", ".join(dict.fromkeys(place.host for place in places))
    return Tried(None, ServerFailure(ServerProblem.NOT_FOUND, hosts))


_NOT_THERE = (ServerProblem.UNREACHABLE, ServerProblem.NO_TLS, ServerProblem.TOO_SLOW)


def sign_in(side: Side, server: MailServer, *, seconds: float = LOGIN_S) -> ServerFailure | None:
    """Signs in and hangs up; returns why that failed."""
    return _sign_in_to_read(server, seconds) if side is Side.IMAP else _sign_in_to_send(server, seconds)


def _sign_in_to_read(server: MailServer, seconds: float) -> ServerFailure | None:
    try:
        with connected(server, seconds=seconds):
            return None
    except ReadingFailed as failed:
        return ServerFailure(failed.code, failed.detail)


def _sign_in_to_send(server: MailServer, seconds: float) -> ServerFailure | None:
    try:
        with smtp_talk(server, seconds=seconds, own_name=DNS_NAME.get_fqdn()):
            return None
    except egress.LoginRefused as refused:
        return ServerFailure(login_problem(server.host, refused.said), server.host)
    except egress.EgressRefused as refused:
        return ServerFailure(connection_problem(refused.reason), server.host)
    except (SmtpRefused, OSError):
        return ServerFailure(ServerProblem.ODD_ANSWER, server.host)
