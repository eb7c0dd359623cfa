"""Accounts, users, widgets and API tokens."""

from typing import Any

import factory
from factory.django import DjangoModelFactory

from apps.accounts import actions, rules
from apps.accounts.models import Account, ApiToken, User, Widget
from apps.core import plugins

PASSWORD = "correct-horse-battery"


class AccountFactory(DjangoModelFactory[Account]):
    class Meta:
        model = Account

    email = factory.Sequence(lambda n: f"account-{n}@example.test")
    name = "Account"


class UserFactory(DjangoModelFactory[User]):
    """A person of an account; signs in with PASSWORD."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    email = factory.Sequence(lambda n: f"user-{n}@example.test")
    name = factory.Sequence(lambda n: f"User {n}")
    account = factory.SubFactory(AccountFactory)

    @classmethod
    def _create(cls, model_class: type[User], *args: Any, **fields: Any) -> User:
        password = fields.pop("password", PASSWORD)
        return model_class.objects.create_user(*args, password=password, **fields)


class StaffFactory(UserFactory):
    """Somebody who may sign in to the cabinet of their account, as an owner unless told."""

    is_staff = True
    role = User.Role.OWNER


class SuperuserFactory(UserFactory):
    """Somebody who runs the installation."""

    account = None
    is_staff = True
    is_superuser = True


class WidgetFactory(DjangoModelFactory[Widget]):
    """A widget with its API switched on and five seats."""

    class Meta:
        model = Widget

    account = factory.SubFactory(AccountFactory)
    name = factory.Sequence(lambda n: f"Widget {n}")
    api_enabled = True
    seats = 5


class ApiTokenFactory(DjangoModelFactory[ApiToken]):
    """A token, of every scope unless told; `plain_text(token)` is what its holder sends.

    Attributes set aside the model: `preset="all"` or `scopes=[…]`.
    """

    class Meta:
        model = ApiToken

    widget = factory.SubFactory(WidgetFactory)
    name = factory.Sequence(lambda n: f"Token {n}")

    @classmethod
    def _create(cls, model_class: type[ApiToken], *args: Any, **fields: Any) -> ApiToken:
        preset = fields.pop("preset", None)
        if preset is not None:
            fields["scopes"] = rules.preset_scopes(preset, plugins.scopes())
        fields.setdefault("scopes", list(plugins.scopes()))
        revoked_at = fields.pop("revoked_at", None)
        issued = actions.issue_token(**fields)
        token = issued.token
        token.plain_text = issued.plain_text  # type: ignore[attr-defined]
        if revoked_at is not None:
            token.revoked_at = revoked_at
            token.save(update_fields=["revoked_at"])
        return token


def plain_text(token: ApiToken) -> str:
    """The plain text of a token that ApiTokenFactory made."""
    text: str = token.plain_text  # type: ignore[attr-defined]
    return text
