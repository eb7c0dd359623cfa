"""A forgotten password: a letter to the address, one answer for every address, a link that counts once."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from apps.accounts import two_factor
from apps.accounts.models import User, Widget
from apps.agents.models import Agent
from apps.core.models import Mail
from tests.accounts.attempts import forget
from tests.accounts.test_sign_in import code_of
from tests.factories import StaffFactory, UserFactory
from tests.factories.accounts import PASSWORD

ASK, CODE = "/password/forgotten", "/admin/login/code/"
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


def test_spellings_of_one_mailbox_get_three_letters_together(nina: User) -> None:
    spellings = [f"nina+{number}@shop.test" for number in range(3)]
    for email in spellings:
        UserFactory.create(email=email)
    for email in ("nina@shop.test", *spellings):
        ask(email)
    assert Mail.objects.count() == 3


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
    answer = browser.post(link, FORM)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/console/")
    nina.refresh_from_db()
    assert nina.check_password(ANOTHER)
    assert browser.session["_auth_user_id"] == str(nina.pk), "who has just proved themselves is signed in"
    assert [Client().get(link).status_code, Client().post(link, FORM).status_code] == [410, 410]
    assert [each.subject for each in Mail.objects.order_by("pk")] == ["Новый пароль", "Ваш пароль изменён"]
    assert other.get("/console/password/").status_code == 302, "what was open elsewhere is closed"


def test_a_second_factor_is_asked_for_as_ever(nina: User) -> None:
    assert two_factor.confirm(user=nina, code=code_of(two_factor.begin(user=nina))) is not None
    ask("nina@shop.test")
    browser = Client()
    answer = browser.post(link_to("nina@shop.test"), FORM)
    assert (answer.status_code, answer.headers["Location"]) == (302, CODE)
    assert "_auth_user_id" not in browser.session
    assert browser.get(CODE).status_code == 200


def test_who_signs_in_by_a_provider_alone_is_not_signed_in_by_a_password(nina: User, settings: Settings) -> None:
    settings.AUTHENTICATION_BACKENDS = ["apps.accounts.sign_on.PasswordBackend"]
    settings.OIDC_PASSWORDS = "owners"
    ask("nina@shop.test")
    browser = Client()
    assert browser.post(link_to("nina@shop.test"), FORM).status_code == 200
    assert "_auth_user_id" not in browser.session


class TestFirstPassword:
    """The password of a person who has never signed in, such as a new owner."""

    @pytest.fixture
    def vera(self, shop: Widget) -> User:
        owner: User = StaffFactory.create(account=shop.account, email="vera@shop.test", role="owner", language="ru")
        return owner

    def test_its_page_is_no_page_of_another_password(self, vera: User) -> None:
        ask(vera.email)
        page = Client(headers={"accept-language": "ru"}).get(link_to(vera.email)).content.decode()
        assert "<h1>Выберите пароль</h1>" in page
        assert "Новый пароль" not in page
        User.objects.filter(pk=vera.pk).update(last_login=timezone.now())
        ask(vera.email)
        page = Client(headers={"accept-language": "ru"}).get(link_to(vera.email)).content.decode()
        assert "<h1>Новый пароль</h1>" in page

    def test_an_owner_comes_into_the_cabinet_and_is_not_told_to_tell_the_owner(self, vera: User) -> None:
        ask(vera.email)
        browser = Client()
        answer = browser.post(link_to(vera.email), FORM)
        assert (answer.status_code, answer.headers["Location"]) == (302, "/admin/")
        assert browser.get("/admin/").status_code == 200
        letter = Mail.objects.filter(to=vera.email).latest("pk")
        assert letter.subject == "Ваш пароль выбран"
        assert "владельц" not in letter.text + letter.html
        assert "/password/forgotten" in letter.text

    def test_others_of_the_account_are_told_to_tell_its_owner(self, shop: Widget) -> None:
        viewer = StaffFactory.create(account=shop.account, email="v@shop.test", role="viewer", language="ru")
        ask(viewer.email)
        Client().post(link_to(viewer.email), FORM)
        letter = Mail.objects.filter(to=viewer.email).latest("pk")
        assert "Сообщите об этом и владельцу вашего аккаунта." in letter.text
        assert "Сообщите об этом и владельцу вашего аккаунта." in letter.html


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
