"""`/console/password/`: operators change their password themselves, whether or not they may into the cabinet."""

from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import AuditEntry, User
from apps.agents.models import Agent
from tests.client import client
from tests.console.browser import operators_browser
from tests.console.test_sign_in import config_of
from tests.factories.accounts import PASSWORD
from tests.rows import snapshot

pytestmark = pytest.mark.django_db
PATH = "/console/password/"
ANOTHER = "a-much-better-one"


@pytest.fixture(autouse=True)
def _addresses(settings: Any) -> None:
    """Each test calls from addresses of its own: budgets are kept by address, and outlive a test."""
    settings.TRUSTED_PROXIES = 1


def ask(browser: Client, **form: str) -> Any:
    usual = {"old_password": PASSWORD, "new_password1": ANOTHER, "new_password2": ANOTHER}
    sent = {**usual, **form, "csrfmiddlewaretoken": browser.cookies["csrftoken"].value}
    return browser.post(PATH, sent, headers={"X-Forwarded-For": f"2001:db8::{id(browser):x}"[:19]})


def has_password(agent: Agent, password: str) -> bool:
    return User.objects.get(pk=agent.user_id).check_password(password)


def test_the_console_leads_there(alice: Agent) -> None:
    browser = operators_browser(alice)
    assert config_of(browser.get("/console/"))["password_url"] == PATH
    page = browser.get(PATH)
    assert page.status_code == 200
    assert "no-store" in page["Cache-Control"]
    assert 'aria-describedby="id_new_password1_helptext"' in page.content.decode()


def test_who_has_changed_it_goes_on_and_is_signed_out_elsewhere(alice: Agent) -> None:
    here, elsewhere = operators_browser(alice), operators_browser(alice)
    answer = ask(here)
    assert (answer.status_code, answer["Location"]) == (302, "/console/password/changed/")
    assert "The password is changed" in here.get(answer["Location"]).content.decode()
    assert has_password(alice, ANOTHER)
    assert here.get("/console/").status_code == 200
    assert elsewhere.get("/console/")["Location"] == "/console/login/"


def test_it_is_in_the_audit_trail_without_the_password(alice: Agent) -> None:
    ask(operators_browser(alice))
    entry = AuditEntry.objects.latest("pk")
    assert (entry.actor_id, entry.object_id) == (alice.user_id, alice.user_id)
    assert entry.changes == {"password": ["…", "changed"]}


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"old_password": "wrong"}, "Your old password was entered incorrectly."),
        ({"new_password2": "another one"}, "The two password fields didn’t match."),
        ({"new_password1": "12345678", "new_password2": "12345678"}, "This password is too common."),
        ({"old_password": ""}, "This field is required."),
    ],
)
def test_what_is_wrong_is_said_and_nothing_changes(alice: Agent, form: dict[str, str], says: str) -> None:
    browser, before = operators_browser(alice), snapshot()
    answer = ask(browser, **form)
    assert (answer.status_code, says in answer.content.decode()) == (200, True)
    assert snapshot() == before


def test_the_old_one_can_be_guessed_no_more_often_than_at_signing_in(alice: Agent) -> None:
    browser = operators_browser(alice)
    answers = [ask(browser, old_password=f"guess {n}") for n in range(11)]
    assert [answer.status_code for answer in answers] == [200] * 10 + [429]
    assert int(answers[-1]["Retry-After"]) > 0
    assert ask(browser).status_code == 429
    assert has_password(alice, PASSWORD)


def test_strangers_sign_in_first(alice: Agent) -> None:
    browser, before = client(), snapshot()
    form = {"old_password": PASSWORD, "new_password1": ANOTHER, "new_password2": ANOTHER}
    assert browser.get(PATH)["Location"] == f"/console/login/?next={PATH}"
    assert browser.post(PATH, form)["Location"] == f"/console/login/?next={PATH}"
    assert snapshot() == before


def test_another_pages_form_changes_nothing(alice: Agent) -> None:
    browser = operators_browser(alice)
    del browser.cookies["csrftoken"]
    form = {"old_password": PASSWORD, "new_password1": ANOTHER, "new_password2": ANOTHER}
    assert browser.post(PATH, form).status_code == 403
    assert has_password(alice, PASSWORD)


def test_it_is_russian_for_a_russian_browser(alice: Agent) -> None:
    page = operators_browser(alice).get(PATH, headers={"Accept-Language": "ru"}).content.decode()
    assert "<h1>Сменить пароль</h1>" in page
