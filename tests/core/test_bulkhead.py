"""The bulkhead: how many requests may wait for somebody outside at once, and what becomes of the others."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from django.conf import settings
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.egress.bulkhead import Bulkhead, BulkheadFull, outbound_waits
from tests.client import ApiClient, assert_problem
from tests.egress.receivers import closed_port
from tests.factories.webhooks import SubscriptionFactory
from tests.rows import snapshot

HOOK = "https://localhost:8443/hook"


@contextmanager
def held(bulkhead: Bulkhead, *widget_ids: int) -> Iterator[None]:
    with ExitStack() as stack:
        for widget_id in widget_ids:
            stack.enter_context(bulkhead.slot(widget_id))
        yield


def has_place(bulkhead: Bulkhead, widget_id: int) -> bool:
    try:
        with bulkhead.slot(widget_id):
            return True
    except BulkheadFull:
        return False


@pytest.mark.parametrize(("threads", "places", "each"), [(1, 2, 1), (2, 4, 2), (4, 8, 4), (16, 32, 16)])
def test_twice_as_many_may_wait_as_work_and_half_of_these_for_one_widget(threads: int, places: int, each: int) -> None:
    bulkhead = Bulkhead(threads)
    assert (bulkhead.slots, bulkhead.slots_each) == (places, each)


def test_a_widget_holds_no_more_than_its_share() -> None:
    bulkhead = Bulkhead(2)
    with held(bulkhead, 1, 1):
        assert not has_place(bulkhead, 1)
        assert has_place(bulkhead, 2)
    assert has_place(bulkhead, 1)


def test_what_all_wait_for_alike_may_hold_every_place() -> None:
    """The storage of files: no widget has chosen it."""
    bulkhead = Bulkhead(2)
    with held(bulkhead, 1, 2), bulkhead.slot(None), bulkhead.slot(None):
        assert bulkhead.held == 4
        with pytest.raises(BulkheadFull), bulkhead.slot(None):
            pass
        assert not has_place(bulkhead, 3)
    assert bulkhead.held == 0


def test_all_widgets_together_hold_no_more_than_there_are() -> None:
    bulkhead = Bulkhead(2)
    with held(bulkhead, 1, 1, 2, 3):
        assert not has_place(bulkhead, 4)
        assert bulkhead.held == 4
    assert bulkhead.held == 0


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit, BulkheadFull])
def test_a_place_is_given_back_however_its_block_ends(error: type[BaseException]) -> None:
    bulkhead = Bulkhead(1)
    with pytest.raises(error), bulkhead.slot(1):
        raise error
    assert bulkhead.held == 0


def test_a_refusal_takes_nothing() -> None:
    bulkhead = Bulkhead(1)
    with bulkhead.slot(1):
        for _ in range(3):
            assert not has_place(bulkhead, 1)
    assert bulkhead.held == 0
    assert has_place(bulkhead, 1)


def test_the_process_has_places_for_the_threads_that_the_server_runs() -> None:
    assert outbound_waits.slots == Bulkhead(settings.WEB_THREADS).slots
    assert outbound_waits.slots_each >= 4, "a widget that tests its assistant can still subscribe"


def test_who_got_a_place_says_so_before_it_waits() -> None:
    told: list[int] = []
    bulkhead = Bulkhead(1)
    bulkhead.on_wait = lambda: told.append(bulkhead.held)
    with bulkhead.slot(1):
        assert told == [1]
        with pytest.raises(BulkheadFull), bulkhead.slot(1):
            pass
    assert (told, bulkhead.held) == ([1], 0)


@pytest.fixture
def crowded(shop: Widget) -> Iterator[None]:
    """Every place is held, the shop's own first."""
    own, others = outbound_waits.slots_each, outbound_waits.slots - outbound_waits.slots_each
    with held(outbound_waits, *[shop.pk] * own, *range(-others, 0)):
        yield


CALLS: dict[str, tuple[str, str, Any]] = {
    "a file by its url": ("POST", "/files", {"url": "https://localhost:8443/a.png"}),
    "a subscription": ("POST", "/webhook-subscriptions", {"url": HOOK, "events": ["chat.closed"]}),
    "a subscription's url": ("PATCH", "/webhook-subscriptions/{id}", {"url": f"{HOOK}/new"}),
    "a channel": ("POST", "/channels", {"name": "Our app", "outbound_url": HOOK}),
    "a mail": ("POST", "/agents/invitations", {"email": "nina@mail.test"}),
}


@pytest.mark.parametrize("call", CALLS)
def test_without_a_place_a_call_is_429_and_nothing_has_changed(
    api: ApiClient, shop: Widget, settings: Settings, mailoutbox: list[Any], call: str, crowded: None
) -> None:
    settings.EGRESS_ALLOW = ["localhost:8443"]
    method, path, body = CALLS[call]
    path = path.format(id=SubscriptionFactory.create(widget=shop).pk)
    before = snapshot()
    refused = api.request(method, path, json=body)
    assert_problem(refused, 429, "outbound_busy")
    assert refused.headers["Retry-After"] == "1"
    assert (snapshot(), mailoutbox) == (before, [])


def test_with_places_again_the_same_call_is_answered(api: ApiClient, crowded: None, settings: Settings) -> None:
    settings.EGRESS_ALLOW = ["localhost:8443"]
    body = {"url": HOOK, "events": ["chat.closed"]}
    for _ in range(3):
        assert api.post("/webhook-subscriptions", json=body, idempotency_key="k").status_code == 429
    taken = outbound_waits.held
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(outbound_waits, "slots", taken + 1)
        patched.setattr(outbound_waits, "slots_each", taken + 1)
        assert api.post("/webhook-subscriptions", json=body, idempotency_key="k").status_code == 201
    assert outbound_waits.held == taken


def test_who_waits_for_nobody_needs_no_place(api: ApiClient, crowded: None, settings: Settings) -> None:
    settings.EGRESS_ALLOW = ["127.0.0.1:8443"]
    body = {"url": "https://127.0.0.1:8443/hook", "events": ["chat.closed"]}
    assert api.post("/webhook-subscriptions", json=body).status_code == 201
    assert_problem(api.post("/webhook-subscriptions", json=body | {"url": "no"}), 422, "invalid_input", errors=["url"])
    assert api.get("/chats").status_code == 200


def test_a_fetch_that_fails_gives_its_place_back(api: ApiClient, settings: Settings) -> None:
    port = closed_port()
    settings.EGRESS_ALLOW = [f"127.0.0.1:{port}"]
    for _ in range(outbound_waits.slots + 1):
        assert api.post("/files", json={"url": f"http://127.0.0.1:{port}/"}).status_code == 422
    assert outbound_waits.held == 0


def test_what_is_wrong_with_another_member_is_said_before_that_no_place_is_free(
    api: ApiClient, crowded: None, settings: Settings
) -> None:
    settings.EGRESS_ALLOW = ["localhost:8443"]
    before = snapshot()
    refused = api.post("/webhook-subscriptions", json={"url": HOOK, "events": 5, "colour": "red"})
    assert_problem(refused, 422, "invalid_input", errors=["colour", "events"])
    assert snapshot() == before
