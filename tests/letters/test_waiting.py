"""Who sleeps is woken: when a letter goes to operators, to whom, and what it says."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from django.utils.formats import date_format

from apps.accounts.actions.settings import change_settings
from apps.accounts.models import Widget
from apps.agents.models import Agent, AgentEvent
from apps.agents.rules import EVENT_CODES
from apps.chats.actions import assign_chat
from apps.chats.models import Chat, Message
from apps.core.models import Mail
from apps.letters.actions.waiting import change_notice_settings, wake_operators
from apps.letters.models import Notice
from apps.letters.rules.waking import is_quiet, quiet_refusal, zone_of
from apps.letters.settings import SETTINGS
from tests.console.browser import Console
from tests.factories import DepartmentFactory
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime(2026, 11, 27, 12, tzinfo=ZoneInfo("UTC"))


@pytest.fixture
def nina(shop: Widget, alice: Agent) -> VisitorClient:
    browser = VisitorClient(shop)
    browser.come(name="Nina")
    browser.chat_id = browser.say("Anybody? Call 8 800 555-35-35")["chat_id"]
    return browser


def wake(minutes: float) -> int:
    return wake_operators(as_of=timezone.now() + timedelta(minutes=minutes))


def told() -> list[str]:
    return list(Mail.objects.order_by("pk").values_list("to", flat=True))


def test_who_is_not_there_is_told_after_ten_minutes_and_then_the_owner(
    nina: VisitorClient, alice: Agent, shop: Widget
) -> None:
    people = Agent.objects.for_widget(shop.pk).people().filter(status="active").count()
    assert wake(9) == 0
    assert wake(10.5) == people
    assert alice.email in told()
    assert wake(11) == 0
    is_told = shop.account.email in told()
    assert wake(20.5) == (0 if is_told else 1)
    assert told().count(shop.account.email) == 1
    letter = Mail.objects.order_by("pk").first()
    assert letter is not None
    assert f"/console/?widget={shop.guid}#/chats/{nina.chat_id}" in letter.text
    assert "Anybody" not in letter.text + letter.subject
    assert wake(80) == 0  # nobody new


def test_somebody_new_is_told_of_after_an_hour(nina: VisitorClient, shop: Widget, alice: Agent) -> None:
    first = wake(10.5)
    second = VisitorClient(shop)
    second.come()
    second.say("Me, too")
    assert wake(30) <= 1  # the owner
    assert wake(71) >= first


def test_who_is_online_or_was_since_keeps_the_others_asleep(nina: VisitorClient, alice: Agent, shop: Widget) -> None:
    Agent.objects.for_widget(shop.pk).filter(pk=alice.pk).update(online_since=timezone.now())
    assert wake(10.5) == 0
    Agent.objects.for_widget(shop.pk).update(online_since=None)
    AgentEvent.objects.create(widget=shop, agent=alice, type_code=EVENT_CODES["offline"])
    assert wake(10.5) == 0


def test_the_owner_of_the_chat_alone_is_told(nina: VisitorClient, alice: Agent, shop: Widget) -> None:
    assign_chat(widget_id=shop.pk, chat_id=nina.chat_id, agent_id=alice.pk)
    AgentEvent.objects.for_widget(shop.pk).delete()
    wake(10.5)
    assert told() == [alice.email]


def test_a_chat_that_is_offered_or_queued_wakes_whom_it_rings_for(
    nina: VisitorClient, alice: Agent, boris: Agent, olga: Agent, shop: Widget
) -> None:
    """An offer stands: that operator alone, though another owns the chat; in the queue: its department's members."""
    department = DepartmentFactory.create(widget=shop, agents=[alice, boris])
    chats, since = Chat.objects.for_widget(shop.pk).filter(pk=nina.chat_id), timezone.now()
    queued = {"department": department, "queued_at": since, "agent": None, "owner_silent_at": None}

    def woken(**facts: Any) -> list[str]:
        Notice.objects.unscoped("a test").delete()
        Mail.objects.all().delete()
        chats.update(**{**queued, "offered_to": None, "offered_at": None, "offered_until": None, **facts})
        wake(10.5)
        return sorted(told())

    offer = {"offered_to": boris, "offered_at": since, "offered_until": since + timedelta(hours=1)}
    assert woken() == sorted([alice.email, boris.email])
    assert woken(department=None) == sorted(Agent.objects.for_widget(shop.pk).people().values_list("email", flat=True))
    assert woken(**offer) == [boris.email]
    assert woken(**offer, agent=alice) == [boris.email], "the owner keeps it until somebody accepts"
    Agent.objects.filter(pk=alice.pk).update(online_since=since)
    assert woken(**offer) == [boris.email], "one who is here, and whom it does not ring for, keeps nobody asleep"
    assert woken() == [], "a member who is here keeps the others asleep"
    Agent.objects.filter(pk=boris.pk).update(status="suspended")
    Agent.objects.filter(pk=alice.pk).update(online_since=None)
    assert woken(**offer) == [alice.email], "an offer to one who may not be told is everybody's of the department"


def test_words_are_told_where_the_owner_wants_it_without_numbers(
    nina: VisitorClient, alice: Agent, shop: Widget
) -> None:
    change_settings(SETTINGS, widget_id=shop.pk, changes={"waiting_words": True})
    wake(10.5)
    letter = Mail.objects.order_by("pk").first()
    assert letter is not None
    assert "Nina: Anybody? Call […]" in letter.text


def test_never_is_never_and_quiet_hours_are_kept(nina: VisitorClient, alice: Agent, shop: Widget) -> None:
    quiet = {"from": "00:00", "to": "23:59", "zone": "UTC"}
    for agent in Agent.objects.for_widget(shop.pk).people():
        change_notice_settings(widget_id=shop.pk, agent_id=agent.pk, waiting=True, quiet=quiet)
    assert wake(10.5) == 0
    for agent in Agent.objects.for_widget(shop.pk).people():
        change_notice_settings(widget_id=shop.pk, agent_id=agent.pk, waiting=True, quiet=None)
    change_settings(SETTINGS, widget_id=shop.pk, changes={"waiting_min": 0})
    assert wake(60) == 0
    change_settings(SETTINGS, widget_id=shop.pk, changes={"waiting_min": 3})
    assert wake(10.5) > 0  # one at their end
    assert Notice.objects.unscoped("a test").exists()


@pytest.mark.parametrize(
    ("begin", "end", "zone", "quiet"),
    [
        ("22:00", "07:00", "UTC", False),
        ("11:00", "13:00", "UTC", True),
        ("13:00", "11:00", "UTC", False),
        ("15:00", "16:00", "Europe/Moscow", True),
        ("12:00", "12:30", "UTC", True),
        ("11:00", "12:00", "UTC", False),
    ],
)
def test_quiet_hours(begin: str, end: str, zone: str, quiet: bool) -> None:
    assert is_quiet({"from": begin, "to": end}, NOW, zone=zone) is quiet


@pytest.mark.parametrize(
    ("quiet", "zone"),
    [
        (None, "Asia/Tokyo"),
        ({"from": "22:00", "to": "07:00", "zone": None}, "Asia/Tokyo"),
        ({"from": "22:00", "to": "07:00"}, "Asia/Tokyo"),
        ({"from": "22:00", "to": "07:00", "zone": "Mars/Olympus"}, "Asia/Tokyo"),
        ({"from": "22:00", "to": "07:00", "zone": "Europe/Moscow"}, "Europe/Moscow"),
    ],
)
def test_the_zone_is_the_operators_else_the_widgets(quiet: dict[str, Any] | None, zone: str) -> None:
    assert zone_of(quiet, "Asia/Tokyo") == zone


def test_quiet_hours_and_times_are_of_the_operators_zone_else_the_widgets(
    nina: VisitorClient, alice: Agent, shop: Widget
) -> None:
    """Tokyo, where the widget is, is six hours ahead of Moscow, where Alice is."""
    Widget.objects.filter(pk=shop.pk).update(time_zone="Asia/Tokyo")
    Agent.objects.for_widget(shop.pk).people().exclude(pk=alice.pk).update(status="suspended")
    tokyo = (timezone.now() + timedelta(minutes=10)).astimezone(ZoneInfo("Asia/Tokyo"))
    hour = timedelta(hours=1)

    def wake_alice(**zone: Any) -> list[str]:
        hours = {"from": f"{tokyo - hour:%H:%M}", "to": f"{tokyo + hour:%H:%M}", **zone}
        change_notice_settings(widget_id=shop.pk, agent_id=alice.pk, waiting=True, quiet=hours if zone else None)
        Notice.objects.unscoped("a test").delete()
        Mail.objects.all().delete()
        wake(10.5)
        return [letter.text for letter in Mail.objects.all()]

    assert wake_alice(zone=None) == []
    assert wake_alice(zone="Asia/Tokyo") == []
    said = Message.objects.for_widget(shop.pk).get(chat_id=nina.chat_id).created_at
    for zones, told_in in (({"zone": "Europe/Moscow"}, "Europe/Moscow"), ({}, "Asia/Tokyo")):
        (text,) = wake_alice(**zones)
        clock = date_format(said.astimezone(ZoneInfo(told_in)), "DATETIME_FORMAT")
        assert f"Since {clock} ({told_in})." in text


def test_quiet_hours_may_leave_the_zone_out(alice: Agent) -> None:
    console = Console(alice)
    hours = {"from": "22:00", "to": "07:00"}
    changed: Any = console.patch("/me", json={"letters": {"quiet": hours}})
    assert changed.json()["data"]["letters"] == {
        "waiting": True,
        "quiet": {**hours, "zone": None},
        "weekly": False,
    }
    wrong: Any = console.patch("/me", json={"letters": {"quiet": {**hours, "zone": "Mars"}}})
    assert wrong.status_code == 422
    assert console.get("/me").json()["data"]["letters"]["quiet"] == {**hours, "zone": None}


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"from": "22:00", "to": "7", "zone": "UTC"},
        {"from": "22:00", "to": "07:00", "zone": "Mars"},
        {"from": "22:00", "to": "22:00", "zone": "UTC"},
        {"from": "25:00", "to": "07:00", "zone": "UTC"},
    ],
)
def test_hours_that_are_none(wrong: dict[str, Any]) -> None:
    assert quiet_refusal(wrong) is not None
