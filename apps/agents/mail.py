"""The mails of operators."""

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.urls import reverse
from django.utils.translation import gettext_lazy

from apps.core import mail


def invitation_mail(*, email: str, widget_name: str, secret: str, language: str) -> EmailMultiAlternatives:
    """The mail with the link of an invitation, in one of settings.LANGUAGES.

    It is the only place that the plain secret ever stands in.
    """
    return mail.render(
        "agents/invitation_mail",
        to=email,
        # Translators: the subject of a mail; the value is the name of a website's chat.
        subject=gettext_lazy("Invitation to the chat of %(widget_name)s"),
        language=language,
        context={
            "widget_name": " ".join(widget_name.split()),
            "link": settings.PUBLIC_URL + reverse("invitation", args=[secret]),
        },
    )
