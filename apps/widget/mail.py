"""The mails of visitors."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.mail import EmailMultiAlternatives
from django.utils.translation import gettext_lazy

from apps.core import mail


@dataclass(frozen=True, slots=True)
class AnswerInMail:
    """An answer to the visitor: its author's name, and the lines of the text."""

    name: str
    lines: Sequence[str]


def answers_mail(
    *, email: str, widget_name: str, answers: Sequence[AnswerInMail], page: str | None, stop: str, language: str
) -> EmailMultiAlternatives:
    """The letter with what a visitor has not seen yet, in one of settings.LANGUAGES.

    It holds nothing that lets anybody into the chat: `page` is where they were, `stop` ends the letters.
    """
    return mail.render(
        "widget/answers_mail",
        to=email,
        # Translators: the subject of a mail; the value is the name of a website's chat.
        subject=gettext_lazy("An answer from %(widget_name)s"),
        language=language,
        context={"widget_name": " ".join(widget_name.split()), "answers": answers, "page": page, "stop": stop},
    )
