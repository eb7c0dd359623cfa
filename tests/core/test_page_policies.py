"""Every page says what its browser may load and run: nothing inline, nothing from elsewhere, but for the named."""

import re
from collections.abc import Iterator, Mapping

import pytest
from django.conf import settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.widget.rules.snippet import stub_source
from tests.client import client
from tests.factories import SuperuserFactory

NONE, SELF = "'none'", "'self'"
# The cabinet's Alpine evaluates what stands in its attributes; a script in a page is not run there either.
SCRIPTS = {
    "/admin/": "'self' 'unsafe-eval'",
    "/demo/mail": SELF,
    "/demo/model": SELF,  # an error page: there is no played widget
    "/demo/": f"'self' {settings.PUBLIC_URL} {stub_source()}",
    "/invitations/": None,
}
STYLES = {"/admin/": "'self' 'unsafe-inline'", "/demo/mail": "'self' 'unsafe-inline'"}  # letters bring their own


def addresses(patterns: list[URLPattern | URLResolver], below: str = "/") -> Iterator[str]:
    """Every address of Django's that has no parameter in it."""
    for pattern in patterns:
        path = below + str(pattern.pattern).removeprefix("^").removesuffix("$").removesuffix(r"\Z")
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, path)
        elif re.fullmatch(r"[\w/.-]*", path):
            yield path


def policy_of(browser: Client, path: str) -> dict[str, str]:
    """The directives of a page's policy."""
    answer = browser.get(path, headers={"Accept": "text/html"})
    if not answer.headers.get("Content-Type", "").startswith("text/html") or answer.status_code in (301, 302):
        return {}
    policy = answer.headers["Content-Security-Policy"]
    return dict(part.strip().partition(" ")[::2] for part in policy.split(";"))


def of(path: str, exceptions: Mapping[str, str | None]) -> str | None:
    return next((said for below, said in exceptions.items() if path.startswith(below)), SELF)


def assert_strict(path: str, policy: dict[str, str]) -> None:
    assert policy["default-src"] == NONE, path
    assert policy.get("script-src") == of(path, SCRIPTS), path
    assert policy["style-src"] == of(path, STYLES), path
    assert (policy["base-uri"], policy["form-action"], policy["frame-ancestors"]) == (NONE, SELF, NONE), path


@pytest.mark.django_db
def test_every_page_has_its_policy(shop: Widget, alice: Agent) -> None:
    stranger, boss, operator = client(), client(), client()
    boss.force_login(SuperuserFactory.create())
    assert alice.user is not None
    operator.force_login(alice.user)
    paths = sorted(set(addresses(get_resolver().url_patterns)))
    seen = set()
    for path in [
        *paths,
        "/no/such/page",
        "/problems/not_found",
        "/api/docs/guides/ai",
        "/invitations/none",
        "/admin/no/such/page/",
    ]:
        for browser in (stranger, boss, operator):
            if policy := policy_of(browser, path):
                assert_strict(path, policy)
                seen.add(path)
    assert {
        *("/", "/problems/", "/problems/not_found", "/no/such/page", "/invitations/none"),
        *("/api/docs", "/api/docs/visitor", "/api/docs/guides/", "/api/docs/guides/ai"),
        *("/console/", "/console/login/", "/demo/", "/admin/", "/admin/login/", "/admin/two-factor/"),
        *("/admin/chats/chat/", "/admin/accounts/apitoken/", "/admin/accounts/widget/add/", "/admin/no/such/page/"),
    } <= seen
