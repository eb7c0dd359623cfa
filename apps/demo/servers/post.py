"""The post of a trial: letters that the service wrote lie as files; answers to them go in by the real door, in the forms
that mail programs give them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import make_msgid, parseaddr
from html import escape
from pathlib import Path
from typing import Any

from django.conf import settings

from apps.letters.actions.receiving.doors import accept
from apps.letters.models import InLetter, Mailbox
from apps.letters.rules.mailboxes import Door

MOST = 50


@dataclass(frozen=True, slots=True)
class WrittenLetter:
    """A letter that the service wrote; `number` is 1 for the newest."""

    number: int
    name: str
    message: Any

    @property
    def to(self) -> str:
        return parseaddr(str(self.message["To"]))[1]

    @property
    def subject(self) -> str:
        return str(self.message["Subject"])

    @property
    def at(self) -> str:
        return str(self.message["Date"] or "")

    @property
    def answers_to(self) -> str:
        """The address for answers; empty where letters have no such address."""
        return parseaddr(str(self.message["Reply-To"] or self.message["From"] or ""))[1]

    @property
    def text(self) -> str:
        return _part(self.message, "plain")

    @property
    def html(self) -> str:
        return _part(self.message, "html")


def _part(message: Any, kind: str) -> str:
    found = message.get_body(preferencelist=(kind,))
    return str(found.get_content()) if found is not None else ""


def letters() -> list[WrittenLetter]:
    """The letters of the trial, newest first."""
    folder = Path(settings.EMAIL_FOLDER)
    paths = sorted(folder.glob("*.eml"), reverse=True)[:MOST] if folder.is_dir() else []
    read = [(path.name, message_from_bytes(path.read_bytes(), policy=policy.default)) for path in paths]
    return [WrittenLetter(number, name, message) for number, (name, message) in enumerate(read, start=1)]


def letter(number: int) -> WrittenLetter | None:
    return next((one for one in letters() if one.number == number), None)


def _gmail(text: str, quoted: str, sender: str) -> tuple[str, str]:
    intro = f"On Fri, Nov 20, 2026 at 10:11 AM {sender} wrote:"
    html = (
        f'<div dir="ltr">{_html(text)}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">{escape(intro)}<br></div><blockquote class="gmail_quote">{_html(quoted)}</blockquote></div>'
    )
    return f"{text}\n\n{intro}\n\n{_signs(quoted)}", html


def _outlook(text: str, quoted: str, sender: str) -> tuple[str, str]:
    heads = f"From: {sender}\nSent: Friday, November 20, 2026 10:11 AM\nSubject: An answer"
    html = (
        f'<div class="WordSection1"><p class="MsoNormal">{_html(text)}</p><div style="border:none;border-top:solid #E1E1E1 1.0pt">'
        f'<p class="MsoNormal">{_html(heads)}</p></div><p class="MsoNormal">{_html(quoted)}</p></div>'
    )
    return f"{text}\n\n{heads}\n\n{quoted}", html


def _yandex(text: str, quoted: str, sender: str) -> tuple[str, str]:
    intro = f'20.11.2026, 10:11, "{sender.partition("<")[0].strip()}" <{parseaddr(sender)[1]}>:'
    html = (
        f"<div>{_html(text)}</div><div>&nbsp;</div><div>{escape(intro)}</div><blockquote>{_html(quoted)}</blockquote>"
    )
    return f"{text}\n\n{intro}\n{_signs(quoted)}", html


def _mail_ru(text: str, quoted: str, sender: str) -> tuple[str, str]:
    intro = f"Пятница, 20 ноября 2026, 10:11 +03:00 от {sender}:"
    html = (
        f'<div>{_html(text)}</div><div>&nbsp;</div><blockquote style="border-left:1px solid #0857A6;margin:10px">'
        f"{escape(intro)}<br>{_html(quoted)}</blockquote>"
    )
    return f"{text}\n \n>{intro}\n>\n{_signs(quoted)}", html


def _apple(text: str, quoted: str, sender: str) -> tuple[str, str]:
    intro = f"On Nov 20, 2026, at 10:11, {sender} wrote:"
    html = (
        f'{_html(text)}<br><div>Sent from my iPhone</div><div><br><blockquote type="cite">{escape(intro)}<br></blockquote></div>'
        f'<blockquote type="cite">{_html(quoted)}</blockquote>'
    )
    return f"{text}\n\nSent from my iPhone\n\n> {intro}\n>\n{_signs(quoted)}", html


PROGRAMS: dict[str, tuple[str, Callable[[str, str, str], tuple[str, str]]]] = {
    "gmail": ("Gmail", _gmail),
    "outlook": ("Outlook", _outlook),
    "yandex": ("Yandex", _yandex),
    "mailru": ("Mail.ru", _mail_ru),
    "apple": ("iPhone", _apple),
}


def answer(written: WrittenLetter, text: str, program: str) -> InLetter:
    """Answers a letter as that program would, by the real door."""
    plain, html = PROGRAMS[program][1](text, written.text, str(written.message["From"]))
    made = _letter(written.to, written.answers_to, f"Re: {written.subject}", plain)
    made.add_alternative(html, subtype="html")
    made["In-Reply-To"] = str(written.message["Message-ID"])
    return _deliver(made, written.to, written.answers_to)


def write(sender: str, to: str, text: str, subject: str = "A question") -> InLetter:
    """Writes to a mailbox as a stranger would, by its real door."""
    return _deliver(_letter(sender, to, subject, text), sender, to)


def _letter(sender: str, to: str, subject: str, text: str) -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = sender, to, subject
    made["Date"], made["Message-ID"] = datetime.now(UTC), make_msgid(domain="trial.example")
    made.set_content(text)
    return made


def _deliver(made: EmailMessage, sender: str, to: str) -> InLetter:
    mailbox = Mailbox.objects.unscoped("the demo's, or the first of that address").filter(address=to.lower()).first()
    return accept(made.as_bytes(), door=Door.TRIAL, mailbox=mailbox, recipients=[to], envelope_sender=sender)


def _signs(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _html(text: str) -> str:
    return escape(text).replace("\n", "<br>")
