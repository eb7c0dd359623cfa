"""Subscriptions over REST (specification, "Webhook subscription", Endpoints "Webhook subscriptions")."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Widget
from apps.webhooks.models import Subscription
from apps.webhooks.rules import LEGACY_NAMES, NATIVE_NAMES
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import ApiTokenFactory, plain_text
from tests.factories.webhooks import SubscriptionFactory

PATH = "/webhook-subscriptions"
ALLOWED = ["127.0.0.1:443", "localhost:8443", "localhost:443"]
URL = "https://localhost:8443/hooks/parley"


@pytest.fixture(autouse=True)
def reachable(settings: Any) -> None:
    """Lets subscriptions name this machine, as an on-premises installation would."""
    settings.EGRESS_ALLOW = ALLOWED


def body(**changes: Any) -> dict[str, Any]:
    return {"url": URL, "events": ["message.created"], **changes}


def test_a_created_subscription_is_shown_with_its_generated_secret(api: ApiClient, shop: Widget) -> None:
    answer = api.post(PATH, json=body(events=["message.created", "chat.closed"]))
    assert answer.status_code == 201
    data = answer.json()["data"]
    row = Subscription.objects.get()
    assert row.widget == shop
    assert re.fullmatch(r"whsec_[A-Za-z0-9_-]{43}", data["secret"])
    assert row.secret == data["secret"]
    stamp = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
    assert stamp.fullmatch(data.pop("created_at"))
    assert stamp.fullmatch(data.pop("updated_at"))
    assert data == {
        "id": row.pk,
        "url": URL,
        "events": ["message.created", "chat.closed"],
        "disabled_events": ["chat.closed"],
        "is_active": True,
        "is_legacy_compat": False,
        "secret": row.secret,
    }


def test_the_secret_is_never_shown_again(api: ApiClient) -> None:
    created = api.post(PATH, json=body()).json()["data"]
    one, many = api.get(f"{PATH}/{created['id']}"), api.get(PATH)
    assert "secret" not in one.json()["data"]
    assert "secret" not in many.json()["data"][0]
    assert created["secret"] not in one.content.decode() + many.content.decode()
    del created["secret"]
    assert one.json()["data"] == created
    assert many.json() == {"data": [created], "next_cursor": None}


def test_the_secret_is_encrypted_at_rest(api: ApiClient) -> None:
    secret = api.post(PATH, json=body()).json()["data"]["secret"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT secret FROM webhooks_subscription")
        (stored,) = cursor.fetchone()
    assert secret not in stored
    assert stored.startswith("gAAAA")


@pytest.mark.parametrize("secret", ["s" * 16, "s" * 255, "пароль-из-16-букв"])
def test_a_supplied_secret_is_used(api: ApiClient, secret: str) -> None:
    data = api.post(PATH, json=body(secret=secret)).json()["data"]
    assert data["secret"] == secret
    assert Subscription.objects.get().secret == secret


@pytest.mark.parametrize("secret", ["s" * 15, "s" * 256, "", None, 1234567890123456])
def test_a_secret_of_another_length_or_kind_is_refused(api: ApiClient, secret: Any) -> None:
    assert_problem(api.post(PATH, json=body(secret=secret)), 422, "invalid_input", errors=["secret"])
    assert not Subscription.objects.exists()


@pytest.mark.parametrize("name", NATIVE_NAMES)
def test_every_event_of_the_catalogue_may_be_subscribed_to(api: ApiClient, name: str) -> None:
    assert api.post(PATH, json=body(events=[name])).json()["data"]["events"] == [name]


@pytest.mark.parametrize("name", LEGACY_NAMES)
def test_a_legacy_subscription_takes_the_five_legacy_names(api: ApiClient, name: str) -> None:
    data = api.post(PATH, json=body(events=[name], is_legacy_compat=True)).json()["data"]
    assert (data["events"], data["is_legacy_compat"]) == ([name], True)


@pytest.mark.parametrize(
    ("events", "is_legacy", "path"),
    [
        (["chat.updated"], False, "events.0"),
        (["message.created", "chat.updated"], False, "events.1"),
        (["message.created", "message.created"], False, "events.1"),
        (["nonsense"], False, "events.0"),
        (["chat_finished"], False, "events.0"),
        (["message.created"], True, "events.0"),
        (["chat_finished", "chat.closed"], True, "events.1"),
        (["message.created", 5], False, "events.1"),
        (["message.created", None], False, "events.1"),
        ([], False, "events"),
        ("message.created", False, "events"),
        (None, False, "events"),
        ({"0": "message.created"}, False, "events"),
    ],
)
def test_an_unknown_or_repeated_event_is_refused_by_its_position(
    api: ApiClient, events: Any, is_legacy: bool, path: str
) -> None:
    answer = api.post(PATH, json=body(events=events, is_legacy_compat=is_legacy))
    assert_problem(answer, 422, "invalid_input", errors=[path])
    assert not Subscription.objects.exists()


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.com/",
        "ftp://localhost:8443/",
        "https://user:pass@localhost:8443/",
        "hooks.example.com",
        "https://",
        "",
        " https://localhost:8443/",
        "https://localhost:8443/" + "a" * 2048,
        "https://10.0.0.1/",
        "https://192.168.1.1/",
        "https://127.0.0.1:8444/",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://no-such-host.invalid/",
        None,
        7,
    ],
)
def test_a_url_that_may_not_be_called_is_refused(api: ApiClient, url: Any) -> None:
    assert_problem(api.post(PATH, json=body(url=url)), 422, "invalid_input", errors=["url"])
    assert not Subscription.objects.exists()


@pytest.mark.parametrize("url", ["http://hooks.example.com/", "https://10.0.0.1/", "https://no-such-host.invalid/"])
def test_a_bad_url_hides_no_other_fault(api: ApiClient, url: str) -> None:
    answer = api.post(PATH, json=body(url=url, events=["message.created", "no.such"], secret="short"))
    assert_problem(answer, 422, "invalid_input", errors=["url", "events.1", "secret"])
    answer = api.post(PATH, json=body(url=url, events=7, is_legacy_compat="yes"))
    assert_problem(answer, 422, "invalid_input", errors=["url", "events", "is_legacy_compat"])
    answer = api.post(PATH, json={"url": url})
    assert_problem(answer, 422, "invalid_input", errors=["url", "events"])


def test_a_private_and_an_unknown_host_are_refused_with_one_text(api: ApiClient) -> None:
    answers = [
        api.post(PATH, json=body(url=url)).json()["errors"] for url in ("https://10.0.0.1/", "https://nohost.invalid/")
    ]
    assert answers[0] == answers[1]


def test_the_refusals_page_tells_a_developer_the_way_out(api: ApiClient) -> None:
    refused = api.post(PATH, json=body(url="https://127.0.0.1:9443/")).json()
    assert refused["errors"] == {"url": ["The address could not be reached."]}
    page = Client().get(refused["type"]).content.decode()
    assert "could not be reached" in page
    assert "<code>EGRESS_ALLOW=127.0.0.1:9000</code>" in page


@pytest.mark.parametrize("missing", ["url", "events"])
def test_url_and_events_are_required(api: ApiClient, missing: str) -> None:
    document = body()
    del document[missing]
    assert_problem(api.post(PATH, json=document), 422, "invalid_input", errors=[missing])


@pytest.mark.parametrize("member", ["id", "is_active", "created_at", "nonsense"])
def test_other_members_are_refused_by_name(api: ApiClient, member: str) -> None:
    assert_problem(api.post(PATH, json=body(**{member: True})), 422, "invalid_input", errors=[member])


@pytest.mark.parametrize("spelling", [URL, "https://LOCALHOST:8443/hooks/parley", URL + "#again"])
def test_a_second_subscription_for_a_url_is_409(api: ApiClient, spelling: str) -> None:
    first = api.post(PATH, json=body())
    assert first.status_code == 201
    assert_problem(api.post(PATH, json=body(url=spelling, events=["chat.closed"])), 409, "webhook_url_taken")
    assert Subscription.objects.get().events == ["message.created"]


def test_invalid_input_is_refused_before_the_conflict(api: ApiClient) -> None:
    api.post(PATH, json=body())
    assert_problem(api.post(PATH, json=body(events=["nonsense"])), 422, "invalid_input", errors=["events.0"])


def test_another_widget_may_subscribe_the_same_url(api: ApiClient, rival_api: ApiClient) -> None:
    assert api.post(PATH, json=body()).status_code == 201
    assert rival_api.post(PATH, json=body()).status_code == 201


def test_a_refused_subscription_leaves_its_idempotency_key_free(api: ApiClient) -> None:
    api.post(PATH, json=body())
    assert_problem(api.post(PATH, json=body(), idempotency_key="once"), 409, "webhook_url_taken")
    assert api.post(PATH, json=body(url=URL + "/2"), idempotency_key="once").status_code == 201
    answer = api.post(PATH, json=body(url=URL + "/3"), idempotency_key="once")
    assert_problem(answer, 409, "idempotency_key_reused")
    assert Subscription.objects.count() == 2


def test_creating_needs_an_idempotency_key(api: ApiClient) -> None:
    assert_problem(api.post(PATH, json=body(), idempotency_key=None), 400, "idempotency_key_required")


def test_the_list_is_newest_first_and_pages_by_cursor(api: ApiClient, shop: Widget) -> None:
    ids = [SubscriptionFactory.create(widget=shop).pk for _ in range(5)]
    seen: list[int] = []
    query: dict[str, Any] = {"limit": 2}
    for _ in range(3):
        page = api.get(PATH, query=query).json()
        seen += [row["id"] for row in page["data"]]
        query["cursor"] = page["next_cursor"]
    assert query["cursor"] is None
    assert seen == ids[::-1]


def test_the_list_costs_the_same_statements_whatever_its_length(api: ApiClient, shop: Widget) -> None:
    SubscriptionFactory.create(widget=shop)
    api.get(PATH)
    with CaptureQueriesContext(
        connection,
    ) as few:
        api.get(PATH)
    SubscriptionFactory.create_batch(60, widget=shop)
    with CaptureQueriesContext(connection) as many:
        assert len(api.get(PATH, query={"limit": 100}).json()["data"]) == 61
    assert len(many) == len(few) <= 3


@pytest.mark.parametrize("query", [{"limit": 0}, {"limit": 101}, {"limit": "x"}, {"cursor": "x"}, {"status": "y"}])
def test_a_bad_parameter_of_the_list_is_refused(api: ApiClient, query: dict[str, Any]) -> None:
    assert_problem(api.get(PATH, query=query), 422, "invalid_input", errors=list(query))


def test_a_deleted_subscription_is_gone(api: ApiClient, shop: Widget) -> None:
    one, other = SubscriptionFactory.create_batch(2, widget=shop)
    answer = api.delete(f"{PATH}/{one.pk}", idempotency_key=None)
    assert (answer.status_code, answer.content) == (204, b"")
    assert list(Subscription.objects.all()) == [other]
    assert_problem(api.get(f"{PATH}/{one.pk}"), 404, "not_found")
    assert_problem(api.delete(f"{PATH}/{one.pk}"), 404, "not_found")


def test_a_deleted_subscription_s_url_is_free_again(api: ApiClient) -> None:
    created = api.post(PATH, json=body()).json()["data"]
    api.delete(f"{PATH}/{created['id']}")
    assert api.post(PATH, json=body()).status_code == 201


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_another_widget_s_subscription_is_the_404_of_one_that_never_was(
    api: ApiClient, rival: Rival, method: str
) -> None:
    foreign = SubscriptionFactory.create(widget=rival.widget)
    answers = [api.request(method, f"{PATH}/{id_}") for id_ in (foreign.pk, 999_999_999)]
    problems = [assert_problem(answer, 404, "not_found") for answer in answers]
    for problem in problems:
        problem.pop("instance")
    assert problems[0] == problems[1]
    assert Subscription.objects.filter(pk=foreign.pk).exists()


def test_the_list_shows_nothing_of_another_widget(api: ApiClient, rival: Rival) -> None:
    SubscriptionFactory.create(widget=rival.widget)
    assert api.get(PATH).json() == {"data": [], "next_cursor": None}


@pytest.mark.parametrize(
    ("method", "path", "scope"),
    [
        ("GET", PATH, "webhooks:write"),
        ("GET", f"{PATH}/1", "webhooks:write"),
        ("POST", PATH, "webhooks:read"),
        ("DELETE", f"{PATH}/1", "webhooks:read"),
    ],
)
def test_reading_and_managing_have_scopes_of_their_own(shop: Widget, method: str, path: str, scope: str) -> None:
    token = plain_text(ApiTokenFactory.create(widget=shop, scopes=[scope]))
    assert_problem(ApiClient(token).request(method, path), 403, "missing_scope")
