"""Whose address a call counts for."""

import pytest

from apps.core.endpoints import addresses


@pytest.mark.parametrize(
    ("forwarded", "proxies", "address"),
    [
        ("", 0, "192.0.2.1"),
        ("203.0.113.9", 0, "192.0.2.1"),
        ("203.0.113.9", 1, "203.0.113.9"),
        ("6.6.6.6, 203.0.113.9", 1, "203.0.113.9"),
        ("6.6.6.6, 203.0.113.9, 10.0.0.1", 2, "203.0.113.9"),
        ("203.0.113.9", 2, "192.0.2.1"),
    ],
)
def test_the_address_is_what_our_proxies_say(forwarded: str, proxies: int, address: str) -> None:
    assert addresses.client_address("192.0.2.1", forwarded, proxies) == address


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
    ],
)
def test_an_ipv6_customer_is_one_network(address: str, key: str) -> None:
    assert addresses.address_key(address) == key
