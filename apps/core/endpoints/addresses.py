"""The address of a caller, as our proxies tell it, and its key in rate limits."""

import hashlib
import ipaddress

from django.conf import settings
from django.http import HttpRequest


def address_of(request: HttpRequest) -> str:
    """The address that asks, as far as our proxies can be trusted to say."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    return client_address(request.META.get("REMOTE_ADDR", ""), forwarded, settings.TRUSTED_PROXIES)


def key_of(request: HttpRequest) -> str:
    """The address of a request, as rate limits count it."""
    return key_for(request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR", ""))


def key_for(peer: str, forwarded: str) -> str:
    """The same for a peer and its X-Forwarded-For, as a websocket's handshake has them."""
    return address_key(client_address(peer, forwarded, settings.TRUSTED_PROXIES))


def client_address(peer: str, forwarded: str, proxies: int) -> str:
    """The address that asks, as far as it can be trusted: `proxies` proxies of ours each append one to X-Forwarded-For.

    Parts before theirs were written by the client. Falls back to the peer where fewer came than were promised.
    """
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    return hops[-proxies] if proxies and len(hops) >= proxies else peer


def address_key(address: str) -> str:
    """An address as a rate limit counts it: itself, or its IPv6 network of 64 bits, which is one customer's."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return hashlib.sha256(address.encode("utf-8", "replace")).hexdigest()[:32]
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False).network_address)
    return str(parsed)
