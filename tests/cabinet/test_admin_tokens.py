"""The cabinet's section "API tokens": the plain text shows once, revoking counts at once, scopes never change."""

import re
import time
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.core import serializers
from django.db import connection
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format

from apps.accounts.actions import store_token_uses
from apps.accounts.models import ApiToken, Widget
from apps.accounts.rules import TOKEN_USES, is_well_formed
from apps.agents.models import Agent
from apps.core import plugins
from apps.core.endpoints.routing import routed_operations
from apps.core.redis import last_requests
from tests.cast import Rival, signed_in
from tests.client import ApiClient, assert_problem
from tests.factories import ApiTokenFactory, StaffFactory, SuperuserFactory, plain_text

ADD = "/admin/accounts/apitoken/add/"
LIST = "/admin/accounts/apitoken/"
PLAIN = re.compile(r"pt_[0-9A-Za-z]{46}")


@pytest.fixture(autouse=True)
def nothing_noted(monkeypatch: pytest.MonkeyPatch) -> dict[Any, float]:
    """No use of a token is noted; what this process noted lately."""
    noted: dict[Any, float] = {}
    monkeypatch.setattr(last_requests, "_noted", noted)
    last_requests.take_uses(TOKEN_USES)
    return noted


def issue(browser: Client, of: Widget, /, **fields: Any) -> Any:
    form = {"name": "CRM", "widget": of.pk, "scopes": ["chats:read"], "expires": ""} | fields
    return browser.post(ADD, form, follow=True)


def shown(response: Any) -> str:
    (found,) = set(PLAIN.findall(response.content.decode()))
    return str(found)


def test_the_form_offers_every_scope_by_group_and_marks_the_sensitive(cabinet: Client, shop: Widget) -> None:
    page = cabinet.get(ADD).content.decode()
    offered = re.findall(r'type="checkbox" name="scopes" value="([^"]+)"', page)
    assert sorted(offered) == sorted(plugins.scopes())
    assert page.count('class="scope-sensitive"') == sum(scope.sensitive for scope in plugins.scopes().values())
    assert set(re.findall(r"<legend>([^<]+)</legend>", page)) == {scope.group for scope in plugins.scopes().values()}
    for preset in (
        "AI setup",
        "Support agents",
        "All but support",
        "Chat bot",
        "Read only",
        "Webhooks only",
        "None",
    ):
        assert f">{preset}</button>" in page


def test_an_issued_token_is_shown_once_and_works(cabinet: Client, shop: Widget) -> None:
    page = issue(cabinet, shop)
    text = shown(page)
    assert page.status_code == 200
    assert is_well_formed(text)
    assert "no-store" in page.headers["Cache-Control"]
    token = ApiToken.objects.get()
    assert (token.widget, token.name, token.scopes, token.expires_at) == (shop, "CRM", ["chats:read"], None)
    assert ApiClient(text).get("/chats").status_code == 200


def test_the_plain_text_is_on_no_later_page_and_nowhere_in_the_database(cabinet: Client, shop: Widget) -> None:
    text = shown(issue(cabinet, shop))
    token = ApiToken.objects.get()
    addresses = (LIST, f"{LIST}{token.pk}/change/", f"{LIST}{token.pk}/history/", "/admin/", ADD)
    for address in addresses:
        assert text.encode() not in cabinet.get(address).content, address
    assert text not in str(cabinet.cookies)
    assert all(text not in str(session.get_decoded()) for session in Session.objects.all())
    tables = [kind for kind in apps.get_models() if kind._meta.db_table in connection.introspection.table_names()]
    rows = [row for kind in tables for row in kind._default_manager.all()]
    assert token in rows
    assert text[3:43] not in serializers.serialize("json", rows)


def test_what_was_done_is_logged_without_a_secret(cabinet: Client, shop: Widget, olga: Agent) -> None:
    text = shown(issue(cabinet, shop, name=""))
    (entry,) = LogEntry.objects.all()
    assert entry.user == olga.user
    assert text[12:] not in entry.object_repr + entry.change_message


def test_an_expiry_is_moscow_time_and_is_still_to_come(cabinet: Client, shop: Widget) -> None:
    shown(issue(cabinet, shop, expires="2040-01-01T03:00"))
    assert ApiToken.objects.get().expires_at.isoformat() == "2040-01-01T00:00:00+00:00"
    assert "This time is over already" in issue(cabinet, shop, expires="2020-01-01T03:00").content.decode()
    assert ApiToken.objects.count() == 1


def test_the_page_of_a_new_token_can_be_reloaded(cabinet: Client, shop: Widget) -> None:
    """It is shown once, to who has issued it, and reloading the page issues nothing."""
    page = issue(cabinet, shop)
    assert page.redirect_chain == [("/admin/shown-once/", 302)]
    again = cabinet.get("/admin/shown-once/")
    assert PLAIN.findall(again.content.decode()) == []
    assert "is shown once" in again.content.decode()
    assert ApiToken.objects.count() == 1


def test_a_token_without_scopes_may_do_nothing(cabinet: Client, shop: Widget) -> None:
    page = issue(cabinet, shop, scopes=[]).content.decode()
    assert "Choose what the token may do. A token without scopes may do nothing." in page
    assert PLAIN.findall(page) == []


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"scopes": ["chats:read", "chats:own"]}, "chats:own is not one of the available choices"),
        ({"expires": "tomorrow"}, "Enter a valid date/time"),
        ({"widget": ""}, "This field is required"),
        ({"name": "n" * 256}, "at most 255 characters"),
    ],
)
def test_a_wrong_form_issues_nothing(cabinet: Client, shop: Widget, fields: dict[str, Any], message: str) -> None:
    page = issue(cabinet, shop, **fields).content.decode()
    assert message in page
    assert not PLAIN.search(page)
    assert not ApiToken.objects.exists()


def test_only_the_name_of_an_issued_token_changes(cabinet: Client, shop: Widget) -> None:
    token = ApiTokenFactory.create(widget=shop, scopes=["chats:read"])
    digest = bytes(token.digest)
    form = {"name": "Renamed", "scopes": ["chats:write"], "expires_at_0": "2030-01-01", "widget": "0", "hint": "x"}
    assert cabinet.post(f"{LIST}{token.pk}/change/", form).status_code == 302
    token.refresh_from_db()
    assert (token.name, token.scopes, token.expires_at, token.widget) == ("Renamed", ["chats:read"], None, shop)
    assert bytes(token.digest) == digest


@pytest.mark.django_db(transaction=True)
def test_the_action_revoke_asks_first_and_counts_at_the_next_request(
    cabinet: Client, shop: Widget, api: ApiClient
) -> None:
    assert api.get("/chats").status_code == 200
    token = ApiToken.objects.get()
    form = {"action": "revoke", "_selected_action": [token.pk]}
    asked = cabinet.post(LIST, form).content.decode()
    assert token.hint in asked
    assert 'name="confirmed"' in asked
    assert api.get("/chats").status_code == 200
    page = cabinet.post(LIST, form | {"confirmed": "yes"}, follow=True)
    assert_problem(api.get("/chats"), 401, "not_authenticated")
    assert [str(message) for message in page.context["messages"]] == ["Revoked: 1."]
    assert LogEntry.objects.get().change_message == "Revoked."


@pytest.mark.django_db(transaction=True)
def test_a_tokens_page_leads_to_its_revocation_which_asks_and_says_one_thing(
    cabinet: Client, shop: Widget, api: ApiClient
) -> None:
    token = ApiToken.objects.get()
    address = f"{LIST}{token.pk}/revoke/"
    assert address in cabinet.get(f"{LIST}{token.pk}/change/").content.decode()
    assert token.hint in cabinet.get(address).content.decode()
    assert api.get("/chats").status_code == 200
    page = cabinet.post(address, follow=True)
    assert [str(message) for message in page.context["messages"]] == [f"{token} is revoked."]
    assert_problem(api.get("/chats"), 401, "not_authenticated")
    assert LogEntry.objects.get().change_message == "Revoked."
    assert address not in cabinet.get(f"{LIST}{token.pk}/change/").content.decode()


def test_another_accounts_token_cannot_be_revoked(cabinet: Client, rival: Rival) -> None:
    theirs = ApiTokenFactory.create(widget=rival.widget)
    address = f"{LIST}{theirs.pk}/revoke/"
    assert (cabinet.get(address).status_code, cabinet.post(address).status_code) == (404, 404)
    theirs.refresh_from_db()
    assert theirs.revoked_at is None


def test_scopes_that_no_call_asks_for_are_marked(cabinet: Client, shop: Widget) -> None:
    page = cabinet.get(ADD).content.decode()
    used = {scope for routed in routed_operations() for scope in routed.operation.scopes}
    assert "chats:read" in used
    for box in page.split('<div class="scope">')[1:]:
        (scope,) = re.findall(r'value="([^"]+)"', box)
        assert ("not used by any call yet" in box) == (scope not in used), scope


def test_a_token_shows_when_it_was_last_used(cabinet: Client, shop: Widget, api: ApiClient) -> None:
    token = ApiToken.objects.get()
    before = timezone.now()
    assert api.get("/chats").status_code == 200
    assert store_token_uses() == 1
    token.refresh_from_db()
    assert before - timedelta(seconds=1) <= token.last_used_at <= timezone.now()
    shown_at = date_format(timezone.localtime(token.last_used_at), "DATETIME_FORMAT")
    assert shown_at in cabinet.get(f"{LIST}{token.pk}/change/").content.decode()


def test_a_use_is_noted_once_a_minute_and_never_goes_back(
    shop: Widget, api: ApiClient, nothing_noted: dict[Any, float]
) -> None:
    token = ApiToken.objects.get()
    for _ in range(3):
        api.get("/chats")
    assert store_token_uses() == 1
    assert store_token_uses() == 0
    later = timezone.now() + timedelta(hours=1)
    ApiToken.objects.update(last_used_at=later)
    nothing_noted.clear()
    api.get("/chats")
    assert store_token_uses() == 0
    token.refresh_from_db()
    assert token.last_used_at == later


def test_a_token_that_is_refused_is_not_used(shop: Widget) -> None:
    token = ApiTokenFactory.create(widget=shop, expires_at=timezone.now() - timedelta(days=1))
    assert_problem(ApiClient(plain_text(token)).get("/chats"), 401, "not_authenticated")
    assert store_token_uses() == 0


def test_without_redis_nothing_is_noted_and_nothing_fails(
    shop: Widget, api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.core.redis.connection._away_until", time.monotonic() + 60)
    assert api.get("/chats").status_code == 200
    assert store_token_uses() == 0


def test_nobody_deletes_tokens(cabinet: Client, shop: Widget) -> None:
    token = ApiTokenFactory.create(widget=shop)
    assert cabinet.post(f"{LIST}{token.pk}/delete/", {"post": "yes"}).status_code == 403
    assert b"delete_selected" not in cabinet.get(LIST).content
    cabinet.post(LIST, {"action": "delete_selected", "_selected_action": [token.pk], "post": "yes"})
    assert ApiToken.objects.filter(pk=token.pk).exists()


def test_another_accounts_widget_is_no_choice(cabinet: Client, shop: Widget, rival: Rival) -> None:
    page = cabinet.get(ADD).content.decode()
    assert shop.name in page
    assert rival.widget.name not in page
    refused = issue(cabinet, rival.widget).content.decode()
    assert "not one of the available choices" in refused
    assert not PLAIN.search(refused)
    assert not ApiToken.objects.exists()


def test_another_accounts_tokens_are_out_of_reach(cabinet: Client, rival: Rival) -> None:
    theirs = ApiTokenFactory.create(widget=rival.widget, name="Their CRM")
    for page in ("change", "history", "delete"):
        answer = cabinet.get(f"{LIST}{theirs.pk}/{page}/")
        never_was = cabinet.get(f"{LIST}{theirs.pk + 1000}/{page}/")
        assert (answer.status_code, never_was.status_code) == (404, 404)
    assert "Their CRM" not in cabinet.get(LIST).content.decode()
    cabinet.post(f"{LIST}{theirs.pk}/change/", {"name": "Ours"})
    cabinet.post(LIST, {"action": "revoke", "_selected_action": [theirs.pk]})
    theirs.refresh_from_db()
    assert (theirs.name, theirs.revoked_at) == ("Their CRM", None)


@pytest.mark.parametrize(
    "lookup", ["digest__startswith", "created_by__password__startswith", "widget__guid__startswith"]
)
def test_lists_answer_no_question_about_what_they_do_not_show(cabinet: Client, shop: Widget, lookup: str) -> None:
    assert cabinet.get(LIST, {lookup: "a"}).status_code == 400


def test_the_filter_by_widget_names_own_widgets(cabinet: Client, shop: Widget, rival: Rival) -> None:
    second = ApiTokenFactory.create(widget__account=shop.account, name="Of the blog").widget
    ApiTokenFactory.create(widget=shop, name="Of the shop")
    page = cabinet.get(LIST, {"widget__id__exact": second.pk}).content.decode()
    assert "Of the blog" in page
    assert "Of the shop" not in page
    assert rival.widget.name not in page


def test_superusers_see_every_accounts_tokens(shop: Widget, rival: Rival) -> None:
    for widget in (shop, rival.widget):
        ApiTokenFactory.create(widget=widget, name=f"Of {widget.name}")
    page = signed_in(SuperuserFactory.create()).get(LIST).content.decode()
    assert f"Of {shop.name}" in page
    assert f"Of {rival.widget.name}" in page


def test_who_is_no_staff_or_of_no_account_gets_nothing(alice: Agent, shop: Widget) -> None:
    ApiTokenFactory.create(widget=shop)
    assert alice.user is not None
    assert signed_in(alice.user).get(LIST).status_code == 302
    assert signed_in(StaffFactory.create(account=None)).get(LIST).status_code == 403
    olga_gone = StaffFactory.create(account=shop.account, is_active=False)
    assert signed_in(olga_gone).get(LIST).status_code == 302


def test_a_token_of_the_list_is_told_by_its_hint(cabinet: Client, shop: Widget) -> None:
    token = ApiTokenFactory.create(widget=shop, name="", expires_at=timezone.now() + timedelta(days=1))
    page = cabinet.get(LIST).content.decode()
    assert plain_text(token)[:8] in page
    assert plain_text(token)[:12] not in page
