"""What operators get by mail."""

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext


def invitation_mail(*, email: str, widget_name: str, secret: str, language: str) -> EmailMultiAlternatives:
    """The mail with the link of an invitation, as text and as HTML, in one of settings.LANGUAGES.

    It is the only place that the plain secret ever stands in.
    """
    name = " ".join(widget_name.split())
    context = {"widget_name": name, "link": settings.PUBLIC_URL + reverse("invitation", args=[secret])}
    with translation.override(language):
        # Translators: the subject of a mail; the value is the name of a website's chat.
        subject = gettext("Invitation to the chat of %(widget_name)s") % context
        mail = EmailMultiAlternatives(subject, render_to_string("agents/invitation_mail.txt", context), to=[email])
        mail.attach_alternative(render_to_string("agents/invitation_mail.html", context), "text/html")
    return mail
