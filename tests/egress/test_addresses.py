"""Which addresses an outbound call may go to: every special block at its edges, and its public neighbours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.egress.addresses import is_public, read_address

NOT_PUBLIC_TABLE = """
    0.0.0.0 0.0.0.1 0.255.255.255 10.0.0.0 10.0.0.1 10.255.255.255 100.64.0.0 100.64.0.1 100.100.100.200
    100.127.255.255 127.0.0.0 127.0.0.1 127.0.0.53 127.1.2.3 127.255.255.255 168.63.129.16 169.254.0.0 169.254.0.1
    169.254.169.123 169.254.169.253 169.254.169.254 169.254.170.2 169.254.255.255 172.16.0.0 172.16.0.1 172.17.0.1
    172.31.255.255 192.0.0.0 192.0.0.8 192.0.0.9 192.0.0.10 192.0.0.170 192.0.0.192 192.0.0.255 192.0.2.0 192.0.2.1
    192.0.2.255 192.31.196.1 192.52.193.1 192.88.99.0 192.88.99.1 192.88.99.2 192.88.99.255 192.168.0.0 192.168.0.1
    192.168.1.1 192.168.255.255 192.175.48.1 198.18.0.0 198.18.0.1 198.19.255.255 198.51.100.0 198.51.100.7
    198.51.100.255 203.0.113.0 203.0.113.9 203.0.113.255 224.0.0.0 224.0.0.1 232.1.1.1 233.252.0.1 239.255.255.250
    239.255.255.255 240.0.0.0 240.0.0.1 250.1.2.3 255.255.255.254 255.255.255.255 :: ::1 ::2 ::ffff ::127.0.0.1
    ::8.8.8.8 ::10.0.0.1 ::ffff:0.0.0.0 ::ffff:10.0.0.1 ::ffff:127.0.0.1 ::ffff:169.254.169.254 ::ffff:192.168.0.1
    ::ffff:7f00:1 0:0:0:0:0:ffff:7f00:0001 ::ffff:100.64.0.1 ::ffff:168.63.129.16 ::ffff:0:127.0.0.1
    ::ffff:0:8.8.8.8 64:ff9b::0.0.0.0 64:ff9b::10.0.0.1 64:ff9b::127.0.0.1 64:ff9b::169.254.169.254
    64:ff9b::a9fe:a9fe 64:ff9b:1:: 64:ff9b:1::1 64:ff9b:1::8.8.8.8 64:ff9b:1:ffff:ffff:ffff:ffff:ffff
    64:ff9b:2::8.8.8.8 64:ff9b::1:808:808 100:: 100::1 100:0:0:1::1 1::1 1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
    2001:: 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:1::1 2001:1::2 2001:1::3 2001:2::1 2001:3::1
    2001:4:112::1 2001:5::1 2001:10::1 2001:1f:ffff::1 2001:20::1 2001:2f:ffff::1 2001:30::1 2001:3f::1 2001:100::1
    2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff 2001:db8:: 2001:db8::1 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 2002::
    2002:7f00:1::1 2002:a00:1::1 2002:a9fe:a9fe::1 2002:808:808::1 2002:ffff:ffff::1 2620:4f:8000::1 3ffe::1
    3ffe:831f::1 3fff:: 3fff::1 3fff:fff:ffff::1 4000:: 4000::1 5f00::1 8000::1 a000::1 fc00:: fc00::1 fd00::1
    fd00:ec2::254 fd20:ce::254 fdff:ffff::1 fe00::1 fe80:: fe80::1 fe80::a9fe:a9fe febf::1 fec0::1 feff::1 ff00::1
    ff02::1 ff02::fb ff05::2 ff0e::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fe80::1%eth0 2606:4700::1111%eth0
    ::1%lo 2606:4700::1111%1 127.1 127.0.1 2130706433 0x7f000001 0x7f.0.0.1 0177.0.0.1 017700000001 127.0.0.01
    8.8.8.08 08.8.8.8 1.2.3 1.2.3.4.5 256.1.1.1 8.8.8.8/32 8.8.8.8:53 [2606:4700::1111] 8.8.8.8. localhost
    example.com ١٢٧.0.0.1 ８.8.8.8 :: 1:2:3 :::1 12345::1 2606:4700::1111::1
"""
NOT_PUBLIC = NOT_PUBLIC_TABLE.split()

PUBLIC_TABLE = """
    1.0.0.1 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1
    168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0
    192.0.3.0 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255
    198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255 93.184.216.34 185.199.108.153 2000::1 2001:200::1
    2001:4860:4860::8888 2001:db7:ffff::1 2001:db9::1 2003::1 2400:cb00::1 2606:4700:4700::1111 2620:4f:8001::1
    2620:fe::fe 2a00:1450:4001:81b::200e 3ffd:ffff::1 3fff:1000::1 ::ffff:8.8.8.8 ::ffff:808:808 64:ff9b::8.8.8.8
    64:ff9b::808:808 2606:4700:4700:0:0:0:0:1111 2A00:1450::1
"""
PUBLIC = PUBLIC_TABLE.split()


@pytest.mark.parametrize("text", NOT_PUBLIC)
def test_no_call_may_go_there(text: str) -> None:
    assert is_public(text) is False


@pytest.mark.parametrize("text", PUBLIC)
def test_a_call_may_go_there(text: str) -> None:
    assert is_public(text) is True


def test_the_tables_are_as_long_as_promised() -> None:
    assert len(set(NOT_PUBLIC)) >= 120
    assert len(set(PUBLIC)) >= 50


@given(st.ip_addresses())
def test_what_the_standard_library_calls_not_global_is_never_public_unless_it_carries_a_public_ipv4(address) -> None:
    carried = getattr(address, "ipv4_mapped", None)
    if address.is_private or address.is_multicast or address.is_reserved or address.is_unspecified:
        assert carried is not None or str(address).startswith("64:ff9b::") or not is_public(str(address))


@given(st.ip_addresses(v=4))
def test_a_carried_ipv4_address_is_as_public_as_itself(address) -> None:
    assert is_public(f"::ffff:{address}") == is_public(f"64:ff9b::{address}") == is_public(str(address))
    assert not is_public(f"2002:{int(address) >> 16:x}:{int(address) & 0xFFFF:x}::1")
    assert not is_public(f"::{address}")


@given(st.ip_addresses())
def test_an_address_is_read_as_it_was_written(address) -> None:
    assert read_address(str(address)) == address


@given(st.text(max_size=60))
def test_no_text_is_more_than_refused(text: str) -> None:
    assert is_public(text) in (True, False)
