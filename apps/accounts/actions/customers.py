"""Opening a new customer: account, owner, widget, and a plan where some app sells any."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils.crypto import get_random_string

from apps.accounts.actions.accounts import open_account
from apps.accounts.actions.users import add_user, seen_language
from apps.accounts.actions.widgets import add_widget
from apps.accounts.mail import owner_mail
from apps.accounts.models import Account, User, Widget
from apps.core import mail, plugins

_PASSWORD_LENGTH = 48


@dataclass(frozen=True, slots=True)
class PlanOffer:
    """The plans that an app above sells, declared in its `dashboard.py`.

    `choices` gives (code, name); `give` hands a plan over without a payment, once a reference.
    """

    choices: Callable[[], Sequence[tuple[str, str]]]
    give: Callable[[Widget, str, str], None]


def plan_offer() -> PlanOffer | None:
    """The plans on offer; None where no app sells any."""
    for declared in plugins.declared("dashboard", PlanOffer).values():
        return declared[0]
    return None


@transaction.atomic
def open_customer(
    *,
    account: Account,
    owner_name: str,
    widget_name: str,
    seats: int,
    plan: str,
    reference: str,
    path_of: Callable[[User], str],
    language: str,
) -> Widget:
    """Opens the account with its owner, who gets a mail to choose a password, and a widget; all of it or nothing.

    The owner's first password is random and known to nobody. `language` is the mail's, and the owner's until their
    browser names another.
    """
    open_account(account=account)
    owner = User(email=User.objects.normalize_email(account.email), name=owner_name, account=account, is_staff=True)
    owner.role, owner.password = User.Role.OWNER, make_password(get_random_string(_PASSWORD_LENGTH))
    owner.seen_language = seen_language(language)
    add_user(user=owner)
    widget = add_widget(account=account, name=widget_name, owner=owner, seats=seats)
    offer = plan_offer()
    if plan and offer is not None:
        offer.give(widget, plan, reference)
    mail.queue(owner_mail(email=owner.email, path=path_of(owner), language=language))
    return widget
