"""Which certificates outbound calls trust."""

import os
import ssl
from functools import cache

import certifi


def client_context() -> ssl.SSLContext:
    """A context that requires a valid certificate for the very host of the URL.

    It trusts certifi's roots, or what SSL_CERT_FILE or SSL_CERT_DIR name instead (an installation's own authority).
    """
    if os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR"):
        return ssl.create_default_context()
    return ssl.create_default_context(cafile=certifi.where())


@cache
def shared_client_context() -> ssl.SSLContext:
    """One `client_context` for the process: reading the roots takes milliseconds."""
    return client_context()
