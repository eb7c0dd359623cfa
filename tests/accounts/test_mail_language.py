"""What is written to people who are not there is in their language, not in that of the process that writes it."""

import re
from pathlib import Path

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.agents.models import Agent
from tests.cast import signed_in
from tests.factories import StaffFactory, UserFactory

ROOT = Path(__file__).parents[2]
RUSSIAN = {"Accept-Language": "ru"}


@pytest.mark.parametrize(
    ("chosen", "seen", "language"), [("ru", "en", "ru"), ("en", "ru", "en"), ("", "ru", "ru"), ("", "", "en")]
)
def test_it_is_the_profiles_then_the_browsers_then_the_installations(chosen: str, seen: str, language: str) -> None:
    assert User(language=chosen, seen_language=seen).mail_language == language


def test_the_browsers_is_noted_while_none_is_chosen(olga: Agent, cabinet: Client) -> None:
    assert olga.user is not None
    for headers, seen in [(RUSSIAN, "ru"), ({"Accept-Language": "de"}, "ru"), ({"Accept-Language": "en"}, "en")]:
        cabinet.get("/admin/", headers=headers)
        assert User.objects.get(pk=olga.user.pk).mail_language == seen
    User.objects.filter(pk=olga.user.pk).update(language="en", seen_language="")
    cabinet.get("/admin/", headers=RUSSIAN)
    assert User.objects.get(pk=olga.user.pk).seen_language == ""


def test_mail_to_an_account_is_read_by_who_signs_in_with_its_address_or_by_an_owner(olga: Agent) -> None:
    account = olga.widget.account
    assert User.objects.reader_of(account) == olga.user
    StaffFactory.create(account=account, email="viewer@shop.test", role="viewer")
    clerk = UserFactory.create(account=account, email=account.email.upper())
    assert User.objects.reader_of(account) == clerk


def test_nothing_falls_back_to_the_language_of_the_process() -> None:
    """`mail_language` knows the order; a fallback of one's own forgets the browser's."""
    own = re.compile(r"(?:user|owner|person|stored)\.language or (?:settings|installation|\"en\")")
    found = [str(path) for path in (ROOT / "apps").rglob("*.py") if own.search(path.read_text())]
    assert found == []


def test_a_reader_of_the_cabinet_in_english_costs_no_write(olga: Agent) -> None:
    browser = signed_in(olga.user)
    browser.get("/admin/")
    assert User.objects.get(pk=olga.user.pk).seen_language == ""
