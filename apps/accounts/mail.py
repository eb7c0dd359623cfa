"""The mails of people who sign in."""

from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.utils.translation import gettext_lazy

from apps.core import mail


def colleague_mail(*, email: str, inviter: str, path: str, language: str) -> EmailMultiAlternatives:
    """The mail with the link of an invitation to the cabinet."""
    return mail.render(
        "accounts/colleague_mail",
        to=email,
        # Translators: the subject of a mail.
        subject=gettext_lazy("Invitation to the cabinet"),
        language=language,
        context={
            "inviter": inviter,
            "host": urlsplit(settings.PUBLIC_URL).netloc,
            "link": settings.PUBLIC_URL + path,
        },
    )


def owner_mail(*, email: str, path: str, language: str) -> EmailMultiAlternatives:
    """The mail to the owner of an account that was opened for them, with the link at which they choose a password."""
    return mail.render(
        "accounts/owner_mail",
        to=email,
        # Translators: the subject of a mail.
        subject=gettext_lazy("Your account is open"),
        language=language,
        context={"host": urlsplit(settings.PUBLIC_URL).netloc, "link": settings.PUBLIC_URL + path},
    )


def new_password_mail(*, email: str, path: str, language: str) -> EmailMultiAlternatives:
    """The mail with the link at which the owner of the address chooses another password."""
    return mail.render(
        "accounts/new_password_mail",
        to=email,
        # Translators: the subject of a mail.
        subject=gettext_lazy("A new password"),
        language=language,
        context={"email": email, "host": urlsplit(settings.PUBLIC_URL).netloc, "link": settings.PUBLIC_URL + path},
    )


def password_changed_mail(*, email: str, language: str) -> EmailMultiAlternatives:
    """Tells a person that their password was changed, so that they learn of it if it was not them."""
    return mail.render(
        "accounts/password_changed_mail",
        to=email,
        # Translators: the subject of a mail.
        subject=gettext_lazy("Your password was changed"),
        language=language,
        context={"email": email, "host": urlsplit(settings.PUBLIC_URL).netloc},
    )
