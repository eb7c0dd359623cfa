"""Token format, presets, when a token is good, what an origin and a phone are."""

import string
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts import rules
from apps.core import plugins

BASE62 = set(string.ascii_letters + string.digits)
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def test_a_token_is_pt_40_base62_characters_and_a_checksum_of_6() -> None:
    token = rules.new_token()
    assert token.startswith("pt_")
    assert len(token) == 3 + 40 + 6
    assert set(token[3:]) <= BASE62
    assert token[43:] == rules.checksum(token[3:43])
    assert rules.is_well_formed(token)


def test_the_checksum_is_crc32_in_base62() -> None:
    assert rules.checksum("") == "000000"
    assert rules.checksum("a") == "4GEHKN"  # CRC-32 is 0xE8B7BE43


def test_tokens_are_all_different_and_use_the_whole_alphabet() -> None:
    tokens = {rules.new_token() for _ in range(500)}
    assert len(tokens) == 500
    assert set("".join(token[3:43] for token in tokens)) == BASE62


@given(st.integers(0, 48), st.characters())
def test_any_single_wrong_character_is_noticed(position: int, character: str) -> None:
    token = rules.new_token()
    wrong = token[:position] + character + token[position + 1 :]
    assert rules.is_well_formed(wrong) == (wrong == token)


@given(st.text(max_size=60))
def test_no_text_breaks_the_check(text: str) -> None:
    assert not rules.is_well_formed(text)
    assert not rules.is_well_formed(f"pt_{text}")


@given(st.text(alphabet="٣²Ⅷä" + string.ascii_letters, min_size=40, max_size=40))
def test_letters_of_other_alphabets_are_no_base62(body: str) -> None:
    assert rules.is_well_formed(f"pt_{body}{rules.checksum(body)}") == body.isascii()


def test_the_digest_is_the_sha256_of_the_whole_token() -> None:
    assert rules.digest("abc").hex().startswith("ba7816bf8f01cfea")
    assert len(rules.digest(rules.new_token())) == 32


@given(st.one_of(st.none(), st.integers(-1000, 1000)), st.booleans())
def test_a_token_is_good_until_it_is_revoked_or_reaches_its_expiry(seconds: int | None, revoked: bool) -> None:
    expires_at = None if seconds is None else NOW + timedelta(seconds=seconds)
    good = rules.is_valid(revoked_at=NOW if revoked else None, expires_at=expires_at, now=NOW)
    assert good == (not revoked and (seconds is None or seconds > 0))


def test_presets_hold_what_the_specification_lists() -> None:
    assert set(rules.preset_scopes("ai_setup", plugins.scopes())) == {
        "widget:read",
        "widget:write",
        "ai:read",
        "ai:write",
        "ai:apply",
        "kb:read",
        "kb:write",
        "files:write",
        "stats:read",
    }
    agents = ["support:read", "support:reply", "support:write"]
    assert rules.preset_scopes("support_agents", plugins.scopes()) == agents


def test_presets_grant_what_the_installed_apps_know() -> None:
    known = plugins.scopes()
    offered = [preset.name for preset in plugins.scope_presets()]
    assert offered == ["ai_setup", "support_agents", "all", "chat_bot", "read_only", "webhooks_only"]
    assert {preset for scope in known.values() for preset in scope.presets} <= {*offered}
    for preset in offered:
        assert rules.preset_scopes(preset, known)
        assert rules.preset_scopes(preset, {}) == []


def test_select_all_never_selects_the_support_agents_or_the_reserved() -> None:
    left_out = set(plugins.scopes()) - set(rules.preset_scopes("all", plugins.scopes()))
    assert left_out == {"support:read", "support:reply", "support:write", "partners:withdraw"}


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://shop.example", "https://shop.example"),
        ("https://shop.example/", "https://shop.example"),
        ("HTTPS://Shop.Example:443", "https://shop.example"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("http://127.0.0.1:80", "http://127.0.0.1"),
        ("https://[2001:DB8::0:1]:8443", "https://[2001:db8::1]:8443"),
        ("https://магазин.рф", "https://xn--80aairftm.xn--p1ai"),
    ],
)
def test_an_origin_is_normalised(text: str, origin: str) -> None:
    assert rules.origin_of(text) == origin
    assert rules.origin_of(origin) == origin


@pytest.mark.parametrize(
    "text",
    [
        "",
        "shop.example",
        "ftp://shop.example",
        "javascript:alert(1)",
        "https://",
        "https://shop.example/path",
        "https://shop.example?q",
        "https://shop.example#top",
        "https://user@shop.example",
        "https://shop.example:",
        "https://shop.example:0",
        "https://shop.example:65536",
        "https://*.shop.example",
        "https://shop example",
        "https://shop.example\n",
        "https://shop.example\\evil",
        "https://999.1.1.1",
        "https://[::g]",
        "null",
        "*",
    ],
)
def test_what_is_no_origin(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the message is nobody's business
        rules.origin_of(text)


@given(st.text())
def test_a_text_is_an_origin_or_a_value_error(text: str) -> None:
    for candidate in (text, f"https://{text}"):
        try:
            origin = rules.origin_of(candidate)
        except ValueError:
            continue
        assert rules.origin_of(origin) == origin


@pytest.mark.parametrize("phone", ["1", "+7 (901) 123-45-67", "8 800 555 35 35", "+" + "1" * 31])
def test_a_phone_number_is_accepted(phone: str) -> None:
    assert rules.is_phone(phone)


@pytest.mark.parametrize("phone", ["", "+", "+ 7", "(901)", "7a", "7\n", "٣", "1" * 33])
def test_what_is_no_phone(phone: str) -> None:
    assert not rules.is_phone(phone)


def test_the_cabinet_s_own_presets() -> None:
    known = plugins.scopes()
    assert rules.preset_scopes("webhooks_only", known) == ["webhooks:read", "webhooks:write"]
    assert "messages:write" in rules.preset_scopes("chat_bot", known)
    reading = rules.preset_scopes("read_only", known)
    assert "chats:read" in reading
    assert all(name.endswith(":read") and not known[name].owners_only for name in reading)
