"""The e-mails to visitors and to operators, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import formataddr

from django.core.mail import EmailMultiAlternatives
from django.utils import timezone
from django.utils.translation import gettext_lazy

from apps.chats.models import Message
from apps.chats.questions import Brand
from apps.chats.rules.messages import is_ai
from apps.chats.rules.transcripts import TranscriptEntry, text_of
from apps.core import mail
from apps.letters.rules import limits
from apps.letters.rules.words import MARKERS, fitting, markup_bytes, on_one_line, shortened, without_addresses


@dataclass(frozen=True, slots=True)
class Answer:
    """A message in a letter: who wrote it, when, and the lines of its text."""

    name: str
    at: datetime
    lines: Sequence[str]
    is_ai: bool

    @classmethod
    def of(cls, message: Message) -> Answer:
        entry = TranscriptEntry(
            message.created_at, message.sender_kind, message.sender_name, message.type, message.body, message.details
        )
        name = on_one_line(message.sender_name)
        return cls(name, message.created_at, text_of(entry), is_ai(message.sender_kind, message.details))


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitorLetter:
    """The parts of a letter to a visitor. `hides`: links and numbers of what is quoted are taken out.

    Times are told in `zone`, the widget's.
    """

    language: str
    zone: str
    shop: str
    brand: Brand
    to: str
    quotes: Sequence[str]
    hides: bool
    answers: Sequence[Answer]
    beyond: int
    named: Sequence[str]
    link: str
    stop: str
    answerable: bool
    subject: str = ""


def answers_letter(letter: VisitorLetter) -> EmailMultiAlternatives:
    """The letter with what a visitor has not seen, in the language that they are served in."""
    shop = on_one_line(letter.shop)
    quotes = [without_addresses(text) if letter.hides else text for text in letter.quotes]
    answers, beyond = _cut(letter.answers, letter.beyond)
    with timezone.override(letter.zone):
        made = mail.render(
            "letters/answers_mail",
            to=letter.to,
            # Translators: the subject of a mail; the value is the name of a website's chat.
            subject=letter.subject.replace("%", "%%") or gettext_lazy("An answer from %(shop)s"),
            language="zh-hans" if letter.language == "zh" else letter.language,
            context={
                "marker": MARKERS.get(letter.language, MARKERS["en"]),
                "first_words": _first_words(answers[0].lines) if answers else "",
                "shop": shop,
                "quotes": [shortened(text.strip(), limits.QUOTED_CHARACTERS).splitlines() for text in quotes],
                "answers": answers,
                "beyond": beyond,
                "named": letter.named,
                "link": letter.link,
                "stop": letter.stop,
                "answerable": letter.answerable,
            },
            brand=letter.brand._replace(name=shop),
        )
    made.extra_headers["From"] = formataddr((shop, mail.sender_address()))
    return made


def _first_words(lines: Sequence[str]) -> str:
    """The words that mail programs show beside the subject."""
    return shortened(on_one_line(" ".join(lines)), limits.FIRST_WORDS)


def _cut(answers: Sequence[Answer], beyond: int) -> tuple[list[Answer], int]:
    """The answers that fit into a letter, and how many do not; one alone that is too long ends with "…"."""
    room, bytes_room = limits.CHARACTERS, limits.BYTES
    shown: list[Answer] = []
    for place, answer in enumerate(answers):
        text = "\n".join(answer.lines)
        if fitting(text, room, bytes_room) < len(text):
            if shown:
                return shown, beyond + len(answers) - place
            lines = shortened(text, fitting(text, room, bytes_room)).splitlines()
            answer = Answer(answer.name, answer.at, lines, answer.is_ai)
        shown.append(answer)
        room, bytes_room = room - len(text) - 1, bytes_room - markup_bytes(text)
    return shown, beyond


@dataclass(frozen=True, slots=True)
class Waiter:
    """A visitor who waits: their name and the last words, where the owner wants them in letters."""

    name: str
    words: str


def waiting_letter(
    *,
    to: str,
    language: str,
    zone: str,
    shop: str,
    count: int,
    minutes: int,
    since: datetime,
    link: str,
    waiters: Sequence[Waiter],
) -> EmailMultiAlternatives:
    """The letter that wakes an operator; its subject has no words of visitors. Times are told in `zone`, the reader's.

    `minutes` is the longest wait, and `since` when it began.
    """
    context = {"shop": on_one_line(shop), "count": count, "minutes": minutes, "link": link, "waiters": waiters}
    with timezone.override(zone):
        return mail.render(
            "letters/waiting_mail",
            to=to,
            # Translators: the subject of a mail to an operator; the value is the name of a website's chat.
            subject=gettext_lazy("Visitors of %(shop)s wait for an answer"),
            language=language,
            context=context | {"since": since, "zone": zone},
        )


def notice_letter(
    *, to: str, language: str, shop: str, automation: str, text: str, link: str
) -> EmailMultiAlternatives:
    """The letter by which an automation tells an operator `text`, of a chat behind `link`."""
    context = {"shop": on_one_line(shop), "automation": on_one_line(automation), "text": text, "link": link}
    return mail.render(
        "letters/notice_mail",
        to=to,
        subject="%(automation)s: %(shop)s",
        language=language,
        context=context,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxLetter:
    """The parts of a letter from a mailbox: messages of the operators' side, and what it answers, quoted below.

    Times are told in `zone`, the widget's. `hides`: links, addresses and numbers of what is quoted are taken out.
    """

    language: str
    zone: str
    to: str
    copies: Sequence[str]
    subject: str
    messages: Sequence[Message]
    named: Sequence[str]
    signature: str
    quoted: Message | None
    hides: bool = False


def mailbox_letter(letter: MailboxLetter) -> EmailMultiAlternatives:
    """The letter as a person would write it: text and simple HTML, no button, no picture."""
    subject = on_one_line(letter.subject).replace("%", "%%")
    texts = [_lines_of(message) for message in letter.messages]
    quoted = letter.quoted.body if letter.quoted else ""
    quoted = without_addresses(quoted) if letter.hides else quoted
    written = sum(markup_bytes(line) for lines in texts for line in lines)
    room = fitting(quoted, limits.CHARACTERS, limits.BYTES - written)
    with timezone.override(letter.zone):
        made = mail.render(
            "letters/mailbox_mail",
            to=letter.to,
            subject=f"Re: {subject}" if subject else gettext_lazy("Your e-mail"),
            language="zh-hans" if letter.language == "zh" else letter.language,
            context={
                "texts": texts,
                "first_words": _first_words(texts[0]) if texts else "",
                "named": letter.named,
                "signature": letter.signature.strip().splitlines(),
                "quoted": shortened(quoted, room).splitlines() if room else [],
                "quoted_at": letter.quoted.created_at if letter.quoted else None,
                "quoted_from": letter.to,
            },
        )
    made.cc = list(letter.copies)
    return made


def _lines_of(message: Message) -> Sequence[str]:
    """The lines of a message; link buttons are `label: url`."""
    buttons = (message.details or {}).get("keyboard", {}).get("buttons", [])
    links = [f"{one.get('text') or one.get('label')}: {one['url']}" for one in buttons if one.get("url")]
    return [*Answer.of(message).lines, *links] if message.type != "keyboard" else [*message.body.splitlines(), *links]


def refused_login(*, to: str, address: str, page: str, language: str) -> EmailMultiAlternatives:
    """The letter to an owner whose mailbox is not read any more; it holds nothing of the password."""
    return mail.render(
        "letters/refused_mail",
        to=to,
        # Translators: the subject of a mail; the value is an e-mail address.
        subject=gettext_lazy("%(address)s is not read any more"),
        language=language,
        context={"address": address, "page": page},
    )


def proof_code_letter(*, to: str, code: str, language: str) -> EmailMultiAlternatives:
    """The letter to a mailbox that somebody named as theirs. It names nobody: who reads it decides."""
    return mail.render(
        "letters/proof_code_mail",
        to=to,
        # Translators: the subject of a mail; the value is eight digits.
        subject=gettext_lazy("Code %(code)s: is this mailbox yours?"),
        language=language,
        context={"code": code, "address": to},
    )
