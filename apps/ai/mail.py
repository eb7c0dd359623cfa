"""The mails to owners about their AI."""

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.utils.translation import gettext_lazy

from apps.core import mail


def alert_mail(*, email: str, told: str, widget_name: str, path: str, language: str) -> EmailMultiAlternatives:
    """The letter that an AI stops or will stop. `told` says why, in that language; `path` is of the page that mends
    it. Nothing of a credential is in it.
    """
    return mail.render(
        "ai/alert_mail",
        to=email,
        # Translators: the subject of a mail; the value is a widget's name.
        subject=gettext_lazy("AI needs you: %(widget_name)s"),
        language=language,
        context={"told": told, "widget_name": " ".join(widget_name.split()), "page": settings.PUBLIC_URL + path},
    )
