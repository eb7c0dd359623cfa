"""A forgotten password: a letter to the address, one answer for every address, a link that counts once."""

import re
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.agents.models import Agent
from apps.core.models import Mail
from tests.accounts.attempts import forget
from tests.factories import UserFactory
from tests.factories.accounts import PASSWORD

ASK = "/password/forgotten"
ANOTHER = "glühwein-und-tulpen"
FORM = {"new_password1": ANOTHER, "new_password2": ANOTHER}


@pytest.fixture(autouse=True)
def unlimited() -> None:
    forget()


@pytest.fixture
def nina(db: None) -> User:
    user: User = UserFactory.create(email="nina@shop.test", language="ru")
    return user


def ask(email: str) -> Any:
    return Client().post(ASK, {"email": email})


def link_to(email: str) -> str:
    text = Mail.objects.filter(to=email).latest("pk").text
    found = re.search(r"https?://[^/]+(/password/new/\S+)", text)
    assert found is not None
    return found[1]


def seen(response: Any) -> str:
    return re.sub(r"csrf\S+ value=\S+", "", response.content.decode())


def test_both_sign_in_pages_lead_to_it(db: None) -> None:
    for page in ("/admin/login/", "/console/login/"):
        assert f'href="{ASK}"' in Client().get(page).content.decode()
    assert Client().get(ASK).status_code == 200


def test_known_and_unknown_get_one_answer_and_the_known_one_a_letter(nina: User) -> None:
    known, unknown = ask("Nina@shop.test"), ask("nobody@shop.test")
    assert (known.status_code, seen(known)) == (unknown.status_code, seen(unknown)) == (200, seen(known))
    assert list(Mail.objects.values_list("to", "subject")) == [("nina@shop.test", "Новый пароль")]


def test_who_may_not_sign_in_gets_no_letter(nina: User) -> None:
    User.objects.filter(pk=nina.pk).update(is_active=False)
    assert ask("nina@shop.test").status_code == 200
    assert not Mail.objects.exists()


def test_an_address_gets_three_letters_an_hour_and_the_same_answer_then(nina: User) -> None:
    pages = {seen(ask("nina@shop.test")) for _ in range(5)}
    assert (len(pages), Mail.objects.count()) == (1, 3)


def test_too_many_tries_are_429_for_every_address(nina: User) -> None:
    for email in ("nina@shop.test", "nobody@shop.test"):
        forget()
        answers = [ask(email) for _ in range(11)]
        assert [each.status_code for each in answers] == [200] * 10 + [429]
        assert int(answers[-1].headers["Retry-After"]) > 0


def test_the_link_sets_another_password_once(nina: User) -> None:
    other = Client()  # before the letter: signing in with the old password ends the link, too
    assert other.login(username="nina@shop.test", password=PASSWORD)
    ask("nina@shop.test")
    link = link_to("nina@shop.test")
    page = Client().get(link)
    assert (page.status_code, page.headers["Referrer-Policy"]) == (200, "strict-origin")
    assert "no-store" in page.headers["Cache-Control"]
    browser = Client()
    assert browser.post(link, FORM).status_code == 200
    nina.refresh_from_db()
    assert nina.check_password(ANOTHER)
    assert "_auth_user_id" not in browser.session, "a second factor is asked for as ever"
    assert [Client().get(link).status_code, Client().post(link, FORM).status_code] == [410, 410]
    assert [each.subject for each in Mail.objects.order_by("pk")] == ["Новый пароль", "Ваш пароль изменён"]
    assert other.get("/console/password/").status_code == 302, "what was open elsewhere is closed"


@pytest.mark.parametrize(
    "form", [{"new_password1": "12345678", "new_password2": "12345678"}, {**FORM, "new_password2": "x"}, {}]
)
def test_a_bad_password_changes_nothing(nina: User, form: dict[str, str]) -> None:
    ask("nina@shop.test")
    assert Client().post(link_to("nina@shop.test"), form).status_code == 422
    nina.refresh_from_db()
    assert nina.check_password(PASSWORD)


@pytest.mark.parametrize("who", ["MQ", "x", "_", "4pyTMTIz", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5"])
def test_a_link_of_nothing_is_over(nina: User, who: str) -> None:
    for proof in ("x", "abc-def"):
        assert Client().get(f"/password/new/{who}/{proof}").status_code == 410


def test_a_link_of_who_was_suspended_meanwhile_is_over(nina: User, olga: Agent) -> None:
    ask("nina@shop.test")
    User.objects.filter(pk=nina.pk).update(is_active=False)
    assert Client().post(link_to("nina@shop.test"), FORM).status_code == 410


@pytest.mark.parametrize("email", ["", "no address", "a\0@shop.test"])
def test_what_is_no_address_is_said(db: None, email: str) -> None:
    assert ask(email).status_code == 422
