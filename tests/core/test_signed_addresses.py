"""Signed names: who has one has it for an hour, and nobody can make one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from apps.core.files.signed_addresses import STEP_SECONDS, VALID_SECONDS, ExpiredAddress, InvalidAddress, sign, unsign

NOW = 1_795_000_000.0
moments = st.floats(min_value=0, max_value=2**40, allow_nan=False)


@given(id_=st.integers(min_value=1, max_value=2**63 - 1), now=moments)
def test_a_name_stands_for_its_row_for_an_hour_to_an_hour_and_a_quarter(id_: int, now: float) -> None:
    name = sign("file", id_, widget_id=3, now=now)
    found, widget_id, left = unsign("file", name, now=now)
    assert (found, widget_id) == (id_, 3)
    assert VALID_SECONDS - 1 <= left <= VALID_SECONDS + STEP_SECONDS
    assert unsign("file", name, now=now + VALID_SECONDS - 1)[0] == id_
    with pytest.raises(ExpiredAddress):
        unsign("file", name, now=now + VALID_SECONDS + STEP_SECONDS)


def test_names_of_one_quarter_of_an_hour_are_the_same() -> None:
    begin = NOW - NOW % STEP_SECONDS
    assert sign("file", 7, widget_id=3, now=begin) == sign("file", 7, widget_id=3, now=begin + STEP_SECONDS - 1)
    assert sign("file", 7, widget_id=3, now=begin) != sign("file", 7, widget_id=3, now=begin + STEP_SECONDS)


@given(text=st.text(max_size=60))
def test_no_other_text_is_a_name(text: str) -> None:
    with pytest.raises(InvalidAddress):
        unsign("file", text, now=NOW)


@given(
    place=st.integers(0, 55), letter=st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
)
def test_a_changed_name_is_none(place: int, letter: str) -> None:
    name = sign("file", 7, widget_id=3, now=NOW)
    changed = name[:place] + letter + name[place + 1 :]
    if changed != name:
        with pytest.raises(InvalidAddress):
            unsign("file", changed, now=NOW)


def test_a_name_is_good_for_its_purpose_and_this_installation_alone(settings: Settings) -> None:
    name = sign("file", 7, widget_id=3, now=NOW)
    with pytest.raises(InvalidAddress):
        unsign("icon", name, now=NOW)
    settings.SECRET_KEY = "another installation's"
    with pytest.raises(InvalidAddress):
        unsign("file", name, now=NOW)


def test_a_name_outlives_its_key_for_as_long_as_that_is_a_fallback(settings: Settings) -> None:
    name, old = sign("file", 7, widget_id=3, now=NOW), settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another" * 10, [old]
    assert unsign("file", name, now=NOW)[0] == 7
    assert sign("file", 7, widget_id=3, now=NOW) != name
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(InvalidAddress):
        unsign("file", name, now=NOW)
