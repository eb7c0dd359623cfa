"""What the cabinet shows when something went wrong: why, what was typed, and a way back; with DEBUG on, too."""

import re
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from apps.accounts.models import User, Widget
from apps.agents.models import Agent
from tests.accounts.test_races import page_of
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory
from tests.factories.ai import AssistantFactory

HTML = {"accept": "text/html"}


def texts(response: Any) -> str:
    return re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", response.content.decode()))


@pytest.fixture(params=[False, True], ids=["DEBUG off", "DEBUG on"])
def _debug(request: pytest.FixtureRequest, settings: Settings) -> None:
    settings.DEBUG = request.param


@pytest.mark.usefixtures("_debug")
def test_a_missing_page_leads_back_to_its_list(cabinet: Client, rival: Rival) -> None:
    answer = cabinet.get(page_of(rival.widget), headers=HTML)
    assert answer.status_code == 404
    assert "It was deleted meanwhile, or the address is wrong." in texts(answer)
    assert 'href="/admin/accounts/widget/">To the list' in answer.content.decode()
    assert 'href="/admin/">To the overview' in answer.content.decode()
    assert cabinet.get("/admin/no/such/page/", headers=HTML).status_code == 404


@pytest.mark.usefixtures("_debug")
def test_what_was_typed_for_a_row_that_is_gone_can_be_copied(cabinet: Client, shop: Widget) -> None:
    assistant = AssistantFactory.create(widget=shop)
    page = page_of(assistant)
    assistant.delete()
    answer = cabinet.post(page, {"persona": "Speak <b>softly</b>.", "api_key": "sk-secret", "_save": "1"}, headers=HTML)
    assert answer.status_code == 404
    assert "Speak &lt;b&gt;softly&lt;/b&gt;." in answer.content.decode()
    assert "sk-secret" not in answer.content.decode()


@pytest.mark.usefixtures("_debug")
def test_a_role_that_may_not_is_told_who_may(shop: Widget) -> None:
    viewer = StaffFactory.create(account=shop.account, role=User.Role.VIEWER, email="vera@shop.test")
    answer = signed_in(viewer).get("/admin/accounts/apitoken/add/", headers=HTML)
    assert answer.status_code == 403
    assert "Your role doesn't allow this." in texts(answer).replace("&#x27;", "'")
    assert "vera@shop.test" in texts(answer)
    assert 'href="/admin/">To the overview' in answer.content.decode()


@pytest.mark.usefixtures("_debug")
def test_a_failure_has_a_way_back(cabinet: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr("apps.cabinet.admin.people.AccountAdmin.get_queryset", fail)
    cabinet.raise_request_exception = False
    answer = cabinet.get("/admin/accounts/account/", headers=HTML | {"accept-language": "ru"})
    assert answer.status_code == 500
    assert "Что-то пошло не так" in texts(answer)
    assert 'href="/admin/accounts/account/"' in answer.content.decode()


class TestAFormOfAnotherSession:
    """The proof of origin is the session's: signing in anew elsewhere makes an open form's invalid."""

    @pytest.fixture
    def browser(self, olga: Agent) -> Client:
        browser = Client(enforce_csrf_checks=True)
        browser.force_login(olga.user)
        return browser

    @pytest.mark.usefixtures("_debug")
    def test_it_can_be_sent_again_as_it_is(self, browser: Client, shop: Widget) -> None:
        form = {"name": "Tulips", "api_enabled": "on", "csrfmiddlewaretoken": "x" * 64, "api_key": "sk-secret"}
        answer = browser.post(page_of(shop), form, headers=HTML | {"origin": "http://testserver"})
        page = answer.content.decode()
        assert answer.status_code == 403
        assert "The page was open since before you signed in" in texts(answer)
        sent = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', page))
        assert (sent["name"], sent["api_enabled"], "sk-secret" in page) == ("Tulips", "on", False)
        assert "Passwords and keys have to be typed again." in texts(answer)
        assert browser.post(page_of(shop), sent, headers={"origin": "http://testserver"}).status_code == 302
        shop.refresh_from_db()
        assert shop.name == "Tulips"

    def test_another_websites_can_not(self, browser: Client, shop: Widget) -> None:
        for headers in ({"origin": "https://evil.example"}, {"referer": "https://evil.example/"}, {}):
            answer = browser.post(page_of(shop), {"name": "Mine"}, headers=HTML | headers)
            assert (answer.status_code, "Mine" in answer.content.decode()) == (403, False)
            assert "The form came from another website, so nothing was done." in texts(answer)

    def test_who_is_signed_out_signs_in_first(self, shop: Widget) -> None:
        browser = Client(enforce_csrf_checks=True)
        form = {"name": "Tulips", "username": "olga@shop.test", "password": "secret-of-olga"}
        answer = browser.post("/admin/login/", form, headers=HTML | {"origin": "http://testserver"})
        page = answer.content.decode()
        assert (answer.status_code, "secret-of-olga" in page, "Send again" in page) == (403, False, False)
        assert 'href="/admin/">To the overview' in page
