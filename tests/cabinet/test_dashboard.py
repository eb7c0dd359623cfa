"""The cabinet's front page: of a widget for its account's staff, of the installation for who runs it."""

import re
from datetime import timedelta
from html import unescape
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone, translation
from django.utils.formats import time_format
from pytest_django import DjangoAssertNumQueries

from apps.accounts.actions import set_api_enabled
from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.actions import post_client_message
from apps.chats.models import Chat
from apps.core.cabinet import Bar, Board, Figure
from apps.reports.actions.episodes import caught_up
from tests.cast import Rival, signed_in
from tests.factories import (
    ApiTokenFactory,
    ChatFactory,
    ContactFactory,
    MessageFactory,
    StaffFactory,
    SuperuserFactory,
    WidgetFactory,
)
from tests.factories.webhooks import DeliveryFactory

HOME = "/admin/"
pytestmark = pytest.mark.django_db


def figures(browser: Client, **query: str) -> dict[str, Figure]:
    """The cards of the front page by their titles."""
    page = browser.get(HOME, query)
    assert page.status_code == 200
    return {figure.title: figure for figure in page.context["figures"]}


def test_staff_see_how_their_widget_does(cabinet: Client, shop: Widget, chat: Chat, alice: Agent, rival: Rival) -> None:
    now = timezone.now()
    asked = MessageFactory.create(chat=chat, body="?")
    answer = MessageFactory.create(chat=chat, agent=alice, body="!")
    type(answer).objects.filter(pk=answer.pk).update(created_at=asked.created_at + timedelta(seconds=90))
    Chat.objects.filter(pk=chat.pk).update(handling="human", accepted_agent=alice, accepted_type="human")
    asking = ContactFactory.create(widget=shop)
    post_client_message(contact=asking, content={"type": "text", "body": "?"})
    old = ChatFactory.create(contact=ContactFactory.create(widget=shop))
    Chat.objects.filter(pk=old.pk).update(created_at=now - timedelta(days=3))
    shown = figures(cabinet)
    assert {title: shown[title].value for title in list(shown)[:5]} == {
        "Chats today": shown["Chats today"].value,
        "Waiting now": "1",
        "People / AI": "1 / 0",
        "First answer": "1 min",
        "Good ratings": "—",
    }
    assert list(shown)[-2:] == ["Seats taken", "API"], "what an owner needs least stands last"
    assert [bar.value for bar in shown["Chats opened"].bars] == [0] * 23 + [2]
    assert (shown["Seats taken"].value, shown["API"].value) == ("2 of 5", "on")
    assert shown["Waiting now"].is_alarming
    week = figures(cabinet, period="7d")
    assert week["Chats opened"].value == "3"
    assert len(week["Chats opened"].bars) == 28


@pytest.mark.parametrize(("language", "morning", "evening"), [("en", "9 a.m.", "9 p.m."), ("ru", "9:00", "21:00")])
def test_a_charts_hours_are_of_the_page_s_zone_and_the_reader_s_clock(
    cabinet: Client, shop: Widget, language: str, morning: str, evening: str
) -> None:
    type(shop).objects.filter(pk=shop.pk).update(time_zone="Asia/Tokyo")
    before = timezone.now()
    page = cabinet.get(HOME, headers={"accept-language": language})
    (chart,) = (figure for figure in page.context["figures"] if figure.bars)
    labels = [bar.label for bar in chart.bars]
    assert len(labels) == 24
    assert {morning, evening} <= {*labels}
    with translation.override(language), timezone.override(ZoneInfo("Asia/Tokyo")):
        hours = {
            time_format(timezone.localtime(now).replace(minute=0).time(), "TIME_FORMAT")
            for now in (before, timezone.now())
        }
    assert labels[-1] in hours


def state_of_the_token(cabinet: Client, language: str = "en") -> str:
    page = cabinet.get("/admin/accounts/apitoken/", headers={"accept-language": language}).content.decode()
    cell = re.search(r"field-state[^>]*>(.*?)</td>", page, re.DOTALL)
    assert cell is not None
    return " ".join(unescape(re.sub("<[^>]+>", " ", cell[1])).split())


def test_nothing_of_the_api_is_counted_while_it_is_off(cabinet: Client, shop: Widget) -> None:
    """A token that has not expired works no more: neither the front page nor the list of tokens says that it does."""
    ApiTokenFactory.create(widget=shop)
    assert figures(cabinet)["API"].note == "Tokens that work: 1"
    assert state_of_the_token(cabinet) == "Active"
    set_api_enabled(widget=shop, enabled=False)
    shown = figures(cabinet)["API"]
    assert (shown.value, shown.note) == ("off", "No token works.")
    assert state_of_the_token(cabinet) == "The API is off"
    assert state_of_the_token(cabinet, language="ru") == "API выключен"


def test_deliveries_that_fail_are_told_of_to_the_account_whose_they_are(
    cabinet: Client, shop: Widget, rival: Rival
) -> None:
    for status, attempts in (("failed", 4), ("failed", 4), ("pending", 1), ("pending", 0), ("delivered", 1)):
        DeliveryFactory.create(subscription__widget=shop, status=status, attempts=attempts)
    DeliveryFactory.create(subscription__widget=rival.widget, status="failed", attempts=4)
    shown = figures(cabinet)
    assert (shown["Deliveries failed"].value, shown["Deliveries waiting"].value) == ("2", "2")
    assert shown["Deliveries waiting"].note == "To be tried again: 1"
    page = cabinet.get(HOME).content.decode()
    assert page.index("First answer") < page.index("Chats opened") < page.index("Needs you")
    assert page.index("Needs you") < page.index("Deliveries failed") < page.index("Seats taken")
    assert cabinet.get(shown["Deliveries failed"].address).status_code == 200


def test_what_needs_nobody_is_not_shown(cabinet: Client, shop: Widget) -> None:
    DeliveryFactory.create(subscription__widget=shop, status="pending", attempts=0)
    assert not {"Deliveries failed", "Deliveries waiting", "AI alerts"} & {*figures(cabinet)}
    assert "Needs you" not in cabinet.get(HOME).content.decode()


def test_chats_today_are_those_since_midnight_where_the_widget_is(cabinet: Client, shop: Widget) -> None:
    Widget.objects.filter(pk=shop.pk).update(time_zone="Asia/Tashkent")
    midnight = timezone.now().astimezone(ZoneInfo("Asia/Tashkent")).replace(hour=0, minute=0, second=0, microsecond=0)
    for moment in (midnight, midnight - timedelta(seconds=1)):
        chat = ChatFactory.create(contact=ContactFactory.create(widget=shop))
        MessageFactory.create(chat=chat, body="?")
        Chat.objects.filter(pk=chat.pk).update(created_at=moment)
    assert figures(cabinet)["Chats today"].value == "1"


def test_a_chart_has_three_lines_and_an_empty_one_is_words(cabinet: Client, shop: Widget, chat: Chat) -> None:
    Chat.objects.filter(pk=chat.pk).update(created_at=timezone.now() - timedelta(days=3))
    assert "Nothing in this period." in cabinet.get(HOME).content.decode()
    assert Figure(title="", bars=(Bar("", 3), Bar("", 1))).lines == (4, 2, 0)
    assert [height for _bar, height in Figure(title="", bars=(Bar("", 3), Bar("", 1))).columns] == [75, 25]
    MessageFactory.create(chat=chat, body="?")
    Chat.objects.filter(pk=chat.pk).update(created_at=timezone.now())
    page = cabinet.get(HOME).content.decode()
    assert page.count('class="chart-line"') == 3
    assert page.count('role="img"') == 24
    assert page.count("chart-now") == 1


@pytest.mark.slow
def test_every_card_leads_to_a_page_that_is_there(cabinet: Client, shop: Widget) -> None:
    for browser in (cabinet, signed_in(SuperuserFactory.create())):
        addresses = [figure.address for figure in figures(browser).values() if figure.address]
        assert addresses
        for address in addresses:
            assert browser.get(address).status_code == 200, address


def test_an_account_with_several_widgets_chooses_one(cabinet: Client, shop: Widget) -> None:
    second = WidgetFactory.create(account=shop.account, name="Blog", seats=9)
    assert figures(cabinet, widget=str(second.pk))["Seats taken"].value == "0 of 9"
    assert figures(cabinet)["Seats taken"].value == "1 of 5"


@pytest.mark.parametrize("asked", ["their", "999999999", "one", "-1", "9" * 30])
def test_another_accounts_widget_is_not_there(cabinet: Client, shop: Widget, rival: Rival, asked: str) -> None:
    widget = str(rival.widget.pk) if asked == "their" else asked
    assert cabinet.get(HOME, {"widget": widget}).status_code == 404


def test_the_page_names_nobody_elses_widget(cabinet: Client, shop: Widget, rival: Rival) -> None:
    assert rival.widget.name not in cabinet.get(HOME).content.decode()


def test_staff_without_a_widget_are_told_so(shop: Widget) -> None:
    Widget.objects.all().delete()
    page = signed_in(StaffFactory.create(account=shop.account)).get(HOME)
    assert page.status_code == 200
    assert "There is no widget yet." in page.content.decode()
    nobody = signed_in(StaffFactory.create(account=None)).get(HOME)
    assert nobody.context["figures"] == []


def test_who_runs_the_installation_sees_all_of_it(shop: Widget, rival: Rival, chat: Chat) -> None:
    Chat.objects.update(created_at=timezone.now())
    DeliveryFactory.create(subscription__widget=shop, status="failed")
    DeliveryFactory.create(subscription__widget=rival.widget, status="failed")
    shown = figures(signed_in(SuperuserFactory.create()))
    assert (shown["Widgets"].value, shown["Widgets"].note) == ("2", "of 2 accounts")
    assert shown["Chats opened today"].value == "2"
    assert sorted(shown["Chats opened today"].rows) == [("Flower shop", "1"), ("Rival florist", "1")]
    assert shown["Deliveries failed"].value == "2"
    assert shown["Version"].value
    assert shown["Health"].is_alarming, "no backup was told"
    assert shown["Health"].address == "/admin/accounts/backupnote/"


def test_the_page_asks_no_more_for_more_chats(
    cabinet: Client, shop: Widget, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    ChatFactory.create(contact=ContactFactory.create(widget=shop))
    DeliveryFactory.create(subscription__widget=shop)
    caught_up(shop.pk)  # as the job does: episodes that are derived already
    with django_assert_num_queries(47) as asked:
        cabinet.get(HOME)
    for _ in range(5):
        MessageFactory.create(chat=ChatFactory.create(contact=ContactFactory.create(widget=shop)))
        DeliveryFactory.create(subscription__widget=shop, status="failed")
    caught_up(shop.pk)
    with django_assert_num_queries(len(asked)):
        cabinet.get(HOME)


def test_a_board_is_cut_without_gaps_and_ends_now() -> None:
    now = timezone.now()
    board = Board(1, now, 168, 6)
    edges = [(bucket.start, bucket.end) for bucket in board.buckets]
    assert len(edges) == 28
    assert edges[-1][1] == now
    assert all(end == start for (_, end), (start, _) in pairwise(edges))


def test_the_schedulers_tables_are_nobodys_business(cabinet: Client) -> None:
    """What jobs there are, and when they run, is said by the code, and would be said again at the next start."""
    for browser in (cabinet, signed_in(SuperuserFactory.create())):
        assert "/admin/django_celery_beat/" not in browser.get(HOME).content.decode()
        for table in ("periodictask", "crontabschedule", "intervalschedule", "solarschedule", "clockedschedule"):
            assert browser.get(f"/admin/django_celery_beat/{table}/").status_code == 404
