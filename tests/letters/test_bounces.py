"""What a mail server's report says of an address, by its codes and its words, and reports in plain text."""

import pytest

from apps.letters.rules.reading.bounces import code_of, ends_address
from apps.letters.rules.reading.letters import read_letter
from apps.letters.rules.reading.reports import Report, report_of

GENERAL = ("5.0.0", "5.5.0", "5.1.0", "")


@pytest.mark.parametrize("status", GENERAL)
@pytest.mark.parametrize(
    "diagnostic",
    [
        "smtp; 550 5.1.1 <mary@example.org>: Recipient address rejected: User unknown in virtual mailbox table",
        "smtp; 550-5.1.1 The email account that you tried to reach does not exist.",
        'smtp; 550 "Unknown User"',
        "smtp; 550 No such user here",
        "smtp; 550 <mary@example.org> user unknown",
        "smtp; 554 delivery error: dd This user doesn't have a yahoo.com account",
        "smtp; 550 Invalid recipient",
        "smtp; 550 5.2.1 The email account is disabled",
        "smtp; 550 5.1.2 Host unknown",
        "smtp; 550 Sorry, no mailbox here by that name",
        "smtp; 550 Пользователь не найден",
        "smtp; 550 нет такого ящика",
        "smtp; 550 Empfänger unbekannt",
        "smtp; 550 5.7.1 No such user!",
        "smtp; 550 5.1.1 <m@example.org>: Recipient address rejected: User unknown in relay recipient table",
        "smtp; host mx.spam.example[192.0.2.1] said: 550 <mary@nospam.example> user unknown",
        'X-Postfix; unknown user: "mary"',
        "smtp; 550 Message was not accepted -- invalid mailbox. Local mailbox mary@example.org is unavailable: user not found",
    ],
)
def test_a_general_status_and_a_sentence_about_the_recipient_end_the_address(status: str, diagnostic: str) -> None:
    assert ends_address(code_of(status, diagnostic))


@pytest.mark.parametrize("status", [*GENERAL, "5.1.1"])
@pytest.mark.parametrize(
    "diagnostic",
    [
        "smtp; 550 5.7.1 Message rejected as spam",
        "smtp; 550 5.7.26 This mail is unauthenticated, SPF did not pass",
        "smtp; 554 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org",
        "smtp; 550 5.1.8 Sender address rejected: Domain not found",
        "smtp; 550 5.1.7 Invalid sender address",
        "smtp; 550 sender address rejected: user unknown",
        "smtp; 554 5.7.1 <mary@example.org>: Relay access denied",
        "smtp; 550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents delivery",
        "smtp; 552 5.2.2 Mailbox full",
        "smtp; 450 4.1.1 <mary@example.org>: Recipient address rejected: unverified address",
        "smtp; 550 5.7.1 Письмо похоже на спам",
        "smtp; 552 5.3.4 Message too big",
    ],
)
def test_what_is_about_the_sender_or_the_letter_ends_no_address(status: str, diagnostic: str) -> None:
    assert not ends_address(code_of(status, diagnostic))


@pytest.mark.parametrize("status", ["5.2.2", "5.4.4", "4.4.7", "5.3.4"])
def test_a_status_that_names_another_reason_counts(status: str) -> None:
    assert code_of(status, "smtp; 550 5.1.1 User unknown") == status


@pytest.mark.parametrize(
    "diagnostic",
    ["smtp; 552 mailbox is full", "smtp; 554 Quota exceeded", "smtp; 550 over quota", "smtp; 550 ящик переполнен"],
)
def test_a_full_mailbox_by_words(diagnostic: str) -> None:
    assert Report("failed", code_of("5.0.0", diagnostic)).code == "mailbox_full"


# --- Plain text -------------------------------------------------------------------------------------------------------

ID = "l.abcdefghijklmnopqrst@flowers.example"
QMAIL = f"""Hi. This is the qmail-send program at mx.example.net.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<Mary@example.org>:
192.0.2.7 does not like recipient.
Remote host said: 550 5.1.1 User unknown
Giving up on 192.0.2.7.

--- Below this line is a copy of the message.

Return-Path: <x@flowers.example>
Message-ID: <{ID}>
From: Flowers <x@flowers.example>

Hello
"""
EXIM = f"""This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  mary@example.org
    host mx.example.org [192.0.2.7]
    SMTP error from remote mail server after RCPT TO:<mary@example.org>:
    550 No such user here

------ This is a copy of the message, including all the headers. ------

Return-path: <x@flowers.example>
Message-ID: <{ID}>

Hello
"""


def plain(text: str, more: str = "") -> Report | None:
    return report_of(read_letter(f"From: MAILER-DAEMON@mx.example.net\n{more}\n{text}".encode()))


@pytest.mark.parametrize(
    ("text", "more"),
    [(QMAIL, ""), (QMAIL.replace("\n", "\r\n"), ""), (EXIM, "X-Failed-Recipients: mary@example.org\n")],
)
def test_a_report_in_plain_text(text: str, more: str) -> None:
    report = plain(text, more)
    assert report is not None
    assert (report.action, report.recipient, report.message_ids) == ("failed", "mary@example.org", (ID,))
    assert (report.code, report.kills_address) == ("bounced", True)


@pytest.mark.parametrize(
    ("said", "dead"),
    [
        ("<mary@example.org>... User unknown", True),
        ("<mary@example.org>\n550 5.1.1 No such user", True),
        ("mary@example.org\n#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##", True),
        ("<mary@example.org>: 554 5.7.1 Message rejected as spam", False),
        ("Получатель <mary@example.org>: пользователь не найден", True),
    ],
)
def test_a_mail_systems_letter_with_our_headers_is_a_report(said: str, dead: bool) -> None:
    text = f"Delivery has failed to these recipients:\n\n{said}\n\nOriginal message headers:\n\nMessage-ID: <{ID}>\n"
    report = plain(text)
    assert report is not None
    assert (report.action, report.message_ids, report.kills_address) == ("failed", (ID,), dead)
    person = report_of(read_letter(f"From: mary@example.org\n\n{text}".encode()))
    assert person is None


def test_a_report_in_plain_text_about_the_sender_ends_no_address() -> None:
    report = plain(
        QMAIL.replace("550 5.1.1 User unknown", "554 5.7.1 blocked").replace("does not like recipient", "failed")
    )
    assert report is not None
    assert (report.code, report.kills_address) == ("bounced", False)


def test_a_report_in_plain_text_of_a_delay_is_no_failure() -> None:
    text = QMAIL.replace("This is a permanent error; I've given up. Sorry it didn't work out.", "I will keep trying.")
    report = plain(text)
    assert report is not None
    assert (report.action, report.code, report.kills_address) == ("delayed", "", False)


@pytest.mark.parametrize(
    "text", ["Hi. This is Mary, do you have roses?", "Hello\n\n<mary@example.org>:\n550 5.1.1", ""]
)
def test_a_persons_plain_text_is_no_report(text: str) -> None:
    assert plain(text) is None
