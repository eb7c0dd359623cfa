"""The job of weekly letters: two at once, and one widget that fails."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier
from zoneinfo import ZoneInfo

import pytest
from django.db import connection

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.core.models import Mail
from apps.reports.actions.letters import queue_letters
from apps.reports.models import WeeklyLetter
from tests.cast import Rival
from tests.reports.made import episode

pytestmark = pytest.mark.django_db(transaction=True)
MONDAY = datetime(2026, 10, 26, 9, tzinfo=ZoneInfo("Europe/Moscow"))


def test_two_jobs_at_once_queue_one_letter(shop: Widget, olga: Agent, alice: Agent) -> None:
    episode(shop, MONDAY - timedelta(days=3), answered_s=60, agent=alice)
    begin = Barrier(2)

    def run() -> int:
        begin.wait()
        try:
            return len(queue_letters(as_of=MONDAY))
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        queued = [each.result() for each in [pool.submit(run), pool.submit(run)]]
    assert sorted(queued) == [0, 1]
    assert list(Mail.objects.values_list("to", flat=True)) == [olga.email]
    assert WeeklyLetter.objects.for_widget(shop.pk).count() == 1


def test_a_widget_that_fails_does_not_keep_the_others_waiting(shop: Widget, rival: Rival, alice: Agent) -> None:
    for widget in (shop, rival.widget):
        episode(widget, MONDAY - timedelta(days=3))
    Widget.objects.filter(pk=shop.pk).update(time_zone="Mars/Base")
    queue_letters(as_of=MONDAY)
    assert set(WeeklyLetter.objects.unscoped("of both").values_list("widget", flat=True)) == {rival.widget.pk}
