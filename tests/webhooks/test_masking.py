"""Personal data in the log's payloads (specification, "Webhook subscription and delivery")."""

import uuid
from datetime import datetime
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.core.parsing.personal import is_card
from apps.webhooks.rules.masking import MASK, masked, masked_text
from tests.calls import calls_of

PHONES = [
    # Russia, as people write it
    *("+7 901 123-45-67", "+7(901)1234567", "+79011234567", "8 (901) 123-45-67", "89011234567", "79011234567"),
    *("8-901-123-45-67", "8 901 123 45 67", "8.901.123.45.67", "8\u00a0901\u00a0123\u201145\u201167", "8 9011234567"),
    *("901 123-45-67", "9011234567", "(495) 123-45-67", "495 123 45 67", "8-800-555-35-35", "8 (4852) 12-34-56"),
    *("123-45-67", "8 9 0 1 1 2 3 4 5 6 7", "+7 901 12345"),
    # its neighbours
    *("+375 29 123-45-67", "375291234567", "+380 50 123 45 67", "998901234567", "+374 10 123456", "8 701 123 45 67"),
    # the world
    *("+1 (212) 555-0123", "1-212-555-0123", "(212) 555-0123", "212-555-0123", "+1 555 0100", "+44 20 7946 0958"),
    *("020 7946 0958", "+49 (0)30 901820", "030 901820", "0049 30 901820", "01 23 45 67 89", "+33 1 23 45 67 89"),
    *("8 10 49 30 901820", "+86 138 1234 5678", "138 1234 5678", "+971 50 123 4567", "+683 4000", "＋81 90-1234-5678"),
    # in other digits
    *("٠١٢٣٤٥٦٧٨٩", "+٩٧١ ٥٠ ١٢٣ ٤٥٦٧", "８９０１１２３４５６７"),
]
CARDS = [
    *("4111111111111111", "4111 1111 1111 1111", "4111-1111-1111-1111", "5555.5555.5555.4444", "2200 0000 0000 0004"),
    *("3782-822463-10005", "3782 822463 10005", "3056 930902 5904", "6304 0000 0000 0000", "1234 5678 1234 5670"),
    *("4222222222222", "6212345678901232", "4111 1111 1111 1111", "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"),
]
ADDRESSES = [
    *("ivan@mail.ru", "ivan.petrov+shop@sub.mail-server.co.uk", "иван@почта.рф", "o'brien@x.example", "a_b@x.test"),
    *("IVAN@MAIL.RU", "+79011234567@mail.test", "89011234567@mail.test", "名@例.中国"),
]
NEAR_MISSES = [
    # ids
    *("0d9f2b7c4e6a48135f7089abcdef1234", "8901123456789011234567890112345a", "4111111111111111411111111111111a"),
    *("01234567890123456789012345678901", "0b8f2f0e-6c6a-4a39-9d57-3f0f5f5b9a51"),
    *("41111111-1111-1111-1111-111111111111", "80000000001", "1795257900", "1795257900123", "message 42, chat 7"),
    # times
    *(
        "2026-11-22T03:45:23Z",
        "2026-11-22T03:45:23.123456+03:00",
        "2026-11-22 03:45:23",
        "22.11.2026 10:30",
        "12:30:15",
    ),
    # amounts, account numbers, addresses of machines, versions
    *(
        "83 450 000 000",
        "1 234 567 890",
        "100-2000",
        "12 345.67",
        "40702810900000012345",
        "192.168.100.200",
        "v1.2.3.4",
    ),
    # nearly
    *("4111 1111 1111 1112", "123-45-6", "a@b", "@vasya", "8 901", "expired", "", "+", "()", "№ 12345"),
]


@pytest.mark.parametrize("text", PHONES + CARDS + ADDRESSES)
def test_it_is_hidden_alone_and_in_a_sentence(text: str) -> None:
    assert masked_text(text) == MASK
    assert masked_text(f"Звоните: {text}, жду!") == f"Звоните: {MASK}, жду!"


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_what_only_looks_like_it_stays(text: str) -> None:
    assert masked_text(text) == text


def test_several_are_hidden_each() -> None:
    text = "8 901 123-45-67 или (ivan@mail.ru), карта 4111 1111 1111 1111; +7 901 123-45-67 4111 1111 1111 1111"
    assert masked_text(text) == f"{MASK} или ({MASK}), карта {MASK}; {MASK} {MASK}"
    assert masked_text("(8 901 123-45-67)") == f"({MASK})"
    assert masked_text("22.11.2026 89011234567") == f"22.11.2026 {MASK}"


def test_a_document_is_masked_at_any_depth_without_the_internal_id() -> None:
    document = {
        "id": "0b8f2f0e-6c6a-4a39-9d57-3f0f5f5b9a51",
        "data": {
            "button_id": 17,
            "button_guid": "0d9f2b7c4e6a48135f7089abcdef1234",
            "chat_id": 89_011_234_567,
            "name": "Иван 89011234567",
            "phone": "12345",
            "email": "no address",
            "others": [{"note": "ivan@mail.ru", "button_id": 17}, None, True, 4111111111111111],
        },
    }
    assert masked(document) == {
        "id": "0b8f2f0e-6c6a-4a39-9d57-3f0f5f5b9a51",
        "data": {
            "button_guid": "0d9f2b7c4e6a48135f7089abcdef1234",
            "chat_id": 89_011_234_567,
            "name": f"Иван {MASK}",
            "phone": MASK,
            "email": MASK,
            "others": [{"note": MASK}, None, True, 4111111111111111],
        },
    }


@pytest.mark.parametrize("value", [None, ""])
def test_a_phone_that_was_not_given_is_not_hidden(value: Any) -> None:
    assert masked({"phone": value, "email": value}) == {"phone": value, "email": value}


@given(st.uuids())
def test_guids_of_any_digits_stay(guid: uuid.UUID) -> None:
    assert masked_text(str(guid)) == str(guid)
    assert masked_text(f"client {guid.hex}.") == f"client {guid.hex}."


@given(st.datetimes())
def test_any_timestamp_stays(moment: datetime) -> None:
    assert masked_text(moment.isoformat() + "Z") == moment.isoformat() + "Z"


@given(st.integers(0, 10**15 - 1))
def test_every_card_number_of_sixteen_digits_is_hidden(account: int) -> None:
    digits = next(number for last in range(10) if is_card(number := f"{account:015}{last}"))
    spaced = " ".join(digits[at : at + 4] for at in range(0, 16, 4))
    assert masked_text(f"карта {digits}") == masked_text(f"карта {spaced}") == f"карта {MASK}"


@given(st.text())
def test_any_text_is_taken(text: str) -> None:
    assert masked_text(masked_text(text)) == masked_text(text)


HOSTILE = {
    "one run of digits": "1",
    "digits apart": "1 ",
    "digits and dashes": "8-",
    "the beginnings of numbers": "8 901 ",
    "card after card": "4111 ",
    "plus after plus": "+7 ",
    "parentheses": "(",
    "spaces": "1" + " " * 99,
    "addresses that never end": "a@",
    "domains that never end": "a@b.",
    "one local part": "a.",
    "hex": "1a",
    "dates": "2026-11-22 ",
    "nearly addresses of machines": "1.",
    "colons": "12:",
    "other digits": "٠",
}
LONG = 100_000


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_takes_calls_in_proportion_to_its_length(piece: str) -> None:
    short, long = (calls_of(partial(masked_text, sized(piece, length))) for length in (LONG // 4, LONG))
    assert long <= 4 * short + 1_000
    assert long < 60 * LONG


def sized(piece: str, length: int) -> str:
    return (piece * (length // len(piece) + 1))[:length]
