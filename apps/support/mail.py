"""The visitor's mail: the code that proves their mailbox."""

from django.core.mail import EmailMultiAlternatives
from django.utils.translation import gettext_lazy

from apps.core import mail

MOST_DIGITS = 5


def code_mail(*, email: str, widget_name: str, code: str, language: str) -> EmailMultiAlternatives:
    """The letter with a code, in one of settings.LANGUAGES. Its plain part has one run of six digits."""
    return mail.render(
        "support/code_mail",
        to=email,
        # Translators: the subject of a mail with a code; the value is the name of a website's chat.
        subject=gettext_lazy("Your code for the chat of %(widget_name)s"),
        language=language,
        context={"widget_name": _without_digits(widget_name), "code": code},
    )


def _without_digits(name: str) -> str:
    """The name in one line; digits of a long run are set apart, so that no run but the code's has six."""
    shown, run = "", 0
    for each in " ".join(name.split()):
        run = run + 1 if each.isdigit() else 0
        if run == MOST_DIGITS + 1:
            shown, run = shown + " ", 1
        shown += each
    return shown
