"""The visitor's place in the queue over the websocket: at once in `ready`, then as it changes, null when it is over."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db.models import F
from django.utils import timezone

from apps.accounts.models import Widget
from apps.chats.models import Chat
from apps.routing.actions.settings import change_routing
from tests.factories import ChatFactory, ContactFactory
from tests.realtime.tab import Tab

OpenTab = Callable[..., Tab]


def put_in_queue(chat: Chat, since: datetime | None) -> None:
    """As the router does: sockets look at a chat whose version is another."""
    Chat.objects.filter(pk=chat.pk).update(queued_at=since, version=F("version") + 1)


def test_ready_tells_the_place_and_a_frame_its_end(open_tab: OpenTab, token_of_ivan: str, chat: Chat) -> None:
    put_in_queue(chat, timezone.now())
    tab = open_tab()
    assert tab.auth(token_of_ivan)["queue"] == {"place": 1, "of": 1, "expects": None}
    put_in_queue(chat, None)
    assert tab.of_type("queue.updated") == {"chat_id": chat.pk, "queue": None}


def test_who_comes_into_the_queue_is_told_soon(open_tab: OpenTab, token_of_ivan: str, chat: Chat, shop: Widget) -> None:
    before = ChatFactory.create(contact=ContactFactory.create(widget=shop))
    put_in_queue(before, timezone.now() - timedelta(minutes=1))
    tab = open_tab()
    assert tab.auth(token_of_ivan)["queue"] is None
    put_in_queue(chat, timezone.now())
    assert tab.of_type("queue.updated") == {"chat_id": chat.pk, "queue": {"place": 2, "of": 2, "expects": None}}


def test_a_widget_that_tells_no_places_sends_no_frame(
    open_tab: OpenTab, token_of_ivan: str, chat: Chat, shop: Widget
) -> None:
    change_routing(widget_id=shop.pk, department_id=None, changes={"show_place": False})
    put_in_queue(chat, timezone.now())
    tab = open_tab()
    assert tab.auth(token_of_ivan)["queue"] is None
    Chat.objects.filter(pk=chat.pk).update(queued_at=None, status="expired", version=F("version") + 1)
    assert tab.of_type("chat.updated")["status"] == "expired"
    assert "queue.updated" not in {frame["type"] for frame in tab.settle() + tab.frames}
