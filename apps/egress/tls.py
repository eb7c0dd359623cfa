"""The certificates that outbound calls trust."""

import os
import ssl
from functools import cache

import certifi


def client_context() -> ssl.SSLContext:
    """A context that requires a valid certificate for the very host of the URL.

    It trusts certifi's roots, or what SSL_CERT_FILE or SSL_CERT_DIR name instead (an installation's own authority), and
    speaks TLS 1.2 or newer.
    """
    names_its_own = os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR")
    context = ssl.create_default_context(cafile=None if names_its_own else certifi.where())
    # Not left to Python: Debian's takes the oldest that its OpenSSL is set to.
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


@cache
def shared_client_context() -> ssl.SSLContext:
    """One `client_context` for the process: reading the roots takes milliseconds."""
    return client_context()
