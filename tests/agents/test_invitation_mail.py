"""The mail of an invitation: its words, how it is sent, and what is left when it can't be."""

import re
import socket
import stat
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from apps.agents.mail import invitation_mail
from apps.agents.models import Invitation
from apps.core.models import IdempotencyKey
from config.mail import FOLDER, SMTP
from tests.agents.test_invitations_api import LINK, invite
from tests.client import ApiClient, assert_problem
from tests.mail_server import MailServer

LANGUAGES = ("ru", "en", "el", "de", "es", "ar", "zh-hans")


def html_of(message: Any) -> str:
    return str(message.alternatives[0][0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_texts_of_its_own(language: str) -> None:
    made = {
        code: invitation_mail(email="n@mail.test", widget_name="Shop", secret="inv_x", language=code)
        for code in LANGUAGES
    }
    own = made.pop(language)
    for text in (own.subject, own.body, html_of(own)):
        assert "Shop" in text
        assert "%(" not in text
    assert own.body.count("/invitations/inv_x\n") == 1
    assert html_of(own).count('href="http://localhost:8000/invitations/inv_x"') == 2, (
        "of the button, and in small below"
    )
    direction = "rtl" if language == "ar" else "ltr"
    assert f'<html lang="{language}" dir="{direction}">' in html_of(own)
    own_lines = {line for line in own.body.splitlines() if line and "/invitations/" not in line}
    assert len(own_lines) == 6
    for other in made.values():
        assert own.subject != other.subject
        assert not own_lines & set(other.body.splitlines())


@pytest.mark.parametrize(
    ("asked", "subject"),
    [
        ("", "Invitation to the chat of Flower shop"),
        ("ru-RU,ru;q=0.9,en;q=0.5", "Приглашение в чат «Flower shop»"),
        ("tlh, zh;q=0.5", "邀请您加入 Flower shop 的聊天"),
        ("tlh", "Invitation to the chat of Flower shop"),
    ],
)
def test_the_language_is_the_one_that_the_request_prefers(
    api: ApiClient, asked: str, subject: str, mailoutbox: list[Any]
) -> None:
    assert invite(api, headers={"Accept-Language": asked}).status_code == 201
    assert mailoutbox[0].subject == subject


def test_a_widgets_name_adds_no_header_and_no_html() -> None:
    name = "Shop\r\nBcc: all@mail.test <b>now</b> & co"
    made = invitation_mail(email="n@mail.test", widget_name=name, secret="inv_x", language="en")
    assert made.subject == "Invitation to the chat of Shop Bcc: all@mail.test <b>now</b> & co"
    assert made.message()["Bcc"] is None
    assert "Shop Bcc: all@mail.test <b>now</b> & co." in made.body
    assert "&lt;b&gt;now&lt;/b&gt; &amp; co" in html_of(made)


class TestAFileEach:
    @pytest.fixture(autouse=True)
    def folder(self, settings: Settings, tmp_path: Path) -> Path:
        settings.EMAIL_BACKEND, settings.EMAIL_FOLDER = FOLDER, tmp_path / "mail"
        return tmp_path / "mail"

    def test_people_can_read_it_and_mail_programs_open_it(self, api: ApiClient, folder: Path) -> None:
        assert invite(api, headers={"Accept-Language": "ru"}).status_code == 201
        (file,) = folder.iterdir()
        assert re.fullmatch(r"\d{8}T\d{6}\.\d{6}-[0-9a-f]{8}\.eml", file.name)
        text = file.read_text()
        assert "Subject: Приглашение в чат «Flower shop»\n" in text
        assert "\nTo: nina@mail.test\n" in text
        assert "\nПринять приглашение:\n" in text
        assert LINK.search(text)
        parsed: Any = message_from_bytes(file.read_bytes(), policy=policy.default)
        assert "Здравствуйте!" in parsed.get_body(("plain",)).get_content()
        assert "Здравствуйте!" in parsed.get_body(("html",)).get_content()

    def test_it_is_the_services_alone(self, api: ApiClient, folder: Path) -> None:
        invite(api)
        (file,) = folder.iterdir()
        assert [stat.S_IMODE(each.stat().st_mode) for each in (folder, file)] == [0o700, 0o600]

    def test_a_folder_that_cannot_be_written_to_fails_the_mail(self, api: ApiClient, folder: Path) -> None:
        folder.write_text("no folder")
        assert_problem(invite(api), 502, "mail_failed")
        assert not Invitation.objects.exists()


class TestAMailServer:
    @pytest.fixture(autouse=True)
    def backend(self, settings: Settings) -> None:
        settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_TIMEOUT = SMTP, "127.0.0.1", 20

    def test_it_gets_the_mail(self, api: ApiClient, settings: Settings) -> None:
        settings.DEFAULT_FROM_EMAIL = "Parley <parley@shop.test>"
        with MailServer() as server:
            settings.EMAIL_PORT = server.port
            assert invite(api, headers={"Accept-Language": "el"}).status_code == 201
        ((recipient, received),) = server.received
        assert (recipient, received["To"], received["From"]) == (
            "nina@mail.test",
            "nina@mail.test",
            "Parley <parley@shop.test>",
        )
        assert received["Subject"].strip() == "Πρόσκληση στη συνομιλία του Flower shop"
        assert LINK.search(received.get_body(("plain",)).get_content())

    @pytest.mark.parametrize(
        "replies",
        [
            {"RCPT": "550 no such user"},
            {"MAIL": "451 later"},
            {"DATA": "554 no"},
            {"EHLO": "421 full", "HELO": "421 full"},
        ],
        ids=["recipient", "sender", "data", "greeting"],
    )
    def test_what_it_refuses_leaves_nothing_behind(
        self, api: ApiClient, settings: Settings, replies: dict[str, str]
    ) -> None:
        with MailServer(replies) as server:
            settings.EMAIL_PORT = server.port
            assert_problem(invite(api, idempotency_key="again"), 502, "mail_failed")
            assert not Invitation.objects.exists()
            assert not IdempotencyKey.objects.exists()
            server.replies = {}
            assert invite(api, idempotency_key="again").status_code == 201

    def test_one_that_is_away_leaves_nothing_behind_and_uses_up_nothing(
        self, api: ApiClient, settings: Settings
    ) -> None:
        with socket.socket() as bound:
            bound.bind(("127.0.0.1", 0))
            settings.EMAIL_PORT = bound.getsockname()[1]
            for _ in range(11):
                assert_problem(invite(api), 502, "mail_failed")
        assert not Invitation.objects.exists()
        assert not IdempotencyKey.objects.exists()

    def test_one_that_hangs_is_waited_for_no_longer_than_said(self, api: ApiClient, settings: Settings) -> None:
        settings.EMAIL_TIMEOUT = 0.2
        with MailServer(silent=True) as server:
            settings.EMAIL_PORT = server.port
            assert_problem(invite(api), 502, "mail_failed")
        assert server.connections == 1
        assert not Invitation.objects.exists()

    def test_neither_address_nor_link_is_logged(
        self, api: ApiClient, settings: Settings, caplog: pytest.LogCaptureFixture
    ) -> None:
        with MailServer({"RCPT": "550 no such user"}) as server:
            settings.EMAIL_PORT = server.port
            assert_problem(invite(api), 502, "mail_failed")
        assert "the mail server refused: 550 at recipient" in caplog.text
        assert "nina@" not in caplog.text
        assert "inv_" not in caplog.text
