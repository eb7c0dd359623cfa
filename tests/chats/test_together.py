"""Posts that wait are stored together: each once, in order, with its own outcome, and nobody waits for ever."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier, Event, Thread
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.db import DataError, IntegrityError, OperationalError, connection, connections, transaction

from apps.accounts.models import Widget
from apps.accounts.rules import Answerer
from apps.agents.models import Agent, AgentEvent
from apps.ai.models import ReplyJob
from apps.chats import actions
from apps.chats.actions import posting, together
from apps.chats.actions.together import MOST, Gatherer, PostPart
from apps.chats.models import Chat, Message
from apps.core.endpoints.idempotency import IdempotencyLock
from apps.core.models import IdempotencyKey
from apps.core.problems import Problem
from apps.core.redis import connection as redis
from apps.routing.models import QueueRow, RoutingSettings
from apps.webhooks.models import Delivery, EventSwitch
from apps.webhooks.models import Event as OutboxEvent
from tests.chats.gathering import groups_of, post_together
from tests.factories import AgentFactory, ChatFactory
from tests.factories.webhooks import SubscriptionFactory
from tests.webhooks.receivers import wait_until

TEXT = {"type": "text", "body": "Hello"}
CHATS, WRITERS, EACH = 7, 8, 12

database = pytest.mark.django_db(transaction=True)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    return groups_of(posting._writes, monkeypatch)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    return groups_of(posting._reads, monkeypatch)


@pytest.fixture
def widget() -> Widget:
    """Everything that happens there is told of."""
    EventSwitch.objects.update(enabled=True)
    return SubscriptionFactory.create().widget


@pytest.fixture
def agent(widget: Widget) -> Agent:
    return AgentFactory.create(widget=widget)


def chats_of(widget: Widget, number: int) -> list[Chat]:
    return ChatFactory.create_batch(number, contact__widget=widget, contact__name="Ivan")


def answering(chat: Chat, agent: Agent, body: str = "Hello", **more: Any) -> Callable[[], Any]:
    content = {"type": "text", "body": body}
    return partial(
        actions.post_agent_message,
        widget_id=chat.widget_id,
        chat_id=chat.pk,
        content=content,
        agent_id=agent.pk,
        **more,
    )


def lock_of(widget: Widget, key: str) -> IdempotencyLock:
    return IdempotencyLock(widget_id=widget.pk, key=key, operation="posts", digest="0" * 32, status=202)


def in_threads(works: Sequence[Callable[[], Any]]) -> None:
    """Does all at the same time, each on a connection of its own."""
    barrier = Barrier(len(works))

    def run(work: Callable[[], Any]) -> None:
        try:
            barrier.wait(timeout=30)
            work()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        list(pool.map(run, works))


def are_whole_and_in_order(chats: Sequence[Chat], total: int) -> None:
    assert Message.objects.count() == total
    for chat in chats:
        chat.refresh_from_db()
        ids = list(Message.objects.filter(chat=chat).order_by("created_at").values_list("id", flat=True))
        assert ids == sorted(ids), "the order of ids is the order of commits"
        assert (chat.version, chat.last_message_id) == (1 + len(ids), ids[-1] if ids else None)


@database
class TestTogether:
    def test_posts_that_wait_are_read_and_written_by_one_statement(
        self, widget: Widget, agent: Agent, read: list[list[int]], written: list[list[int]]
    ) -> None:
        chats = chats_of(widget, 5)
        works = [
            answering(chat, agent, f"to {chat.pk}", lock=lock_of(widget, str(chat.pk))) for chat in reversed(chats)
        ]
        found = post_together(works, are_read_together=True)
        assert read == written == [[chat.pk for chat in chats]], "in the order of chats"
        assert [(one.chat_id, one.message["body"]) for one in reversed(found)] == [
            (chat.pk, f"to {chat.pk}") for chat in chats
        ]
        are_whole_and_in_order(chats, 5)
        made = dict(IdempotencyKey.objects.values_list("key", "about__2"))
        assert made == {str(one.chat_id): one.id for one in found}
        bodies = [event.body for event in OutboxEvent.objects.filter(type="message.created")]
        assert len(bodies) == Delivery.objects.filter(event_type="message.created").count() == 5

    def test_each_chat_is_as_if_its_post_had_gone_alone(self, widget: Widget, written: list[list[int]]) -> None:
        """What handlers write, and what becomes of the chat: the same, but for ids and times."""
        Widget.objects.update(answerers=[Answerer.AI])
        RoutingSettings.objects.create(widget=widget, mode="routed")
        agents = AgentFactory.create_batch(2, widget=widget)
        alone, *others = [[*chats_of(widget, 2)] for _ in range(3)]

        def works(chats: Sequence[Chat]) -> list[Callable[[], Any]]:
            asks, answers = chats
            details = {"sticker": {"url": "https://example.com/1"}, "file": None}
            content = {**TEXT, "body": "\N{SNOWMAN} 100% %(x)s {y}", "details": details, "language": "en", "page": "/p"}
            return [
                partial(actions.post_client_message, contact=asks.contact, content=content, client_id=uuid4()),
                answering(answers, agents[0], client_id=uuid4()),
            ]

        for work in works(alone):
            work()
        asked, answered = zip(*(works(chats) for chats in others), strict=True)
        post_together(asked)
        post_together(answered)
        assert [len(group) for group in written] == [2, 2]
        for each in others:
            for one, another in zip(alone, each, strict=True):
                assert what_is_of(one) == what_is_of(another)
        assert ReplyJob.objects.count() == 3
        assert QueueRow.objects.count() == 6
        assert AgentEvent.objects.filter(type_code=AgentEvent.objects.first().type_code).count() == 3  # type: ignore[union-attr]

    def test_two_of_one_chat_never_go_together(self, agent: Agent, widget: Widget, written: list[list[int]]) -> None:
        one, another = chats_of(widget, 2)
        works = [answering(one, agent, "1"), answering(one, agent, "2"), answering(another, agent, "3")]
        found = post_together(works)
        assert all(each.is_new for each in found)
        assert written[0] == [one.pk, another.pk]
        assert all(len(group) == len(set(group)) for group in written)
        are_whole_and_in_order([one, another], 3)

    def test_no_more_than_so_many_go_together(self, agent: Agent, widget: Widget, written: list[list[int]]) -> None:
        chats = chats_of(widget, MOST + 2)
        post_together([answering(chat, agent) for chat in chats])
        assert [len(group) for group in written] == [MOST, 2]
        are_whole_and_in_order(chats, MOST + 2)

    def test_nothing_of_another_widget_comes_along(self, written: list[list[int]], read: list[list[int]]) -> None:
        EventSwitch.objects.update(enabled=True)
        agents = AgentFactory.create_batch(3)
        for each in agents:
            SubscriptionFactory.create(widget=each.widget)
        chats = [chats_of(each.widget, 1)[0] for each in agents]
        works = [answering(chat, each) for chat, each in zip(chats, agents, strict=True)]
        strange = partial(
            actions.post_agent_message,
            widget_id=agents[0].widget_id,
            chat_id=chats[1].pk,
            content=TEXT,
            agent_id=agents[0].pk,
        )
        with pytest.raises(Problem):
            strange()
        found = post_together(works, are_read_together=True)
        assert [len(group) for group in (*read, *written)] == [3, 3]
        assert [each.message["sender"]["agent_id"] for each in found] == [each.pk for each in agents]
        told = {(event.widget_id, event.deliveries.get().destination_id) for event in OutboxEvent.objects.all()}
        assert len({widget_id for widget_id, _ in told}) == len(agents)

    def test_in_a_transaction_a_post_goes_alone(self, agent: Agent, widget: Widget, written: list[list[int]]) -> None:
        chats = chats_of(widget, 3)

        def within() -> Any:
            with transaction.atomic():
                return answering(chats[0], agent)()

        works = [answering(chat, agent) for chat in chats[1:]]
        may_end = Event()

        def hold() -> None:
            may_end.wait(30)

        thread = Thread(target=posting._writes.run, args=(PostPart(0, ("a test's",), {}, hold),))
        thread.start()
        wait_until(lambda: posting._writes._begun_at is not None)
        assert within().is_new, "it waits for nobody"
        may_end.set()
        thread.join()
        post_together(works)
        assert written == [[chat.pk for chat in chats[1:]]]


def what_is_of(chat: Chat) -> dict[str, Any]:
    drawn = {"id", "guid", "created_at", "updated_at", "contact_id", "last_message_id", "last_message_at"}
    drawn |= {"waiting_since", "accepted_at", "handled_at", "version_at"}
    kept = {name: value for name, value in Chat.objects.filter(pk=chat.pk).values()[0].items() if name not in drawn}
    message = Message.objects.filter(chat=chat).values()[0]
    said = {name: value for name, value in message.items() if name not in {"id", "chat_id", "created_at", "client_id"}}
    waits = Chat.objects.values_list("waiting_since", flat=True).get(pk=chat.pk) is not None
    return {**kept, **said, "waits": waits, "has client id": message["client_id"] is not None}


@database
class TestOneThatFails:
    def test_it_fails_alone(self, agent: Agent, widget: Widget, written: list[list[int]]) -> None:
        fine, nul, used, moved, other = chats_of(widget, 5)
        taken = lock_of(widget, "taken")
        taken.take()
        found = post_together(
            [
                answering(fine, agent, lock=lock_of(widget, "1")),
                answering(nul, agent, "\0", lock=lock_of(widget, "2")),
                answering(other, agent, lock=lock_of(widget, "3")),
            ]
        )
        assert isinstance(found[1], ValueError | DataError), found[1]
        assert [found[0].chat_id, found[2].chat_id] == [fine.pk, other.pk]
        assert len(written) == 1
        are_whole_and_in_order([fine, nul, other, used, moved], 2)
        assert set(IdempotencyKey.objects.values_list("key", flat=True)) == {"taken", "1", "3"}

    def test_a_claim_that_is_taken_meanwhile_is_refused_and_no_other(
        self, agent: Agent, widget: Widget, written: list[list[int]]
    ) -> None:
        one, another, third = chats_of(widget, 3)
        taken = post_together(
            [
                answering(one, agent, lock=lock_of(widget, "the same")),
                answering(another, agent, lock=lock_of(widget, "the same")),
                answering(third, agent, lock=lock_of(widget, "another")),
            ]
        )
        assert sorted(isinstance(each, Problem) for each in taken) == [False, False, True]
        assert not isinstance(taken[2], Problem)
        assert Message.objects.count() == IdempotencyKey.objects.count() == 2
        assert OutboxEvent.objects.filter(type="message.created").count() == 2
        assert written

    def test_a_chat_that_has_moved_on_is_decided_on_anew_and_no_other(
        self, agent: Agent, widget: Widget, written: list[list[int]], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        spam, fine = chats_of(widget, 2)
        run = posting._writes._together

        def move_first(parts: Sequence[PostPart]) -> Any:
            Chat.objects.filter(pk=spam.pk).update(status="spam", version=2)
            return run(parts)

        monkeypatch.setattr(posting._writes, "_together", move_first)
        refused, stored = post_together([answering(spam, agent), answering(fine, agent)])
        assert isinstance(refused, Problem)
        assert refused.type.code == "chat_is_spam"
        assert stored.is_new
        assert Message.objects.get().chat_id == fine.pk
        assert OutboxEvent.objects.filter(type="message.created").count() == 1
        assert written == [[spam.pk, fine.pk]]

    @pytest.mark.parametrize("kind", [Chat, Agent])
    def test_a_row_that_somebody_holds_holds_up_no_other(self, widget: Widget, kind: type[Any]) -> None:
        chats, agents = chats_of(widget, 2), AgentFactory.create_batch(2, widget=widget)
        is_held, may_end = Event(), Event()

        def hold() -> None:
            try:
                with transaction.atomic():
                    kind.objects.select_for_update().get(pk=(chats if kind is Chat else agents)[0].pk)
                    is_held.set()
                    may_end.wait(30)
            finally:
                connection.close()

        def then_let_go() -> Any:
            try:
                return answering(chats[1], agents[1])()
            finally:
                may_end.set()

        holder = Thread(target=hold)
        holder.start()
        assert is_held.wait(30)
        found = post_together([answering(chats[0], agents[0]), then_let_go])
        holder.join()
        assert [each.is_new for each in found] == [True, True]
        are_whole_and_in_order(chats, 2)

    def test_the_same_client_id_gives_the_message_that_it_stored(self, agent: Agent, widget: Widget) -> None:
        one, another = chats_of(widget, 2)
        client_id = uuid4()
        first = answering(one, agent, client_id=client_id)()
        again, new = post_together(
            [answering(one, agent, client_id=client_id), answering(another, agent, client_id=client_id)]
        )
        assert (again.id, again.is_new, new.is_new) == (first.id, False, True)
        assert OutboxEvent.objects.filter(type="message.created").count() == 2


@database
class TestAtOnce:
    def test_each_message_is_stored_once_and_in_order(
        self, agent: Agent, widget: Widget, written: list[list[int]], read: list[list[int]]
    ) -> None:
        chats = chats_of(widget, CHATS)

        def write(number: int) -> None:
            for turn in range(EACH):
                chat = chats[(number + turn) % CHATS]
                if number % 2:
                    actions.post_client_message(contact=chat.contact, content=TEXT, client_id=uuid4())
                else:
                    answering(chat, agent, lock=lock_of(widget, f"{number}-{turn}"))()

        in_threads([partial(write, number) for number in range(WRITERS)])
        are_whole_and_in_order(chats, WRITERS * EACH)
        assert OutboxEvent.objects.filter(type="message.created").count() == WRITERS * EACH
        assert written or read, "they have met"
        assert all(len(group) == len(set(group)) for group in (*read, *written))

    def test_processes_that_write_into_the_same_chats_do_not_block_each_other(
        self, agent: Agent, widget: Widget
    ) -> None:
        chats = chats_of(widget, CHATS)
        connections.close_all()
        children = []
        for process in range(2):
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    redis.forget_clients()
                    in_threads([partial(self._write, chats, agent, process, number) for number in range(4)])
                    status = 0
                finally:
                    os._exit(status)
            children.append(child)
        assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
        are_whole_and_in_order(chats, 2 * 4 * EACH)

    def _write(self, chats: Sequence[Chat], agent: Agent, process: int, number: int) -> None:
        for turn in range(EACH):
            place = number + turn if process else -number - turn
            answering(chats[place % CHATS], agent)()


def refused(state: str | None) -> OperationalError:
    error = OperationalError("no")
    error.__cause__ = psycopg.errors.lookup(state)("no") if state else psycopg.OperationalError("the server is gone")
    return error


class TestGatherer:
    """The gatherer by itself, without a database."""

    def together(self, gatherer: Gatherer, parts: Sequence[PostPart]) -> list[Any]:
        before, together.PATIENCE_S = together.PATIENCE_S, 30.0
        begun = Event()

        def hold() -> None:
            begun.set()
            wait_until(lambda: len(gatherer._waiting) == len(parts))

        def run(part: PostPart) -> Any:
            try:
                return gatherer.run(part)
            except OperationalError as error:
                return error

        try:
            with ThreadPoolExecutor(len(parts) + 1) as pool:
                pool.submit(gatherer.run, PostPart(0, ("first",), {}, hold))
                assert begun.wait(30)
                return list(pool.map(run, parts))
        finally:
            together.PATIENCE_S = before

    @pytest.mark.parametrize("error", [refused("23505"), refused("57014"), refused("40P01"), TypeError("no JSON")])
    def test_when_the_server_refuses_a_statement_each_goes_alone(self, error: Exception) -> None:
        def fail(parts: Sequence[PostPart]) -> Any:
            raise error

        parts = [PostPart(number, (), {}, lambda number=number: (number,)) for number in (1, 2, 3)]  # type: ignore[misc]
        assert self.together(Gatherer(fail), parts) == [(1,), (2,), (3,)]

    @pytest.mark.parametrize("error", [refused(None), refused("57P01")])
    def test_when_nobody_knows_whether_it_was_done_none_is_done_again(self, error: Exception) -> None:
        def fail(parts: Sequence[PostPart]) -> Any:
            raise error

        def never() -> Any:
            raise AssertionError("it may be there already")

        found = self.together(Gatherer(fail), [PostPart(number, (), {}, never) for number in (1, 2, 3)])
        assert all(isinstance(each, OperationalError) for each in found)
        assert len(found) == 3

    def test_those_of_another_form_wait_for_the_next(self) -> None:
        groups: list[tuple[Any, list[int]]] = []

        def note(parts: Sequence[PostPart]) -> Any:
            groups.append((parts[0].form, [part.chat_id for part in parts]))
            return {part.chat_id: (part.chat_id,) for part in parts}

        parts = [PostPart(number, (number % 2,), {}, lambda: None) for number in (1, 2, 3, 4)]
        assert self.together(Gatherer(note), parts) == [(1,), (2,), (3,), (4,)]
        assert sorted(groups) == [((0,), [2, 4]), ((1,), [1, 3])]

    def test_who_waits_behind_a_statement_that_hangs_goes_alone(self) -> None:
        gatherer, begun, may_end = Gatherer(lambda parts: {}), Event(), Event()

        def hang() -> None:
            begun.set()
            may_end.wait(30)

        with ThreadPoolExecutor(1) as pool:
            hanging = pool.submit(gatherer.run, PostPart(1, (), {}, hang))
            assert begun.wait(30)
            for chat_id in (2, 3):
                assert gatherer.run(PostPart(chat_id, (), {}, lambda: ("alone",))) == ("alone",)
            may_end.set()
            hanging.result()
        assert gatherer._begun_at is None

    def test_one_that_raises_lets_the_next_go(self) -> None:
        def fail() -> Any:
            raise IntegrityError("no")

        gatherer = Gatherer(lambda parts: {})
        for _ in range(2):
            with pytest.raises(IntegrityError):
                gatherer.run(PostPart(1, (), {}, fail))
        assert gatherer._begun_at is None
