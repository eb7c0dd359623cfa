"""The answer times of the week on the cabinet's front page."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Department
from apps.chats.models import Chat
from apps.core.cabinet import Figure
from apps.routing.actions.settings import change_routing
from apps.routing.models import SlaClock
from tests.cast import Rival
from tests.factories import ChatFactory, ContactFactory

pytestmark = pytest.mark.django_db


def clock(chat: Chat, metric: str, days_ago: float, *, is_met: bool, minutes: int | None = 10) -> None:
    since = timezone.now() - timedelta(days=days_ago)
    end = since + timedelta(minutes=5 if is_met else 30)
    SlaClock.objects.create(
        widget=chat.widget,
        chat=chat,
        metric=metric,
        priority="normal",
        since=since,
        target_minutes=minutes,
        warn_percent=80,
        used_seconds=int((end - since).total_seconds()),
        breached_at=None if is_met else since + timedelta(minutes=10),
        ended_at=end,
        ended_by="closed" if metric == "resolution" else "person",
    )


def card(browser: Client) -> Figure | None:
    page = browser.get("/admin/")
    return next((each for each in page.context["figures"] if each.title == "Answer times"), None)


def test_it_has_the_answers_of_the_week_that_came_in_time(
    cabinet: Client, shop: Widget, sales: Department, chat: Chat, rival: Rival
) -> None:
    change_routing(widget_id=shop.pk, department_id=sales.pk, changes={"answer_times": [{"first_reply": 10}]})
    for days_ago, is_met in ((1, True), (6.9, True), (2, False), (7.1, False)):
        clock(chat, "first_reply", days_ago, is_met=is_met)
    clock(chat, "resolution", 3, is_met=False)
    clock(chat, "next_reply", 3, is_met=True, minutes=None)
    clock(rival.chat, "first_reply", 1, is_met=True)
    shown = card(cabinet)
    assert shown is not None
    assert shown.rows == (("First answer", "2 of 3"), ("End of the chat", "0 of 1"))
    assert shown.note == "met, in the last 7 days"


def test_it_leads_to_the_chats_whose_time_is_missed_now(
    cabinet: Client, shop: Widget, chat: Chat, rival: Rival
) -> None:
    change_routing(widget_id=shop.pk, department_id=None, changes={"answer_times": [{"first_reply": 10}]})
    late = ChatFactory.create(contact=ContactFactory.create(widget=shop))
    Chat.objects.filter(pk__in=[late.pk, rival.chat.pk]).update(answer_missed_at=timezone.now())
    shown = card(cabinet)
    assert shown is not None
    assert (shown.rows, shown.note) == ((), "No answer was due in the last 7 days.")
    listed = cabinet.get(shown.address)
    assert [row.pk for row in listed.context["cl"].result_list] == [late.pk]


@pytest.mark.parametrize("times", [None, []])
def test_without_answer_times_there_is_none(cabinet: Client, shop: Widget, chat: Chat, times: Any) -> None:
    change_routing(widget_id=shop.pk, department_id=None, changes={"mode": "routed", "answer_times": times})
    clock(chat, "first_reply", 1, is_met=True)
    assert card(cabinet) is None
