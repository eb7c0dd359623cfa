"""A unique constraint that a write breaks becomes the refusal that was named for it, and no other does."""

import pytest
from django.db import IntegrityError, transaction

from apps.accounts.models import Account, User
from apps.core.database.constraints import unique_or

pytestmark = pytest.mark.django_db


class Taken(Exception):
    pass


def make_user(email: str) -> User:
    return User.objects.create(email=email)


def test_the_named_constraint_raises_the_refusal_and_nothing_is_written() -> None:
    make_user("ada@shop.example")
    with pytest.raises(Taken), unique_or(Taken, "accounts_user_email"), transaction.atomic():
        make_user("ada@shop.example")
    assert User.objects.filter(email="ada@shop.example").count() == 1


def test_any_of_several_constraints_may_be_named() -> None:
    make_user("ada@shop.example")
    with pytest.raises(Taken), unique_or(Taken, "accounts_widget", "accounts_user"), transaction.atomic():
        make_user("ada@shop.example")


def test_another_constraint_is_raised_as_it_is() -> None:
    make_user("ada@shop.example")
    with pytest.raises(IntegrityError), unique_or(Taken, "accounts_account"), transaction.atomic():
        make_user("ada@shop.example")


def test_a_write_that_breaks_nothing_goes_through() -> None:
    with unique_or(Taken, "accounts_user_email"):
        make_user("ada@shop.example")
    assert not Account.objects.filter(email="ada@shop.example").exists()
    assert User.objects.filter(email="ada@shop.example").exists()
