"""Whether the times that visitors are told hold: each is remembered once a wait, and tallied when a person ends it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.chats import actions
from apps.chats.actions.erasure import erase_contact
from apps.chats.actions.snoozes import snooze_chat
from apps.chats.actions.states import close_chat, mark_as_dealt_with
from apps.chats.models import Chat, Contact
from apps.core.observability import metrics
from apps.routing.actions.retention import forget_old
from apps.routing.actions.settings import change_routing
from apps.routing.actions.visitors import place_of
from apps.routing.models import Assignment, EstimateTally, ToldEstimate
from tests.cast import Rival
from tests.client import ApiClient
from tests.routing.served import come, serve
from tests.routing.test_places import answered_often
from tests.rows import snapshot

pytestmark = pytest.mark.django_db
HELLO = {"type": "text", "body": "Hello"}
EXPECTS = {"from_min": 2, "to_min": 3}


@pytest.fixture
def waiting(shop: Widget, sales: Department, alice: Agent, ivan: Contact, chat: Chat) -> Chat:
    """Ivan waits in the queue of a department where it usually takes two to three minutes."""
    change_routing(widget_id=shop.pk, department_id=None, changes={"mode": "routed"})
    Chat.objects.filter(pk=chat.pk).update(department=sales)
    answered_often(shop, alice, sales, 10, 120)
    come(alice)
    actions.post_client_message(contact=ivan, content=HELLO)
    serve()
    chat.refresh_from_db()
    return chat


def tell(chat: Chat, minutes_ago: float = 0) -> None:
    """The visitor is told a time; the first one of the wait so many minutes ago."""
    told = place_of(chat.widget_id, chat.pk)
    assert told is not None
    assert told["expects"] == EXPECTS
    if minutes_ago:
        moment = timezone.now() - timedelta(minutes=minutes_ago)
        ToldEstimate.objects.filter(chat=chat).update(told_at=moment)


def answer(chat: Chat, agent: Agent) -> None:
    actions.post_agent_message(widget_id=chat.widget_id, chat_id=chat.pk, content=HELLO, agent_id=agent.pk)
    serve()


def tallies() -> list[tuple[int | None, int, int]]:
    rows = EstimateTally.objects.order_by("department_id", "day")
    return list(rows.values_list("department_id", "count", "kept"))


def test_the_first_time_of_a_wait_is_remembered(waiting: Chat, sales: Department) -> None:
    tell(waiting)
    first = ToldEstimate.objects.get()
    assert (first.chat_id, first.department_id, first.to_min) == (waiting.pk, sales.pk, 3)
    assert first.waits_since == waiting.queued_at
    tell(waiting)
    assert ToldEstimate.objects.get().told_at == first.told_at


def test_where_no_time_is_told_none_is_remembered(waiting: Chat, shop: Widget) -> None:
    change_routing(widget_id=shop.pk, department_id=None, changes={"show_expected": False})
    assert place_of(shop.pk, waiting.pk) == {"place": 1, "of": 1, "expects": None}
    assert not ToldEstimate.objects.exists()


def test_a_visitor_is_told_though_nothing_can_be_remembered(waiting: Chat) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")
    tell(waiting)
    assert not ToldEstimate.objects.exists()


@pytest.mark.parametrize(("minutes_ago", "kept"), [(0, 1), (2.9, 1), (3.1, 0), (600, 0)])
def test_a_persons_answer_tallies_it_by_day_and_department(
    waiting: Chat,
    sales: Department,
    alice: Agent,
    minutes_ago: float,
    kept: int,
    django_capture_on_commit_callbacks: Callable[..., AbstractContextManager[Any]],
) -> None:
    tell(waiting, minutes_ago)
    label = "yes" if kept else "no"
    before = metrics.ESTIMATES.labels(label)._value.get()
    with django_capture_on_commit_callbacks(execute=True):
        answer(waiting, alice)
    assert tallies() == [(sales.pk, 1, kept)]
    assert metrics.ESTIMATES.labels(label)._value.get() == before + 1
    assert EstimateTally.objects.get().day == timezone.now().date()
    assert not ToldEstimate.objects.exists()
    answer(waiting, alice)
    assert tallies() == [(sales.pk, 1, kept)]


def test_waits_of_a_day_are_summed(waiting: Chat, ivan: Contact, alice: Agent, sales: Department) -> None:
    for minutes_ago in (0, 9):
        tell(waiting, minutes_ago)
        answer(waiting, alice)
        Chat.objects.filter(pk=waiting.pk).update(agent=None)
        actions.post_client_message(contact=ivan, content=HELLO)
        serve()
    assert tallies() == [(sales.pk, 2, 1)]


@pytest.mark.parametrize("ends", ["closed", "dealt with"])
def test_a_wait_that_nobody_answered_is_in_no_figure(waiting: Chat, alice: Agent, ends: str) -> None:
    tell(waiting, 9)
    ids: dict[str, Any] = {"widget_id": waiting.widget_id, "chat_id": waiting.pk}
    if ends == "closed":
        close_chat(**ids)
    else:
        mark_as_dealt_with(**ids)
    serve()
    assert not ToldEstimate.objects.exists()
    assert tallies() == []


def test_a_time_told_after_the_answer_is_in_no_figure(waiting: Chat, alice: Agent) -> None:
    """The visitor's place was read while the operator wrote."""
    tell(waiting, -1)
    answer(waiting, alice)
    assert not ToldEstimate.objects.exists()
    assert tallies() == []


def test_a_chat_put_aside_without_a_word_waits_still(waiting: Chat, alice: Agent, sales: Department) -> None:
    tell(waiting, 9)
    snooze_chat(widget_id=waiting.widget_id, chat_id=waiting.pk, agent_id=alice.pk, until=None)
    serve()
    assert ToldEstimate.objects.exists()
    answer(waiting, alice)
    assert tallies() == [(sales.pk, 1, 0)]


def test_it_is_of_the_department_that_told_it(waiting: Chat, shop: Widget, alice: Agent, sales: Department) -> None:
    other = Department.objects.create(widget=shop, name="Other")
    tell(waiting)
    Chat.objects.filter(pk=waiting.pk).update(department=other)
    answer(waiting, alice)
    assert tallies() == [(sales.pk, 1, 1)]


def test_another_wait_has_a_time_of_its_own(waiting: Chat, ivan: Contact) -> None:
    """That of the wait before was not tallied: routing was off when it ended."""
    tell(waiting)
    since = timezone.now() - timedelta(days=1)
    ToldEstimate.objects.update(waits_since=since, told_at=since, to_min=9)
    tell(waiting)
    told = ToldEstimate.objects.get()
    assert (told.waits_since, told.to_min) == (waiting.queued_at, 3)
    assert told.told_at > since


def test_both_are_forgotten_after_90_days(waiting: Chat, shop: Widget) -> None:
    tell(waiting)
    Assignment.objects.for_widget(shop.pk).delete()
    EstimateTally.objects.create(widget=shop, day=timezone.now().date(), count=1)
    assert forget_old(as_of=timezone.now() + timedelta(days=89)) == 0
    assert forget_old(as_of=timezone.now() + timedelta(days=92)) == 2
    assert not ToldEstimate.objects.exists()
    assert not EstimateTally.objects.exists()


def test_an_erasure_takes_what_the_contact_was_told(waiting: Chat, shop: Widget) -> None:
    tell(waiting)
    erase_contact(widget_id=shop.pk, guid=waiting.contact.guid)
    assert not ToldEstimate.objects.exists()


class TestFigures:
    @pytest.fixture
    def told(self, shop: Widget, sales: Department, rival: Rival) -> None:
        today = timezone.now().date()
        rows = [
            (shop, sales.pk, 0, 60, 55),
            (shop, sales.pk, 29, 20, 15),
            (shop, sales.pk, 30, 7, 7),
            (shop, None, 3, 20, 17),
            (rival.widget, None, 1, 5, 5),
        ]
        for widget, department_id, ago, count, kept in rows:
            day = today - timedelta(days=ago)
            EstimateTally.objects.create(widget=widget, department_id=department_id, day=day, count=count, kept=kept)

    @pytest.mark.usefixtures("told")
    def test_the_queue_has_those_of_30_days_by_department(self, api: ApiClient, sales: Department) -> None:
        departments = api.get("/api/v1/queue").json()["data"]["departments"]
        assert {each["department_id"]: each["estimates"] for each in departments} == {
            None: {"count": 20, "kept": 17},
            sales.pk: {"count": 80, "kept": 70},
        }

    def test_a_department_without_any_has_none(self, api: ApiClient, sales: Department) -> None:
        departments = api.get("/api/v1/queue").json()["data"]["departments"]
        assert [each["estimates"] for each in departments] == [{"count": 0, "kept": 0}] * 2

    @pytest.mark.usefixtures("told")
    def test_the_cabinets_pages_say_it(self, cabinet: Client, shop: Widget, sales: Department) -> None:
        of_widget = cabinet.get(f"/admin/routing/widgetrouting/{shop.pk}/change/").content.decode()
        assert "Times told to visitors" in of_widget
        assert "In the last 30 days: held in 87 of 100." in of_widget
        of_department = cabinet.get(f"/admin/routing/departmentrouting/{sales.pk}/change/").content.decode()
        assert "In the last 30 days: held in 70 of 80." in of_department

    def test_before_a_time_was_told_they_say_so(self, cabinet: Client, shop: Widget, sales: Department) -> None:
        before = snapshot()
        for kind, row in (("widgetrouting", shop), ("departmentrouting", sales)):
            page = cabinet.get(f"/admin/routing/{kind}/{row.pk}/change/").content.decode()
            assert "In the last 30 days no visitor was told a time." in page
        assert snapshot() == before
