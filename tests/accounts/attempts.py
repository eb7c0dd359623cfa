"""Attempts to sign in, which are counted in Redis and outlive a test."""

from apps.core.redis import connection as redis


def forget() -> None:
    """No attempt was made yet."""
    redis.ask(lambda client: [client.delete(key) for key in client.scan_iter("limit:sign-in:*")])
