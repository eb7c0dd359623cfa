"""The providers that shops have their mail at: their servers, and how they are told by an address. Pure.

The servers are those of the providers' own pages for mail programs (docs/guides/letters.md names them).
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple


class Encryption(StrEnum):
    """How a server is spoken to: by TLS from the first byte, by TLS after a command, or in plain text."""

    TLS = "tls"
    STARTTLS = "starttls"
    NONE = "none"


class ServerPlace(NamedTuple):
    """The place where a server listens."""

    host: str
    port: int
    encryption: Encryption


class MailProvider(NamedTuple):
    """A provider: `domains` are its own, `exchangers` the ends of names that take mail for its customers' domains."""

    name: str
    title: str
    domains: frozenset[str]
    exchangers: tuple[str, ...]
    imap: ServerPlace
    smtp: ServerPlace

    def place(self, side: "Side") -> ServerPlace:
        return self.imap if side is Side.IMAP else self.smtp


class Side(StrEnum):
    """The use of a server of a mailbox: to read letters, or to send them."""

    IMAP = "imap"
    SMTP = "smtp"


DEFAULT_PORTS = {
    Side.IMAP: {Encryption.TLS: 993, Encryption.STARTTLS: 143, Encryption.NONE: 143},
    Side.SMTP: {Encryption.TLS: 465, Encryption.STARTTLS: 587, Encryption.NONE: 25},
}
PROVIDERS = (
    MailProvider(
        "google",
        "Google",
        frozenset({"gmail.com", "googlemail.com"}),
        ("google.com", "googlemail.com"),
        ServerPlace("imap.gmail.com", 993, Encryption.TLS),
        ServerPlace("smtp.gmail.com", 465, Encryption.TLS),
    ),
    MailProvider(
        "yandex",
        "Yandex 360",
        frozenset({"yandex.ru", "ya.ru", "yandex.com", "yandex.by", "yandex.kz", "yandex.ua", "narod.ru"}),
        ("yandex.net", "yandex.ru"),
        ServerPlace("imap.yandex.ru", 993, Encryption.TLS),
        ServerPlace("smtp.yandex.ru", 465, Encryption.TLS),
    ),
    MailProvider(
        "mail_ru",
        "Mail.ru",
        frozenset({"mail.ru", "inbox.ru", "list.ru", "bk.ru", "internet.ru"}),
        ("mail.ru",),
        ServerPlace("imap.mail.ru", 993, Encryption.TLS),
        ServerPlace("smtp.mail.ru", 465, Encryption.TLS),
    ),
    MailProvider(
        "microsoft",
        "Microsoft 365",
        frozenset({"outlook.com", "hotmail.com", "live.com", "msn.com", "onmicrosoft.com"}),
        ("outlook.com", "office365.com", "mx.microsoft"),
        ServerPlace("outlook.office365.com", 993, Encryption.TLS),
        ServerPlace("smtp.office365.com", 587, Encryption.STARTTLS),
    ),
)


def domain_of_address(address: str) -> str:
    return address.rpartition("@")[2].strip().lower()


def provider_of(domain: str, exchangers: Sequence[str] = ()) -> MailProvider | None:
    """The provider of a domain: by its name, else by the servers that take its mail (`exchangers`)."""
    own = [each for each in PROVIDERS if any(is_within(domain, one) for one in each.domains)]
    found = own or [
        each for each in PROVIDERS if any(is_within(name, end) for name in exchangers for end in each.exchangers)
    ]
    return found[0] if found else None


def provider_of_host(host: str) -> MailProvider | None:
    """The provider whose server that is."""
    return next((each for each in PROVIDERS if host.lower() in (each.imap.host, each.smtp.host)), None)


def is_within(name: str, domain: str) -> bool:
    name = name.rstrip(".").lower()
    return name == domain or name.endswith(f".{domain}")


def common_places(domain: str, side: Side) -> list[ServerPlace]:
    """The usual places of a server of the domain, likeliest first."""
    hosts = (f"{side}.{domain}", f"mail.{domain}", domain)
    places = [ServerPlace(host, DEFAULT_PORTS[side][Encryption.TLS], Encryption.TLS) for host in hosts]
    if side is Side.SMTP:
        places += [ServerPlace(host, 587, Encryption.STARTTLS) for host in hosts[:2]]
    return places


def guessed_encryption(side: Side, port: int | None) -> Encryption:
    """How a server at that port is usually spoken to."""
    begins_plain = {Side.IMAP: 143, Side.SMTP: 587}[side]
    return Encryption.STARTTLS if port in (begins_plain, 25) else Encryption.TLS
