"""An operator's browser, for tests: signed in, and with what a page of the console sends along."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth import get_user_model
from django.middleware.csrf import _get_new_csrf_string
from django.test import Client

from apps.agents.models import Agent
from tests.client import ApiClient, client


def operators_browser(agent: Agent) -> Client:
    """A browser in which the person behind the operator is signed in; CSRF is checked, as for people."""
    browser = client(enforce_csrf_checks=True)
    browser.force_login(get_user_model().objects.get(pk=agent.user_id))
    browser.cookies["csrftoken"] = _get_new_csrf_string()
    return browser


def console_headers(agent: Agent) -> dict[str, str]:
    """What such a browser sends with a write."""
    browser = operators_browser(agent)
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in browser.cookies.items())
    return {"Cookie": cookies, "X-CSRFToken": browser.cookies["csrftoken"].value}


def ask_for_ticket(browser: Client, headers: Mapping[str, str] | None = None) -> Any:
    """The answer to `POST /console/ticket`."""
    usual = {"X-CSRFToken": browser.cookies["csrftoken"].value}
    return post_nothing(browser, "/console/ticket", {**usual, **(headers or {})})


def post_nothing(browser: Client, path: str, headers: dict[str, str]) -> Any:
    """A POST without a body; the test client's own would be a form."""
    return browser.generic("POST", path, b"", content_type="", headers=headers)


def ticket_of(browser: Client, headers: Mapping[str, str] | None = None) -> str:
    answer = ask_for_ticket(browser, headers)
    assert answer.status_code == 200, answer.content
    ticket: str = answer.json()["data"]["ticket"]
    return ticket


class Console(ApiClient):
    """The console's page of an operator: calls `/console/…` with their session, and with what a write needs."""

    def __init__(self, agent: Agent) -> None:
        super().__init__()
        self._client = client(enforce_csrf_checks=True)
        self.headers = console_headers(agent)

    def request(self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **options: Any) -> Any:
        options["idempotency_key"] = None
        return super().request(method, f"/console{path}", headers={**self.headers, **(headers or {})}, **options)

    def data(self, method: str, path: str, status: int = 200, **options: Any) -> Any:
        """What a call that succeeds answers."""
        answer = self.request(method, path, **options)
        assert answer.status_code == status, answer.content
        return answer.json()["data"]
