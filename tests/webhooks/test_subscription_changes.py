"""Changing a subscription and rotating its secret (specification, Endpoints "Webhook subscriptions")."""

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.db import connection
from django.test import Client

from apps.accounts.models import Widget
from apps.webhooks.actions.subscriptions import change_subscription
from apps.webhooks.actions.switches import set_event_enabled
from apps.webhooks.models import Subscription
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories.webhooks import SECRET, SubscriptionFactory
from tests.rows import snapshot

PATH = "/webhook-subscriptions"
URL = "https://localhost:8443/hooks/parley"


@pytest.fixture(autouse=True)
def reachable(settings: Any) -> None:
    """Lets subscriptions name this machine, as an on-premises installation would."""
    settings.EGRESS_ALLOW = ["localhost:8443"]


@pytest.fixture
def subscription(shop: Widget) -> Subscription:
    return SubscriptionFactory.create(widget=shop)


def change(api: ApiClient, subscription: Subscription, **changes: Any) -> Any:
    return api.patch(f"{PATH}/{subscription.pk}", json=changes)


def rotate(api: ApiClient, subscription: Subscription, **body: Any) -> Any:
    return api.post(f"{PATH}/{subscription.pk}/rotate-secret", json=body)


@pytest.mark.parametrize(
    ("changes", "stored"),
    [
        ({"events": ["chat.closed", "chat.created"]}, {"events": ["chat.closed", "chat.created"]}),
        ({"is_active": False}, {"is_active": False}),
        ({"url": URL}, {"url": URL, "target": URL}),
        ({"url": "https://LOCALHOST:8443/hooks/parley"}, {"url": "https://LOCALHOST:8443/hooks/parley", "target": URL}),
        (
            {"is_legacy_compat": True, "events": ["chat_finished"]},
            {"is_legacy_compat": True, "events": ["chat_finished"]},
        ),
    ],
)
def test_what_is_sent_changes_and_nothing_else(
    api: ApiClient, subscription: Subscription, changes: dict[str, Any], stored: dict[str, Any]
) -> None:
    before = vars(Subscription.objects.get())
    answer = change(api, subscription, **changes)
    assert answer.status_code == 200
    data = answer.json()["data"]
    assert "secret" not in data
    assert {name: data[name] for name in changes} == changes
    after = vars(Subscription.objects.get())
    assert after["updated_at"] > before["updated_at"]
    differs = {name for name in after if after[name] != before[name]} - {"_state", "updated_at"}
    assert {name: after[name] for name in differs} == stored


@pytest.mark.parametrize(
    "changes", [{}, {"is_active": True}, {"events": ["message.created"], "is_legacy_compat": False}]
)
def test_what_changes_nothing_is_200(api: ApiClient, subscription: Subscription, changes: dict[str, Any]) -> None:
    before = snapshot()["webhooks.Subscription"]
    assert change(api, subscription, **changes).status_code == 200
    assert snapshot()["webhooks.Subscription"] == before


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"secret": "another-secret-entirely"}, "secret"),
        ({"id": 7}, "id"),
        ({"disabled_events": []}, "disabled_events"),
        ({"created_at": "2026-11-22T00:00:00Z"}, "created_at"),
        ({"nonsense": 1}, "nonsense"),
        ({"is_active": None}, "is_active"),
        ({"is_active": "yes"}, "is_active"),
        ({"events": []}, "events"),
        ({"events": None}, "events"),
        ({"events": ["chat.updated"]}, "events.0"),
        ({"events": ["chat_finished"]}, "events.0"),
        ({"events": ["chat.closed", "chat.closed"]}, "events.1"),
        ({"is_legacy_compat": True}, "events"),
        ({"is_legacy_compat": True, "events": ["chat_finished", "chat.closed"]}, "events.1"),
        ({"url": None}, "url"),
        ({"url": "http://hooks.example.com/"}, "url"),
        ({"url": "https://10.0.0.1/"}, "url"),
        ({"url": "https://[::ffff:127.0.0.1]/"}, "url"),
        ({"url": "https://no-such-host.invalid/"}, "url"),
    ],
)
def test_a_refused_change_names_the_field_and_changes_nothing(
    api: ApiClient, subscription: Subscription, changes: dict[str, Any], path: str
) -> None:
    rows = snapshot()
    assert_problem(change(api, subscription, **changes), 422, "invalid_input", errors=[path])
    assert snapshot() == rows


def test_a_change_of_vocabulary_says_which_events_it_needs(api: ApiClient, shop: Widget) -> None:
    legacy = SubscriptionFactory.create(widget=shop, events=["chat_finished"], is_legacy_compat=True)
    problem = assert_problem(change(api, legacy, is_legacy_compat=False), 422, "invalid_input", errors=["events"])
    (text,) = problem["errors"]["events"]
    assert text.startswith("Its events are legacy ones: send the native events that it is to have. Known are: message.")
    assert change(api, legacy, is_legacy_compat=False, events=["chat.closed"]).status_code == 200


def test_events_alone_are_of_the_vocabulary_that_the_subscription_has(api: ApiClient, shop: Widget) -> None:
    legacy = SubscriptionFactory.create(widget=shop, events=["chat_finished"], is_legacy_compat=True)
    assert_problem(change(api, legacy, events=["chat.closed"]), 422, "invalid_input", errors=["events.0"])
    assert change(api, legacy, events=["offline_message"]).json()["data"]["events"] == ["offline_message"]


def test_the_url_of_another_subscription_is_409_and_nothing_changes(
    api: ApiClient, shop: Widget, subscription: Subscription
) -> None:
    SubscriptionFactory.create(widget=shop, url=URL)
    rows = snapshot()
    answer = change(api, subscription, url="https://LOCALHOST:8443/hooks/parley#again", is_active=False)
    assert_problem(answer, 409, "webhook_url_taken")
    assert snapshot() == rows


def test_its_own_url_may_be_spelled_anew(api: ApiClient, shop: Widget) -> None:
    subscription = SubscriptionFactory.create(widget=shop, url=URL)
    assert change(api, subscription, url=URL + "#again").json()["data"]["url"] == URL + "#again"


@pytest.mark.django_db(transaction=True)
def test_two_changes_at_once_lose_nothing(shop: Widget) -> None:
    subscription = SubscriptionFactory.create(widget=shop)
    start = Barrier(2)

    def make(changes: dict[str, Any]) -> None:
        try:
            start.wait(10)
            change_subscription(widget_id=shop.pk, subscription_id=subscription.pk, changes=changes)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(make, [{"is_active": False}, {"events": ["chat.closed"]}]))
    subscription.refresh_from_db()
    assert (subscription.is_active, subscription.events) == (False, ["chat.closed"])


class TestDisabledEvents:
    def test_every_answer_names_those_that_are_not_enabled(self, api: ApiClient, settings: Any) -> None:
        body = {"url": URL, "events": ["chat.closed", "message.created", "chat.created"]}
        created = api.post(PATH, json=body).json()["data"]
        address = f"{PATH}/{created['id']}"
        answers = [
            created,
            api.get(address).json()["data"],
            api.get(PATH).json()["data"][0],
            api.patch(address, json={"is_active": False}).json()["data"],
            api.post(f"{address}/rotate-secret", json={}).json()["data"],
        ]
        assert [each["disabled_events"] for each in answers] == [["chat.closed", "chat.created"]] * 5

    def test_they_follow_the_switches(self, api: ApiClient, subscription: Subscription) -> None:
        def disabled() -> Any:
            return api.get(f"{PATH}/{subscription.pk}").json()["data"]["disabled_events"]

        assert disabled() == []
        set_event_enabled(name="message.created", enabled=False)
        assert disabled() == ["message.created"]

    def test_legacy_names_are_disabled_with_their_native_events(self, api: ApiClient, shop: Widget) -> None:
        events = ["chat_updated", "chat_finished", "client_updated"]
        legacy = SubscriptionFactory.create(widget=shop, events=events, is_legacy_compat=True)
        set_event_enabled(name="chat.closed", enabled=True)
        data = api.get(f"{PATH}/{legacy.pk}").json()["data"]
        assert data["disabled_events"] == ["chat_updated", "client_updated"]


class TestRotation:
    def test_a_generated_secret_is_returned_once(self, api: ApiClient, subscription: Subscription) -> None:
        answer = rotate(api, subscription)
        assert answer.status_code == 200
        data = answer.json()["data"]
        assert re.fullmatch(r"whsec_[A-Za-z0-9_-]{43}", data["secret"])
        assert Subscription.objects.get().secret == data["secret"] != SECRET
        assert data["secret"] not in api.get(f"{PATH}/{subscription.pk}").content.decode()

    def test_it_needs_no_body(self, api: ApiClient, subscription: Subscription) -> None:
        assert api.post(f"{PATH}/{subscription.pk}/rotate-secret").status_code == 200

    @pytest.mark.parametrize("secret", ["s" * 16, "s" * 255, "пароль-из-16-букв", SECRET])
    def test_a_supplied_secret_is_used(self, api: ApiClient, subscription: Subscription, secret: str) -> None:
        assert rotate(api, subscription, secret=secret).json()["data"]["secret"] == secret
        assert Subscription.objects.get().secret == secret

    @pytest.mark.parametrize(
        "body", [{"secret": s} for s in ("s" * 15, "s" * 256, "s" * 10_000, "", None, 7)] + [{"old": 1}]
    )
    def test_any_other_is_refused_and_the_old_one_stays(
        self, api: ApiClient, subscription: Subscription, body: dict[str, Any]
    ) -> None:
        assert_problem(rotate(api, subscription, **body), 422, "invalid_input", errors=list(body))
        assert Subscription.objects.get().secret == SECRET

    def test_another_widget_s_is_404_and_keeps_its_secret(self, api: ApiClient, rival: Rival) -> None:
        foreign = SubscriptionFactory.create(widget=rival.widget)
        assert_problem(rotate(api, foreign), 404, "not_found")
        assert_problem(change(api, foreign, is_active=False), 404, "not_found")
        foreign.refresh_from_db()
        assert (foreign.secret, foreign.is_active) == (SECRET, True)


def test_the_catalogue_has_every_name_of_both_vocabularies(api: ApiClient) -> None:
    set_event_enabled(name="chat.closed", enabled=True)
    answer = api.get("/webhook-events").json()
    assert answer["next_cursor"] is None
    rows = answer["data"]
    assert [set(row) for row in rows] == [{"name", "vocabulary", "enabled", "frozen", "triggered_by"}] * 26
    assert [(row["name"], row["enabled"], row["frozen"]) for row in rows if row["vocabulary"] == "native"] == [
        ("message.created", True, True),
        ("chat.created", False, True),
        ("chat.transferred", False, True),
        ("chat.closed", True, True),
        ("rating.created", False, True),
        ("agent.online", False, True),
        ("agent.offline", False, True),
        ("chat.accepted", False, False),
        ("offline_message.created", False, False),
        ("contact.updated", False, False),
        ("message.updated", False, False),
        ("chat.queued", False, False),
        ("chat.assigned", False, False),
        ("sla.warning", False, False),
        ("sla.breached", False, False),
        ("automation.fired", False, False),
        ("questions.answered", False, False),
        ("invitation.answered", False, False),
        ("article.published", False, False),
        ("article.unpublished", False, False),
        ("article.rated", False, False),
    ]
    assert [(row["name"], row["enabled"], row["frozen"]) for row in rows if row["vocabulary"] == "legacy"] == [
        ("chat_updated", False, False),
        ("chat_finished", True, False),
        ("chat_accepted", False, False),
        ("offline_message", False, False),
        ("client_updated", False, False),
    ]
    said = {row["name"]: row["triggered_by"] for row in rows}
    assert said["chat_finished"] == said["chat.closed"] == "a chat is closed, or becomes expired by itself"


def test_without_the_key_of_its_secret_all_else_of_a_subscription_can_be_done(
    api: ApiClient, cabinet: Client, subscription: Subscription, settings: Any
) -> None:
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]
    path = f"{PATH}/{subscription.pk}"
    assert [api.get(each).status_code for each in (PATH, path, f"{path}/deliveries")] == [200, 200, 200]
    page = f"/admin/webhooks/subscription/{subscription.pk}/change/"
    assert [cabinet.get(each).status_code for each in ("/admin/webhooks/subscription/", page)] == [200, 200]
    assert change(api, subscription, is_active=False).status_code == 200
    secret = rotate(api, subscription).json()["data"]["secret"]
    assert Subscription.objects.get().secret == secret
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]
    assert api.delete(path).status_code == 204


@pytest.mark.parametrize(
    ("changes", "paths"),
    [
        ({"events": ["message.created", "chat_finished", "nothing"]}, ["events.1", "events.2", "url"]),
        ({"events": ["chat_finished"]}, ["url"]),
        ({"events": ["chat.closed"], "is_legacy_compat": True}, ["events.0", "url"]),
        ({"events": 5}, ["events", "url"]),
        ({"is_active": "no"}, ["is_active", "url"]),
    ],
)
def test_a_bad_url_hides_no_other_fault(
    api: ApiClient, subscription: Subscription, changes: dict[str, Any], paths: list[str]
) -> None:
    rows = snapshot()
    refused = change(api, subscription, url="http://10.0.0.1/", **changes)
    assert sorted(assert_problem(refused, 422, "invalid_input")["errors"]) == paths
    assert snapshot() == rows
