"""Log lines: one JSON object each, with the request's id, and without secrets."""

import json
import logging
import sys
from typing import Any

import pytest
from structlog.stdlib import ProcessorFormatter

from apps.accounts.rules import new_token
from apps.core.observability.logs import REDACTED, redact, request_context


def line(message: str, *arguments: Any, exception: bool = False) -> dict[str, Any]:
    """What the configured handler writes for a record."""
    (formatter,) = {
        handler.formatter
        for handler in logging.getLogger().handlers
        if isinstance(handler.formatter, ProcessorFormatter)
    }
    record = logging.getLogger("apps.test").makeRecord(
        "apps.test", logging.WARNING, "file.py", 1, message, arguments, sys.exc_info() if exception else None
    )
    text = formatter.format(record)
    assert "\n" not in text
    written: dict[str, Any] = json.loads(text)
    return written


def test_a_line_is_a_json_object() -> None:
    written = line("sent %d of %d", 1, 2)
    assert written.keys() == {"event", "level", "logger", "timestamp"}
    assert (written["event"], written["level"], written["logger"]) == ("sent 1 of 2", "warning", "apps.test")
    assert written["timestamp"].endswith("Z")


def test_a_line_carries_the_request_it_belongs_to() -> None:
    with request_context("order-4711"):
        assert line("inside")["request_id"] == "order-4711"
    assert "request_id" not in line("outside")


def test_a_line_with_line_breaks_stays_one_line() -> None:
    assert line("a\nb\r\nc")["event"] == "a\nb\r\nc"


SECRETS = {
    "an API token": new_token(),
    "a visitor's token": "vt_0123456789abcdefghijABCDEFGHIJ0123456789",
    "a webhook secret": "whsec_a-_bCdEfGhIjKlMnOpQrStUvWxYz-0123456789_xyz",
    "a webhook secret that begins with dashes": "whsec_-_-_-_-abcdefghijklmnopqrstuvwxyz012345678",
}


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
def test_what_looks_like_a_secret_is_left_out(secret: str) -> None:
    for text in (secret, f"token={secret}.", f'{{"token": "{secret}"}}', f"({secret})"):
        assert REDACTED in redact(text)
        assert secret[8:] not in redact(text)
    assert secret[8:] not in json.dumps(line("got %s", secret))


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "Visitor"])
def test_an_authorization_header_is_left_out(scheme: str) -> None:
    assert "whatever" not in redact(f"Authorization: {scheme} whatever-it-is")


def test_a_secret_in_a_traceback_is_left_out() -> None:
    secret = SECRETS["an API token"]
    try:
        raise ValueError(f"bad token {secret}")
    except ValueError:
        written = line("failed", exception=True)
    assert "ValueError: bad token" in written["exception"]
    assert secret not in json.dumps(written)


@pytest.mark.parametrize("text", ["", "chat 17 closed", "pt_short", "prompt_injection_attempts", "whsec_"])
def test_other_text_is_left_alone(text: str) -> None:
    assert redact(text) == text
