"""The address of a caller, and its key in rate limits."""

from django.conf import settings
from django.http import HttpRequest

from apps.core.parsing.addresses import address_key, client_address


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
