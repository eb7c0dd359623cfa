"""Letters that wake: to operators, and then to the owner, when somebody waits and nobody is there."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings as installation
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext

from apps.accounts.models import User, Widget
from apps.agents.models import Agent, AgentEvent, Department
from apps.agents.rules import EVENT_CODES
from apps.chats.models import Chat, Message
from apps.chats.querysets.ringing import rings_for
from apps.chats.questions import shown_name, widget_language
from apps.chats.rules import SenderKind
from apps.chats.rules.ringing import whom
from apps.core import mail
from apps.core.database import lock
from apps.letters.mail import Waiter, waiting_letter
from apps.letters.models import LetterSettings, Notice, NoticeSettings
from apps.letters.rules import waking
from apps.letters.rules.words import on_one_line, shortened, without_addresses
from apps.letters.settings import settings_of

DAY = timedelta(days=1)
_OFFLINE = EVENT_CODES["offline"]


@dataclass(frozen=True, slots=True)
class Waits:
    """A chat that waits, and since when."""

    chat_id: int
    agent_id: int | None
    department_id: int | None
    since: datetime
    rings_for: str
    offered_to_id: int | None


@dataclass(frozen=True, slots=True)
class Team:
    """The operators of a widget who may be woken: active people, when each was last seen, by department."""

    agents: Mapping[int, Agent]
    seen_at: Mapping[int, datetime]
    departments: Mapping[int, Collection[int]]

    def was_seen_since(self, agent_ids: Collection[int], moment: datetime) -> bool:
        """Whether any of them has been online since then."""
        return any(
            self.agents[pk].online_since is not None or self.seen_at.get(pk, moment - DAY) > moment
            for pk in agent_ids
            if pk in self.agents
        )


def wake_operators(*, as_of: datetime) -> int:
    """Queues a letter for each operator who is not there while somebody waits; returns how many letters.

    Harmless when run twice at once.
    """
    by_widget: dict[int, list[Waits]] = defaultdict(list)
    for waits, widget_id in _waiting(as_of):
        by_widget[widget_id].append(waits)
    return sum(_wake(widget_id, chats, as_of) for widget_id, chats in by_widget.items())


def _waiting(as_of: datetime) -> Iterator[tuple[Waits, int]]:
    found = Chat.objects.unscoped("every widget's rows").unanswered(as_of)
    found = found.annotate(rings=rings_for())
    columns = ("pk", "agent_id", "department_id", "waits_since", "rings", "offered_to_id", "widget_id")
    for pk, agent_id, department_id, since, rings, offered_to_id, widget_id in found.values_list(*columns):
        if waking.SOONEST <= as_of - since <= waking.NOT_LONGER_THAN:
            yield Waits(pk, agent_id, department_id, since, rings, offered_to_id), widget_id


@transaction.atomic
def _wake(widget_id: int, chats: Sequence[Waits], as_of: datetime) -> int:
    settings = settings_of(widget_id)
    widget = Widget.objects.select_related("account").get(pk=widget_id)
    if not settings.waiting_min or widget.moving_since is not None:
        return 0
    lock(f"letters.waking:{widget_id}")
    team, wait = _team(widget_id), timedelta(minutes=settings.waiting_min)
    told: dict[int | None, list[Waits]] = defaultdict(list)
    for waits in chats:
        rung = whom(
            waits.rings_for,
            owner_id=waits.agent_id,
            offered_to_id=waits.offered_to_id,
            members=team.departments.get(waits.department_id or 0, ()),
            everybody=team.agents,
        )
        if as_of - waits.since < wait or team.was_seen_since(rung, waits.since):
            continue
        for agent_id in rung:
            told[agent_id].append(waits)
        if as_of - waits.since >= 2 * wait:
            told[None].append(waits)
    owners = {agent.email.lower() for pk, agent in team.agents.items() if pk in told}
    if widget.account.email.lower() in owners:
        told.pop(None, None)  # they are told as an operator
    return sum(_tell(widget, settings, team, agent_id, waits, as_of) for agent_id, waits in told.items())


def _team(widget_id: int) -> Team:
    people = Agent.objects.for_widget(widget_id).people().filter(status=Agent.Status.ACTIVE).select_related("user")
    agents = {agent.pk: agent for agent in people}
    events = AgentEvent.objects.for_widget(widget_id).filter(agent_id__in=agents, type_code=_OFFLINE)
    latest = events.order_by("agent_id", "-id").distinct("agent_id")
    members: dict[int, list[int]] = defaultdict(list)
    pairs = Department.objects.for_widget(widget_id).filter(agents__in=agents)
    for department_id, agent_id in pairs.values_list("pk", "agents"):
        members[department_id].append(agent_id)
    return Team(agents, dict(latest.values_list("agent_id", "created_at")), members)


def _tell(
    widget: Widget, settings: LetterSettings, team: Team, agent_id: int | None, waits: Sequence[Waits], as_of: datetime
) -> bool:
    agent = team.agents.get(agent_id or 0)
    person = NoticeSettings.objects.for_widget(widget.pk).filter(pk=agent_id).first() if agent_id else None
    zone = waking.zone_of(person.quiet if person else None, widget.time_zone)
    if person is not None and (not person.waiting or waking.is_quiet(person.quiet, as_of, zone=zone)):
        return False
    to = (agent.email or (agent.user.email if agent.user else "")) if agent else widget.account.email
    newest = max(each.since for each in waits)
    notices = Notice.objects.for_widget(widget.pk).filter(sent_at__gt=as_of - DAY)
    notices = notices.filter(agent=agent) if agent else notices.filter(agent=None)
    last = notices.order_by("-sent_at").first()
    if not to or notices.count() >= waking.A_DAY:
        return False
    if last is not None and (as_of - last.sent_at < waking.AGAIN_AFTER or newest <= last.newest):
        return False
    Notice.objects.create(widget=widget, agent_id=agent_id, newest=newest, sent_at=as_of)
    reader = agent.user if agent else User.objects.reader_of(widget.account)
    language = reader.mail_language if reader else installation.LANGUAGE_CODE
    longest = min(waits, key=lambda each: each.since)
    mail.queue(
        waiting_letter(
            to=to,
            language=language,
            shop=shown_name(widget.pk, widget_language(widget.pk), widget.name),
            count=len(waits),
            minutes=int((as_of - longest.since).total_seconds() // 60),
            since=longest.since,
            zone=zone,
            link=f"{installation.PUBLIC_URL}{reverse('console')}?widget={widget.guid}#/chats/{longest.chat_id}",
            waiters=_waiters(widget.pk, waits, language) if settings.waiting_words else (),
        )
    )
    return True


def _waiters(widget_id: int, waits: Sequence[Waits], language: str) -> list[Waiter]:
    longest = sorted(waits, key=lambda each: each.since)[: waking.NAMES]
    chats = Chat.objects.for_widget(widget_id).select_related("contact").in_bulk([each.chat_id for each in longest])
    found = []
    for each in longest:
        chat = chats[each.chat_id]
        said = Message.objects.for_widget(widget_id).filter(chat=chat, sender_kind=SenderKind.CLIENT, is_internal=False)
        body: Any = said.order_by("-id").values_list("body", flat=True).first() or ""
        words = shortened(on_one_line(without_addresses(body)), waking.CHARACTERS)
        found.append(Waiter(on_one_line(without_addresses(chat.contact.name)) or gettext("Visitor"), words))
    return found


@transaction.atomic
def change_notice_settings(
    *, widget_id: int, agent_id: int, waiting: bool, quiet: Mapping[str, Any] | None
) -> NoticeSettings:
    """Whether an operator is woken by letters, and when not."""
    said = {"waiting": waiting, "quiet": dict(quiet) if quiet else None}
    row, _ = NoticeSettings.objects.for_widget(widget_id).update_or_create(
        pk=agent_id, defaults=said, create_defaults={**said, "widget_id": widget_id}
    )
    return row


def notice_settings(widget_id: int, agent_id: int) -> dict[str, Any]:
    """The `letters` of an operator."""
    row = NoticeSettings.objects.for_widget(widget_id).filter(pk=agent_id).first()
    return {"waiting": row.waiting if row else True, "quiet": row.quiet if row else None}
