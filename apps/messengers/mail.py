"""The mails to owners about their messengers."""

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.utils.translation import gettext_lazy

from apps.core import mail


def rejected_mail(*, email: str, messenger: str, widget_name: str, path: str, language: str) -> EmailMultiAlternatives:
    """The letter that a messenger no longer takes the key of a connection. It holds nothing of the
    credential; `path` is of the connection's page."""
    return mail.render(
        "messengers/rejected_mail",
        to=email,
        # Translators: the subject of a mail; the value is a messenger, such as Telegram.
        subject=gettext_lazy("%(messenger)s does not take the key any more"),
        language=language,
        context={
            "messenger": messenger,
            "widget_name": " ".join(widget_name.split()),
            "page": settings.PUBLIC_URL + path,
        },
    )
