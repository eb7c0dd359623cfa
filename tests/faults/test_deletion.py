"""An account is deleted while its visitors and systems write: it goes whole, and nobody is answered 500."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier, Event
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from pytest_django import Settings

from apps.accounts.actions import delete_account
from apps.accounts.models import Account, Widget
from apps.agents.models import Agent
from apps.chats.actions.searches import keep_searchable
from apps.chats.models import Chat, Contact, Message
from apps.reports.actions.episodes import keep_episodes
from tests.cast import Rival
from tests.client import ApiClient
from tests.factories import ChatFactory, ContactFactory, MessageFactory, SuperuserFactory
from tests.factories.accounts import PASSWORD
from tests.faults.scale import SCALE
from tests.widget.visitor import VisitorClient

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

# What a writer may be told: done, or that it is not there (any more); or to try again, which is told 401 or 404.
ANSWERS = {200, 201, 202, 401, 404, 503}
ROUNDS = 20 if SCALE.is_long else 3


@pytest.mark.parametrize("round_", range(ROUNDS))
def test_it_goes_whole_while_everybody_writes(
    account: Account, shop: Widget, alice: Agent, token: str, rival: Rival, settings: Settings, round_: int
) -> None:
    settings.API_RATE_LIMIT = settings.VISITOR_RATE_LIMIT = 10_000_000
    chats = [ChatFactory.create(contact=ContactFactory.create(widget=shop)) for _ in range(3)]
    admin = Client()
    admin.force_login(SuperuserFactory.create())
    visitors = [VisitorClient(shop) for _ in range(2)]
    for visitor in visitors:
        visitor.come()
    gone, written, begin = Event(), Event(), Barrier(9)
    said = {"type": "text", "body": "hello"}

    def until_it_is_gone(write: Callable[[], Any]) -> Counter[int]:
        answers: Counter[int] = Counter()
        begin.wait(timeout=60)
        while not gone.is_set():
            status = write().status_code
            answers[status] += 1
            if status in (201, 202):
                written.set()
        connection.close()
        return answers

    def come_and_write() -> Any:
        stranger = VisitorClient(shop)
        came = stranger.post("sessions")
        if came.status_code != 201:
            return came
        stranger.token = came.json()["data"]["visitor_token"]
        return stranger.post("messages", said | {"client_id": "0195b3c1-0000-7000-8000-000000000001"})

    def post(chat: Chat) -> Callable[[], Any]:
        client = ApiClient(token)
        return lambda: client.post(f"/chats/{chat.pk}/messages", json=said | {"agent_id": alice.pk})

    writers = [
        *(partial(visitor.post, "offline", {"message": "hello"}) for visitor in visitors),
        partial(visitors[0].post, "sessions", {"name": "Ivan", "attributes": {"plan": "gold"}}),
        partial(ApiClient(token).patch, f"/contacts/{chats[2].contact.guid}", json={"name": "Petr"}),
        partial(ApiClient(token).post, f"/contacts/{chats[2].contact.guid}/tags", json={"tags": ["regular"]}),
        come_and_write,
        *(post(chat) for chat in chats[:2]),
    ]
    with ThreadPoolExecutor(len(writers)) as pool:
        answers = [pool.submit(until_it_is_gone, write) for write in writers]
        begin.wait(timeout=60)
        try:
            assert written.wait(timeout=60)
            page = admin.post(
                f"/admin/accounts/account/{account.pk}/delete/",
                {"post": "yes", "name": account.email, "password": PASSWORD},
            )
        finally:
            gone.set()
        told = sum((answer.result() for answer in answers), Counter())
    assert page.status_code == 302, page.content
    assert told.keys() <= ANSWERS, told
    assert not Account.objects.filter(pk=account.pk).exists()
    for _ in range(2):  # as do notes of messages and what was derived of deleted chats, with their jobs' next looks
        keep_searchable()
    keep_episodes()
    assert {row.widget_id for model in apps.get_models() for row in _of_widgets(model)} <= {rival.widget.pk}
    assert (Chat.objects.count(), Contact.objects.count(), Message.objects.count()) == (1, 1, 0)


def _of_widgets(model: Any) -> list[Any]:
    fields = {field.name for field in model._meta.get_fields()}
    return list(model.objects.all()) if "widget" in fields and model._meta.managed else []


SLOW = """
CREATE FUNCTION pg_temp.slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.3); RETURN OLD; END';
CREATE TRIGGER slow BEFORE DELETE ON chats_message FOR EACH ROW EXECUTE FUNCTION pg_temp.slow();
"""


def test_statements_that_take_longer_than_a_call_may_do_not_end_it(account: Account, shop: Widget) -> None:
    """As those of a million messages do. The connection's limit is as before when it is done."""
    chat = ChatFactory.create(contact=ContactFactory.create(widget=shop))
    MessageFactory.create_batch(3, chat=chat)
    with connection.cursor() as cursor:
        cursor.execute(SLOW)
        cursor.execute("SET statement_timeout = '500ms'")
        try:
            delete_account(account=account)
            cursor.execute("SHOW statement_timeout")
            assert cursor.fetchone() == ("500ms",)
        finally:
            cursor.execute("DROP TRIGGER slow ON chats_message; RESET statement_timeout")
    assert not Account.objects.filter(pk=account.pk).exists()
    assert not Message.objects.filter(chat=chat.pk).exists()
