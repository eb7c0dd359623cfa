"""Codes and secrets of custom channels, and the shape of what they are sent."""

from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.core.observability.logs import REDACTED, redact
from apps.messengers import rules


@given(st.integers(min_value=1, max_value=10**18 - 1))
def test_a_code_leads_back_to_its_channel(channel_id: int) -> None:
    assert rules.channel_id_of(rules.code_of(channel_id)) == channel_id


@pytest.mark.parametrize("code", ["widget", "tg", "ch", "ch0", "ch01", "ch-1", "CH7", "ch7 ", "ch٧", "av__7", "xch7"])
def test_other_codes_are_no_custom_channels(code: str) -> None:
    assert rules.channel_id_of(code) is None


def test_a_secret_is_known_by_its_looks_and_left_out_of_logs() -> None:
    secret = rules.new_secret()
    assert rules.is_secret(secret)
    assert redact(f"POST /compat/legacy/chat/{secret}") == f"POST /compat/legacy/chat/{REDACTED}"
    for other in ("", "cs_", secret[:-1], secret + "a", secret + "\n", secret.replace("cs_", "pt_")):
        assert not rules.is_secret(other)


def test_a_message_is_named_by_its_channel_its_writer_and_its_id() -> None:
    messages = (("ch1", "a", "m"), ("ch2", "a", "m"), ("ch1", "b", "m"), ("ch1", "a", "n"))
    names = {rules.client_id_of(*words) for words in messages}
    assert len(names) == 4
    assert rules.client_id_of("ch1", "a", "m") == rules.client_id_of("ch1", "a", "m")
    assert rules.client_id_of("ch1", "a", None) is None


def test_ids_are_texts_in_the_compat_shape() -> None:
    event_id = uuid4()
    body = rules.outbound_body(
        event_id=event_id,
        chat_id=7,
        sender={"id": "3", "name": "Alice Weber", "kind": "agent"},
        recipient_id="client-4711",
        external_channel_id=None,
        message={},
    )
    assert body == {
        "id": str(event_id),
        "chat_id": "7",
        "sender": {"id": "3", "name": "Alice Weber", "kind": "agent"},
        "recipient": {"id": "client-4711"},
        "external_channel_id": None,
        "message": {},
    }
