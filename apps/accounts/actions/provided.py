"""Signing in by a provider: the person that it makes, and their role (docs/guides/single-sign-on.md)."""

from functools import partial

from django.conf import settings
from django.db import transaction

from apps.accounts import rules
from apps.accounts.actions import LastOwner, add_user, change_user
from apps.accounts.models import Account, User
from apps.accounts.sign_on import NotVouchedFor, Person
from apps.core.database.constraints import unique_or


@transaction.atomic
def user_of_person(*, person: Person) -> User:
    """The person that the provider vouches for: found by the provider's id for them, else by their e-mail address,
    else, if the settings name an account and a role of their groups, made new.

    Their role follows their groups each time that the provider tells them; the last owner of an account stays one.

    Raises NotVouchedFor.
    """
    role = rules.role_by_groups(person.groups, settings.OIDC_ROLES)
    user: User | None = User.objects.filter(provider_subject=person.subject).first()
    if user is None:
        if not person.email:
            raise NotVouchedFor(
                "neither the ID token nor UserInfo has an e-mail address that the provider has verified"
            )
        user = User.objects.filter(email__iexact=User.objects.normalize_email(person.email)).first()
        if user is not None and user.provider_subject is not None:
            raise NotVouchedFor("somebody else of the provider has this e-mail address here")
    if user is None:
        return _new(person, role)
    if not user.is_active:
        raise NotVouchedFor("they are suspended here")
    if user.provider_subject is None:
        user = change_user(user_id=user.pk, changes={"provider_subject": person.subject})
    return user if person.groups is None else _with_role(user, role)


def _new(person: Person, role: str | None) -> User:
    account = Account.objects.filter(pk=settings.OIDC_ACCOUNT).first() if settings.OIDC_ACCOUNT else None
    if account is None or role is None:
        raise NotVouchedFor("nobody here has this e-mail address")
    user = User(
        email=User.objects.normalize_email(person.email),
        account=account,
        name=person.name,
        surname=person.surname,
        is_staff=True,
        role=role,
        provider_subject=person.subject,
    )
    user.set_unusable_password()
    other = partial(NotVouchedFor, "they are being made by another sign-in")
    with unique_or(other, "accounts_user"), transaction.atomic():
        add_user(user=user)
    return user


def _with_role(user: User, role: str | None) -> User:
    """With the role of their groups, where those rule the account that they belong to."""
    if not settings.OIDC_ROLES or user.is_superuser or user.account_id not in (None, settings.OIDC_ACCOUNT):
        return user
    if role is None and user.account_id is None:
        return user  # an operator, who is nobody's staff
    changes = (
        {"is_staff": False, "role": rules.VIEWER}
        if role is None
        else {"is_staff": True, "role": role, "account_id": settings.OIDC_ACCOUNT}
    )
    if all(getattr(user, name) == value for name, value in changes.items()):
        return user
    try:
        with transaction.atomic():
            return change_user(user_id=user.pk, changes=changes)
    except LastOwner:
        user.refresh_from_db()
        return user
