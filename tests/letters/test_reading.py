"""Reading of letters that are odd, hostile, or no person's (design of letters, 5 and 9)."""

import base64
import email.message
from datetime import UTC, datetime

import pytest

from apps.letters.rules import words
from apps.letters.rules.reading import machines, proofs
from apps.letters.rules.reading.charsets import text_of
from apps.letters.rules.reading.files import file_name, is_decoration
from apps.letters.rules.reading.headers import NamedAddress, addresses, decoded, message_ids, moment
from apps.letters.rules.reading.letters import read_letter
from apps.letters.rules.reading.limits import MAX_PARAMETERS, MAX_PARAMETERS_BYTES, NotReadable
from apps.letters.rules.reading.proofs import Proof
from apps.letters.rules.reading.reports import Report, report_of

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
FROM = b"From: Mary <mary@example.org>\r\n"


def nested(levels: int) -> bytes:
    raw = FROM
    for level in range(levels):
        raw += b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (level, level)
    return raw + b"\r\nhello"


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "no_headers"),
        (FROM + b"\r\n" + b"x" * (25 * 1024 * 1024), "too_large"),
        (FROM + b"Subject: " + b"x" * 1_000_000 + b"\r\n\r\nhello", "headers_too_large"),
        (FROM + b"To: " + b"a@b.example,\r\n " * 5_000 + b"\r\n\r\nhello", "headers_too_large"),
        (FROM + b"X-A: b\r\n" * 70_000, "headers_too_large"),
        (nested(10_000), "too_many_parts"),
        (nested(30), "too_many_levels"),
        (FROM + b"Content-Type: text/plain\r\n\r\n" + b"x" * (2 * 1024 * 1024 + 1), "text_too_large"),
    ],
    ids=["empty", "25 MiB", "subject", "recipients", "fields", "parts", "levels", "text"],
)
def test_a_letter_over_a_limit_is_not_read_in_part(raw: bytes, code: str) -> None:
    with pytest.raises(NotReadable) as refused:
        read_letter(raw)
    assert refused.value.code == code


@pytest.mark.parametrize("within", [b"", b"Content-Type: message/rfc822\r\n\r\n"])
def test_parts_are_counted_while_the_parser_makes_them(within: bytes) -> None:
    inner = within + b'Content-Type: multipart/mixed; boundary="c"\r\n\r\n' + b"--c\r\n\r\n" * 3_000
    raw = FROM + b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n' + inner + b"--b--\r\n"
    with pytest.raises(NotReadable) as refused:
        read_letter(raw)
    assert refused.value.code == "too_many_parts"


INNER = {"a part": b"", "a letter within": b"Content-Type: message/rfc822\r\n\r\n"}


@pytest.mark.parametrize("place", INNER)
@pytest.mark.parametrize("name", ["Content-Type", "Content-Disposition", "Content-ID", "Subject", "X-Any"])
def test_every_field_of_every_part_is_bounded(place: str, name: str) -> None:
    part = INNER[place] + name.encode() + b": text/plain; x=" + b"a;" * 20_000
    raw = FROM + b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n' + part + b"\r\n\r\nhello\r\n--b--\r\n"
    with pytest.raises(NotReadable) as refused:
        read_letter(raw)
    assert refused.value.code == "headers_too_large"


@pytest.mark.parametrize("place", INNER)
@pytest.mark.parametrize("name", ["Content-Type", "Content-Disposition"])
@pytest.mark.parametrize("unit", [";", '";', "a=b;", 'x="'])
def test_the_parser_sees_few_parameters_of_a_part(
    place: str, name: str, unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    reads = email.message._parseparam  # type: ignore[attr-defined]
    monkeypatch.setattr(email.message, "_parseparam", lambda text: seen.append(text) or reads(text))
    part = INNER[place] + f'{name}: text/plain; x="{unit * (15_000 // len(unit))}'.encode()
    read_letter(
        FROM + b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n' + part + b"\r\n\r\nhello\r\n--b--\r\n"
    )
    assert seen
    assert max(text.count(";") for text in seen) <= MAX_PARAMETERS
    assert max(map(len, seen)) <= MAX_PARAMETERS_BYTES + 1


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (FROM + b"\r\nhel\x00lo", "hello"),
        (FROM + b"Content-Type: text/plain; charset=utf-8\r\n\r\n\xed\xa0\x80hello", "hello"),
        (
            FROM + b"Content-Type: text/plain; charset=nothing\r\n\r\n" + "Привет, как дела".encode("koi8-r"),
            "Привет, как дела",
        ),
        (FROM + b"Content-Type: text/plain\r\n\r\n" + "Привет, как дела".encode("cp1251"), "Привет, как дела"),
        (FROM + b"Content-Type: text/plain\r\n\r\n" + "Größe und Farbe".encode("latin-1"), "Größe und Farbe"),
        (FROM + b"Content-Type: text/plain; charset=gb2312\r\n\r\n" + "朱镕基".encode("gb18030"), "朱镕基"),
        (FROM + b"Content-Transfer-Encoding: base64\r\n\r\naGVsbG8", "hello"),
        (FROM + b"Content-Type: multipart/mixed\r\n\r\nhello", "hello"),
        (FROM + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhello", "hello"),
        (b"From: m\xc3\xa4ry <mary@example.org>\r\n\r\nhello", "hello"),
    ],
)
def test_odd_letters_are_read(raw: bytes, text: str) -> None:
    letter = read_letter(raw)
    assert [one.address for one in letter.from_] == ["mary@example.org"]
    assert text in (letter.plain or "")
    assert "\x00" not in (letter.plain or "")


def test_bare_carriage_returns_end_lines() -> None:
    assert read_letter(FROM.replace(b"\r\n", b"\r") + b"\rhello\ryou").from_[0].address == "mary@example.org"


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("Mary <mary@example.org>", [("mary@example.org", "Mary")]),
        ('"Poppins, Mary" <MARY@Example.org>', [("mary@example.org", "Poppins, Mary")]),
        ("a@example.org, b@example.org", [("a@example.org", ""), ("b@example.org", "")]),
        ("alice@example.org)bob@evil.example", []),
        (
            "=?utf-8?q?=22x=40bank.example=22_=3Cx=40bank.example=3E?= <m@example.org>",
            [("m@example.org", '"x@bank.example" <x@bank.example>')],
        ),
        ("<m@example.org> <x@example.org>", [("x@example.org", "<m@example.org>")]),
        ("Friends: a@example.org;", [("a@example.org", "")]),
        ("mary (at home) <mary@example.org> (x@y.example)", [("mary@example.org", "mary")]),
        ("nobody", []),
        ("a b@example.org", []),
    ],
)
def test_addresses_of_a_header(value: str, found: list[tuple[str, str]]) -> None:
    assert [(one.address, one.name.strip()) for one in addresses(value)] == found


def test_encoded_words_bring_no_line_breaks() -> None:
    assert decoded("=?utf-8?q?Hello=0D=0ABcc=3A_x=40example.org?=") == "Hello Bcc: x@example.org"
    assert decoded("=?utf-8?b?0J/R?= =?utf-8?b?gNC40LLQtdGC?=") == "Привет"


def test_a_date_of_1970_or_2100_is_none() -> None:
    assert moment("Fri, 20 Nov 2026 10:15:02 +0300", NOW) == datetime(2026, 11, 20, 7, 15, 2, tzinfo=UTC)
    for value in (
        "Thu, 1 Jan 1970 00:00:00 +0000",
        "Fri, 1 Jan 2100 00:00:00 +0000",
        "yesterday",
        "",
        "Fri, 99 Nov 2026",
    ):
        assert moment(value, NOW) is None


def test_ids_longer_than_a_line_are_none() -> None:
    assert message_ids("<a@b> <" + "x" * 4_000 + "> c <d@e>") == ["a@b", "d@e"]


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\x\\evil.exe", "evil.exe"),
        ("a\u202egnp.exe", "a_gnp.exe"),
        ("...", ""),
        ("x" * 300 + ".pdf", "x" * 180 + ".pdf"),
    ],
)
def test_a_files_name_has_no_path(told: str, name: str) -> None:
    assert file_name(told) == name


# --- Machines ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "field",
    [
        "Auto-Submitted: auto-replied", "Precedence: bulk", "Precedence: auto_reply", "List-Id: <x.example.org>", "X-Autoreply: yes",
        "X-Autorespond: yes", "X-Autoresponder: yes", "Return-Path: <>", "Subject: Automatic reply: hello", "Subject: Out of Office",
        "Subject: =?utf-8?b?0JDQstGC0L7QvtGC0LLQtdGC?=", "Subject: Abwesenheitsnotiz", "Subject: Automatische Antwort: x",
    ],
)  # fmt: skip
def test_a_machines_letter(field: str) -> None:
    assert machines.is_machine(read_letter(FROM + field.encode() + b"\r\n\r\nhello"))


@pytest.mark.parametrize("sender", ["mailer-daemon", "postmaster", "noreply", "no-reply", "no-reply+x"])
def test_a_machines_address(sender: str) -> None:
    assert machines.is_machine(read_letter(f"From: {sender}@example.org\r\n\r\nhello".encode()))


@pytest.mark.parametrize(
    "field", ["Auto-Submitted: no", "Subject: Reply to your out of office offer", "Precedence: first-class"]
)
def test_a_persons_letter(field: str) -> None:
    letter = read_letter(FROM + field.encode() + b"\r\n\r\nhello")
    assert not machines.is_machine(letter)
    assert not machines.is_machine(letter, "mary@example.org")
    assert machines.is_machine(letter, "")


def test_stop_words_alone_are_a_stop() -> None:
    assert all(words.is_stop_word(word) for word in ("Stop", " STOP. ", "«отписаться»", "退订"))
    assert not words.is_stop_word("stop sending the blue ones")


# --- Proof ------------------------------------------------------------------------------------------------------------


def authenticated(
    *values: str, sender: str = "Mary <mary@shop.example.org>", believed: tuple[str, ...] = ("mx.example.net",)
) -> Proof:
    fields = "".join(f"Authentication-Results: {value}\r\n" for value in values)
    return proofs.proof_of(read_letter(f"{fields}From: {sender}\r\n\r\nhello".encode()), believed)


@pytest.mark.parametrize(
    ("values", "proof"),
    [
        (("mx.example.net; dmarc=pass header.from=shop.example.org",), Proof.PASS),
        (
            (
                "mx.example.net 1; dmarc=fail (p=none; dis=none) header.from=shop.example.org; dkim=pass header.d=shop.example.org",
            ),
            Proof.FAIL,
        ),
        (("mx.example.net; dkim=pass header.d=example.org; spf=fail smtp.mailfrom=x.example",), Proof.PASS),
        (("mx.example.net; dkim=pass header.i=@mail.example.org",), Proof.PASS),
        (("mx.example.net; spf=pass smtp.mailfrom=bounce@example.org",), Proof.PASS),
        (("mx.example.net; spf=pass smtp.mailfrom=bounce@other.example",), Proof.NONE),
        (("mx.example.net; dkim=pass (dmarc=pass) header.d=evil.example",), Proof.NONE),
        (("mx.example.net; dkim=none", "mx.example.net; dmarc=pass"), Proof.PASS),
        (("evil.example; dmarc=pass", "mx.example.net; dmarc=pass"), Proof.NONE),
        (("mx.example.net.evil.example; dmarc=pass",), Proof.NONE),
        ((), Proof.NONE),
    ],
)
def test_the_results_at_the_top_of_a_believed_server_count(values: tuple[str, ...], proof: Proof) -> None:
    assert authenticated(*values) is proof


def test_a_public_suffix_is_no_organisation() -> None:
    result = "mx.example.net; dkim=pass header.d=co.uk"
    assert authenticated(result, sender="mary@shop.co.uk") is Proof.NONE
    assert authenticated("mx.example.net; dkim=pass header.d=mail.shop.co.uk", sender="mary@shop.co.uk") is Proof.PASS


def test_more_than_one_from_fails() -> None:
    assert authenticated("mx.example.net; dmarc=pass", sender="a@example.org, b@example.org") is Proof.FAIL
    letter = read_letter(b"From: a@example.org\r\nFrom: a@example.org\r\n\r\nhello")
    assert proofs.proof_of(letter, (), ["example.org"]) is Proof.FAIL


def test_without_a_believed_server_a_signature_counts() -> None:
    letter = read_letter(b"Authentication-Results: x; dmarc=pass\r\nFrom: a@example.org\r\n\r\nhello")
    assert proofs.proof_of(letter, ()) is Proof.NONE
    assert proofs.proof_of(letter, (), ["mail.example.org"]) is Proof.PASS
    assert proofs.proof_of(letter, (), ["example.com"]) is Proof.NONE


# --- Reports ----------------------------------------------------------------------------------------------------------

DELIVERY = b"""From: MAILER-DAEMON@mx.example.net\r
Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r
\r
--b\r
\r
It was not delivered.\r
--b\r
Content-Type: message/delivery-status\r
\r
Reporting-MTA: dns; mx.example.net\r
\r
Final-Recipient: rfc822; Mary@example.org\r
Action: failed\r
Status: 5.1.1\r
Diagnostic-Code: smtp; 550 5.1.1 no such user\r
\r
--b\r
Content-Type: message/rfc822\r
\r
Message-ID: <l.abcdefghijklmnopqrst@flowers.example>\r
From: Flowers <x@flowers.example>\r
\r
Hello\r
--b--\r
"""


def test_a_report_of_delivery() -> None:
    report = report_of(read_letter(DELIVERY))
    ids = ("l.abcdefghijklmnopqrst@flowers.example",)
    assert report == Report("failed", "5.1.1", "mary@example.org", "550 5.1.1 no such user", ids)
    assert (report.code, report.kills_address) == ("bounced", True)


@pytest.mark.parametrize(
    ("action", "status", "code", "kills"),
    [("failed", "5.2.2", "mailbox_full", False), ("failed", "5.2.1", "bounced", True), ("failed", "4.4.1", "bounced", False), ("delayed", "4.4.1", "", False), ("relayed", "2.0.0", "", False)],
)  # fmt: skip
def test_what_a_report_says(action: str, status: str, code: str, kills: bool) -> None:
    raw = DELIVERY.replace(b"Action: failed", f"Action: {action}".encode()).replace(
        b"Status: 5.1.1", f"Status: {status}".encode()
    )
    report = report_of(read_letter(raw))
    assert report is not None
    assert (report.code, report.kills_address) == (code, kills)


def test_a_complaint() -> None:
    raw = DELIVERY.replace(b"message/delivery-status", b"message/feedback-report").replace(
        b"Reporting-MTA: dns; mx.example.net\r\n\r\n",
        b"Feedback-Type: abuse\r\nOriginal-Rcpt-To: <mary@example.org>\r\n",
    )
    report = report_of(read_letter(raw))
    assert report is not None
    assert (report.action, report.recipient, report.code) == ("complaint", "mary@example.org", "complained")


def test_a_persons_letter_is_no_report() -> None:
    assert report_of(read_letter(FROM + b"\r\nhello")) is None


# --- Files ------------------------------------------------------------------------------------------------------------


def with_part(headers: str, content: bytes) -> bytes:
    body = base64.encodebytes(content)
    head = f'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n\r\nhello\r\n--b\r\n{headers}\r\nContent-Transfer-Encoding: base64\r\n\r\n'
    return FROM + head.encode() + body + b"\r\n--b--\r\n"


def test_files_of_a_letter() -> None:
    pdf = with_part('Content-Type: application/pdf; name="a b.pdf"\r\nContent-Disposition: attachment', b"%PDF-1")
    (file,) = read_letter(pdf).files
    assert (file.name, file.content_type, file.content) == ("a b.pdf", "application/pdf", b"%PDF-1")
    (winmail,) = read_letter(with_part("Content-Type: application/ms-tnef; name=winmail.dat", b"x")).files
    assert winmail.name == "winmail.dat"
    long = with_part(
        "Content-Type: image/png\r\nContent-Disposition: attachment; filename*=utf-8''%D0%BA%D0%BE%D1%82.png", b"x"
    )
    assert read_letter(long).files[0].name == "кот.png"


def test_an_invitation_says_to_what_and_when() -> None:
    calendar = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Tea\\, cake\r\nDTSTART;TZID=Europe/London:20261120T150000\r\nEND:VEVENT\r\n"
    (file,) = read_letter(with_part("Content-Type: text/calendar; method=REQUEST", calendar.encode())).files
    assert (file.name, file.title) == ("invitation.ics", "Tea, cake, 2026-11-20 15:00 Europe/London")


def png(width: int, height: int, size: int = 600) -> bytes:
    head = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big")
    return head.ljust(size, b"x")


@pytest.mark.parametrize(
    ("picture", "on_screen", "is_small"),
    [
        (png(330, 330, 644), (0, 0), False),  # a QR code
        (png(330, 330, 644), (330, 330), False),
        (png(100, 100), (330, 0), False),  # small, and drawn large
        (b"RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00\x2f" + (329 | 329 << 14).to_bytes(4, "little"), (0, 0), False),
        (b"GIF89a" + (200).to_bytes(2, "little") * 2, (0, 0), False),
        (b"<svg/>", (0, 0), False),
        (png(160, 160, 9_000), (0, 0), True),
        (png(161, 20, 9_000), (0, 0), False),
        (png(400, 400, 9_000), (32, 0), True),  # an icon for sharp screens
        (png(400, 200, 9_000), (0, 16), True),
        (png(600, 2, 9_000), (0, 0), True),  # a line
        (png(1, 1), (600, 400), True),  # a dot that is stretched
        (png(800, 600, 90_000), (0, 0), False),
    ],
)
def test_a_picture_is_small_by_its_size_on_the_screen_alone(
    picture: bytes, on_screen: tuple[int, int], is_small: bool
) -> None:
    (file,) = read_letter(with_part("Content-Type: image/png\r\nContent-ID: <a>", picture)).files
    assert is_decoration(file, on_screen) is is_small


def test_named_addresses_have_domains() -> None:
    assert NamedAddress("a@b.example").domain == "b.example"
    assert text_of(b"a\x00b") == "ab"
