"""`seed_demo --json`: its shape, its promises, and that a second run changes nothing but tokens."""

import json
import stat
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from apps.accounts import actions, rules
from apps.accounts.models import ApiToken, Widget
from apps.agents.models import Agent, Department
from apps.chats.models import Chat, Contact, Message
from apps.chats.rules import Handling, MessageType, Status
from apps.routing.actions.settings import routings_of
from apps.support.models import SupportSettings
from tests.client import ApiClient

SELECTIONS = ["all", "readonly", "support", "ai_setup", "none"]


@pytest.fixture(autouse=True)
def own_folder(settings: Settings, tmp_path: Path) -> None:
    """What is kept of the last run is of this test's."""
    settings.PARLEY_HOME = tmp_path / "home"


def seed(*options: str) -> dict[str, Any]:
    out = StringIO()
    call_command("seed_demo", "--json", *options, stdout=out)
    document: dict[str, Any] = json.loads(out.getvalue())
    return document


def rows() -> dict[str, list[Any]]:
    """Every row of every table of ours, but for API tokens, and the settings that name them."""
    kinds = [
        kind
        for kind in apps.get_models()
        if kind.__module__.startswith("apps.") and kind not in (ApiToken, SupportSettings)
    ]
    return {kind._meta.label: list(kind._default_manager.order_by("pk").values()) for kind in kinds}


@pytest.fixture
def demo(db: None) -> dict[str, Any]:
    return seed()


def test_the_document_has_the_promised_shape(demo: dict[str, Any]) -> None:
    assert demo["base_url"] == f"{settings.PUBLIC_URL}/api/v1"
    assert demo["realtime_url"] == settings.REALTIME_URL
    assert [len(account["widgets"]) for account in demo["accounts"]] == [2, 1]
    for account in demo["accounts"]:
        assert account.keys() == {"id", "email", "owner_login", "password", "widgets"}
        for widget in account["widgets"]:
            assert widget.keys() >= {"id", "guid", "tokens", "agents", "department_ids", "chat_ids", "contact_ids"}
            assert list(widget["tokens"]) == SELECTIONS
            for agent in widget["agents"]:
                assert agent.keys() >= {"id", "email", "password", "type", "status"}


def test_the_first_widget_has_an_owner_three_people_and_an_ai_operator(demo: dict[str, Any]) -> None:
    agents = demo["accounts"][0]["widgets"][0]["agents"]
    assert [(agent["type"], agent["role"]) for agent in agents] == [
        ("human", "owner"),
        *[("human", "operator")] * 3,
        ("ai", "operator"),
    ]
    assert agents[0]["email"] == demo["accounts"][0]["owner_login"]


def test_the_first_widget_has_a_routed_department_without_channels_its_last(demo: dict[str, Any]) -> None:
    shop, *others = [widget for account in demo["accounts"] for widget in account["widgets"]]
    department = Department.objects.for_widget(shop["id"]).get(pk=shop["routing"]["department_id"])
    assert shop["department_ids"][-1] == department.pk
    assert (department.channels, department.internal, department.agents.count()) == ([], False, 2)
    held = routings_of(shop["id"])
    assert {pk for pk, routing in held.items() if routing.is_routed} == {department.pk}
    assert all("routing" not in widget for widget in others)


@pytest.mark.parametrize(("account", "widget", "free"), [(0, 0, 3), (0, 1, 1), (1, 0, 0)])
def test_demo_widgets_have_their_free_seats(demo: dict[str, Any], account: int, widget: int, free: int) -> None:
    row = Widget.objects.get(pk=demo["accounts"][account]["widgets"][widget]["id"])
    taken = Agent.objects.for_widget(row.pk).people().count()
    assert row.seats - taken == free


def test_the_other_account_has_a_banned_agent_and_a_row_for_every_path(demo: dict[str, Any]) -> None:
    widget = demo["accounts"][1]["widgets"][0]
    assert "banned" in [agent["status"] for agent in widget["agents"]]
    first = demo["accounts"][0]["widgets"][0]
    assert widget["path_ids"].keys() == first["path_ids"].keys() >= {"chat", "contact", "agent", "department", "file"}
    assert all(first["path_ids"][kind] != id_ for kind, id_ in widget["path_ids"].items())


def test_the_first_widget_has_chats_of_every_state_and_messages_of_every_type(demo: dict[str, Any]) -> None:
    widget = demo["accounts"][0]["widgets"][0]
    chats = Chat.objects.for_widget(widget["id"])
    assert {chat.status for chat in chats} == {status.value for status in Status}
    assert {chat.handling for chat in chats} == {handling.value for handling in Handling}
    types = set(Message.objects.for_widget(widget["id"]).values_list("type", flat=True))
    assert types >= {type_.value for type_ in MessageType} - {"image", "file"}
    assert chats.get(pk=widget["chats"]["empty"]).last_message_at is None
    assert chats.get(pk=widget["chats"]["internal"]).department.internal
    names = "".join(Contact.objects.for_widget(widget["id"]).values_list("name", flat=True))
    assert any("а" <= letter <= "я" for letter in names)
    assert any("a" <= letter <= "z" for letter in names)


def test_owners_of_chats_are_people_and_counters_fit(demo: dict[str, Any]) -> None:
    for chat in Chat.objects.select_related("agent"):
        assert chat.agent is None or chat.agent.type == "human"
        messages = chat.messages.filter(is_internal=False).order_by("pk")
        last = messages.last()
        assert chat.last_message_id == (last and last.pk)
        assert chat.last_message_at == (last and last.created_at)
        assert chat.has_client_messages == messages.filter(sender_kind="client").exists()


def test_a_second_run_changes_nothing_but_tokens(demo: dict[str, Any]) -> None:
    before, tokens_before = rows(), ApiToken.objects.count()
    again = seed()
    assert rows() == before
    assert ApiToken.objects.count() == tokens_before
    for account, account_again in zip(demo["accounts"], again["accounts"], strict=True):
        for widget, widget_again in zip(account["widgets"], account_again["widgets"], strict=True):
            tokens, tokens_again = taken_out(widget), taken_out(widget_again)
            assert not set(tokens.values()) & set(tokens_again.values())
    assert again == demo


def taken_out(widget: dict[str, Any]) -> dict[str, str]:
    """The tokens of a widget's part, which is left without them and without what names them."""
    widget["support"].pop("token_id")
    widget["support"]["settings"].pop("token_ids")
    tokens: dict[str, str] = widget.pop("tokens")
    return tokens


@pytest.mark.django_db(transaction=True)
def test_tokens_work_and_those_of_the_run_before_do_not() -> None:
    api = ApiClient()
    earlier = seed()["accounts"][0]["widgets"][0]["tokens"]
    assert api.get("/chats", token=earlier["all"]).status_code == 200
    tokens = seed()["accounts"][0]["widgets"][0]["tokens"]
    answers = {name: api.get("/chats", token=token).status_code for name, token in tokens.items()}
    assert answers == {"all": 200, "readonly": 200, "support": 403, "ai_setup": 403, "none": 403}
    assert api.get("/chats", token=earlier["all"]).status_code == 401


@pytest.mark.django_db(transaction=True)
def test_kept_tokens_go_on_working_and_only_what_is_not_valid_is_issued_anew(settings: Settings) -> None:
    first = seed("--keep-tokens")
    assert seed("--keep-tokens") == first
    revoked, cut = (
        ApiToken.objects.get(digest=rules.digest(first["accounts"][0]["widgets"][0]["tokens"][selection]))
        for selection in ("all", "support")
    )
    actions.revoke_token(token=revoked)
    ApiToken.objects.filter(pk=cut.pk).update(scopes=["support:read"])  # another release knew other scopes
    again = seed("--keep-tokens")
    tokens, tokens_again = (taken_out(run["accounts"][0]["widgets"][0]) for run in (first, again))
    assert [name for name in SELECTIONS if tokens[name] != tokens_again[name]] == ["all", "support"]
    assert again == first
    assert ApiClient().get("/chats", token=tokens_again["all"]).status_code == 200
    assert ApiClient().get("/chats", token=tokens_again["readonly"]).status_code == 200
    assert ApiClient().get("/chats", token=tokens["all"]).status_code == 401


@pytest.mark.parametrize("damaged", ["", "{", "[]", '{"accounts": [{"widgets": 1}]}'])
@pytest.mark.django_db
def test_what_is_kept_may_be_damaged(settings: Settings, damaged: str) -> None:
    seed()
    kept = settings.PARLEY_HOME / "demo.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    kept.write_text(damaged)
    assert seed("--keep-tokens") == json.loads(kept.read_text())


def test_demo_tokens_have_their_scopes(demo: dict[str, Any]) -> None:
    widget = demo["accounts"][0]["widgets"][0]["id"]
    scopes = {token.name.removeprefix("Demo: "): set(token.scopes) for token in ApiToken.objects.filter(widget=widget)}
    assert scopes["none"] == set()
    assert scopes["support"] == {"support:read", "support:reply", "support:write"}
    assert all(scope.endswith(":read") for scope in scopes["readonly"])
    assert not scopes["all"] & (scopes["support"] | {"partners:withdraw"})


def test_the_installations_admin_sees_all_accounts(demo: dict[str, Any]) -> None:
    browser = Client()
    assert browser.login(username=demo["admin"]["login"], password=demo["admin"]["password"])
    page = browser.get("/admin/accounts/account/").content.decode()
    for account in demo["accounts"]:
        assert account["email"] in page


def test_owners_sign_in_to_the_cabinet(demo: dict[str, Any]) -> None:
    for account in demo["accounts"]:
        browser = Client()
        form = {"username": account["owner_login"], "password": account["password"]}
        assert browser.post("/admin/login/?next=/admin/", form).headers["Location"] == "/admin/"
        assert browser.get("/admin/").status_code == 200


def test_people_have_the_printed_password(demo: dict[str, Any]) -> None:
    for account in demo["accounts"]:
        for widget in account["widgets"]:
            for agent in widget["agents"]:
                person = {"username": agent["email"], "password": agent["password"]}
                assert Client().login(**person) if agent["email"] else agent["password"] is None


def test_a_reader_without_json_sees_logins_and_tokens(db: None) -> None:
    out = StringIO()
    call_command("seed_demo", stdout=out)
    assert "cabinet login olga@shop.example" in out.getvalue()
    assert out.getvalue().count("pt_") == 15


def test_it_asks_little_of_the_database(
    demo: dict[str, Any], django_assert_max_num_queries: Callable[..., Any]
) -> None:
    with django_assert_max_num_queries(312):  # 26 of them: a department, automations, macros, the first word
        seed()
