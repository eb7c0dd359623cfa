"""`issue_token` and `revoke_token`."""

import json
import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.models import ApiToken, Widget
from apps.accounts.rules import is_well_formed, preset_scopes
from apps.core import plugins
from tests.client import ApiClient, assert_problem


def issue(widget: Widget, *options: str) -> str:
    out = StringIO()
    call_command("issue_token", "--widget", widget.guid, *options, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_it_prints_the_token_alone(shop: Widget) -> None:
    printed = issue(shop, "--scopes", "chats:read, messages:read", "--name", "CRM")
    assert re.fullmatch(r"pt_[0-9A-Za-z]{46}\n", printed)
    token = ApiToken.objects.get()
    assert (token.name, token.scopes, token.expires_at) == ("CRM", ["chats:read", "messages:read"], None)
    assert ApiClient(printed.strip()).get("/chats").status_code == 200


def test_json_is_the_id_and_the_token(shop: Widget) -> None:
    printed = json.loads(issue(shop, "--scopes", "", "--json"))
    assert printed.keys() == {"id", "token"}
    assert printed["id"] == ApiToken.objects.get(scopes=[]).pk
    assert is_well_formed(printed["token"])


@pytest.mark.parametrize("preset", ["ai_setup", "support_agents", "all"])
def test_a_preset_replaces_the_selection(shop: Widget, preset: str) -> None:
    issue(shop, "--scopes", "chats:write,partners:withdraw", "--preset", preset)
    assert ApiToken.objects.get().scopes == preset_scopes(preset, plugins.scopes())


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("2030-01-01T00:00:00Z", "2030-01-01T00:00:00+00:00"),
        ("2030-01-01T03:00:00", "2030-01-01T00:00:00+00:00"),
        ("2030-01-01", "2029-12-31T21:00:00+00:00"),
        ("2030-01-01T00:00:00-05:00", "2030-01-01T05:00:00+00:00"),
    ],
)
def test_expiry_is_moscow_time_unless_it_has_an_offset(shop: Widget, given: str, kept: str) -> None:
    issue(shop, "--scopes", "", "--expires", given)
    expires_at = ApiToken.objects.get().expires_at
    assert expires_at is not None
    assert expires_at.isoformat() == kept


def test_an_expiry_in_the_past_is_accepted(shop: Widget) -> None:
    printed = issue(shop, "--preset", "all", "--expires", "2020-01-01T00:00:00Z")
    assert_problem(ApiClient(printed.strip()).get("/chats"), 401, "not_authenticated")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--scopes", "chats:read,chats:own,nope"], "unknown scopes: chats:own, nope"),
        ([], "give --scopes or --preset"),
        (["--scopes", "", "--expires", "tomorrow"], "--expires is no ISO 8601 date-time: 'tomorrow'"),
        (["--scopes", "", "--expires", "2026-02-30T00:00:00Z"], "--expires is no ISO 8601 date-time"),
        (["--preset", "everything"], "invalid choice: 'everything'"),
        (["--scopes", "", "--name", "n" * 256], "--name takes at most 255 printable characters"),
        (["--scopes", "", "--name", "a\nb"], "--name takes at most 255 printable characters"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(shop: Widget, options: list[str], line: str) -> None:
    with pytest.raises(CommandError) as error:
        issue(shop, *options)
    assert line in str(error.value)
    assert "\n" not in str(error.value)
    assert not ApiToken.objects.exists()


def test_an_unknown_widget_is_said_in_one_line(db: None) -> None:
    with pytest.raises(CommandError, match=r"^there is no widget with the guid 'nope'$"):
        call_command("issue_token", "--widget", "nope", "--preset", "all")


@pytest.mark.django_db(transaction=True)
def test_revoke_token_counts_at_the_next_request(api: ApiClient) -> None:
    assert api.get("/chats").status_code == 200
    out = StringIO()
    identity = ApiToken.objects.get().pk
    for _ in range(2):
        call_command("revoke_token", str(identity), stdout=out)
        assert_problem(api.get("/chats"), 401, "not_authenticated")
    assert out.getvalue() == f"token {identity} is revoked\n" * 2


@pytest.mark.parametrize(
    ("given", "line"),
    [("12345", "there is no token 12345"), (str(10**30), "there is no token 1000"), ("x", "invalid int value: 'x'")],
)
def test_revoking_what_is_not_there(db: Any, given: str, line: str) -> None:
    with pytest.raises(CommandError, match=line):
        call_command("revoke_token", given)
