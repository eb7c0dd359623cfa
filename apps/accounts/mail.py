"""The mails of people who sign in."""

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.urls import reverse
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
        context={"link": settings.PUBLIC_URL + path},
    )


def new_password_mail(*, email: str, path: str, language: str) -> EmailMultiAlternatives:
    """The mail with the link at which the owner of the address chooses another password."""
    return mail.render(
        "accounts/new_password_mail",
        to=email,
        # Translators: the subject of a mail.
        subject=gettext_lazy("A new password"),
        language=language,
        context={"email": email, "link": settings.PUBLIC_URL + path},
    )


def password_changed_mail(
    *, email: str, language: str, is_first: bool = False, has_owner: bool = True
) -> EmailMultiAlternatives:
    """Tells a person that their password was changed, or the first one chosen, so that they learn of it if it was not
    them. `has_owner`: whether there is an owner of their account to be told, other than they themselves.
    """
    return mail.render(
        "accounts/password_changed_mail",
        to=email,
        # Translators: the subject of a mail.
        subject=gettext_lazy("Your password is chosen") if is_first else gettext_lazy("Your password was changed"),
        language=language,
        context={
            "email": email,
            "is_first": is_first,
            "has_owner": has_owner,
            "link": settings.PUBLIC_URL + reverse("admin_password_reset"),
        },
    )


def exported_mail(*, email: str, widget_name: str, who: str, language: str) -> EmailMultiAlternatives:
    """Tells an owner that all data of a widget was given out, and by whom."""
    return mail.render(
        "accounts/exported_mail",
        to=email,
        # Translators: the subject of a mail.
        subject=gettext_lazy("All data was exported"),
        language=language,
        context={"widget_name": " ".join(widget_name.split()), "who": who, "page": f"{settings.PUBLIC_URL}/admin/"},
    )
