"""The cabinet speaks the language that its user has chosen; without a choice, the browser's."""

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.agents.models import Agent
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory

ENGLISH, RUSSIAN = {"Accept-Language": "en"}, {"Accept-Language": "ru"}


def page_of(user: User) -> str:
    return f"/admin/accounts/user/{user.pk}/change/"


@pytest.fixture
def clerk(olga: Agent) -> User:
    assert olga.user is not None
    return olga.user


def test_without_a_choice_it_is_the_browsers(cabinet: Client) -> None:
    assert '<html lang="ru"' in cabinet.get("/admin/", headers=RUSSIAN).content.decode()
    assert '<html lang="en"' in cabinet.get("/admin/", headers=ENGLISH).content.decode()


def test_a_clerk_chooses_on_their_own_page(cabinet: Client, clerk: User) -> None:
    assert cabinet.post(page_of(clerk), {"language": "ru"}).status_code == 302
    page = cabinet.get("/admin/", headers=ENGLISH).content.decode()
    assert '<html lang="ru"' in page
    assert "Токены API" in page
    assert cabinet.post(page_of(clerk), {"language": ""}).status_code == 302
    assert '<html lang="en"' in cabinet.get("/admin/", headers=ENGLISH).content.decode()


def test_nothing_else_of_their_page_is_a_clerks_to_change(cabinet: Client, clerk: User) -> None:
    User.objects.filter(pk=clerk.pk).update(role="viewer")
    form = {"language": "ru", "name": "Boss", "email": "boss@shop.test", "is_staff": "", "is_superuser": "on"}
    assert cabinet.post(page_of(clerk), form).status_code == 302
    clerk.refresh_from_db()
    assert (clerk.language, clerk.name, clerk.email) == ("ru", "Olga", "olga@shop.test")
    assert (clerk.is_staff, clerk.is_active, clerk.is_superuser) == (True, True, False)


@pytest.mark.parametrize("language", ["de", "xx", "ru\n"])
def test_another_language_is_refused(cabinet: Client, clerk: User, language: str) -> None:
    assert cabinet.post(page_of(clerk), {"language": language}).status_code == 200
    clerk.refresh_from_db()
    assert clerk.language == ""


def test_a_colleagues_language_is_theirs(cabinet: Client, clerk: User) -> None:
    User.objects.filter(pk=clerk.pk).update(role="viewer")
    colleague = StaffFactory.create(account=clerk.account)
    assert cabinet.post(page_of(colleague), {"language": "ru"}).status_code == 403
    colleague.refresh_from_db()
    assert colleague.language == ""


def test_another_accounts_person_is_not_there(cabinet: Client, rival: Rival) -> None:
    assert rival.owner.user is not None
    assert cabinet.post(page_of(rival.owner.user), {"language": "ru"}).status_code == 404


def test_the_sign_in_page_is_the_browsers(db: None) -> None:
    assert '<html lang="ru"' in Client().get("/admin/login/", headers=RUSSIAN).content.decode()


def test_one_clerks_language_stays_with_them(cabinet: Client, clerk: User) -> None:
    cabinet.post(page_of(clerk), {"language": "ru"})
    other = signed_in(StaffFactory.create(account=clerk.account))
    assert '<html lang="en"' in other.get("/admin/", headers=ENGLISH).content.decode()


def test_the_foot_of_a_list_counts_in_words_that_are_right(cabinet: Client) -> None:
    assert "Виджеты: 1" in cabinet.get("/admin/accounts/widget/", headers=RUSSIAN).content.decode()
    assert "Widgets: 1" in cabinet.get("/admin/accounts/widget/", headers=ENGLISH).content.decode()
