"""Letters in odd forms, through a door and the worker: bounces, addresses beyond ASCII, the whole letter."""

from base64 import b64encode
from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.chats.models import Contact, Message
from apps.letters.actions.receiving.doors import accept
from apps.letters.actions.receiving.showing import letter_of_message
from apps.letters.models import Address, InLetter, Mailbox, OutLetter
from apps.letters.rules.mailboxes import Door
from tests.letters.test_mailboxes import mailbox
from tests.letters.test_reading import png
from tests.letters.test_receiving import _believed, come, mail_to, reply_address, work
from tests.widget.visitor import VisitorClient

__all__ = ["_believed", "mailbox", "reply_address"]

HELLO = "Content-Type: text/plain; charset=utf-8\r\n"


def to_mailbox(mailbox: Mailbox, raw: str) -> InLetter:
    row = accept(raw.encode(), door=Door.IMAP, mailbox=mailbox)
    work()
    row.refresh_from_db()
    return row


# --- Bounces ----------------------------------------------------------------------------------------------------------


def report_on(*recipients: tuple[str, str, str]) -> str:
    """A report of delivery on recipients, each with its status and the server's sentence."""
    letter = OutLetter.objects.get()
    groups = "\r\n".join(
        f"Final-Recipient: rfc822; {address}\r\nAction: failed\r\nStatus: {status}\r\nDiagnostic-Code: smtp; {said}\r\n"
        for address, status, said in recipients
    )
    return (
        f"From: MAILER-DAEMON@mx.test\r\nTo: reply+b{letter.right}@shop.test\r\n"
        'Content-Type: multipart/report; boundary="b"\r\n\r\n--b\r\n\r\nNot delivered.\r\n--b\r\n'
        f"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.test\r\n\r\n{groups}\r\n--b--\r\n"
    )


def is_dead(address: str) -> bool:
    return Address.objects.filter(email=address, dead_at__isnull=False).exists()


@pytest.mark.parametrize(
    ("status", "said", "dead"),
    [
        ("5.0.0", "550 5.1.1 <mary@mail.test>: User unknown", True),
        ("5.0.0", '550 "Unknown User"', True),
        ("5.1.1", "554 5.7.1 Message rejected as spam", False),
        ("5.0.0", "550 sender address rejected", False),
    ],
)
def test_the_servers_sentence_decides_whether_an_address_is_dead(
    mary: VisitorClient, reply_address: str, status: str, said: str, dead: bool
) -> None:
    come(report_on(("mary@mail.test", status, said)).encode(), envelope_sender="")
    assert OutLetter.objects.get().state == "failed"
    assert is_dead("mary@mail.test") is dead


def test_a_report_on_whoever_gets_what_is_passed_on_ends_no_address(mary: VisitorClient, reply_address: str) -> None:
    come(report_on(("old@elsewhere.test", "5.1.1", "550 user unknown")).encode(), envelope_sender="")
    assert OutLetter.objects.get().state == "failed"
    assert not is_dead("mary@mail.test")


def test_of_several_recipients_the_letters_own_counts(mary: VisitorClient, reply_address: str) -> None:
    told = report_on(("old@elsewhere.test", "4.4.7", "too late"), ("Mary@mail.test", "5.0.0", "550 no such user"))
    come(told.encode(), envelope_sender="")
    assert is_dead("mary@mail.test")


def test_a_bounce_of_qmail_is_a_failure_and_no_note(mary: VisitorClient, reply_address: str) -> None:
    letter = OutLetter.objects.get()
    text = (
        "Hi. This is the qmail-send program at mx.test.\r\nThis is a permanent error; I've given up.\r\n\r\n"
        "<mary@mail.test>:\r\n192.0.2.1 does not like recipient.\r\nRemote host said: 550 5.1.1 unknown user\r\n\r\n"
        f"--- Below this line is a copy of the message.\r\n\r\nMessage-ID: <l.{letter.right}@shop.test>\r\n\r\nHello\r\n"
    )
    row = come(f"From: MAILER-DAEMON@mx.test\r\nTo: shop@shop.test\r\n\r\n{text}".encode(), envelope_sender="")
    letter.refresh_from_db()
    assert (row.kind, letter.state, letter.code) == ("report", "failed", "bounced")
    assert is_dead("mary@mail.test")
    assert not Message.objects.filter(body__startswith="Automatic answer").exists()


# --- Addresses --------------------------------------------------------------------------------------------------------


def test_both_forms_of_a_domain_are_one_contact(mailbox: Mailbox) -> None:
    first = to_mailbox(mailbox, f"From: Иван <иван@почта.рф>\r\nMessage-ID: <1@x>\r\n{HELLO}\r\nЕсть розы?")
    second = to_mailbox(
        mailbox, f"From: Иван <иван@xn--80a1acny.xn--p1ai>\r\nMessage-ID: <2@x>\r\n{HELLO}\r\nА тюльпаны?"
    )
    contact = Contact.objects.for_widget(mailbox.widget_id).get(email="иван@почта.рф")
    assert (first.sender, second.sender, contact.name) == ("иван@почта.рф", "иван@почта.рф", "Иван")
    assert first.chat_id == second.chat_id is not None


def test_what_can_be_no_address_is_no_contacts_email(mailbox: Mailbox) -> None:
    to_mailbox(mailbox, f"From: Root <root@localhost>\r\nMessage-ID: <1@x>\r\n{HELLO}\r\nHello")
    assert Contact.objects.for_widget(mailbox.widget_id).get(name="root@localhost").email == ""


# --- Words and the whole letter ---------------------------------------------------------------------------------------


def test_words_in_a_part_with_a_name_are_the_message(mailbox: Mailbox) -> None:
    part = 'Content-Disposition: inline; filename="ATT00001.txt"'
    row = to_mailbox(
        mailbox,
        "From: mary@mail.test\r\nMessage-ID: <1@x>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
        f"--b\r\n{HELLO}{part}\r\n\r\nЕсть розы?\r\n--b\r\nContent-Type: application/pdf; name=a.pdf\r\n"
        "Content-Disposition: attachment\r\n\r\n%PDF-1\r\n--b--\r\n",
    )
    said = Message.objects.filter(chat=row.chat, via="mail").order_by("id")
    assert list(said.values_list("type", "body")) == [("text", "Есть розы?"), ("file", "")]


def test_a_picture_that_stands_in_the_markup_is_kept(mailbox: Mailbox) -> None:
    code, dot = (b64encode(png(side, side)).decode() for side in (330, 16))
    html = (
        f'<p>Мой код: <img src="data:image/png;base64,{code}"></p><img src="data:image/png;base64,{dot}">'
        '<img src="data:image/svg+xml;base64,PHN2Zy8+"><img src="data:image/png,x">'
    )
    head = "From: mary@mail.test\r\nMessage-ID: <1@x>\r\nContent-Type: text/html; charset=utf-8"
    row = to_mailbox(mailbox, f"{head}\r\n\r\n{html}")
    said = Message.objects.filter(chat=row.chat, via="mail").order_by("id")
    assert list(said.values_list("type", "body")) == [("text", "Мой код:"), ("image", "")]
    assert row.shown is not None
    assert "data:" not in row.shown["html"]


def test_the_whole_letter_is_made_once_when_it_comes(mary: VisitorClient, reply_address: str, shop: Widget) -> None:
    text = "<p onclick='x()'>Two, please.</p><script>x()</script>"
    row = come(mail_to(reply_address, text).replace(b"Subject:", b"Content-Type: text/html\r\nSubject:"))
    assert row.shown is not None
    assert row.shown["html"].strip() == "<p>Two, please.</p>"
    assert row.message_id is not None
    letter: dict[str, Any] = letter_of_message(widget_id=shop.pk, message_id=row.message_id)
    assert {name: letter[name] for name in row.shown} == row.shown
