"""Letters in the forms that mail programs write: words in named parts, sets of characters, addresses, subjects."""

import pytest

from apps.letters.rules.addresses import digest_of, normal
from apps.letters.rules.domains import is_mailable
from apps.letters.rules.reading import proofs
from apps.letters.rules.reading.charset_names import CHARSETS, charset_of
from apps.letters.rules.reading.charsets import text_of
from apps.letters.rules.reading.headers import addresses, decoded
from apps.letters.rules.reading.letters import Letter, read_letter
from apps.letters.rules.reading.lines import plain_lines
from apps.letters.rules.reading.texts import own_text

FROM = b"From: Mary <mary@example.org>\r\n"
TEXT = "Content-Type: text/plain; charset=utf-8"
PDF = "Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\n\r\n%PDF-1"
PRIVET = "Привет, есть розы?"


def letter_of(*parts: str, kind: str = "mixed") -> Letter:
    head = f'Content-Type: multipart/{kind}; boundary="b"\r\n\r\n'.encode()
    return read_letter(FROM + head + b"".join(b"--b\r\n" + part.encode() + b"\r\n" for part in parts) + b"--b--\r\n")


def named(disposition: str, name: str, words: str = PRIVET, kind: str = TEXT) -> str:
    return f'{kind}\r\nContent-Disposition: {disposition}; filename="{name}"\r\n\r\n{words}'


# --- Parts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "letter",
    [
        letter_of(named("inline", "ATT00001.txt"), PDF),
        letter_of(named("attachment", "ATT00001.txt"), PDF),
        letter_of(named("inline", "письмо.txt"), PDF),
        letter_of(named("attachment", "message.txt"), PDF),
        letter_of(PDF, named("inline", "body.txt")),
        letter_of(f"{TEXT}\r\n\r\n", named("inline", "ATT00002.txt"), PDF),
        letter_of(f'{TEXT}; name="text.txt"\r\n\r\n{PRIVET}', PDF),
    ],
)
def test_the_first_text_is_the_words_whatever_it_is_called(letter: Letter) -> None:
    assert (letter.plain or "").strip() == PRIVET
    assert [file.name for file in letter.files] == ["a.pdf"]


@pytest.mark.parametrize("disposition", ["inline", "attachment"])
@pytest.mark.parametrize("kind", ["text/plain", "text/html"])
def test_the_only_part_of_a_letter_is_its_words(disposition: str, kind: str) -> None:
    part = named(disposition, "a.txt", kind=f"Content-Type: {kind}; charset=utf-8")
    letter = read_letter(FROM + part.encode())
    assert (letter.html if kind == "text/html" else letter.plain) == PRIVET
    assert letter.files == ()


def test_named_forms_of_the_same_are_words() -> None:
    html = named("attachment", "b.html", "<p>Да</p>", "Content-Type: text/html; charset=utf-8")
    letter = letter_of(named("attachment", "a.txt", "Да"), html, kind="alternative")
    assert (letter.plain, letter.html, letter.files) == ("Да", "<p>Да</p>", ())


@pytest.mark.parametrize(
    ("letter", "words", "files"),
    [
        (letter_of(f"{TEXT}\r\n\r\nДа", named("attachment", "notes.txt")), "Да", ["notes.txt"]),
        (letter_of(f"{TEXT}\r\n\r\nДа", named("inline", "log.txt")), "Да", ["log.txt"]),
        (letter_of(named("attachment", "notes.txt"), f"{TEXT}\r\n\r\nДа"), "Да", ["notes.txt"]),
        (letter_of(PDF, named("attachment", "notes.txt")), None, ["a.pdf", "notes.txt"]),
        (letter_of(f"{TEXT}\r\n\r\nДа", "Content-Type: text/csv; name=p.csv\r\n\r\na,b"), "Да", ["p.csv"]),
        (letter_of("Content-Type: text/csv; name=p.csv\r\n\r\na,b"), None, ["p.csv"]),
    ],
)
def test_attachments_of_text_stay_files(letter: Letter, words: str | None, files: list[str]) -> None:
    assert letter.plain == words
    assert [file.name for file in letter.files] == files


def test_a_form_for_programs_alone_is_no_file() -> None:
    amp = "Content-Type: text/x-amp-html\r\n\r\n<html amp4email>"
    letter = letter_of(f"{TEXT}\r\n\r\nДа", amp, "Content-Type: text/html\r\n\r\n<p>Da</p>", kind="alternative")
    assert (letter.plain, letter.files) == ("Да", ())


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ('filename="Счёт № 5.pdf"', "Счёт № 5.pdf"),
        ("filename*=win-1251''%D1%F7%B8%F2.pdf", "Счёт.pdf"),
        ("filename*=utf-8'ru'%D0%A1%D1%87%D1%91%D1%82.pdf", "Счёт.pdf"),
        ("filename*0*=utf-8''%D0%A1%D1%87; filename*1*=%D1%91%D1%82.pdf", "Счёт.pdf"),
        ("filename*=iso-2022-jp''%1B$B-%21%1B%28B.pdf", "①.pdf"),
        ('filename="=?utf-8?B?0KHRh9GR0YIucGRm?="', "Счёт.pdf"),
    ],
)
def test_a_name_is_read_as_programs_tell_it(told: str, name: str) -> None:
    (file,) = letter_of(f"{TEXT}\r\n\r\nДа", PDF.replace("filename=a.pdf", told)).files
    assert file.name == name


# --- Sets of characters -----------------------------------------------------------------------------------------------


def jis(text: str, more: bytes = b"") -> bytes:
    """ISO-2022-JP, with further pairs of the set of Windows."""
    return b"\x1b$B" + bytes(byte & 0x7F for byte in text.encode("euc_jp")) + more + b"\x1b(B"


@pytest.mark.parametrize(
    ("told", "content", "text"),
    [
        ("iso-2022-jp", jis("値段", b"\x2d\x21"), "値段①"),
        ("ISO-2022-JP-MS", jis("値段", b"\x2d\x6a"), "値段㈱"),
        ("cp50221", jis("値段", b"\x2d\x21") + b" OK", "値段① OK"),
        ("iso-2022-jp", "ｶﾅ".encode("iso2022_jp_ext"), "ｶﾅ"),
        ("iso-2022-jp", jis("値段", b"\x7e\x7e") + b" OK", "値段\ufffd OK"),
        ("iso-2022-jp", b"\x1b$B" + jis("値")[3:5] + b"\r\nOK", "値\r\nOK"),  # never ended
        ("euc-jp", "値段".encode("euc_jp") + b"\xad\xa1\x8e\xb1", "値段①ｱ"),
        ("cp51932", "値段".encode("euc_jp") + b"\xad\xa1", "値段①"),
        ("eucjp-ms", "値段".encode("euc_jp") + b"\xff", "値段\ufffd"),
        ("shift_jis", "①～髙".encode("cp932"), "①～髙"),
        ("x-sjis", "値段①".encode("cp932") + b"\x81", "値段①\ufffd"),
        ("gb2312", "朱镕基".encode("gb18030"), "朱镕基"),
        ("GB_2312-80", "朱镕基".encode("gb18030"), "朱镕基"),
        ("hz-gb-2312", "你好".encode("hz"), "你好"),
        ("ks_c_5601-1987", "똠방각하".encode("cp949"), "똠방각하"),
        ("euc-kr", "똠방".encode("cp949") + b"\xff", "똠방\ufffd"),
        ("iso-2022-kr", "한국".encode("iso2022_kr"), "한국"),
        ("big5", "香港嘅".encode("big5hkscs"), "香港嘅"),
        ("latin1", "„5 €“ – Größe".encode("cp1252"), "„5 €“ – Größe"),
        ("iso-8859-1", b"5\x81 caf\xe9", "5\ufffd café"),
        ("iso-8859-9", "İstanbul €".encode("cp1254"), "İstanbul €"),
        ("iso-8859-2", "„kůň“".encode("cp1250"), "„kůň“"),
        ("iso-8859-2", "kůň šťastný".encode("iso-8859-2"), "kůň šťastný"),
        ("tis-620", "ทดสอบ".encode("cp874"), "ทดสอบ"),
        ("windows-1251", PRIVET.encode("cp1251"), PRIVET),
        ("win-1251", PRIVET.encode("cp1251"), PRIVET),
        ("x-cp1251", PRIVET.encode("cp1251"), PRIVET),
        ("CP-1251", PRIVET.encode("cp1251") + b"\x98", f"{PRIVET}\ufffd"),
        ("koi8-ru", PRIVET.encode("koi8-u"), PRIVET),
        ("cp20866", PRIVET.encode("koi8-r"), PRIVET),
        ("ibm866", PRIVET.encode("cp866"), PRIVET),
        ("x-mac-cyrillic", PRIVET.encode("mac_cyrillic"), PRIVET),
        ("windows-1251", PRIVET.encode(), PRIVET),  # told wrongly
        ("utf-8", PRIVET.encode("cp1251"), PRIVET),
        ("utf-8", PRIVET.encode() + b"\xff", f"{PRIVET}\ufffd"),
        ("us-ascii", PRIVET.encode("koi8-r"), PRIVET),
        ("utf8mb4", "🌹".encode(), "🌹"),
        ("utf-16", PRIVET.encode("utf-16-be"), PRIVET),
        ("utf-16", PRIVET.encode("utf-16"), PRIVET),
        ("utf-7", PRIVET.encode("utf-7"), PRIVET),
        ("us-ascii", jis("値段"), "値段"),
        ("", jis("値段"), "値段"),
        ("utf-8", jis("値段"), "値段"),
        ("iso-2022-jp", b"\x0e1\x0f OK", "ｱ OK"),
        ("koi8-r", "Привіт, є троянди?".encode("koi8-u"), "Привіт, є троянди?"),
        ("koi8-r", "╓──╖ ╬".encode("koi8-r"), "╓──╖ ╬"),
        ("no-such-set", PRIVET.encode("cp1251"), PRIVET),
        ("windows-1251", b"\xef\xbb\xbf" + PRIVET.encode(), PRIVET),
    ],
)
def test_text_is_read_by_the_widest_set_of_what_is_told(told: str, content: bytes, text: str) -> None:
    assert text_of(content, told) == text


@pytest.mark.parametrize("told", ["utf-8", "iso-2022-jp", "windows-1251", "latin1", ""])
def test_a_message_has_no_control_signs(told: str) -> None:
    content = b"a\x00\x07\x1bb\x7f\tc\x0bd\r\n"
    assert text_of(content, told) == "ab\tc\nd\r\n"
    assert text_of("a\x90b".encode(), "utf-8") == "ab"


def test_every_label_of_the_encoding_standard_is_known() -> None:
    labels = [label for charset in CHARSETS for label in charset.labels.split()]
    assert len(labels) > 300
    for charset in CHARSETS:
        for label in charset.labels.split():
            assert charset_of(label) is charset, label
            assert charset_of(f' "{label.upper()}" ') is charset, label


def test_markup_tells_its_charset_where_its_part_does_not() -> None:
    html = b'<meta http-equiv=content-type content="text/html; charset=windows-1251"><p>' + "Ёж".encode("cp1251")
    assert (read_letter(FROM + b"Content-Type: text/html\r\n\r\n" + html).html or "").endswith("<p>Ёж")


# --- Fields -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("=?utf-8?Q?Привет мир?=", "Привет мир"),
        ("=?utf-8?Q?Hello world?=", "Hello world"),
        ("=?windows-1251?Q?=CF=F0ивет?=", "Привет"),
        ("=?koi8-r?Q?=F0ривет?= и ещё", "Привет и ещё"),
        ("=?utf-8?B?0J/RgNC4 0LLQtdGC?=", "Привет"),
        ("=?utf-8?B?Привет?=", "Привет"),
        ("=?UTF-8?B?0J8=0YA=?=", "Пр"),
        ("=?utf-8?Q?=D0=9F=?= =?utf-8?Q?x?=", "П=x"),
        ("=?utf-8?Q?cut =?utf-8?Q?=D0=9F?=", "=?utf-8?Q?cut П"),
        ("=?utf-8?Q?50%_=ZZ?=", "50% =ZZ"),
        ("=?utf-8*ru?q?=D0=9F?=", "П"),
        ("Re: =?iso-2022-jp?B?GyRCLSEbKEI=?=", "Re: ①"),
        ("=?unknown?x?a?= 5 =? 6", "=?unknown?x?a?= 5 =? 6"),
        ("Это =?utf-8?q?=D0=9F?=!", "Это П!"),
    ],
)
def test_what_can_be_decoded_of_a_subject_is(value: str, text: str) -> None:
    assert decoded(value) == text
    assert read_letter(FROM + f"Subject: {value}\r\n\r\nhello".encode()).subject == text


@pytest.mark.parametrize(
    ("value", "address", "name"),
    [
        ("Иван <иван@почта.рф>", "иван@почта.рф", "Иван"),
        ("Иван <ivan@xn--80a1acny.xn--p1ai>", "ivan@почта.рф", "Иван"),
        ("IVAN@XN--80A1ACNY.XN--P1AI", "ivan@почта.рф", ""),
        ("info@bücher.example", "info@bücher.example", ""),
        ("info@xn--bcher-kva.example", "info@bücher.example", ""),
        ("info@xn--99999999.example", "info@xn--99999999.example", ""),
        ("=?utf-8?B?0JjQstCw0L0gPGl2YW5AZXhhbXBsZS5vcmc+?=", "ivan@example.org", "Иван"),
        ("Ivan <=?utf-8?Q?ivan?=@example.org>", "ivan@example.org", "Ivan"),
        ("m..x.@docomo.example", "m..x.@docomo.example", ""),
        ('"m..x."@docomo.example', "m..x.@docomo.example", ""),
        ('"Mary" <"m..x."@docomo.example>', "m..x.@docomo.example", "Mary"),
        ("<mailto:mary@example.org>", "mary@example.org", ""),
        ("Mary <mary @ example . org>", "mary@example.org", "Mary"),
        ("mary@example.org.", "mary@example.org", ""),
        ("田中 <田中@例え.jp>", "田中@例え.jp", "田中"),
    ],
)
def test_addresses_beyond_ascii(value: str, address: str, name: str) -> None:
    letter = read_letter(f"From: {value}\r\n\r\nhello".encode())
    assert [(one.address, one.name.strip()) for one in letter.from_] == [(address, name)]


@pytest.mark.parametrize(
    ("charset", "subject"),
    [("gb2312", "玫瑰有货吗"), ("shift_jis", "バラの値段①"), ("windows-1251", "Розы"), ("utf-8", "Розы")],
)
def test_raw_letters_of_a_field_are_in_the_charset_of_the_letter(charset: str, subject: str) -> None:
    codec = {"gb2312": "gb18030", "shift_jis": "cp932"}.get(charset, charset)
    head = f"From: a@example.org\r\nSubject: {subject}\r\nContent-Type: text/plain; charset={charset}\r\n\r\nhello"
    assert read_letter(head.encode(codec)).subject == subject
    assert read_letter(head.encode()).subject == subject


def test_raw_letters_of_another_charset_are_read() -> None:
    letter = read_letter("From: Иван <иван@почта.рф>\r\n\r\nhello".encode("koi8-r"))
    assert [one.address for one in letter.from_] == ["иван@почта.рф"]
    assert addresses("a\ufffdb@example.org") == []


def test_both_forms_of_a_domain_are_one_address() -> None:
    first, second = "Ivan@почта.рф", "ivan@xn--80a1acny.xn--p1ai"
    assert normal(first) == normal(second) == "ivan@почта.рф"
    assert digest_of(first) == digest_of(second)
    assert digest_of("ivan@straße.example") == digest_of("ivan@xn--strae-oqa.example")


def test_a_signature_of_either_form_proves_the_sender() -> None:
    result = "mx.example.net; dkim=pass header.d=xn--80a1acny.xn--p1ai"
    head = f"Authentication-Results: {result}\r\nFrom: Иван <иван@почта.рф>\r\n\r\nhello"
    assert proofs.proof_of(read_letter(head.encode()), ("mx.example.net",)) is proofs.Proof.PASS
    # What IDNA of 2003 folds to another domain is another domain.
    other = head.replace("почта.рф", "straße.example").replace("xn--80a1acny.xn--p1ai", "strasse.example")
    assert proofs.proof_of(read_letter(other.encode()), ("mx.example.net",)) is proofs.Proof.NONE


@pytest.mark.parametrize(
    ("address", "is_one"),
    [
        ("m..x.@docomo.example", True),
        ("иван@почта.рф", True),
        ("mary@example.org", True),
        ("mary@localhost", False),
        ("mary@-example.org", False),
        ("mary@127.0.0.1", False),
        ("ma\ufffdry@example.org", False),
        ("mary@exa mple.org", False),
    ],
)
def test_a_contact_has_only_an_address_that_can_be_one(address: str, is_one: bool) -> None:
    assert is_mailable(address) is is_one


# --- Blocks of heads --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "From: Riga\nTo: Tallinn\nDate: 5 May\nSubject: flowers\n\nHow much is it?",
        "От: Рига\nКому: Таллин\nДата: 5 мая\nТема: цветы\n\nСколько стоит?",
        "Von: Riga\nAn: Tallinn\nDatum: 05.05.2026\nBetreff: Blumen\n\nWas kostet das?",
        "Hello\n\nFrom: Riga\nTo: Tallinn\nSubject: flowers at 10:30, mary@example.org\n\nThank you",
    ],
)
def test_a_persons_own_lines_of_heads_stay(text: str) -> None:
    own = own_text(plain_lines(text))
    assert [line for line in text.split("\n") if line.strip() and line not in own.text] == []


def test_a_persons_own_lines_of_heads_above_a_quotation_stay() -> None:
    own = own_text(plain_lines("Date: 5 May\nFrom: Riga\nTo: Tallinn\n> two roses"))
    assert own.text == "Date: 5 May\nFrom: Riga\nTo: Tallinn"


@pytest.mark.parametrize(
    "heads",
    [
        "From: Flowers <shop@example.org>\nTo: Mary\nSubject: Roses",
        "From: Flowers\nSent: Friday, November 20, 2026 10:15 AM\nTo: Mary\nSubject: Roses",
        "От: Цветы\nОтправлено: пятница, 20 ноября 2026 г. 10:15\nКому: Мария\nТема: Розы",
        "Von: Blumen [mailto:shop@example.org]\nGesendet: Freitag\nAn: Maria\nBetreff: Rosen",
        "De: Flores\nEnviado el: viernes, 20 de noviembre de 2026 10:15\nPara: Maria\nAsunto: Rosas",
        "发件人: 花店\n发送时间: 2026年11月20日 10:15\n收件人: 玛丽\n主题: 玫瑰",
    ],
)
def test_a_block_of_heads_with_an_address_or_a_full_date_is_quoted(heads: str) -> None:
    assert own_text(plain_lines(f"Two, please.\n\n{heads}\n\nWe have roses.")).text == "Two, please."
