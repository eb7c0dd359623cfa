"""The mail that tells a widget's owners that their mailbox is not read."""

from django.conf import settings
from django.urls import reverse

from apps.accounts.models import User
from apps.accounts.rules import OWNER
from apps.core import mail
from apps.letters.mail import refused_login
from apps.letters.models import Mailbox


def tell_owners(mailbox: Mailbox) -> None:
    """Queues a mail to each owner, in the transaction under way."""
    page = settings.PUBLIC_URL + reverse("admin:letters_mailbox_change", args=[mailbox.pk])
    owners = User.objects.filter(account_id=mailbox.widget.account_id, role=OWNER, is_staff=True, is_active=True)
    for owner in owners:
        mail.queue(refused_login(to=owner.email, address=mailbox.address, page=page, language=owner.mail_language))
