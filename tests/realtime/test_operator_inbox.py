"""`/ws/operator`: the inbox, the chats that a tab has open, and what an operator does there."""

import asyncio
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apps.accounts.actions import moves
from apps.accounts.models import Widget
from apps.agents import actions as agents
from apps.agents.models import Agent, AgentPresence, Department
from apps.automations.events import NoticeGiven
from apps.cards.actions.settings import set_cards
from apps.cards.events import CardsUpdated
from apps.chats import actions as chats
from apps.chats.actions import delivery
from apps.chats.broadcasts import OperatorTyping
from apps.chats.models import Chat, Contact, File, Message
from apps.chats.realtime.database import DatabaseAway
from apps.chats.rules import Status
from apps.chats.rules.blocks import Blocked
from apps.chats.rules.delivery import DeliveryState
from apps.chats.rules.typing import Typing
from apps.console.consumers import OperatorSocket
from apps.core import bus
from apps.core.problems import Problem
from apps.core.redis import broadcasts
from launcher.processes import wait_until
from tests.cast import Rival
from tests.console.browser import operators_browser, ticket_of
from tests.factories import ChatFactory, DepartmentFactory, FileFactory, MessageFactory
from tests.realtime.process import RealtimeProcess
from tests.realtime.tab import OperatorTab, Tab
from tests.waits import AT_MOST_S

OpenConsole = Callable[..., OperatorTab]


@pytest.fixture
def open_console(realtime: RealtimeProcess) -> Iterator[OpenConsole]:
    """Opens tabs of operators who are signed in; closes them after the test."""
    tabs: list[OperatorTab] = []

    def open_one(agent: Agent, process: RealtimeProcess = realtime, **members: Any) -> OperatorTab:
        tab = OperatorTab(process.url)
        tabs.append(tab)
        tab.auth(ticket_of(operators_browser(agent)), **members)
        return tab

    yield open_one
    for tab in tabs:
        tab.close()
    assert wait_until(lambda: not AgentPresence.objects.exists(), seconds=AT_MOST_S)


@pytest.fixture
def ask(ivan: Contact) -> Callable[[str], Message]:
    """Ivan asks something, as his widget does it."""

    def ask(body: str) -> Message:
        posted = chats.post_client_message(contact=ivan, content={"type": "text", "body": body})
        return Message.objects.get(pk=posted.id)

    return ask


def texts(frames: list[dict[str, Any]]) -> list[str]:
    shown = {"message.created": lambda data: data, "ack": lambda data: data["message"]}
    return [shown[frame["type"]](frame["data"])["body"] for frame in frames if frame["type"] in shown]


# The inbox.


def test_ready_has_the_newest_open_chats_and_the_counts(
    open_console: OpenConsole, shop: Widget, alice: Agent, boris: Agent, rival: Rival
) -> None:
    florists: Department = DepartmentFactory.create(widget=shop)
    florists.agents.add(alice)
    asked = ChatFactory.create(contact__widget=shop)
    MessageFactory.create(chat=asked)
    hers = ChatFactory.create(contact__widget=shop, agent=alice, channel="ch7")
    MessageFactory.create(chat=hers, agent=alice)
    in_department = ChatFactory.create(contact__widget=shop, department=florists, status=Status.READY)
    MessageFactory.create(chat=in_department, agent=boris)
    empty = ChatFactory.create(contact__widget=shop, agent=alice)  # the newest, and in no count
    closed = ChatFactory.create(contact__widget=shop, status=Status.EXPIRED)
    spam = ChatFactory.create(contact__widget=shop, status=Status.SPAM)

    inbox = open_console(alice).ready["inbox"]
    assert {row["id"] for row in inbox["chats"]} == {asked.pk, hers.pk, in_department.pk, empty.pk}
    assert inbox["chats"][-1]["id"] == empty.pk
    assert not {closed.pk, spam.pk, rival.chat.pk} & {row["id"] for row in inbox["chats"]}
    assert inbox["counts"] == {
        "unanswered": 1,
        "mine": 1,
        "department": 1,
        "open": 3,
        "queue": 0,
        "due": 0,
        "snoozed": 0,
        "statuses": {"active": 2, "ready": 1},
        "channels": {"ch7": 1, "widget": 2},
    }
    assert open_console(boris).ready["inbox"]["counts"] | {"mine": 0, "department": 0} == inbox["counts"] | {
        "mine": 0,
        "department": 0,
    }


def test_a_change_of_any_chat_is_shown_as_its_row_and_counted(
    open_console: OpenConsole, alice: Agent, ask: Callable[[str], Message]
) -> None:
    tab = open_console(alice)
    question = ask("Are you open?")
    row = tab.of_type("chat.updated")["chat"]
    assert (row["id"], row["last_message"]["id"], row["is_unread"]) == (question.chat_id, question.pk, True)
    assert tab.of_type("inbox.counts")["unanswered"] == 1

    chats.accept_chat(widget_id=alice.widget_id, chat_id=question.chat_id, agent_id=alice.pk)
    assert tab.of_type("chat.updated")["chat"]["agent_id"] == alice.pk
    assert tab.of_type("inbox.counts")["mine"] == 1

    chats.close_chat(widget_id=alice.widget_id, chat_id=question.chat_id)
    row = tab.of_type("chat.updated")["chat"]
    assert row["status"] == "expired"
    assert row["closed_at"] is not None
    assert tab.of_type("inbox.counts")["open"] == 0


def test_it_is_found_also_when_no_nudge_told_of_it(
    open_console: OpenConsole, alice: Agent, chat: Chat, ask: Callable[[str], Message]
) -> None:
    tab = open_console(alice)
    Chat.objects.filter(pk=chat.pk).update(status=Status.SPAM, version=chat.version + 1)
    row = tab.of_type("chat.updated")["chat"]
    assert (row["id"], row["status"]) == (chat.pk, "spam")
    Chat.objects.filter(pk=chat.pk).update(status=Status.ACTIVE, version=chat.version + 2)
    assert tab.of_type("chat.updated")["chat"]["status"] == "active"


def test_what_became_of_an_open_chat_is_found_also_when_no_nudge_told_of_it(
    open_console: OpenConsole, alice: Agent, ask: Callable[[str], Message]
) -> None:
    question = ask("Are you open?")
    tab = open_console(alice, chats={str(question.chat_id): question.pk})
    tab.of_type("chat.opened")
    note = MessageFactory.create(chat=question.chat, agent=alice, is_internal=True)
    Chat.objects.filter(pk=question.chat_id).update(version=F("version") + 1)
    message = tab.of_type("message.created")
    assert (message["id"], message["is_note"]) == (note.pk, True)

    Message.objects.filter(pk=question.pk).update(seen_at=timezone.now())
    Chat.objects.filter(pk=question.chat_id).update(version=F("version") + 1)
    seen = {"chat_id": question.chat_id, "message_id": question.pk, "by": "operator"}
    assert tab.of_type("message.seen") == seen


def test_nothing_of_another_account_is_shown(open_console: OpenConsole, alice: Agent, rival: Rival) -> None:
    tab = open_console(alice)
    chats.post_client_message(contact=rival.contact, content={"type": "text", "body": "Hello, rival"})
    hers = open_console(rival.agent)
    chats.close_chat(widget_id=rival.widget.pk, chat_id=rival.chat.pk)
    hers.of_type("chat.updated")
    assert tab.settle() == []


# Chats that a tab has open.


def test_an_open_chat_shows_its_messages_from_where_the_tab_was(
    open_console: OpenConsole, alice: Agent, ask: Callable[[str], Message]
) -> None:
    first = ask("One")
    ask("Two")
    tab = open_console(alice, chats={str(first.chat_id): first.pk})
    opened = tab.of_type("chat.opened")
    assert opened["chat_id"] == first.chat_id
    assert opened["chat"]["last_message"]["preview"] == "Two"
    assert opened["card"]["contact"]["name"] == "Иван Петров"
    assert opened["colleagues"] == []
    assert tab.of_type("message.created")["body"] == "Two"
    ask("Three")
    message = tab.of_type("message.created")
    assert (message["body"], message["is_note"]) == ("Three", False)


def test_without_a_position_a_chat_is_live_only_and_with_0_it_is_whole(
    open_console: OpenConsole, alice: Agent, ask: Callable[[str], Message]
) -> None:
    chat_id = ask("One").chat_id
    tab = open_console(alice)
    tab.send({"type": "chat.open", "data": {"chat_id": chat_id}})
    tab.of_type("chat.opened")
    ask("Two")
    assert tab.of_type("message.created")["body"] == "Two"
    tab.send({"type": "chat.open", "data": {"chat_id": chat_id, "after_id": 0}})
    tab.of_type("chat.opened")
    assert [tab.of_type("message.created")["body"] for _ in range(2)] == ["One", "Two"]


def test_a_chat_that_is_left_shows_no_messages(
    open_console: OpenConsole, alice: Agent, ask: Callable[[str], Message]
) -> None:
    chat_id = ask("One").chat_id
    tab = open_console(alice, chats={str(chat_id): 0})
    tab.of_type("message.created")
    tab.send({"type": "chat.leave", "data": {"chat_id": chat_id}})
    tab.send({"type": "chat.leave", "data": {"chat_id": chat_id}})
    tab.settle()
    ask("Two")
    tab.of_type("chat.updated")
    assert texts(tab.settle()) == []


def test_a_foreign_chat_is_as_if_it_never_was(open_console: OpenConsole, alice: Agent, rival: Rival) -> None:
    tab = open_console(alice, chats={str(rival.chat.pk): 0, "999999999": 0})
    errors = [tab.of_type("error") for _ in range(2)]
    client_id = str(uuid.uuid4())
    for kind, data in (
        ("chat.open", {}),
        ("message.send", {"client_id": client_id, "type": "text", "body": "Hi"}),
        ("message.send", {"client_id": client_id, "type": "text", "body": "Hi", "is_note": True}),
        ("typing", {"state": "start"}),
        ("seen", {"message_id": 1}),
    ):
        for chat_id in (rival.chat.pk, 999999999):
            tab.send({"type": kind, "data": {**data, "chat_id": chat_id}})
            errors.append(tab.of_type("error"))
    for error in errors:
        error.pop("chat_id", None)
        error.pop("client_id", None)
    assert errors == [{"code": "not_found", "detail": errors[0]["detail"]}] * 12
    assert not Message.objects.filter(chat=rival.chat).exists()


def test_a_tab_has_at_most_20_chats_open(open_console: OpenConsole, shop: Widget, alice: Agent) -> None:
    many = [ChatFactory.create(contact__widget=shop) for _ in range(21)]
    tab = open_console(alice, chats={str(chat.pk): 0 for chat in many[:20]})
    tab.send({"type": "chat.open", "data": {"chat_id": many[20].pk}})
    assert tab.of_type("error")["code"] == "too_many_chats"
    tab.send({"type": "chat.leave", "data": {"chat_id": many[0].pk}})
    tab.send({"type": "chat.open", "data": {"chat_id": many[20].pk}})
    assert tab.of_type("chat.opened")["chat_id"] == many[20].pk


def test_news_of_the_shops_own_cards_go_to_who_has_the_chat_open(
    open_console: OpenConsole, alice: Agent, boris: Agent, chat: Chat
) -> None:
    set_cards(
        widget_id=alice.widget_id,
        url="https://shop.test/cards",
        target="https://shop.test/cards",
        cards=[{"key": "order", "title": "Last order", "ttl_seconds": 300}],
    )
    tab, others = open_console(alice, chats={str(chat.pk): 0}), open_console(boris)
    tab.of_type("chat.opened")
    with transaction.atomic():
        bus.publish(CardsUpdated(widget_id=alice.widget_id, chat_id=chat.pk))
    told = tab.of_type("cards.updated")
    assert (told["chat_id"], [card["title"] for card in told["cards"]]) == (chat.pk, ["Last order"])
    chats.tag_contact(widget_id=alice.widget_id, guid=chat.contact.guid, names=["vip"])
    others.of_type("chat.updated")
    assert "cards.updated" not in {frame["type"] for frame in others.frames}


def test_a_notice_goes_to_the_operators_whom_it_names(
    open_console: OpenConsole, alice: Agent, boris: Agent, chat: Chat
) -> None:
    tab, other = open_console(alice), open_console(boris)
    with transaction.atomic():
        bus.publish(
            NoticeGiven(
                widget_id=alice.widget_id, chat_id=chat.pk, automation_id=7, agent_ids=(alice.pk,), text="Waits long"
            )
        )
    assert tab.of_type("notice") == {"chat_id": chat.pk, "text": "Waits long", "automation_id": 7}
    chats.tag_contact(widget_id=alice.widget_id, guid=chat.contact.guid, names=["vip"])
    other.of_type("chat.updated")
    assert "notice" not in {frame["type"] for frame in other.frames}


def test_the_card_of_an_open_chat_changes_with_its_contact(
    open_console: OpenConsole, alice: Agent, chat: Chat, ivan: Contact
) -> None:
    tab = open_console(alice, chats={str(chat.pk): 0})
    tab.of_type("chat.opened")
    chats.update_contact(widget_id=alice.widget_id, guid=ivan.guid, changes={"name": "Ivan P.", "phone": "+7 900"})
    card = tab.of_type("chat.card")
    assert card["chat_id"] == chat.pk
    assert (card["card"]["contact"]["name"], card["card"]["contact"]["phone"]) == ("Ivan P.", "+7 900")
    chats.tag_contact(widget_id=alice.widget_id, guid=ivan.guid, names=["vip"])
    assert tab.of_type("chat.card")["card"]["contact"]["tags"] == ["vip"]


def test_what_either_side_has_seen_is_shown(
    open_console: OpenConsole, alice: Agent, ivan: Contact, ask: Callable[[str], Message]
) -> None:
    question = ask("Are you open?")
    tab = open_console(alice, chats={str(question.chat_id): 0})
    tab.of_type("message.created")
    tab.send({"type": "seen", "data": {"chat_id": question.chat_id, "message_id": question.pk}})
    seen = tab.of_type("message.seen")
    assert seen == {"chat_id": question.chat_id, "message_id": question.pk, "by": "operator"}
    assert Message.objects.get(pk=question.pk).seen_at is not None
    answer = chats.post_agent_message(
        widget_id=alice.widget_id,
        chat_id=question.chat_id,
        agent_id=alice.pk,
        content={"type": "text", "body": "Until eight"},
    )
    chats.mark_seen(widget_id=alice.widget_id, chat_id=question.chat_id, message_id=answer.id, seen_by="USER")
    seen = tab.of_type("message.seen")
    assert seen == {"chat_id": question.chat_id, "message_id": answer.id, "by": "visitor"}


# What operators do.


def send(tab: OperatorTab, chat_id: int, body: str, client_id: str | None = None, **members: Any) -> str:
    client_id = client_id or str(uuid.uuid4())
    data = {"chat_id": chat_id, "client_id": client_id, "type": "text", "body": body, **members}
    tab.send({"type": "message.send", "data": data})
    return client_id


@pytest.mark.parametrize("kind", ["chat.leave", "chat.open"])
def test_an_answer_is_acknowledged_also_to_who_leaves_at_once(
    open_console: OpenConsole, alice: Agent, ask: Callable[[str], Message], kind: str
) -> None:
    chat_id = ask("Are you open?").chat_id
    tab = open_console(alice, chats={str(chat_id): 0})
    tab.of_type("message.created")
    for number in range(3):
        client_id = send(tab, chat_id, f"Until {number}")
        tab.send({"type": kind, "data": {"chat_id": chat_id}})
        ack = tab.of_type("ack", 10)
        assert (ack["client_id"], ack["message"]["body"]) == (client_id, f"Until {number}")
        tab.send({"type": "chat.open", "data": {"chat_id": chat_id}})
        tab.of_type("chat.opened")


def test_a_chat_that_cannot_be_read_just_now_is_named_in_the_refusal() -> None:
    """So that the page can open it again: it hears nothing of it."""
    refused: list[tuple[str, dict[str, Any]]] = []

    class WhileItIsAway(OperatorSocket):
        async def _open_chat(self, chat_id: int, after_id: int | None) -> None:
            raise DatabaseAway

        def refuse(self, problem: Problem, client_id: Any = None, **about: Any) -> None:
            refused.append((problem.type.code, about))

    asyncio.run(WhileItIsAway().on_chat_open({"chat_id": 7}))
    assert refused == [("try_again", {"chat_id": 7})]


def test_an_answer_is_acknowledged_to_its_sender_alone_and_reaches_everybody(
    open_console: OpenConsole,
    open_tab: Callable[..., Tab],
    token_of_ivan: str,
    alice: Agent,
    boris: Agent,
    elsewhere: RealtimeProcess,
    ask: Callable[[str], Message],
) -> None:
    chat_id = ask("Are you open?").chat_id
    ivan = open_tab()
    ivan.auth(token_of_ivan)
    alices, boriss = (
        open_console(agent, process, chats={str(chat_id): 0})
        for agent, process in ((alice, elsewhere), (boris, elsewhere))
    )
    for tab in (alices, boriss):
        tab.of_type("message.created")
    client_id = send(alices, chat_id, "Until eight")
    ack = alices.of_type("ack")
    assert (ack["client_id"], ack["message"]["body"], ack["message"]["agent_id"]) == (
        client_id,
        "Until eight",
        alice.pk,
    )
    assert boriss.of_type("message.created") == ack["message"]
    assert ivan.of_type("message.created")["body"] == "Until eight"
    assert Chat.objects.get(pk=chat_id).agent_id == alice.pk

    send(alices, chat_id, "Until eight", client_id)
    assert alices.of_type("ack") == ack
    assert Message.objects.filter(chat_id=chat_id, body="Until eight").count() == 1


def test_a_note_is_seen_by_operators_alone(
    open_console: OpenConsole,
    open_tab: Callable[..., Tab],
    token_of_ivan: str,
    alice: Agent,
    boris: Agent,
    ask: Callable[[str], Message],
) -> None:
    question = ask("Are you open?")
    ivan = open_tab()
    ivan.auth(token_of_ivan)
    alices, boriss = (open_console(agent, chats={str(question.chat_id): 0}) for agent in (alice, boris))
    send(alices, question.chat_id, "He is a regular", is_note=True)
    assert alices.of_type("ack")["message"]["is_note"] is True
    assert boriss.until(lambda frame: frame["type"] == "message.created" and frame["data"]["is_note"])
    chat = Chat.objects.get(pk=question.chat_id)
    assert (chat.last_message_id, chat.agent_id, chat.handling) == (question.pk, None, "missed")
    send(alices, question.chat_id, "Until eight")
    assert ivan.of_type("message.created")["body"] == "Until eight"


def test_a_message_can_be_sent_into_a_chat_that_the_tab_has_not_open(
    open_console: OpenConsole, alice: Agent, ask: Callable[[str], Message]
) -> None:
    chat_id = ask("Are you open?").chat_id
    tab = open_console(alice)
    client_id = send(tab, chat_id, "Until eight")
    assert tab.of_type("ack")["client_id"] == client_id


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ({"type": "text"}, ["body"]),
        ({"type": "text", "body": " "}, ["body"]),
        ({"type": "text", "body": "x" * 10_001}, ["body"]),
        ({"type": "text", "body": "Hi", "file_id": 1}, ["file_id"]),
        ({"type": "location", "body": "Hi"}, ["type"]),
        ({"type": "file"}, ["file_id"]),
        ({"type": "keyboard", "body": "Pick", "keyboard": {"buttons": [{"label": "x", "url": "http://x.test"}]}},
         ["keyboard.buttons.0.url"]),
        ({"type": "text", "body": "Hi", "client_id": "7"}, ["client_id"]),
        ({"type": "text", "body": "Hi", "is_note": "yes"}, ["is_note"]),
        ({"type": "text", "body": "Hi", "agent_id": 7}, ["agent_id"]),
    ],
)  # fmt: skip
def test_what_cannot_be_sent_is_refused_by_name_and_nothing_is_stored(
    data: dict[str, Any], named: list[str], open_console: OpenConsole, alice: Agent, chat: Chat
) -> None:
    tab = open_console(alice)
    tab.send({"type": "message.send", "data": {"chat_id": chat.pk, "client_id": str(uuid.uuid4()), **data}})
    error = tab.of_type("error")
    assert (error["code"], sorted(error["errors"])) == ("invalid_input", named)
    assert not Message.objects.filter(chat=chat).exists()


def test_nothing_is_sent_while_the_account_moves(open_console: OpenConsole, alice: Agent, chat: Chat) -> None:
    tab = open_console(alice)
    moves.close(account=alice.widget.account)
    client_id = send(tab, chat.pk, "Hello")
    error = tab.of_type("error")
    assert (error["code"], error["client_id"]) == ("try_again", client_id)
    assert not Message.objects.exists()
    moves.cancel_move(account=alice.widget.account)
    send(tab, chat.pk, "Hello", client_id)
    assert tab.of_type("ack")["message"]["body"] == "Hello"


def test_into_a_spam_chat_go_notes_alone(open_console: OpenConsole, alice: Agent, chat: Chat) -> None:
    chats.set_chat_state(widget_id=alice.widget_id, chat_id=chat.pk, status=Status.SPAM)
    tab = open_console(alice)
    client_id = send(tab, chat.pk, "Hello")
    error = tab.of_type("error")
    assert (error["code"], error["client_id"]) == ("chat_is_spam", client_id)
    send(tab, chat.pk, "A robot", is_note=True)
    tab.of_type("ack")
    assert [message.body for message in Message.objects.filter(chat=chat)] == ["A robot"]


def test_two_who_accept_at_once_both_see_whose_it_became(
    open_console: OpenConsole, alice: Agent, boris: Agent, ask: Callable[[str], Message]
) -> None:
    chat_id = ask("Are you open?").chat_id
    tabs = [open_console(agent) for agent in (alice, boris)]
    for agent in (alice, boris):
        chats.accept_chat(widget_id=agent.widget_id, chat_id=chat_id, agent_id=agent.pk)
    owner = Chat.objects.get(pk=chat_id).agent_id
    for tab in tabs:
        tab.until(lambda frame: frame["type"] == "chat.updated" and frame["data"]["chat"]["agent_id"] == owner)


# Who else looks, and who types.


def test_colleagues_see_who_looks_at_a_chat_and_who_types(
    open_console: OpenConsole, alice: Agent, boris: Agent, elsewhere: RealtimeProcess, chat: Chat
) -> None:
    alices = open_console(alice, chats={str(chat.pk): 0})
    alices.of_type("chat.opened")
    boriss = open_console(boris, elsewhere, chats={str(chat.pk): 0})
    looking = {"agent_id": boris.pk, "state": "looking"}
    assert alices.of_type("chat.colleagues") == {"chat_id": chat.pk, "agents": [looking]}
    seen = boriss.of_type("chat.opened")["colleagues"] or boriss.of_type("chat.colleagues")["agents"]
    assert seen == [{"agent_id": alice.pk, "state": "looking"}]
    boriss.send({"type": "typing", "data": {"chat_id": chat.pk, "state": "start", "is_note": True}})
    assert alices.of_type("chat.colleagues")["agents"] == [{"agent_id": boris.pk, "state": "typing"}]
    boriss.send({"type": "typing", "data": {"chat_id": chat.pk, "state": "stop", "is_note": True}})
    assert alices.of_type("chat.colleagues")["agents"] == [looking]
    boriss.close()
    assert alices.of_type("chat.colleagues")["agents"] == []


def test_the_visitor_and_the_operator_see_each_other_type(
    open_console: OpenConsole, open_tab: Callable[..., Tab], token_of_ivan: str, alice: Agent, chat: Chat
) -> None:
    ivan = open_tab()
    ivan.auth(token_of_ivan)
    tab = open_console(alice, chats={str(chat.pk): 0})
    tab.of_type("chat.opened")
    ivan.send({"type": "typing", "data": {"state": "start"}})
    assert tab.of_type("typing") == {"chat_id": chat.pk, "state": "start", "by": "visitor"}
    tab.send({"type": "typing", "data": {"chat_id": chat.pk, "state": "start"}})
    assert ivan.of_type("typing")["state"] == "start"


def test_a_blocked_visitors_typing_is_refused_and_shown_to_nobody(
    open_console: OpenConsole, open_tab: Callable[..., Tab], token_of_ivan: str, alice: Agent, chat: Chat
) -> None:
    ivan = open_tab()
    ivan.auth(token_of_ivan)
    tab = open_console(alice, chats={str(chat.pk): 0})
    tab.of_type("chat.opened")
    about = {"reason": "", "hours": None, "agent_id": alice.pk, "address": ""}
    block = chats.block_visitor(widget_id=chat.widget_id, chat_id=chat.pk, what=Blocked.CONTACT, **about)
    ivan.send({"type": "typing", "data": {"state": "start"}})
    assert ivan.of_type("error")["code"] == "visitor_blocked"
    chats.lift_block(widget_id=chat.widget_id, block_id=block.pk)
    ivan.send({"type": "typing", "data": {"state": "stop"}})
    assert tab.of_type("typing")["state"] == "stop"  # the first that is shown


def test_both_sides_see_a_machine_type(
    open_console: OpenConsole, open_tab: Callable[..., Tab], token_of_ivan: str, alice: Agent, chat: Chat
) -> None:
    ivan = open_tab()
    ivan.auth(token_of_ivan)
    tab = open_console(alice, chats={str(chat.pk): 0})
    tab.of_type("chat.opened")
    broadcasts.send(OperatorTyping(chat_id=chat.pk, state=Typing.START, name="Ada", is_machine=True))
    assert tab.of_type("typing") == {"chat_id": chat.pk, "state": "start", "by": "machine", "name": "Ada"}
    assert ivan.of_type("typing")["name"] == "Ada"


def test_a_colleague_who_goes_on_a_break_or_is_suspended_is_shown(
    open_console: OpenConsole, alice: Agent, boris: Agent
) -> None:
    tab = open_console(alice)
    agents.set_on_break(widget_id=boris.widget_id, agent_id=boris.pk, on_break=True, note="Lunch")
    shown = tab.of_type("agent.updated")["agent"]
    assert shown["break"] | {"since": None} == {"reason": "own", "since": None, "note": "Lunch", "pass_on": False}
    assert shown | {"avatar_url": None, "break": None} == {
        "id": boris.pk,
        "name": "Борис Кузнецов",
        "avatar_url": None,
        "status": "relaxation",
        "online": False,
        "break": None,
        "department_ids": [],
    }
    agents.suspend_agent(widget_id=boris.widget_id, agent_id=boris.pk)
    assert tab.of_type("agent.removed") == {"agent_id": boris.pk}


def test_what_becomes_of_a_message_to_a_messenger_is_shown_once(
    open_console: OpenConsole, shop: Widget, alice: Agent, boris: Agent
) -> None:
    chat: Chat = ChatFactory.create(contact__widget=shop, channel="tg")
    queued = {"state": "queued", "code": None, "detail": None, "attempts": 0, "at": "2026-11-22T04:00:00Z"}
    message: Message = MessageFactory.create(chat=chat, agent=alice, delivery=queued)
    looking, elsewhere = open_console(alice, chats={str(chat.pk): 0}), open_console(boris)
    opened = looking.of_type("chat.opened")
    assert opened["deliveries"] == [{"message_id": message.pk, "delivery": queued}]
    now = timezone.now()
    tell = {"widget_id": shop.pk, "message_id": message.pk, "at": now}
    delivery.note_delivery(**tell, state=DeliveryState.FAILED, code="blocked_by_user", attempts=1)
    for tab in (looking, elsewhere):
        shown = tab.of_type("message.delivery")
        assert shown.pop("delivery")["code"] == "blocked_by_user"
        assert shown == {"chat_id": chat.pk, "message_id": message.pk}
    chats.accept_chat(widget_id=shop.pk, chat_id=chat.pk, agent_id=alice.pk)
    delivery.send_message_again(widget_id=shop.pk, message_id=message.pk, now=now)
    assert looking.of_type("message.delivery")["delivery"]["state"] == "queued"


def test_what_a_customer_edits_in_a_messenger_is_shown_with_its_place_and_its_file(
    open_console: OpenConsole, shop: Widget, alice: Agent
) -> None:
    chat: Chat = ChatFactory.create(contact__widget=shop, channel="tg")
    ids = {"place": uuid.uuid4(), "words": uuid.uuid4()}
    at = timezone.now()
    here, there = {"lat": 55.75, "lng": 37.61}, {"lat": 55.8, "lng": 37.61}
    place: Message = MessageFactory.create(
        chat=chat, type="location", body="", client_id=ids["place"], details={"coords": here}
    )
    words: Message = MessageFactory.create(chat=chat, body="5 roses", client_id=ids["words"])
    tab = open_console(alice, chats={str(chat.pk): 0})
    tab.of_type("chat.opened")
    tell = {"contact": chat.contact, "channel": "tg", "at": at}
    chats.edit_client_message(
        **tell, client_id=ids["place"], content={"body": "", "type": "location", "details": {"coords": there}}
    )
    shown = tab.of_type("message.edited")
    assert (shown["message_id"], shown["type"], shown["coords"]) == (place.pk, "location", there)
    file: File = FileFactory.create(widget=shop, contact=chat.contact, name="roses.png")
    chats.edit_client_message(
        **tell, client_id=ids["words"], content={"body": "These", "type": "image", "file_id": file.pk}
    )
    shown = tab.of_type("message.edited")
    assert (shown["message_id"], shown["type"], shown["body"]) == (words.pk, "image", "These")
    assert (shown["file"]["id"], [each["id"] for each in shown["files"]]) == (file.pk, [file.pk])
    again = open_console(alice, chats={str(chat.pk): 0})
    assert {each["message_id"]: each["coords"] for each in again.of_type("chat.opened")["edits"]} == {
        place.pk: there,
        words.pk: None,
    }
