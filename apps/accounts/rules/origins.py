"""Origins of web pages."""

import ipaddress
from urllib.parse import urlsplit

import idna

_DEFAULT_PORTS = {"http": 80, "https": 443}


def origin_of(text: str) -> str:
    """The origin that a text names, as a browser writes it in the header `Origin`: `https://shop.example`.

    Lower case, no default port, an international host name in its ASCII form. A slash at the end is forgiven.
    Raises ValueError for anything that is more, or less, than an http or https origin.
    """
    if not text.isprintable() or any(character in text for character in " \\?#@"):
        raise ValueError("not an origin")
    parts = urlsplit(text)
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname or parts.path not in ("", "/"):
        raise ValueError("not an origin")
    port = parts.port  # raises ValueError outside 0..65535
    if parts.netloc.endswith(":") or port == 0:
        raise ValueError("not an origin")
    host = _ascii_host(parts.hostname)
    suffix = "" if port in (None, _DEFAULT_PORTS[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{host}{suffix}"


def _ascii_host(host: str) -> str:
    if ":" in host:
        return f"[{ipaddress.IPv6Address(host).compressed}]"
    if host.replace(".", "").isdigit():
        return str(ipaddress.IPv4Address(host))
    encoded = idna.encode(host, uts46=True).decode()
    if encoded.endswith("."):
        raise ValueError("not an origin")
    return encoded
