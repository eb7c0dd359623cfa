"""One of each HTML letter that leaves the service, with the longest words that people give it."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.core.mail import EmailMultiAlternatives

from apps.accounts.mail import colleague_mail, exported_mail, new_password_mail, owner_mail, password_changed_mail
from apps.agents.mail import invitation_mail
from apps.ai.mail import alert_mail
from apps.chats.models import Message
from apps.chats.questions import Brand
from apps.letters.mail import (
    Answer,
    MailboxLetter,
    VisitorLetter,
    Waiter,
    answers_letter,
    mailbox_letter,
    notice_letter,
    proof_code_letter,
    refused_login,
    waiting_letter,
)
from apps.messengers.mail import rejected_mail
from apps.reports.mail import LetterFigure, LetterList, WeeklyMail, weekly_mail
from apps.support.mail import code_mail

NAME = "W" * 60
EMAIL = f"{'a' * 55}@mail.test"
LINK = f"https://chat.shop.test/letter/{'t' * 190}"
STOP = f"https://chat.shop.test/letters/stop/{'s' * 60}"
AT = datetime(2026, 11, 20, 9, 5, tzinfo=UTC)
SHOP = Brand("Leaf & Kettle", "#2f6b3c", "#ffffff")


class Frame(NamedTuple):
    """A letter: how it is made in a language, the name in its head, and the link that it is to be followed by."""

    make: Callable[[str], EmailMultiAlternatives]
    head: str = "Parley"
    link: str = ""


def answers(
    language: str = "en",
    *,
    texts: tuple[str, ...] = (f"{NAME} is in stock.\nCome tomorrow", "<b>Come</b>"),
    brand: Brand = SHOP,
    shop: str = NAME,
) -> EmailMultiAlternatives:
    """The letter with answers, the second of AI."""
    return answers_letter(
        VisitorLetter(
            language=language.split("-")[0],
            zone="Europe/Moscow",
            shop=shop,
            brand=brand,
            to=EMAIL,
            quotes=["Is the oolong in stock?", NAME],
            hides=False,
            answers=[
                Answer(NAME, AT + timedelta(minutes=place), text.splitlines(), place % 2 == 1)
                for place, text in enumerate(texts)
            ],
            beyond=3,
            named=[f"{'Rechnung' * 25}.pdf"],
            link=LINK,
            stop=STOP,
            answerable=True,
        )
    )


def mailbox(
    language: str = "en", *, body: str = f"{NAME}\nhttps://shop.test/{NAME}", quoted: str = NAME
) -> EmailMultiAlternatives:
    """The letter that leaves as a mailbox's own: a person's words, with no head and no button."""
    return mailbox_letter(
        MailboxLetter(
            language=language.split("-")[0],
            zone="Europe/Moscow",
            to=EMAIL,
            copies=[],
            subject="",
            messages=[Message(body=body, created_at=AT, sender_name="Alice", sender_kind="agent", type="text")],
            named=[f"{NAME}.pdf"],
            signature="Leaf & Kettle",
            quoted=Message(body=quoted, created_at=AT),
        )
    )


def waiting(language: str) -> EmailMultiAlternatives:
    return waiting_letter(
        to=EMAIL,
        language=language,
        zone="Europe/Moscow",
        shop=NAME,
        count=3,
        minutes=12,
        since=AT,
        link=LINK,
        waiters=[Waiter(NAME, NAME)],
    )


def weekly(language: str) -> EmailMultiAlternatives:
    return weekly_mail(
        WeeklyMail(
            to=EMAIL,
            language=language,
            shop=NAME,
            week="23 November – 29 November 2026",
            zone="Europe/Moscow",
            figures=[LetterFigure("First answer, nine of ten within", "12 min", "3 h 20 min", LISTS)] * 6,
            changes=[f"Answered: 50 of 100, the week before 90 of 100. Most of it: Page {NAME}."] * 5,
            lists=[LetterList(title, "12 chats", LISTS) for title in ("Low ratings", "Longest waits", "Asked in vain")],
            link=LINK,
            stop=STOP,
        )
    )


LISTS = "https://chat.shop.test/admin/reports/widgetreport/1/episodes/"
PATH = LINK.removeprefix("https://chat.shop.test")
# By template. Links are made of PUBLIC_URL https://chat.shop.test.
FRAMES: Mapping[str, Frame] = {
    "accounts/colleague_mail": Frame(
        lambda code: colleague_mail(email=EMAIL, inviter=NAME, path=PATH, language=code), link=LINK
    ),
    "accounts/exported_mail": Frame(
        lambda code: exported_mail(email=EMAIL, widget_name=NAME, who=EMAIL, language=code),
        link="https://chat.shop.test/admin/",
    ),
    "accounts/new_password_mail": Frame(
        lambda code: new_password_mail(email=EMAIL, path=PATH, language=code), link=LINK
    ),
    "accounts/owner_mail": Frame(lambda code: owner_mail(email=EMAIL, path=PATH, language=code), link=LINK),
    "accounts/password_changed_mail": Frame(
        lambda code: password_changed_mail(email=EMAIL, language=code),
        link="https://chat.shop.test/password/forgotten",
    ),
    "agents/invitation_mail": Frame(
        lambda code: invitation_mail(email=EMAIL, widget_name=NAME, secret="t" * 190, language=code),
        link=f"https://chat.shop.test/invitations/{'t' * 190}",
    ),
    "ai/alert_mail": Frame(
        lambda code: alert_mail(email=EMAIL, told=f"It stops.\n{NAME}", widget_name=NAME, path=PATH, language=code),
        link=LINK,
    ),
    "letters/answers_mail": Frame(answers, NAME, LINK),
    "letters/mailbox_mail": Frame(mailbox, ""),
    "letters/notice_mail": Frame(
        lambda code: notice_letter(to=EMAIL, language=code, shop=NAME, automation=NAME, text=NAME * 5, link=LINK),
        link=LINK,
    ),
    "letters/proof_code_mail": Frame(lambda code: proof_code_letter(to=EMAIL, code="12345678", language=code)),
    "letters/refused_mail": Frame(
        lambda code: refused_login(to=EMAIL, address=EMAIL, page=LINK, language=code), link=LINK
    ),
    "letters/waiting_mail": Frame(waiting, link=LINK),
    "messengers/rejected_mail": Frame(
        lambda code: rejected_mail(email=EMAIL, messenger=NAME, widget_name=NAME, path=PATH, language=code), link=LINK
    ),
    "reports/weekly_mail": Frame(weekly, link=LINK),
    "support/code_mail": Frame(
        lambda code: code_mail(email=EMAIL, widget_name=NAME, brand=SHOP, code="123456", stop=STOP, language=code), NAME
    ),
}


def html_of(letter: EmailMultiAlternatives) -> str:
    return str(letter.alternatives[0][0])
