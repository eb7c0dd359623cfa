"""Deciding twice at once, and an erasure beside what was decided."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.utils import timezone

from apps.chats.actions.erasure import erase_contact
from apps.chats.models import Chat, RatingRequest
from apps.reports.actions.ratings import ask_for_ratings
from apps.reports.models import RatingDecision
from tests.factories import AgentFactory, WidgetFactory
from tests.reports.asking import asks, ended, policy

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_jobs_at_once_ask_once() -> None:
    alice = AgentFactory.create(widget=WidgetFactory.create())
    policy(alice.widget)
    chat_ids = {ended(alice.widget, alice).chat_id for _ in range(4)}
    as_of, both = timezone.now(), Barrier(2)

    def run() -> list[int]:
        try:
            both.wait()
            return [each["chat_id"] for each in ask_for_ratings(as_of=as_of).asked]
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as jobs:
        asked = [chat_id for job in [jobs.submit(run), jobs.submit(run)] for chat_id in job.result(timeout=60)]
    assert sorted(asked) == sorted(chat_ids)
    assert RatingRequest.objects.count() == RatingDecision.objects.count() == len(chat_ids)


def test_an_erasure_takes_requests_and_decisions() -> None:
    alice = AgentFactory.create(widget=WidgetFactory.create())
    policy(alice.widget)
    browser = ended(alice.widget, alice)
    assert len(asks()["asked"]) == 1
    browser.post("rating", {"value": 5})
    contact = Chat.objects.get(pk=browser.chat_id).contact
    erase_contact(widget_id=alice.widget_id, guid=contact.guid)
    assert not RatingRequest.objects.exists()
    assert not RatingDecision.objects.exists()
    assert asks() == {"asked": [], "not_asked": []}
