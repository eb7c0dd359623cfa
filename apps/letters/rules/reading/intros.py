"""The lines by which mail programs begin what is quoted, and the lines that stand there in each language: data.

A program is lines here, and recorded letters in `tests/letters/letters`. Shapes: mailgun/talon, alfonsrv/mail-parser-reply,
discourse/email_reply_trimmer, crisp-oss/email-reply-parser, and the letters of the programs themselves.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

LONGEST_LINE = 400
# An intro is cut in lines by programs that fold at 78 characters.
MOST_LINES = 3

_MARKS = re.compile("[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\xad]")


def bare(line: str) -> str:
    """A line as patterns see it: without quote signs, marks of direction, stars of bold type and doubled blanks."""
    return " ".join(_MARKS.sub("", line[:LONGEST_LINE]).replace("\xa0", " ").lstrip("> \t").replace("*", "").split())


# --- Our own line -----------------------------------------------------------------------------------------------------

# `=== Answer above this line ===` of our letters, in the seven languages (design of letters, 2).
MARKERS = (
    "answer above this line",
    "отвечайте выше этой строки",
    "ответьте выше этой строки",
    "bitte über dieser zeile antworten",
    "antworten sie über dieser zeile",
    "antwort über dieser zeile",
    "απαντήστε πάνω από αυτή τη γραμμή",
    "απαντήστε πάνω από αυτήν τη γραμμή",
    "responda por encima de esta línea",
    "responda encima de esta línea",
    "اكتب ردك فوق هذا السطر",
    "أجب فوق هذا السطر",
    "请在此行上方回复",
    "请在此行以上回复",
)


def is_marker(line: str) -> bool:
    """Whether the line is the one above which an answer to a letter of ours belongs: three `=` on both sides."""
    found = bare(line)
    if not (found.startswith("===") and found.endswith("===")):
        return False
    return 3 <= len(found.strip("= ")) <= 80


# --- Intros -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Intro:
    """An intro of a program in a language: a pattern on up to three lines, joined by a blank."""

    program: str
    language: str
    pattern: re.Pattern[str]


def _of(program: str, language: str, pattern: str) -> Intro:
    return Intro(program, language, re.compile(pattern, re.IGNORECASE))


_WHO = r".{1,200}"
INTROS: tuple[Intro, ...] = (
    # English
    _of(
        "Gmail, Apple Mail, Thunderbird, Yahoo, Proton",
        "en",
        r"-*\s?On\b.{0,80}\d.{3,250}\b(?:wrote|writes|sent)\s?[:：].{0,3}",
    ),
    _of("Outlook for Mac, Evolution", "en", r"On \d{1,4}[/.-].{3,250} wrote:"),
    _of("Gmail", "en", r".{1,120}<[^<> ]{3,200}> (?:wrote|schrieb|escribió)[: ].{0,80}\d.{0,40}:"),
    _of(
        "Mail.ru", "en", r"\w{3,12}, (?:\d{1,2} \w{3,12}|\w{3,12} \d{1,2},?) \d{4},? .{0,60}(?: from |, )" + _WHO + ":"
    ),
    # Russian
    _of("Gmail", "ru", r"\w{2,12}\.?, \d{1,2} \w{3,9}\.? \d{4}\s?г?\.?,? (?:в )?\d{1,2}:\d\d,? " + _WHO + ":"),
    _of(
        "Apple Mail, iPhone, Yahoo, Thunderbird",
        "ru",
        r".{0,40}\d.{3,250}\b(?:написал|писал|пишет|пишут|написала|написали)(?:\(а\)|а|и)?\s?:",
    ),
    _of("Яндекс Почта", "ru", r"\d{1,2}\.\d\d\.\d{4}, \d{1,2}:\d\d, " + _WHO + ":"),
    _of("Яндекс Почта, phone", "ru", r"\d{1,2}:\d\d, \d{1,2} \w{3,9}\.? \d{4} ?г?\.?, " + _WHO + ":"),
    _of(
        "Mail.ru", "ru", r"\w{5,12}, \d{1,2} \w{3,9}\.? \d{4},? \d{1,2}:\d\d(?::\d\d)? [+-]\d\d:?\d\d от " + _WHO + ":"
    ),
    _of("Mail.ru, old", "ru", r"\w{3}, \d{1,2} \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4} от " + _WHO + ":"),
    _of("The Bat!", "ru", r"Вы писали .{0,60}\d.{0,60}:"),
    # German
    _of("Gmail, Apple Mail, Thunderbird", "de", r"(?:Am|Den|Um) .{0,60}\d.{0,200}\bschrieb\b.{0,200}:"),
    _of("Yahoo", "de", r"Am .{0,60}\d.{0,120} hat " + _WHO + " (?:Folgendes )?geschrieben:"),
    _of("Gmail, Proton", "de", r".{1,200} schrieb (?:am|um) .{0,60}\d.{0,80}:"),
    _of("iPhone", "de", r"Am \d{1,2}\..{2,80} um \d\d:\d\d schrieb .{1,200}:"),
    # Greek
    _of("Gmail, Apple Mail, Thunderbird, Yahoo", "el", r"Στις .{0,60}\d.{0,200}\b(?:έγραψε|έγραψαν)\s?:"),
    # Spanish
    _of("Gmail, Apple Mail, Thunderbird, Yahoo", "es", r"El .{0,60}\d.{0,250}\bescribi[óo]\s?:"),
    # Arabic
    _of("Gmail", "ar", r"في .{0,80}[\d٠-٩].{0,200}(?:كتب|كتبت|كتابة ما يلي بواسطة|كتب/كتبت)\s?.{0,200}[:：]"),
    _of("Apple Mail", "ar", r".{0,80}[\d٠-٩].{0,120}(?:كتب|كتبت|كتب/كتبت).{0,200}[:：]"),
    # Chinese
    _of("Gmail, Apple Mail, Thunderbird", "zh", r".{0,200}\d{4}.{0,200}(?:写道|寫道|写入|来信|wrote)\s?[:：]"),
    # French, Italian, Portuguese, Dutch, Polish, Ukrainian: the same programs
    _of("all", "fr", r"Le .{0,60}\d.{0,250}\b(?:a écrit|écrit)\s?:"),
    _of("all", "it", r"Il .{0,60}\d.{0,250}\bha scritto\s?:"),
    _of("all", "pt", r"(?:Em|No dia|A) .{0,60}\d.{0,250}\bescreveu\s?:"),
    _of("all", "nl", r"Op .{0,60}\d.{0,250}\b(?:schreef|geschreven)\b.{0,200}:"),
    _of("all", "pl", r".{0,80}\d.{0,250}\bnapisa[łl](?:\(a\)|a)?\s?:?.{0,200}:"),
    _of("all", "uk", r".{0,60}\d.{0,250}\b(?:пише|написав|написала)(?:\(-ла\))?\s?.{0,120}:"),
    # A program in any language that names moment and sender
    _of(
        "any",
        "",
        r".{0,60}\d{1,4}[./-]\d{1,2}[./-]\d{2,4},?.{0,20}\d{1,2}:\d\d.{0,200}<[^<>\s@]{1,64}@[^<>\s]{1,200}>\)?\s?[:：]",
    ),
)

_DAY = re.compile(
    r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}\.? [^\W\d]{3,9}\.?,? \d{4}|[^\W\d]{3,9}\.? \d{1,2},? \d{4}|\d{4}年"
)
_TIME = re.compile(r"(?<![\d.])\d{1,2}[:.]\d\d(?![\d.])")
_YEAR_OR_DAY = re.compile(rf"(?<!\d)\d{{4}}(?!\d)|{_DAY.pattern}")
# The name of a day, before the day itself.
_WEEKDAY = re.compile(r"[:：]\s{0,3}[^\W\d]{2,20}\.?,")
_ADDRESS = re.compile(r"[^\s@<>()\[\],;:\"]{1,64}@[^\s@<>()\[\],;:\".]{1,63}\.[^\s@<>()\[\],;:\"]{1,190}")
_VERB = re.compile(
    r"(?:wrote|писал\w{0,4}|пишет|schrieb|geschrieben|έγραψε|escribió|كتب|写道|寫道|écrit|scritto|escreveu|schreef)[:： (а)]{0,6}$"
)


def is_intro(text: str) -> bool:
    """Whether a line, or up to three that are joined, is known to begin a quotation."""
    text = bare(text)
    return _ends_as_intro(text) and any(one.pattern.fullmatch(text) for one in INTROS)


def _ends_as_intro(text: str) -> bool:
    return ":" in text[-4:] or "：" in text[-4:]


def may_be_intro(text: str) -> bool:
    """Whether a line directly above what is quoted for certain belongs to it: it names a day with a time or an
    address, or says that somebody wrote. Neither alone does: people write so, too.
    """
    text = bare(text)
    if not _ends_as_intro(text):
        return False
    has_day, has_time = _DAY.search(text) is not None, _TIME.search(text) is not None
    return (
        is_intro(text)
        or (has_day and (has_time or "@" in text))
        or (has_time and "@" in text)
        or (len(text) < 200 and _VERB.search(text) is not None)
    )


def intro_at(lines: Sequence[str], at: int) -> int:
    """How many lines from there on are an intro; 0 for none."""
    joined = ""
    for count, line in enumerate(lines[at : at + MOST_LINES], start=1):
        if not line.strip():
            return 0
        joined = f"{joined} {line}" if joined else line
        if is_intro(joined):
            return count
    return 0


# --- Header blocks ----------------------------------------------------------------------------------------------------

_LABELS: dict[str, tuple[str, ...]] = {
    "from": (
        "from",
        "von",
        "от",
        "от кого",
        "από",
        "de",
        "desde",
        "من",
        "发件人",
        "寄件者",
        "寄件人",
        "da",
        "od",
        "від",
        "van",
        "kimden",
        "från",
        "fra",
        "差出人",
        "보낸 사람",
    ),
    "sent": (
        "sent",
        "date",
        "sent at",
        "gesendet",
        "datum",
        "gesendet am",
        "отправлено",
        "дата",
        "дата отправки",
        "στάλθηκε",
        "ημερομηνία",
        "εστάλη",
        "enviado",
        "enviado el",
        "fecha",
        "تاريخ الإرسال",
        "التاريخ",
        "تم الإرسال",
        "أرسلت",
        "发送时间",
        "发送日期",
        "日期",
        "寄件日期",
        "时间",
        "envoyé",
        "inviato",
        "data",
        "enviada em",
        "wysłano",
        "надіслано",
        "verzonden",
        "gönderme",
        "tarih",
        "skickat",
        "sendt",
        "送信日時",
    ),
    "to": (
        "to",
        "an",
        "кому",
        "προς",
        "para",
        "إلى",
        "收件人",
        "收件者",
        "à",
        "a",
        "do",
        "aan",
        "кому",
        "till",
        "til",
        "宛先",
    ),
    "cc": ("cc", "kopie", "копия", "κοιν", "κοιν.", "抄送", "副本", "نسخة", "cci", "bcc", "kopi"),
    "subject": (
        "subject",
        "betreff",
        "тема",
        "θέμα",
        "asunto",
        "الموضوع",
        "主题",
        "主旨",
        "objet",
        "oggetto",
        "assunto",
        "temat",
        "onderwerp",
        "konu",
        "ämne",
        "emne",
        "件名",
    ),
}
LABEL_OF = {name: kind for kind, names in _LABELS.items() for name in names}


def label_of(line: str) -> str:
    """The label of a header block's line such as `Betreff: …` (`from`, `sent`, `to`, `cc`, `subject`); empty for none."""
    name, colon, _ = bare(line[:120]).replace("：", ":").partition(":")
    return LABEL_OF.get(name.strip().lower(), "") if colon else ""


def header_block_at(lines: Sequence[str], at: int) -> bool:
    """Whether a header block of a quoted letter begins there: From or Sent, and two other labels in the next lines,
    with an address, or a day of a year with its time, as programs put there. People write such lines, too, about a
    journey.
    """
    if label_of(lines[at]) not in ("from", "sent"):
        return False
    kinds, others, is_told = set[str](), 0, False
    for line in lines[at : at + 12]:
        kind = label_of(line)
        if kind:
            kinds.add(kind)
            is_told = is_told or has_sender_or_moment(line)
        elif line.strip():
            others += 1
            is_told = is_told or (others == 1 and _ADDRESS.search(bare(line)) is not None)
        if others > 3:
            break
        if is_told and len(kinds) >= 3 and kinds & {"sent", "subject"}:
            return True
    return False


def has_sender_or_moment(line: str) -> bool:
    """Whether a line of a header block has an address, or is of Sent with a whole day and its time or its name."""
    kind, text = label_of(line), bare(line)
    if kind != "sent":
        return kind != "subject" and _ADDRESS.search(text) is not None
    return _YEAR_OR_DAY.search(text) is not None and (
        _TIME.search(text) is not None or _WEEKDAY.search(text) is not None
    )


_ORIGINAL = re.compile(
    r"[-—_]{2,40}\s?(?:original message|original-nachricht|ursprüngliche nachricht|urspr\. nachricht|originalnachricht|"
    r"исходное сообщение|исходное письмо|оригинальное сообщение|mensaje original|αρχικό μήνυμα|الرسالة الأصلية|原始邮件|原始郵件|"
    r"message d'origine|messaggio originale|mensagem original|oorspronkelijk bericht|original appointment)\s?[-—_]{0,40}",
    re.IGNORECASE,
)
_RULE = re.compile(r"[-_—=]{8,200}")
_FORWARDED = re.compile(
    r"[-—_ ]{0,40}(?:forwarded message|begin forwarded message|weitergeleitete nachricht|anfang der weitergeleiteten (?:nachricht|e-mail)|"
    r"пересылаемое сообщение|пересланное сообщение|начало переадресованного сообщения|начало пересылаемого сообщения|"
    r"mensaje reenviado|προωθημένο μήνυμα|رسالة معاد توجيهها|转发的邮件|轉寄郵件|message transféré|завершение пересылаемого сообщения)\s?:?[-—_ ]{0,40}",
    re.IGNORECASE,
)


def is_original_rule(line: str) -> bool:
    """Whether it is a line such as `-----Original Message-----`."""
    return _ORIGINAL.fullmatch(bare(line)) is not None


def is_rule(line: str) -> bool:
    """Whether it is nothing but a drawn line."""
    return _RULE.fullmatch(bare(line)) is not None


def is_forwarded(line: str) -> bool:
    """Whether it begins a letter that is passed on: that is no quotation, it is what the letter is about."""
    return _FORWARDED.fullmatch(bare(line)) is not None
