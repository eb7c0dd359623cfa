"""Host names and ports as they stand in a URL. Pure."""

import re

import idna

from apps.egress.addresses import read_address

MAX_HOST_LENGTH = 253

_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
# A last label of digits, or of 0x and hex digits, is how every URL parser tells a number from a name.
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_PORT = re.compile(r"[1-9][0-9]{0,4}")


class InvalidHost(ValueError):
    """The text is no host name, or no port; the message says so, for the person who typed it."""


def normalise_host(text: str) -> str:
    """The host as it is looked up, compared and named in TLS: ASCII (IDNA 2008 over UTS 46), lower case, no last dot.

    A dotted quad comes back as it is. Other spellings of an IPv4 address (`127.1`, `2130706433`, `0x7f.0.0.1`,
    `0177.0.0.1`) are refused rather than guessed at: readers of URLs disagree on what they mean. Raises InvalidHost.
    """
    host = text
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode("ascii")
        except (idna.IDNAError, UnicodeError):
            raise InvalidHost("The host name is not valid.") from None
    host = host.lower().removesuffix(".")
    labels = host.split(".")
    if len(host) > MAX_HOST_LENGTH or not all(_LABEL.fullmatch(label) for label in labels):
        raise InvalidHost("The host name is not valid.")
    if _NUMBER.fullmatch(labels[-1]):
        try:
            read_address(host)
        except ValueError:
            raise InvalidHost("An IPv4 address must be written as four decimal numbers.") from None
    return host


def read_port(text: str) -> int:
    """A port from 1 to 65535 in plain decimal digits. Raises InvalidHost."""
    if not _PORT.fullmatch(text) or int(text) > 65535:
        raise InvalidHost("The port must be a number from 1 to 65535.")
    return int(text)
