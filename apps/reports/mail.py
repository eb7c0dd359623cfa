"""The weekly letter, in its reader's language; it has no visitor's name or words."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.mail import EmailMultiAlternatives
from django.utils.translation import gettext_lazy

from apps.core import mail


@dataclass(frozen=True, slots=True)
class LetterFigure:
    """A figure of the letter: its name, its value, and that of the week before, in words."""

    title: str
    value: str
    before: str
    link: str


@dataclass(frozen=True, slots=True)
class LetterList:
    """A list of chats that the letter leads to."""

    title: str
    count: str
    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WeeklyMail:
    """The parts of the letter. `changes` are sentences; without any, the week was as the one before."""

    to: str
    language: str
    shop: str
    week: str
    zone: str
    figures: Sequence[LetterFigure]
    changes: Sequence[str]
    lists: Sequence[LetterList]
    link: str
    stop: str


def weekly_mail(weekly: WeeklyMail) -> EmailMultiAlternatives:
    """The letter; a mail program stops it in one click (RFC 8058)."""
    made = mail.render(
        "reports/weekly_mail",
        to=weekly.to,
        # Translators: the subject of a mail; the first value is the name of a website's chat.
        subject=gettext_lazy("%(shop)s: the week of %(week)s"),
        language=weekly.language,
        context={
            "shop": " ".join(weekly.shop.split()),
            "week": weekly.week,
            "zone": weekly.zone,
            "figures": weekly.figures,
            "changes": weekly.changes,
            "lists": weekly.lists,
            "link": weekly.link,
            "stop": weekly.stop,
        },
    )
    made.extra_headers["List-Unsubscribe"] = f"<{weekly.stop}>"
    made.extra_headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return made
