"""The letters to visitors and to operators, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import formataddr

from django.core.mail import EmailMultiAlternatives
from django.utils import timezone
from django.utils.translation import gettext_lazy

from apps.chats.models import Message
from apps.chats.rules.messages import is_ai
from apps.chats.rules.transcripts import TranscriptEntry, text_of
from apps.core import mail
from apps.letters.rules import limits
from apps.letters.rules.words import MARKERS, on_one_line, shortened, without_addresses


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
                "shop": shop,
                "quotes": [shortened(text.strip(), limits.QUOTED_CHARACTERS).splitlines() for text in quotes],
                "answers": answers,
                "beyond": beyond,
                "named": letter.named,
                "link": letter.link,
                "stop": letter.stop,
                "answerable": letter.answerable,
            },
        )
    made.extra_headers["From"] = formataddr((shop, mail.sender_address()))
    return made


def _cut(answers: Sequence[Answer], beyond: int) -> tuple[list[Answer], int]:
    """The answers that fit into a letter, and how many do not; one alone that is too long ends with "…"."""
    room = limits.CHARACTERS
    shown: list[Answer] = []
    for place, answer in enumerate(answers):
        size = sum(len(line) + 1 for line in answer.lines)
        if size > room and shown:
            return shown, beyond + len(answers) - place
        if size > room:
            lines = shortened("\n".join(answer.lines), room).splitlines()
            answer = Answer(answer.name, answer.at, lines, answer.is_ai)
        shown.append(answer)
        room -= min(size, room)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxLetter:
    """The parts of a letter from a mailbox: messages of the operators' side, and what it answers, quoted below.

    Times are told in `zone`, the widget's.
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


def mailbox_letter(letter: MailboxLetter) -> EmailMultiAlternatives:
    """The letter as a person would write it: text and simple HTML, no button, no picture."""
    subject = on_one_line(letter.subject).replace("%", "%%")
    with timezone.override(letter.zone):
        made = mail.render(
            "letters/mailbox_mail",
            to=letter.to,
            subject=f"Re: {subject}" if subject else gettext_lazy("Your letter"),
            language="zh-hans" if letter.language == "zh" else letter.language,
            context={
                "texts": [_lines_of(message) for message in letter.messages],
                "named": letter.named,
                "signature": letter.signature.strip().splitlines(),
                "quoted": shortened(letter.quoted.body, limits.CHARACTERS).splitlines() if letter.quoted else [],
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
