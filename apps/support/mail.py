"""The visitor's mail: the code that proves their mailbox."""

import re

from django.core.mail import EmailMultiAlternatives
from django.utils.translation import gettext_lazy

from apps.chats.questions import Brand
from apps.core import mail

MOST_DIGITS = 5
_SIX_DIGITS = re.compile(r"(?<!\d)(\d\d)(\d)(\d{3})(?!\d)", re.ASCII)


def code_mail(
    *, email: str, widget_name: str, brand: Brand, code: str, stop: str | None, language: str
) -> EmailMultiAlternatives:
    """The letter with a code, in one of settings.LANGUAGES. Its plain part has one run of six digits.

    `stop` is the address that ends the chat's mail to this mailbox; None where there is none.
    """
    stop = _without_code(stop) if stop else None
    name = _without_digits(widget_name)
    letter = mail.render(
        "support/code_mail",
        to=email,
        # Translators: the subject of a mail with a code; the value is the name of a website's chat.
        subject=gettext_lazy("Your code for the chat of %(widget_name)s"),
        language=language,
        context={"widget_name": name, "code": code, "stop": stop},
        brand=brand._replace(name=name),
    )
    letter.extra_headers["Auto-Submitted"] = "auto-generated"
    if stop:
        letter.extra_headers["List-Unsubscribe"] = f"<{stop}>"
        letter.extra_headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return letter


def _without_code(link: str) -> str:
    """The same link; of six digits in its last part that stand alone, the third is percent-encoded."""
    start, slash, proof = link.rpartition("/")
    return start + slash + _SIX_DIGITS.sub(r"\1%3\2\3", proof)


def _without_digits(name: str) -> str:
    """The name in one line; digits of a long run are set apart, so that no run but the code's has six."""
    shown, run = "", 0
    for each in " ".join(name.split()):
        run = run + 1 if each.isdigit() else 0
        if run == MOST_DIGITS + 1:
            shown, run = shown + " ", 1
        shown += each
    return shown
