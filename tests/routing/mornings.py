"""A morning that is played: operators, visitors and what befalls them by a seed, at moments of a day that is past.

What happens is done by the product's own actions, and what they note is moved to the moment at which it happens; timers
and the work of routing's queues run as of that moment. Time goes in steps of STEP, without a wait.
"""

import random
from calendar import day_name
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import connection, models
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.actions.breaks import set_on_break
from apps.agents.actions.hours import replace_department_hours
from apps.agents.actions.presence import begin_presence, end_presence
from apps.agents.models import Agent, AgentEvent, Department, OperatorChoices
from apps.agents.rules import PRESENCE_LASTS_S
from apps.agents.rules.hours import DatedHours
from apps.agents.rules.weeks import read_week
from apps.chats import actions
from apps.chats.actions.attribution import accept_chat
from apps.chats.actions.priorities import set_priority
from apps.chats.actions.states import close_chat
from apps.chats.actions.timers import run_due
from apps.chats.models import Chat, ChatActivity, Message, Timer
from apps.chats.querysets.ringing import rings_for
from apps.chats.querysets.waiting import waits_since
from apps.chats.rules import OPEN
from apps.chats.rules.console_settings import DEFAULT_AWAY_MINUTES
from apps.chats.rules.priorities import Priority
from apps.routing.actions.looks import look_at
from apps.routing.actions.offers import decline
from apps.routing.actions.router import decide
from apps.routing.actions.settings import change_routing
from apps.routing.models import Assignment, OperatorPlaces, QueueRow, RouterRow
from tests.factories import AgentFactory, ChatFactory, ContactFactory, DepartmentFactory, WidgetFactory

DAY = date(2024, 3, 4)
STEP = timedelta(seconds=10)
AGAIN = timedelta(seconds=60)  # the router's own, while somebody waits
CAPACITY = 1
LUNCH, CLOSED = ("10:00", "10:25"), ("9:30", "10:05")  # Boris, and Dmitri's laptop
NAMES = ("Anna", "Boris", "Clara", "Dmitri", "Eva")
READS = (["en"], ["en", "ru"], ["ru"], ["en"], ["ru"])
# Sales are Anna, Boris and Clara; support Clara, Dmitri and Eva; the workshop, which has a holiday, Eva.
MEMBERS = {"sales": (0, 1, 2), "support": (2, 3, 4), "workshop": (4,)}
MOVED: tuple[type[models.Model], ...] = (
    *(Chat, Message, ChatActivity, Timer, Agent, AgentEvent, Assignment, OperatorPlaces),
)


_DUE = """
SELECT EXISTS (SELECT FROM chats_timer WHERE due_at <= %(now)s)
    OR EXISTS (SELECT FROM routing_queuerow WHERE due_at IS NOT NULL)
    OR EXISTS (SELECT FROM routing_routerrow WHERE due_at IS NOT NULL)"""


def at(clock: str) -> datetime:
    hours, minutes = clock.split(":")
    return datetime(DAY.year, DAY.month, DAY.day, int(hours), int(minutes), tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Visit:
    """A visitor: when they come, of which department and language, how urgent, and how often they ask."""

    comes_at: datetime
    department: str
    language: str
    priority: Priority
    questions: int


@dataclass(frozen=True, slots=True)
class Given:
    """One chat that the router gave, with those of its queue that it passed over, and the operator's load then."""

    chat_id: int
    agent_id: int
    at: datetime
    passed_over: tuple[int, ...]
    load: int


@dataclass
class Morning:
    """A shop with so many visitors, who come within these times of day.

    It ends once all are served, or three hours after the last has come. `unseen` are the chats that waited and rang
    for nobody.
    """

    seed: int
    visitors: int
    within: Sequence[tuple[str, str]]
    given: list[Given] = field(default_factory=list)
    unseen: list[tuple[datetime, int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._due: dict[datetime, list[Callable[[], object]]] = {}
        self._looks: dict[int, datetime] = {}
        self._decides_at: datetime | None = None
        self._processes: dict[int, UUID] = {}
        self._seen: set[int] = set()
        self._questions: dict[int, int] = {}
        self._waking: set[int] = set()
        self.begins_at = self.now = at(self.within[0][0])
        self.ends_at = at(self.within[-1][1]) + timedelta(hours=3)
        self.chats: list[Chat] = []
        with self._moved():
            self._open_shop()

    # --- The shop ----------------------------------------------------------------------------------------------------

    def _open_shop(self) -> None:
        self.widget: Widget = WidgetFactory.create(time_zone="UTC")
        self.agents: list[Agent] = [AgentFactory.create(widget=self.widget, name=name) for name in NAMES]
        self.departments: dict[str, Department] = {}
        for name, members in MEMBERS.items():
            department = DepartmentFactory.create(widget=self.widget, name=name)
            department.agents.set([self.agents[place] for place in members])
            self.departments[name] = department
        for agent, reads in zip(self.agents, READS, strict=True):
            OperatorChoices.objects.create(widget=self.widget, agent=agent, reads=reads)
        always = [{"from": "00:00", "to": "24:00"}]
        week = read_week({name: always for name in day_name})  # noqa: C420 - a list each
        replace_department_hours(
            widget_id=self.widget.pk,
            department_id=self.departments["workshop"].pk,
            time_zone="UTC",
            week=week,
            exceptions=[DatedHours(DAY, [], "A holiday")],
        )
        change_routing(widget_id=self.widget.pk, department_id=None, changes={"mode": "routed", "capacity": CAPACITY})
        for agent in self.agents:
            self._arrive(agent)

    def _arrive(self, agent: Agent) -> None:
        self._processes[agent.pk] = uuid4()
        begin_presence(agent_id=agent.pk, process=self._processes[agent.pk])

    def _visits(self) -> list[Visit]:
        times = [(at(begin), at(end)) for begin, end in self.within]
        moments = [begin + n * STEP for begin, end in times for n in range((end - begin) // STEP)]
        return [
            Visit(
                moment,
                self._random.choices(["sales", "support", "workshop"], [55, 40, 5])[0],
                self._random.choice(["en", "ru"]),
                self._random.choices([Priority.NORMAL, Priority.HIGH, Priority.URGENT], [85, 10, 5])[0],
                self._random.randint(1, 3),
            )
            for moment in sorted(self._random.sample(moments, self.visitors))
        ]

    # --- What happens ------------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Plays the morning to its end: the lunch, the laptop that is closed, and everybody's visitors."""
        boris, dmitri = self.agents[1], self.agents[3]
        for visit in self._visits():
            self._at(visit.comes_at, lambda visit=visit: self._come(visit))
        self._at(at(LUNCH[0]), lambda: self._break(boris, True))
        self._at(at(LUNCH[1]), lambda: self._break(boris, False))
        self._at(at(CLOSED[0]) + timedelta(seconds=PRESENCE_LASTS_S), lambda: self._close_laptop(dmitri))
        self._at(at(CLOSED[1]), lambda: self._arrive(dmitri))
        while self.now <= self.ends_at:
            for act in self._due.pop(self.now, []):
                with self._moved():
                    act()
            if self._is_due():
                self._serve()
                self._watch_offers()
            if self.now.second == 0:
                self._look_around()
                self._wake_up()
                if not self._due and not self._is_anybody_left():
                    self.ends_at = self.now
            self.now += STEP

    def _at(self, moment: datetime, act: Callable[[], object]) -> None:
        late = (moment - self.begins_at) % STEP
        self._due.setdefault(moment + (STEP - late if late else timedelta()), []).append(act)

    def _in(self, least: int, most: int, act: Callable[[], object]) -> None:
        self._at(self.now + timedelta(seconds=self._random.randint(least, most)), act)

    def _break(self, agent: Agent, on_break: bool) -> None:
        set_on_break(widget_id=self.widget.pk, agent_id=agent.pk, on_break=on_break, pass_on=on_break)

    def _is_anybody_left(self) -> bool:
        chats = Chat.objects.filter(widget=self.widget).exclude(department=self.departments["workshop"])
        return chats.annotate(waits_since=waits_since(self.now)).filter(waits_since__isnull=False).exists()

    def _wake_up(self) -> None:
        """Who is on a break for the offers that they missed sees it, and is back."""
        for agent in Agent.objects.filter(widget=self.widget, break_reason="missed").exclude(pk__in=self._waking):
            self._waking.add(agent.pk)
            self._in(60, 180, lambda agent=agent: self._come_back(agent))

    def _come_back(self, agent: Agent) -> None:
        self._waking.discard(agent.pk)
        self._break(agent, False)

    def _close_laptop(self, agent: Agent) -> None:
        end_presence(agent_id=agent.pk, process=self._processes[agent.pk])

    def _come(self, visit: Visit) -> None:
        contact = ContactFactory.create(widget=self.widget)
        chat = ChatFactory.create(contact=contact, department=self.departments[visit.department])
        contact.attributes = {f"{chat.channel}_language": visit.language}
        contact.save(update_fields=["attributes"])
        self.chats.append(chat)
        self._say(chat)
        if visit.priority is not Priority.NORMAL:
            set_priority(widget_id=self.widget.pk, chat_id=chat.pk, priority=visit.priority)
        self._questions[chat.pk] = visit.questions

    def _say(self, chat: Chat) -> None:
        actions.post_client_message(contact=chat.contact, content={"type": "text", "body": "Hello"})

    def _watch_offers(self) -> None:
        """Operators see a new offer: most take it, some let it pass, some do nothing."""
        for offer in Assignment.objects.filter(widget=self.widget, outcome=None).order_by("pk"):
            if offer.pk in self._seen or offer.agent_id is None:
                continue
            self._seen.add(offer.pk)
            act = self._random.choices([self._take, self._pass, None], [86, 6, 8])[0]
            if act is not None:
                self._in(5, 35, lambda act=act, offer=offer: act(offer))

    def _is_standing(self, offer: Assignment) -> bool:
        agent = Agent.objects.get(pk=offer.agent_id)
        is_there = agent.online_since is not None and agent.status == Agent.Status.ACTIVE
        return is_there and Assignment.objects.filter(pk=offer.pk, outcome=None).exists()

    def _pass(self, offer: Assignment) -> None:
        if self._is_standing(offer):
            decline(widget_id=self.widget.pk, chat_id=offer.chat_id, agent_id=offer.agent_id or 0)

    def _take(self, offer: Assignment) -> None:
        if self._is_standing(offer):
            accept_chat(widget_id=self.widget.pk, chat_id=offer.chat_id, agent_id=offer.agent_id or 0)
            self._in(20, 90, lambda: self._answer(offer.chat_id))

    def _answer(self, chat_id: int) -> None:
        """The chat's owner answers; the visitor asks again, or is served, and the chat is closed."""
        chat = Chat.objects.select_related("contact", "agent").get(pk=chat_id)
        agent = chat.agent
        if agent is None or chat.status not in OPEN:
            return
        if agent.online_since is None or agent.status != Agent.Status.ACTIVE:
            self._in(30, 60, lambda: self._answer(chat_id))
            return
        actions.post_agent_message(
            widget_id=self.widget.pk, chat_id=chat_id, agent_id=agent.pk, content={"type": "text", "body": "Hi"}
        )
        self._questions[chat_id] -= 1
        if self._questions[chat_id] > 0:
            self._in(30, 120, lambda: self._ask_again(chat))
        else:
            self._in(30, 120, lambda: close_chat(widget_id=self.widget.pk, chat_id=chat_id, by_agent_id=agent.pk))

    def _ask_again(self, chat: Chat) -> None:
        self._say(chat)
        self._in(60, 150, lambda: self._answer(chat.pk))

    # --- The service -------------------------------------------------------------------------------------------------

    @contextmanager
    def _moved(self) -> Iterator[None]:
        """What is noted in here is noted at the morning's moment."""
        begun = timezone.now()
        yield
        _move(begun, begun - self.now)

    def _is_due(self) -> bool:
        again = [*self._looks.values(), *([self._decides_at] if self._decides_at else [])]
        if any(moment <= self.now for moment in again):
            return True
        with connection.cursor() as cursor:
            cursor.execute(_DUE, {"now": self.now})
            return bool(cursor.fetchone()[0])

    def _serve(self) -> None:
        """What is due is told of; chats are looked at; the router decides, until nothing is left to do now."""
        with self._moved():
            run_due(as_of=self.now)
            for _ in range(20):
                if not self._look_at_chats() and not self._decide():
                    return
        raise AssertionError("routing does not come to rest")

    def _look_at_chats(self) -> bool:
        rows = list(QueueRow.objects.filter(due_at__isnull=False).order_by("pk").values_list("chat_id", flat=True))
        if rows:
            QueueRow.objects.filter(chat__in=rows).update(due_at=None)
        again = [chat_id for chat_id, moment in self._looks.items() if moment <= self.now]
        for chat_id in dict.fromkeys([*rows, *again]):
            self._looks.pop(chat_id, None)
            again_s = look_at(widget_id=self.widget.pk, chat_id=chat_id, as_of=self.now)
            if again_s is not None:
                self._looks[chat_id] = self.now + timedelta(seconds=max(again_s, 1))
        return bool(rows or again)

    def _decide(self) -> bool:
        is_asked = RouterRow.objects.filter(due_at__isnull=False).update(due_at=None) > 0
        is_due = self._decides_at is not None and self._decides_at <= self.now
        if not is_asked and not is_due:
            return False
        queue = self._queue()
        newest = Assignment.objects.aggregate(models.Max("pk"))["pk__max"] or 0
        decision = decide(widget_id=self.widget.pk, as_of=self.now)
        self._decides_at = self.now if decision.goes_on else self.now + AGAIN if decision.waiting else None
        self._take_down(queue, newest)
        return True

    def _queue(self) -> list[Chat]:
        chats = list(Chat.objects.filter(widget=self.widget, queued_at__isnull=False, offered_to=None))
        return sorted(chats, key=self._order)

    def _order(self, chat: Chat) -> tuple[int, datetime, int]:
        """Priority and a step for each 15 minutes, then the wait, then the id."""
        assert chat.queued_at is not None
        steps = int((self.now - chat.queued_at).total_seconds()) // 900
        rank = ["low", "normal", "high", "urgent"].index(chat.priority)
        return -(rank + steps), chat.queued_at, chat.pk

    def _take_down(self, queue: list[Chat], newest: int) -> None:
        """Whom the router gave what, and whom it let wait for it: those before it whom this operator could have had."""
        rows = list(Assignment.objects.filter(widget=self.widget, pk__gt=newest).order_by("pk"))
        given = {row.chat_id for row in rows}
        places = {chat.pk: place for place, chat in enumerate(queue)}
        for row in rows:
            before = queue[: places.get(row.chat_id, 0)]
            passed_over = [
                chat.pk
                for chat in before
                if chat.pk not in given
                and chat.department_id == row.department_id
                and chat.agent_id != row.agent_id
                and row.agent_id not in self._passed(chat)
            ]
            agent_id = row.agent_id or 0
            self.given.append(Given(row.chat_id, agent_id, self.now, tuple(passed_over), self._load(agent_id)))

    def _passed(self, chat: Chat) -> set[int]:
        rows = Assignment.objects.filter(chat=chat, waits_since=chat.queued_at, outcome__in=("missed", "declined"))
        return {row.agent_id for row in rows if row.agent_id is not None}

    def _load(self, agent_id: int) -> int:
        owned = Chat.objects.filter(agent=agent_id, status__in=OPEN).count()
        return owned + Chat.objects.filter(offered_to=agent_id).count()

    def _look_around(self) -> None:
        """Whom each chat that waits rings for: one who is there, or a department that is closed."""
        chats = Chat.objects.filter(widget=self.widget).annotate(waits_since=waits_since(self.now))
        waiting = chats.filter(waits_since__isnull=False).annotate(rings=rings_for()).select_related("agent")
        there = set(
            Agent.objects.filter(widget=self.widget, online_since__isnull=False, status="active").values_list(
                "pk", flat=True
            )
        )
        for chat in waiting:
            rings: str = chat.rings  # type: ignore[attr-defined]  # annotated
            name = next(name for name, each in self.departments.items() if each.pk == chat.department_id)
            members = {self.agents[place].pk for place in MEMBERS[name]}
            if name == "workshop":
                is_seen = rings == "all"
            elif rings == "offered":
                offer = Assignment.objects.get(chat=chat, outcome=None)
                is_seen = offer.agent_id in there or self._is_away_for_a_moment(offer.agent_id)
            elif rings == "owner":
                is_seen = chat.agent_id in there or self._may_come_back(chat)
            else:
                is_seen = bool(there & members if rings == "queue" else there)
            if not is_seen:
                self.unseen.append((self.now, chat.pk, rings))

    def _is_away_for_a_moment(self, agent_id: int | None) -> bool:
        agent = Agent.objects.get(pk=agent_id)
        return agent.away_since is not None and self.now - agent.away_since <= timedelta(seconds=10)

    def _may_come_back(self, chat: Chat) -> bool:
        """The patience with an owner who is away, from when both hold."""
        since: datetime = chat.waits_since  # type: ignore[attr-defined]  # annotated
        owner = chat.agent
        return (
            owner is not None
            and self.now <= max(since, owner.away_since or since) + timedelta(minutes=DEFAULT_AWAY_MINUTES) + STEP
        )

    # --- Afterwards --------------------------------------------------------------------------------------------------

    def story(self) -> list[tuple[Any, ...]]:
        """The log by places of chats and operators, not by their ids: the same for the same seed."""
        chats = {chat.pk: place for place, chat in enumerate(self.chats)}
        agents = {agent.pk: agent.name for agent in self.agents}
        rows = Assignment.objects.filter(widget=self.widget).order_by("pk")
        return [
            (chats[row.chat_id], agents[row.agent_id or 0], row.given_at, row.outcome, row.ended_at, row.why["reasons"])
            for row in rows
        ]

    def outcomes(self) -> Counter[str | None]:
        return Counter(Assignment.objects.filter(widget=self.widget).values_list("outcome", flat=True))


def _move(begun: datetime, offset: timedelta) -> None:
    """Moves each moment that was noted since then back by the offset, to a whole second."""
    statements = []
    for model in MOVED:
        columns = [each.column for each in model._meta.concrete_fields if isinstance(each, models.DateTimeField)]
        since = f"'{begun.isoformat()}'::timestamptz"
        moved = (
            f"{name} = CASE WHEN {name} >= {since} THEN "
            f"date_trunc('second', {name} - interval '{offset.total_seconds()} seconds') ELSE {name} END"
            for name in columns
        )
        is_new = " OR ".join(f"{name} >= {since}" for name in columns)
        table = model._meta.db_table
        statements.append(f"UPDATE {table} SET {', '.join(moved)} WHERE {is_new}")
    with connection.cursor() as cursor:
        cursor.execute("; ".join(statements))
