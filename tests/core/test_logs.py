"""Log lines: one JSON object each, with the request's id, and without secrets; the access log among them."""

import json
import logging
import logging.config
import re
import string
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import pytest
import uvicorn.config
from hypothesis import assume, given
from hypothesis import strategies as st
from pytest_django import Settings
from structlog.stdlib import ProcessorFormatter

from apps.accounts.rules import new_token
from apps.chats import querysets
from apps.chats.models import Chat
from apps.core.observability import logs
from apps.core.observability.logs import REDACTED, AccessFormatter, redact, request_context
from tests.client import ApiClient, assert_problem, client


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
    "the secret of an invitation": "inv_" + "aB3" * 13 + "x",
    "a webhook secret that begins with dashes": "whsec_-_-_-_-abcdefghijklmnopqrstuvwxyz012345678",
}


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
def test_what_looks_like_a_secret_is_left_out(secret: str) -> None:
    for text in (secret, f"token={secret}.", f'{{"token": "{secret}"}}', f"({secret})"):
        assert REDACTED in redact(text)
        assert secret[8:] not in redact(text)
    assert secret[8:] not in json.dumps(line("got %s", secret))


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
@pytest.mark.parametrize("before", ["token", "token_", "7", "_", "ключ", "prompt_", "x" * 100, "pt_" * 20, "Bearer"])
def test_a_secret_behind_a_letter_a_digit_or_an_underscore_is_left_out(before: str, secret: str) -> None:
    assert secret[8:] not in redact(before + secret)


ALPHABETS = {
    "pt_": (string.ascii_letters + string.digits, 46),
    "vt_": (string.ascii_letters + string.digits, 46),
    "inv_": (string.ascii_letters + string.digits, 40),
    "whsec_": (string.ascii_letters + string.digits + "-_", 43),
    "cs_": (string.ascii_letters + string.digits + "-_", 43),
}


@given(
    data=st.data(),
    prefix=st.sampled_from(sorted(ALPHABETS)),
    before=st.text(max_size=40) | st.text("ptvcsinwhe_-BearerVisitor /", max_size=40),
    after=st.text(max_size=40),
)
def test_a_secret_is_left_out_wherever_it_stands(data: st.DataObject, prefix: str, before: str, after: str) -> None:
    alphabet, length = ALPHABETS[prefix]
    body = data.draw(st.text(alphabet, min_size=length, max_size=length), label="body")
    assume(re.search("[A-Z0-9]", body[:32]))  # which of 10^12 secrets one has not
    assume(body not in before and body not in after)
    assert body not in redact(f"{before}{prefix}{body}{after}")


@pytest.mark.parametrize(
    "piece", ["pt_", "whsec_", "cs_-", "xpt_" + "a" * 33, "Bearer ", "Bearer\t\t", "/compat/legacy/bot/", "a"]
)
def test_every_character_of_a_text_is_looked_at_a_bounded_number_of_times(piece: str) -> None:
    """A text that costs the square of its length would take minutes."""
    redact(piece * (1_000_000 // len(piece)))


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


@pytest.mark.parametrize(
    "text",
    [
        "",
        "chat 17 closed",
        "pt_short",
        "prompt_injection_attempts",
        "whsec_",
        "metrics_of_every_process_that_has_ever_been_started",
        "statistics_2026_of_the_shop",
    ],
)
def test_other_text_is_left_alone(text: str) -> None:
    assert redact(text) == text


class TestTheAccessLog:
    """A line for every request, whatever the answer: what a request's id is looked up in."""

    @pytest.fixture
    def written(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[dict[str, Any]]]:
        """The lines that the configured handler has written."""
        handlers = logging.getLogger("access").handlers
        (handler,) = (each for each in handlers if isinstance(each.formatter, AccessFormatter))
        stream = StringIO()
        monkeypatch.setattr(handler, "stream", stream)
        return lambda: [json.loads(line) for line in stream.getvalue().splitlines()]

    def test_a_line_has_these_members_and_no_other(
        self, api: ApiClient, chat: Chat, written: Callable[[], list[dict[str, Any]]]
    ) -> None:
        api.get(f"/chats/{chat.pk}/messages", query={"limit": 5}, headers={"X-Request-Id": "order-4711"})
        (line,) = written()
        assert line.pop("timestamp").endswith("Z")
        assert 0 < line.pop("ms") < 60_000
        assert line == {
            "level": "info",
            "logger": "access",
            "event": "request",
            "method": "GET",
            "route": "/api/v1/chats/{chat_id}/messages",
            "status": 200,
            "request_id": "order-4711",
        }

    @pytest.mark.django_db
    @pytest.mark.parametrize(
        ("path", "route", "status"),
        [
            ("/api/v1/chats", "/api/v1/chats", 401),
            ("/api/v1/chats/7", "/api/v1/chats/{chat_id}", 401),
            ("/api/v1/nowhere", None, 404),
            ("/nowhere", None, 404),
            ("/problems/not_found", "/problems/{code}", 200),
            ("/admin/accounts/widget/1/change/", "/admin/accounts/widget/{object_id}/change/", 302),
            (f"/widget/{'0' * 32}/messages", "/widget/{guid}/messages", 404),
        ],
    )
    def test_refusals_are_in_it_and_pages_too(
        self, written: Callable[[], list[dict[str, Any]]], path: str, route: str | None, status: int
    ) -> None:
        response = client().get(path)
        (line,) = written()
        assert (line["route"], line["status"], response.status_code) == (route, status, status)
        assert line["request_id"] == response.headers["X-Request-Id"]

    def test_a_failure_is_in_it(
        self, api: ApiClient, written: Callable[[], list[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(querysets, "chat_page", None)
        assert_problem(api.get("/chats"), 500, "internal_error")
        assert [(line["route"], line["status"]) for line in written()] == [("/api/v1/chats", 500)]

    def test_nothing_that_a_caller_sends_is_in_it_but_the_id(
        self, api: ApiClient, token: str, written: Callable[[], list[dict[str, Any]]]
    ) -> None:
        headers = {"User-Agent": "secret-agent", "X-Request-Id": token, "Referer": "https://secret.example"}
        api.post("/chats/7/close", json={"reason": "secret"}, query={"q": "secret"}, headers=headers)
        (line,) = written()
        assert line["request_id"] == REDACTED
        assert "secret" not in json.dumps(line)

    @pytest.fixture
    def as_it_was(self, settings: Settings) -> Iterator[Settings]:
        """Logging is configured as before at the end, when no test's capturing holds standard error any longer."""
        yield settings
        logs.configure(settings.LOGGING)

    @pytest.mark.parametrize(("is_on", "lines"), [(True, 1), (False, 0)])
    def test_a_setting_switches_it_whatever_the_level(
        self, as_it_was: Settings, capfd: pytest.CaptureFixture[str], is_on: bool, lines: int
    ) -> None:
        logs.configure({**as_it_was.LOGGING, "level": "ERROR", "access_log": is_on})
        client().get("/nowhere")
        assert len(capfd.readouterr().err.splitlines()) == lines

    def test_errors_of_the_server_are_lines_like_others(
        self, as_it_was: Settings, capfd: pytest.CaptureFixture[str]
    ) -> None:
        logging.config.dictConfig(uvicorn.config.LOGGING_CONFIG)
        logs.configure(as_it_was.LOGGING)
        server = logging.getLogger("uvicorn.error")
        server.warning("Invalid HTTP request received.")
        server.error("Exception in ASGI application")
        (written,) = map(json.loads, capfd.readouterr().err.splitlines())
        assert (written["logger"], written["event"]) == ("uvicorn.error", "Exception in ASGI application")

    def test_for_people_a_line_has_no_time_of_its_own(
        self, as_it_was: Settings, capfd: pytest.CaptureFixture[str]
    ) -> None:
        logs.configure({**as_it_was.LOGGING, "format": "console", "access_log": True})
        client().get("/problems/", headers={"X-Request-Id": "order-4711"})
        client().get("/nowhere", headers={"X-Request-Id": "order-4712"})
        logging.getLogger("apps.test").warning("sent")
        first, second, third = capfd.readouterr().err.splitlines()
        assert re.fullmatch(r"GET /problems/ 200 \d+\.\d ms order-4711", first)
        assert re.fullmatch(r"GET - 404 \d+\.\d ms order-4712", second)
        assert re.fullmatch(r"\[warning *\] sent +\[apps\.test\]", third)


def test_a_foreign_host_leaves_a_line_in_the_access_log_alone(caplog: pytest.LogCaptureFixture) -> None:
    """Anybody can send one: a traceback each would fill disks."""
    for path in ("/api/v1/chats", "/admin/", "/nowhere"):
        response = client().get(path, HTTP_HOST="evil.example")
        assert response.status_code == 400, path
    assert [record.name for record in caplog.records if record.name != "access"] == []
