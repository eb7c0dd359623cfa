"""The cabinet's front page: of a widget for its account's staff, of the installation for who runs it."""

from datetime import timedelta
from itertools import pairwise

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.actions import post_client_message
from apps.chats.models import Chat
from apps.core.cabinet import Board, Card
from tests.cast import Rival, signed_in
from tests.factories import ChatFactory, ContactFactory, MessageFactory, StaffFactory, SuperuserFactory, WidgetFactory
from tests.factories.webhooks import DeliveryFactory

HOME = "/admin/"
pytestmark = pytest.mark.django_db


def cards(browser: Client, **query: str) -> dict[str, Card]:
    """The cards of the front page by their titles."""
    page = browser.get(HOME, query)
    assert page.status_code == 200
    return {card.title: card for card in page.context["cards"]}


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
    shown = cards(cabinet)
    assert (shown["Chats opened"].figure, shown["Unanswered"].figure, shown["First response"].figure) == (
        *("2", "1"),
        "2 min",
    )
    assert [bar.value for bar in shown["Chats opened"].bars] == [0] * 23 + [2]
    assert (shown["Seats taken"].figure, shown["API"].figure) == ("2 of 5", "on")
    assert shown["Unanswered"].is_alarming
    week = cards(cabinet, period="7d")
    assert week["Chats opened"].figure == "3"
    assert len(week["Chats opened"].bars) == 28


def test_deliveries_that_fail_are_told_of_to_the_account_whose_they_are(
    cabinet: Client, shop: Widget, rival: Rival
) -> None:
    for status, attempts in (("failed", 4), ("failed", 4), ("pending", 1), ("pending", 0), ("delivered", 1)):
        DeliveryFactory.create(subscription__widget=shop, status=status, attempts=attempts)
    DeliveryFactory.create(subscription__widget=rival.widget, status="failed", attempts=4)
    shown = cards(cabinet)
    assert (shown["Deliveries failed"].figure, shown["Deliveries waiting"].figure) == ("2", "2")
    assert shown["Deliveries waiting"].note == "To be tried again: 1"
    assert cabinet.get(shown["Deliveries failed"].address).status_code == 200


@pytest.mark.slow
def test_every_card_leads_to_a_page_that_is_there(cabinet: Client, shop: Widget) -> None:
    for browser in (cabinet, signed_in(SuperuserFactory.create())):
        addresses = [card.address for card in cards(browser).values() if card.address]
        assert addresses
        for address in addresses:
            assert browser.get(address).status_code == 200, address


def test_an_account_with_several_widgets_chooses_one(cabinet: Client, shop: Widget) -> None:
    second = WidgetFactory.create(account=shop.account, name="Blog", seats=9)
    assert cards(cabinet, widget=str(second.pk))["Seats taken"].figure == "0 of 9"
    assert cards(cabinet)["Seats taken"].figure == "1 of 5"


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
    assert nobody.context["cards"] == []


def test_who_runs_the_installation_sees_all_of_it(shop: Widget, rival: Rival, chat: Chat) -> None:
    Chat.objects.update(created_at=timezone.now())
    DeliveryFactory.create(subscription__widget=shop, status="failed")
    DeliveryFactory.create(subscription__widget=rival.widget, status="failed")
    shown = cards(signed_in(SuperuserFactory.create()))
    assert (shown["Widgets"].figure, shown["Widgets"].note) == ("2", "of 2 accounts")
    assert shown["Chats opened today"].figure == "2"
    assert sorted(shown["Chats opened today"].rows) == [("Flower shop", "1"), ("Rival florist", "1")]
    assert shown["Deliveries failed"].figure == "2"
    assert shown["Version"].figure
    assert shown["Health"].is_alarming, "no backup was told"
    assert shown["Health"].address == "/admin/accounts/backupnote/"


def test_the_page_asks_no_more_for_more_chats(
    cabinet: Client, shop: Widget, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    ChatFactory.create(contact=ContactFactory.create(widget=shop))
    DeliveryFactory.create(subscription__widget=shop)
    with django_assert_num_queries(21) as asked:
        cabinet.get(HOME)
    for _ in range(5):
        MessageFactory.create(chat=ChatFactory.create(contact=ContactFactory.create(widget=shop)))
        DeliveryFactory.create(subscription__widget=shop, status="failed")
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
