"""An offer, the queue, a priority, a break with a note and the wallboard in a real browser."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from tests.e2e.console import OLGA, Open, Shop
from tests.run.service import Service

pytestmark = pytest.mark.e2e

# The router's act: the chat is in the queue, and offered to Alice. The router itself is off, so that it stays so.
OFFERED = """
from datetime import timedelta
from django.db import transaction
from django.utils import timezone
from apps.agents.models import Agent
from apps.chats.events import ChatUpdated
from apps.chats.models import Chat
from apps.core import bus
from apps.routing.models import Assignment, RoutingSettings
now = timezone.now()
why = {{"reasons": ["fewest_open"], "load": 1, "capacity": 5, "department_load": None, "department_capacity": None,
        "waited_seconds": 3, "among": 2}}
with transaction.atomic():
    chat = Chat.objects.select_for_update().get(pk={chat_id})
    RoutingSettings.objects.for_widget(chat.widget_id).delete()
    alice = Agent.objects.get(widget=chat.widget, email="alice@shop.example")
    Assignment.objects.create(widget=chat.widget, chat=chat, agent=alice, waits_since=chat.waiting_since,
                              department_id=chat.department_id, until=now + timedelta(minutes=5), why=why)
    Chat.objects.filter(pk=chat.pk).update(version=chat.version + 1, queued_at=chat.waiting_since, offered_to=alice,
                                           offered_at=now, offered_until=now + timedelta(minutes=5))
    bus.publish(ChatUpdated(widget_id=chat.widget_id, chat_id=chat.pk))
"""

ANSWER_TIMES = """
from apps.accounts.models import Widget
from apps.routing.actions.settings import change_routing
widget_id = Widget.objects.get(guid="{guid}").pk
change_routing(widget_id=widget_id, department_id=None, changes={{"answer_times": {times}}})
"""
# The timers' act, as the time passes: the answer is due since six minutes.
MISSED = """
from datetime import timedelta
from django.utils import timezone
from apps.chats.actions.timers import run_due
from apps.routing.models import SlaClock
SlaClock.objects.filter(chat_id={chat_id}, metric="first_reply").update(
    since=timezone.now() - timedelta(minutes=36), running_since=timezone.now() - timedelta(minutes=36))
from apps.chats.models import Timer
Timer.objects.filter(chat_id={chat_id}).update(due_at=timezone.now())
"""


def test_an_offer_is_a_card_that_says_why_and_is_taken_with_one_key(
    open_desk: Open, shop: Shop, running_service: Service
) -> None:
    shop.clear_the_desk()
    alice, olga = open_desk(), open_desk(OLGA)
    mary = f"Visitor-{uuid.uuid4().hex[:8]}"
    visitor = shop.visitor(name=mary).says("I need a person, please.")
    expect(alice.row(mary)).to_be_visible()
    running_service.manage("shell", "-c", OFFERED.format(chat_id=visitor.chat_id))
    card = alice.page.locator(".offer")
    expect(card).to_contain_text(mary)
    expect(card).to_contain_text("Why you: fewest open (1 of 5)")
    expect(olga.page.locator(".offer")).to_have_count(0)
    alice.check("offer")
    alice.page.locator("body").press("y")
    expect(card).to_have_count(0)
    expect(alice.page).to_have_url(re.compile(rf"#/chats/{visitor.chat_id}$"))
    expect(alice.row(mary).locator(".owner")).to_contain_text("You")

    alice.page.locator("h2").first.click()
    alice.page.keyboard.press("p")
    alice.page.get_by_role("dialog").get_by_role("button", name="Urgent").click()
    expect(olga.row(mary)).to_contain_text("Urgent")
    assert [*alice.complaints, *olga.complaints] == []


def test_a_break_has_a_note_that_colleagues_see(open_desk: Open) -> None:
    alice = open_desk()
    alice.page.locator("button.person").click()
    alice.page.locator("#person").get_by_text("Break with a note").click()
    alice.page.locator("dialog [name=note]").fill("Lunch till one")
    alice.page.locator("dialog .primary").click()
    expect(alice.page.locator(".connection[data-state=break]")).to_be_visible()
    alice.page.locator("button.switch").click()
    expect(alice.page.locator(".connection[data-state=online]")).to_be_visible()
    assert alice.complaints == []


def test_the_wallboard_shows_who_waits_and_no_word_of_them(open_desk: Open, shop: Shop) -> None:
    alice = open_desk()
    shop.visitor(name="Secret Name").says("A secret word: call me back")
    expect(alice.row("Secret Name").first).to_be_visible()
    alice.page.evaluate("location.hash = '#/board'")
    board = alice.page.locator(".board")
    expect(board.locator(".halls li").first).to_be_visible()
    expect(board).to_contain_text("waiting")
    expect(board).not_to_contain_text("secret", ignore_case=True)
    alice.check("board")
    board.get_by_role("link", name="Back").click()
    expect(board).to_have_count(0)


def test_ones_own_report_opens_from_the_menu_in_its_looks_and_is_read_again_for_other_days(
    open_desk: Open, shop: Shop
) -> None:
    visitor = shop.visitor(name="Asks").says("Is the green tea in stock?")
    shop.answers(visitor, "It is.")
    alice = open_desk(viewport={"width": 390, "height": 844})
    page, report = alice.page, alice.page.locator(".own-report")
    page.locator("button.person").click()
    page.locator("#person").get_by_role("link", name="My report").click()
    expect(report.get_by_role("row", name="Episodes")).to_be_visible()
    assert report.evaluate("each => getComputedStyle(each).position") == "fixed", "no moment without its style sheet"
    expect(page.locator("#person")).to_be_hidden()
    heading, back = (report.locator(each).bounding_box() for each in ("h1", "header a"))
    assert heading is not None
    assert back is not None
    assert abs(heading["y"] + heading["height"] / 2 - back["y"] - back["height"] / 2) <= 2, "in one line"
    cut = report.locator("td").evaluate_all(
        "cells => cells.filter(each => each.scrollWidth > each.clientWidth + 1).length"
    )
    assert cut == 0
    alice.check("own-report-390")
    with page.expect_response(lambda answer: "/console/report?" in answer.url) as read:
        report.get_by_label("Days").select_option("the last 7")
    assert read.value.status == 200
    page.set_viewport_size({"width": 1280, "height": 844})
    alice.check("own-report-1280")
    report.get_by_role("link", name="Back").click()
    expect(report).to_have_count(0)


def test_what_is_due_is_a_view_in_order_and_rows_say_when(
    open_desk: Open, shop: Shop, running_service: Service
) -> None:
    shop.clear_the_desk()
    guid = shop.widget["guid"]
    times = [{"priority": "urgent", "first_reply": 10}, {"first_reply": 30, "resolution": 600}]
    running_service.manage("shell", "-c", ANSWER_TIMES.format(guid=guid, times=times))
    alice, phone = open_desk(), open_desk(OLGA, viewport={"width": 390, "height": 844})
    names = [f"{name}-{uuid.uuid4().hex[:6]}" for name in ("Late", "Calm", "Urgent")]
    late, _calm, urgent = (shop.visitor(name=name).says("Where is my order?") for name in names)
    expect(alice.row(names[0]).locator(".due")).to_have_text(re.compile("Due in (29|30) min"))
    running_service.manage("shell", "-c", MISSED.format(chat_id=late.chat_id))
    expect(alice.row(names[0]).locator(".due.is-late")).to_have_text("Overdue: 6 min")
    shop.call("PUT", f"/chats/{urgent.chat_id}/priority", {"priority": "urgent"})
    expect(alice.row(names[2]).locator(".due")).to_have_text(re.compile("Due in (9|10) min"))
    for desk, name in ((alice, "due-1280"), (phone, "due-390")):
        desk.page.locator("body").press("w")
        expect(desk.page.locator(".view.due")).to_have_attribute("aria-current", "true")
        expect(desk.rows.locator(".name")).to_have_text([names[0], names[2], names[1]])
        assert desk.count("due") == 3
        desk.check(name)
    alice.page.evaluate("location.hash = '#/board'")
    expect(alice.page.locator(".board .due")).to_contain_text("Overdue: 1")
    alice.check("due-board")
    alice.page.locator(".board").get_by_role("link", name="Back").click()
    shop.answers(late, "On its way.")
    expect(alice.rows.locator(".name")).to_have_text([names[2], names[1]])
    running_service.manage("shell", "-c", ANSWER_TIMES.format(guid=guid, times=[]))
    expect(alice.rows).to_have_count(0)
    assert [*alice.complaints, *phone.complaints] == []
