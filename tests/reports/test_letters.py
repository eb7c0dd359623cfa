"""The weekly letter: when it goes, to whom, what it says, and how it is stopped."""

import json
from datetime import datetime, timedelta
from io import StringIO
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User, Widget
from apps.agents.models import Agent
from apps.core.models import Mail
from apps.reports.actions.letters import LETTERS, queue_letters
from tests.cast import Rival, signed_in
from tests.client import ApiClient, assert_problem
from tests.console.browser import Console
from tests.factories import StaffFactory
from tests.reports.made import WORDS, episode

pytestmark = pytest.mark.django_db
MOSCOW = ZoneInfo("Europe/Moscow")
MONDAY = datetime(2026, 10, 26, 9, tzinfo=MOSCOW)  # the letter of this moment tells of the week before
WEEK = timedelta(days=7)
DAYS = {"from": "2026-10-19", "to": "2026-10-26"}


@pytest.fixture
def week(shop: Widget, olga: Agent, alice: Agent) -> Widget:
    """A shop with an episode of the week, and one of the week before."""
    tuesday = MONDAY - timedelta(days=6)
    episode(shop, tuesday, answered_s=90, agent=alice, value=1)
    episode(shop, tuesday - WEEK, answered_s=30, agent=alice)
    return shop


def run(*args: str, as_of: datetime = MONDAY) -> list[dict[str, Any]]:
    """The letters that the command queues."""
    out = StringIO()
    call_command("report_letters", "--as-of", as_of.isoformat(), "--json", *args, stdout=out)
    found: list[dict[str, Any]] = json.loads(out.getvalue())["letters"]
    return found


def readers(as_of: datetime = MONDAY) -> list[str]:
    return [letter.to for letter in queue_letters(as_of=as_of)]


def stop_link() -> str:
    """The path of the newest letter's header that stops it."""
    row = Mail.objects.order_by("-pk").first()
    assert row is not None
    return urlsplit(row.headers["List-Unsubscribe"].strip("<>")).path


def test_owners_get_it_once_with_the_figures_of_the_report(week: Widget, api: ApiClient, olga: Agent) -> None:
    before = LETTERS.labels("queued")._value.get()
    (letter,) = run()
    assert (letter["to"], letter["from"], letter["until"]) == (
        olga.email,
        "2026-10-19T00:00:00+03:00",
        "2026-10-26T00:00:00+03:00",
    )
    report = api.get("/reports", query=DAYS).json()["data"]
    assert letter["figures"] == report["figures"]
    assert LETTERS.labels("queued")._value.get() == before + 1
    assert run() == []
    row = Mail.objects.get()
    assert (row.to, row.subject, row.text) == (olga.email, letter["subject"], letter["text"])
    assert row.headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_it_is_in_the_readers_language_and_opens_three_lists(week: Widget, cabinet: Client, olga: Agent) -> None:
    User.objects.filter(pk=olga.user_id).update(language="en")
    (letter,) = run()
    assert letter["language"] == "en"
    assert letter["subject"] == "Flower shop: the week of 19 October – 25 October 2026"
    text = letter["text"]
    for line in (
        "Episodes: 1 (1)",
        "Answered: 1 (100.0 %) (1 (100.0 %))",
        "First answer, nine of ten within: 1 min (30 s)",
        "Low ratings: 1 chat",
        "Asked in vain: 0 chats",
        "Nothing unusual",
    ):
        assert line in text, line
    links = [line for line in text.splitlines() if "/episodes/?" in line]
    assert len(links) == 3
    for link in links:
        assert cabinet.get(link.partition("testserver")[2] or link).status_code in (200, 404)
    User.objects.filter(pk=olga.user_id).update(language="ru")
    (russian,) = run(as_of=MONDAY - WEEK)
    assert russian["language"] == "ru"
    assert "Обращения: 1" in russian["text"]


def test_it_has_no_visitors_name_or_words(week: Widget) -> None:
    (letter,) = run()
    html = Mail.objects.get().html
    assert WORDS not in letter["text"] + letter["subject"] + html


def test_it_is_due_from_monday_nine_oclock_of_the_widgets_zone_on(week: Widget, olga: Agent) -> None:
    assert readers(MONDAY - timedelta(seconds=1)) == [olga.email], "that is the letter of the week before"
    assert readers(MONDAY - timedelta(seconds=1)) == []
    assert readers(MONDAY) == [olga.email]
    Widget.objects.filter(pk=week.pk).update(time_zone="Asia/Tokyo")
    assert readers(MONDAY + WEEK - timedelta(hours=6, seconds=1)) == []


def test_the_job_tells_nobody_of_last_week_on_a_thursday(week: Widget, olga: Agent) -> None:
    assert queue_letters(as_of=MONDAY + timedelta(days=1), late=False) == []
    found = queue_letters(as_of=MONDAY + timedelta(hours=23), late=False)
    assert [letter.to for letter in found] == [olga.email]


def test_a_week_without_episodes_has_no_letter(week: Widget, rival: Rival) -> None:
    assert run(as_of=MONDAY + 5 * WEEK) == []
    assert not Mail.objects.exists()


def test_a_widget_is_named_by_its_guid(week: Widget, rival: Rival) -> None:
    assert run("--widget", rival.widget.guid) == []
    assert len(run("--widget", week.guid)) == 1
    with pytest.raises(CommandError):
        run("--widget", "0" * 32)
    with pytest.raises(CommandError):
        call_command("report_letters", "--as-of", "Monday")


def test_others_by_choice_managers_alone(week: Widget, olga: Agent, alice: Agent) -> None:
    console = Console(alice)
    assert console.data("GET", "/me")["letters"]["weekly"] is False
    assert_problem(console.request("PATCH", "/me", json={"letters": {"weekly": True}}), 403, "managers_only")
    User.objects.filter(pk=alice.user_id).update(role=User.Role.MANAGER, is_staff=True)
    assert console.data("PATCH", "/me", json={"letters": {"weekly": True}})["letters"] == {
        "waiting": True,
        "quiet": None,
        "weekly": True,
    }
    assert sorted(readers()) == sorted([olga.email, alice.email])
    assert Console(olga).data("GET", "/me")["letters"]["weekly"] is True
    assert Console(olga).data("PATCH", "/me", json={"letters": {"weekly": False}})["letters"]["weekly"] is False
    User.objects.filter(pk=alice.user_id).update(role=User.Role.VIEWER)
    assert readers(MONDAY - WEEK) == [], "a viewer's choice of before counts no more"


def test_a_choice_leaves_the_other_letters_alone(week: Widget, olga: Agent) -> None:
    console = Console(olga)
    console.data("PATCH", "/me", json={"letters": {"waiting": False}})
    assert console.data("PATCH", "/me", json={"letters": {"weekly": False}})["letters"]["waiting"] is False
    assert console.data("PATCH", "/me", json={"letters": {"waiting": True}})["letters"]["weekly"] is False


def test_a_mail_program_stops_it_in_one_click_and_a_look_at_the_link_stops_nothing(
    week: Widget, olga: Agent, client: Client
) -> None:
    run()
    link = stop_link()
    assert client.get(link).status_code == 200
    assert client.head(link).status_code == 200
    assert readers(MONDAY - WEEK) == [olga.email]
    assert client.post(link, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert readers(MONDAY + WEEK) == readers(MONDAY - 2 * WEEK) == []
    assert client.post(link, {"again": "1"}).status_code == 200
    episode(week, MONDAY)
    assert readers(MONDAY + WEEK) == [olga.email]


def test_a_link_of_others_stops_nothing(week: Widget, olga: Agent, client: Client) -> None:
    run()
    for proof in ("nonsense", stop_link().rpartition("/")[2][:-1]):
        assert client.post(reverse("stop-weekly-letter", args=[proof])).status_code == 404
    assert readers(MONDAY - WEEK) == [olga.email]


def test_the_cabinet_has_the_choice(week: Widget, olga: Agent, cabinet: Client) -> None:
    page = reverse("admin:reports_widgetweeklyletter_change", args=[week.pk])
    assert olga.email in cabinet.get(page).content.decode()
    cabinet.post(page, {"weekly": "0"})
    assert readers() == []
    cabinet.post(page, {"weekly": "1"})
    assert readers() == [olga.email]
    viewer = signed_in(StaffFactory.create(account=week.account, role="viewer"))
    assert viewer.get(page).status_code == 200
    assert viewer.post(page, {"weekly": "1"}).status_code == 403
    assert readers(MONDAY - WEEK) == [olga.email]


def test_a_change_names_the_group_that_made_most_of_it(shop: Widget, olga: Agent, alice: Agent) -> None:
    User.objects.filter(pk=olga.user_id).update(language="en")
    for place in range(20):
        at = MONDAY - timedelta(days=6, minutes=place)
        episode(shop, at, channel="tg", answered_s=60, agent=alice)
        if place < 5:
            episode(shop, at, answered_s=60, agent=alice)
            episode(shop, at - WEEK, answered_s=60, agent=alice)
    (letter,) = run()
    assert "Episodes: 25, the week before 5. Most of it: Channel Tg, 20 after 0." in letter["text"]
    assert "Nothing unusual" not in letter["text"]
