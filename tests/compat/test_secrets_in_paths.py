"""What stands in the path of a compat route is a secret: it is in no log line and in no answer."""

import logging
from typing import Any

import pytest

from apps.accounts.rules import new_token
from apps.chats.models import Chat
from apps.compat import actions
from apps.core.observability.logs import redact
from apps.messengers.models import Channel
from apps.messengers.rules import new_secret
from tests.client import ApiClient
from tests.compat.clients import LegacyBot, LegacyChannel

pytestmark = pytest.mark.django_db

PLANTED = "planted-secret-0123456789"


def lines(caplog: pytest.LogCaptureFixture) -> str:
    return "\n".join(record.getMessage() for record in caplog.records)


@pytest.fixture
def everything_is_logged(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> pytest.LogCaptureFixture:
    monkeypatch.setattr(logging.getLogger("access"), "propagate", True)
    caplog.set_level(logging.DEBUG)
    return caplog


def test_neither_the_log_nor_an_answer_shows_a_token_or_a_secret(
    everything_is_logged: pytest.LogCaptureFixture, token: str, channel: Channel, chat: Chat
) -> None:
    for secret in (PLANTED, new_token(), token, new_secret(), channel.secret):
        bot, app, client = LegacyBot(secret), LegacyChannel(secret), ApiClient()
        answers = [
            bot.say(chat.pk, text=" "),
            bot.client.get(f"/compat/legacy/bot/{secret}"),
            app.send({}),
            app.status(),
            client.get(f"/compat/legacy/bot/{secret}/history"),
            client.get(f"/compat/legacy/chat/{secret}/"),
            client.get(f"/compat/legacy/chat/{secret}/status", headers={"Host": "evil.test"}),
            client.post(f"/compat/legacy/chat/{secret}", data=b"{", content_type="application/json"),
        ]
        shown = "".join(answer.content.decode() + str(dict(answer.headers)) for answer in answers)
        assert secret not in shown
        assert secret not in lines(everything_is_logged)
    assert "/compat/legacy/bot/{token}" in lines(everything_is_logged)
    assert "/compat/legacy/chat/{secret}" in lines(everything_is_logged)


def test_nor_does_an_error_of_ours(
    everything_is_logged: pytest.LogCaptureFixture, token: str, chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: Any) -> None:
        raise ValueError("of this test")

    monkeypatch.setattr(actions, "ask_for_rating", fail)
    answer = LegacyBot(token).ask("INIT_RATE", chat.pk)
    assert answer.status_code == 500
    assert token not in answer.content.decode()
    assert "5Bredacted" not in answer.content.decode()
    said = lines(everything_is_logged)
    assert "unhandled error in POST /compat/legacy/bot/[redacted]" in said
    assert token not in said


@pytest.mark.parametrize("kind", ["bot", "chat"])
def test_reports_leave_out_whatever_stands_in_their_place(kind: str) -> None:
    address = f"https://parley.test/compat/legacy/{kind}/{PLANTED}"
    assert redact(f"{address}?a=1") == f"https://parley.test/compat/legacy/{kind}/[redacted]?a=1"
    assert redact(f"{address}/status") == f"https://parley.test/compat/legacy/{kind}/[redacted]/status"
