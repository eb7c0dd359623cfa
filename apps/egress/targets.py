"""A URL as text, read strictly into the target of an outbound call. Pure: resolves nothing."""

import re
import unicodedata
from dataclasses import dataclass
from ipaddress import IPv6Address
from urllib.parse import quote

from apps.egress.addresses import read_address
from apps.egress.allowlist import AllowList
from apps.egress.errors import InvalidUrl
from apps.egress.hosts import InvalidHost, normalise_host, read_port

MAX_URL_LENGTH = 2048
DEFAULT_PORTS = {"https": 443, "http": 80}

_URL = re.compile(r"(?P<scheme>[A-Za-z]+)://(?P<authority>[^/?#]*)(?P<path>[^?#]*)(?P<query>\?[^#]*)?(?:#.*)?")
_BRACKETED = re.compile(r"\[(?P<address>[0-9A-Fa-f:.]+)\](?::(?P<port>.*))?")
# Control, format and surrogate characters; space, line and paragraph separators.
_FORBIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"})
# Other characters of a path or query are percent-encoded as UTF-8; what is encoded already stays as it is.
_KEPT_IN_PATH = "/%:@!$&'()*+,;=~-._"
_KEPT_IN_QUERY = _KEPT_IN_PATH + "?"


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a call. `url` is the canonical spelling: the very text that is sent, without the fragment."""

    url: str
    scheme: str
    host: str
    port: int
    is_literal: bool
    """Whether `host` is an IP address (IPv6 without brackets), so that there is nothing to look up."""

    @property
    def path(self) -> str:
        """Path and query, as they are sent."""
        return "/" + self.url.split("/", 3)[3]

    @property
    def origin(self) -> tuple[str, str, int]:
        return self.scheme, self.host, self.port


def parse_target(url: str, allow: AllowList) -> Target:
    """Reads a URL that a user gave.

    https only; plain http where `allow` may permit it (whether it does is known once the host is resolved). No user
    information; no backslash, white space, control or invisible character anywhere; at most 2,048 characters. A
    fragment is not part of what is sent. Raises InvalidUrl.
    """
    refuse_characters(url)
    parts = _URL.fullmatch(url)
    if parts is None:
        raise InvalidUrl("syntax", "Must be an absolute URL that starts with https://.")
    scheme = parts["scheme"].lower()
    if scheme not in DEFAULT_PORTS:
        raise InvalidUrl("not_https", "Must start with https://.")
    if "@" in parts["authority"]:
        raise InvalidUrl("userinfo", "Must not contain a user name or password.")
    host, port, is_literal = read_authority(parts["authority"], DEFAULT_PORTS[scheme])
    if scheme == "http" and not allow.may_permit_plain_http(host, port):
        raise InvalidUrl("not_https", "Must start with https://: this address is none that EGRESS_ALLOW names.")
    shown_host = f"[{host}]" if ":" in host else host
    shown_port = "" if port == DEFAULT_PORTS[scheme] else f":{port}"
    path = quote(parts["path"] or "/", safe=_KEPT_IN_PATH)
    query = quote(parts["query"] or "", safe=_KEPT_IN_QUERY)
    canonical = f"{scheme}://{shown_host}{shown_port}{path}{query}"
    if len(canonical) > MAX_URL_LENGTH:
        raise InvalidUrl("too_long", f"Must have at most {MAX_URL_LENGTH} characters.")
    return Target(canonical, scheme, host, port, is_literal)


def refuse_characters(url: str) -> None:
    """Raises InvalidUrl for text that is empty, too long, or that readers of URLs are known to read differently."""
    if not url:
        raise InvalidUrl("empty", "Must not be empty.")
    if len(url) > MAX_URL_LENGTH:
        raise InvalidUrl("too_long", f"Must have at most {MAX_URL_LENGTH} characters.")
    if "\\" in url or any(unicodedata.category(character) in _FORBIDDEN_CATEGORIES for character in url):
        raise InvalidUrl("forbidden_character", "Must not contain spaces, backslashes or control characters.")


def read_authority(authority: str, default_port: int) -> tuple[str, int, bool]:
    """Host, port and whether the host is an address. Raises InvalidUrl."""
    bracketed = _BRACKETED.fullmatch(authority)
    if bracketed:
        try:
            host = str(IPv6Address(bracketed["address"]))
        except ValueError:
            raise InvalidUrl("host", "The IPv6 address is not valid.") from None
        port_text = bracketed["port"]
        is_literal = True
    else:
        host_text, colon, after = authority.partition(":")
        port_text = after if colon else None
        try:
            host = normalise_host(host_text)
        except InvalidHost as error:
            raise InvalidUrl("host", str(error)) from None
        is_literal = _is_address(host)
    try:
        port = default_port if port_text is None else read_port(port_text)
    except InvalidHost as error:
        raise InvalidUrl("port", str(error)) from None
    return host, port, is_literal


def _is_address(host: str) -> bool:
    try:
        read_address(host)
    except ValueError:
        return False
    return True
