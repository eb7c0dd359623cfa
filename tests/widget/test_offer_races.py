"""Offers at once: real threads, each with its own connection, on real PostgreSQL."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.chats.models import Message
from apps.widget.models import ChatInvitation, InvitationOffer
from tests.factories.invitations import KEY, ChatInvitationFactory
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db(transaction=True)

CALLERS = 8


@pytest.fixture(autouse=True)
def generous_limit(settings: Settings) -> None:
    settings.VISITOR_RATE_LIMIT = 1_000_000


def at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """What each answers, all begun at the same moment."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            barrier.wait()
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def asking(shop: Widget, invitation: ChatInvitation, key: str) -> Callable[[], Any]:
    def ask() -> Any:
        answer = VisitorClient(shop).post(f"invitations/{invitation.pk}/offers", {"key": key})
        return answer.json()["data"]["reason"]

    return ask


def test_a_day_never_shows_more_than_it_may(shop: Widget) -> None:
    invitation = ChatInvitationFactory.create(widget=shop, per_day=3)
    found = at_once([asking(shop, invitation, f"{number:032x}") for number in range(CALLERS)])
    assert Counter(found) == {None: 3, "per_day": CALLERS - 3}
    assert InvitationOffer.objects.count() == 3
    invitation.refresh_from_db()
    assert invitation.shown_that_day == 3


def test_tabs_of_one_browser_are_shown_it_once(shop: Widget) -> None:
    invitation = ChatInvitationFactory.create(widget=shop)
    found = at_once([asking(shop, invitation, KEY) for _ in range(CALLERS)])
    assert Counter(found) == {None: 1, "seen": CALLERS - 1}


def test_two_tabs_answer_it_once(shop: Widget) -> None:
    invitation = ChatInvitationFactory.create(widget=shop)
    browser = VisitorClient(shop)
    offer_id = browser.post(f"invitations/{invitation.pk}/offers", {"key": KEY}).json()["data"]["offer_id"]
    token = browser.come(key=KEY)["visitor_token"]

    def answer() -> Any:
        document = {"client_id": str(uuid4()), "type": "text", "body": "Yes", "offer_id": offer_id}
        return VisitorClient(shop, token).post("messages", document).status_code

    assert at_once([answer] * 4) == [201] * 4
    origins = list(Message.objects.order_by("pk").values_list("origin", flat=True))
    assert Counter(origins) == {"invitation": 1, None: 4}


def test_a_goal_told_by_two_tabs_counts_once(shop: Widget) -> None:
    invitation = ChatInvitationFactory.create(widget=shop, goal={"event": "ordered", "hours": 1}, times=2)
    asking(shop, invitation, KEY)()
    InvitationOffer.objects.create(widget=shop, invitation=invitation, round=1, key_digest=digest_of_first())
    body = {"key": KEY, "signals": [{"kind": "goal", "invitation_id": invitation.pk}]}
    assert at_once([lambda: VisitorClient(shop).post("signals", body).status_code] * 4) == [204] * 4
    assert InvitationOffer.objects.exclude(converted_at=None).count() == 1


def digest_of_first() -> bytes:
    return bytes(InvitationOffer.objects.get().key_digest or b"")
