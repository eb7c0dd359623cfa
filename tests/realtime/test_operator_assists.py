"""`/ws/operator`: what an operator's tabs are told of their assists, against a real process."""

import json
import threading
from collections.abc import Iterator

import pytest

from apps.agents.models import Agent
from apps.demo.servers.language_models import streamed
from tests.ai.conftest import desk, vendor
from tests.assists.help import Help
from tests.console.browser import operators_browser, ticket_of
from tests.realtime.process import RealtimeProcess
from tests.realtime.tab import OperatorTab

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = "Розы по 90 рублей. Доставка завтра."


@pytest.fixture
def help_(desk: object, alice: Agent) -> Help:
    from tests.ai.desk import Desk

    assert isinstance(desk, Desk)
    return Help(desk, alice)


@pytest.fixture
def tab(realtime: RealtimeProcess, help_: Help) -> Iterator[OperatorTab]:
    with OperatorTab(realtime.url) as tab:
        tab.auth(ticket_of(operators_browser(help_.operator)))
        yield tab


def test_the_words_so_far_come_then_the_end_to_every_tab_of_who_asked(
    realtime: RealtimeProcess, help_: Help, tab: OperatorTab, boris: Agent
) -> None:
    with OperatorTab(realtime.url) as second, OperatorTab(realtime.url) as colleagues:
        second.auth(ticket_of(operators_browser(help_.operator)))
        colleagues.auth(ticket_of(operators_browser(boris)))
        help_.desk.writes()
        help_.desk.vendor.answer = lambda asked: streamed(asked, WORDS, between=lambda: threading.Event().wait(0.25))
        begun = help_.begins()
        help_.works()
        for each in (tab, second):
            frame = each.of_type("assist.text")
            assert (frame["assist_id"], frame["chat_id"]) == (begun["id"], help_.chat_id)
            assert WORDS.startswith(frame["text"])
            done = each.until(
                lambda frame: frame["type"] == "assist.updated" and frame["data"]["assist"]["state"] == "done"
            )
            assert done["data"]["assist"]["text"] == WORDS
        assert not [frame for frame in colleagues.settle() if frame["type"].startswith("assist.")]


def test_a_done_draft_that_the_chat_has_overtaken_is_told_again(help_: Help, tab: OperatorTab) -> None:
    help_.desk.writes()
    help_.begins()
    help_.works()
    tab.until(lambda frame: frame["type"] == "assist.updated" and frame["data"]["assist"]["state"] == "done")
    help_.desk.writes("А тюльпаны?")
    tab.until(lambda frame: frame["type"] == "assist.updated" and frame["data"]["assist"]["is_stale"])


def test_whoever_has_the_chat_open_is_shown_its_summary(help_: Help, tab: OperatorTab) -> None:
    help_.desk.writes()
    tab.send({"type": "chat.open", "data": {"chat_id": help_.chat_id}})
    assert tab.of_type("chat.opened")["card"]["summary"] is None
    help_.model_says(json.dumps({"wants": "Розы"}))
    help_.begins("summary")
    help_.works()
    shown = tab.until(lambda frame: frame["type"] == "chat.card" and frame["data"]["card"]["summary"] is not None)
    assert shown["data"]["card"]["summary"]["wants"] == "Розы"


def test_an_answer_says_what_it_was_made_from(help_: Help, tab: OperatorTab) -> None:
    from uuid import uuid4

    from apps.assists.models import Assist

    help_.desk.writes()
    made = help_.asks()
    message = {"chat_id": help_.chat_id, "client_id": str(uuid4()), "type": "text", "body": made["text"]}
    tab.send({"type": "message.send", "data": {**message, "assist_id": made["id"]}})
    tab.of_type("ack")
    assert (Assist.objects.get().outcome, Assist.objects.get().distance) == ("used", 0.0)


__all__ = ["desk", "vendor"]
