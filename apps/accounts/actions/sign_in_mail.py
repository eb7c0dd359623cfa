"""Mails whose links prove that a person has an address."""

import hashlib
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.db import transaction

from apps.accounts import rules
from apps.accounts.mail import new_password_mail
from apps.accounts.models import User
from apps.accounts.rules.mailboxes import counted_mailbox
from apps.core import mail
from apps.core.errors import RATE_LIMITED
from apps.core.problems import Problem
from apps.core.quotas import Quota

# Letters with a link to one address: whoever asks for them is nobody we know.
PASSWORD_MAILS = Quota("accounts.password_mails", rules.PASSWORD_MAILS_AN_HOUR, timedelta(hours=1), RATE_LIMITED)


@transaction.atomic
def send_new_password(*, email: str, path_of: Callable[[User], str], language: str) -> None:
    """Queues the mail of a new password for the person who may sign in with that address.

    The answer does not tell whether there is one: without one, a mail is rendered too, and thrown away. The same
    mailbox, in any of its spellings, gets three an hour, and then none, without a word. A person who came by
    the provider gets none.
    """
    try:
        PASSWORD_MAILS.spend(hashlib.sha256(counted_mailbox(email).encode("utf-8", "replace")).hexdigest())
    except Problem:
        return
    try:
        user = User.objects.get_by_natural_key(email)
    except User.DoesNotExist:
        user = User(pk=0, email=email, is_active=False)
    language = user.language or language
    letter = new_password_mail(email=user.email, path=path_of(user), language=language)
    by_provider = bool(settings.OIDC_ISSUER) and user.provider_subject is not None
    if user.is_active and not by_provider:
        mail.queue(letter)
