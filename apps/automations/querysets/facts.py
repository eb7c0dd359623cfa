"""The facts of a chat that conditions ask for, as they are now: read when they are asked for, each group once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from apps.agents.models import Agent
from apps.agents.querysets.hours import hours_of_department, hours_of_widget
from apps.agents.rules.departments import DAYS
from apps.automations.querysets.waits import visitor_waits_since
from apps.automations.rules.captured import PREVIOUS
from apps.automations.rules.episodes import EpisodeWord, episode_of
from apps.chats.models import Chat, ChatActivity, ContactTag, Message, Rating
from apps.chats.questions import automatic_messages, visitor_facts, visitor_language
from apps.chats.rules import SenderKind
from apps.chats.rules.activities import StepKind
from apps.chats.rules.messages import ANSWERING
from apps.routing.querysets.operators import at_work

ATTRIBUTE = "contact.attributes."
# Of a longer episode the rest is not counted.
MOST_WORDS = 500
_MINUTE = timedelta(minutes=1)

Facts = Mapping[str, Any]


class AskedFacts(Mapping[str, Any]):
    """A chat's facts by the names of fields. The chat is read with its widget and contact; `data` is the event's.

    `contact.attributes.<key>` is there for every key, null without that attribute.
    """

    def __init__(self, chat: Chat, data: Mapping[str, Any], as_of: datetime) -> None:
        self.chat, self.data, self.as_of = chat, data, as_of
        self._known: dict[str, Any] = {}

    def __getitem__(self, field: str) -> Any:
        if field.startswith(ATTRIBUTE):
            return self.chat.contact.attributes.get(field.removeprefix(ATTRIBUTE))
        if field not in self._known:
            self._known |= _READS[field](self)
        return self._known[field]

    @cached_property
    def message(self) -> Message | None:
        """The event's message, else the newest of the visitor."""
        messages = Message.objects.for_widget(self.chat.widget_id).filter(chat=self.chat)
        message_id = self.data.get("message_id")
        found = messages.filter(pk=message_id) if message_id else messages.filter(sender_kind=SenderKind.CLIENT)
        return found.order_by("-id").only("id", "widget_id", "body", "type").first()

    def __iter__(self) -> Iterator[str]:
        return iter(_READS)

    def __len__(self) -> int:
        return len(_READS)


def _chat(facts: AskedFacts) -> Facts:
    chat = facts.chat
    names = ("channel", "department_id", "agent_id", "priority", "status", "handling", "handover_reason")
    return {name: getattr(chat, name) for name in names}


def _contact(facts: AskedFacts) -> Facts:
    contact = facts.chat.contact
    return {f"contact.{name}": getattr(contact, name) for name in ("name", "email", "phone")}


def _previous(facts: AskedFacts) -> Facts:
    known = facts.data.get("previous") or {}
    return {f"previous.{name}": known.get(name) for name in PREVIOUS}


def _message(facts: AskedFacts) -> Facts:
    message = facts.message
    return {"text": message and message.body, "message_type": message and message.type}


def _automatic(facts: AskedFacts) -> Facts:
    message = facts.message
    by_machine = message is not None and message.pk in automatic_messages(message.widget_id, [message.pk])
    return {"is_automatic": by_machine}


def _page(facts: AskedFacts) -> Facts:
    chat = facts.chat
    return {"page_url": visitor_facts(chat.widget_id, [chat.contact_id]).get(chat.contact_id, {}).get("page_url")}


def _language(facts: AskedFacts) -> Facts:
    return {"language": visitor_language(facts.chat)}


def _tags(facts: AskedFacts) -> Facts:
    tags = ContactTag.objects.unscoped("of the chat's contact").filter(contact=facts.chat.contact_id)
    return {"contact.tags": list(tags.order_by("tag__name").values_list("tag__name", flat=True))}


def _rating(facts: AskedFacts) -> Facts:
    ratings = Rating.objects.for_widget(facts.chat.widget_id).filter(chat=facts.chat).newest_first()
    return {"rating": ratings.values_list("value", flat=True).first()}


def _waits(facts: AskedFacts) -> Facts:
    since = visitor_waits_since(facts.chat, facts.as_of)
    return {"waits_minutes": None if since is None else max(0, (facts.as_of - since) // _MINUTE)}


def _spoken(chat: Chat) -> Any:
    """The words of both sides, without notes and the system's."""
    words = Message.objects.for_widget(chat.widget_id).filter(chat=chat, is_internal=False)
    return words.filter(sender_kind__in=[SenderKind.CLIENT, *ANSWERING])


def _begin(facts: AskedFacts) -> Facts:
    first = _spoken(facts.chat).order_by("id").values_list("sender_kind", flat=True).first()
    by_visitor = first is None or first == SenderKind.CLIENT
    return {"started_by": "visitor" if by_visitor else "operator"}


def _episode(facts: AskedFacts) -> Facts:
    chat = facts.chat
    rows = _spoken(chat).order_by("-id").values_list("id", "created_at", "sender_kind")[:MOST_WORDS]
    words = [EpisodeWord(pk, at, kind == SenderKind.CLIENT) for pk, at, kind in rows]
    closed = ChatActivity.objects.for_widget(chat.widget_id).filter(chat=chat, kind=StepKind.CLOSED)
    closed = closed.filter(after_message_id__lt=chat.last_message_id or 0).order_by("-id")
    episode = episode_of(words, closed.values_list("after_message_id", flat=True).first() or 0)
    others = Chat.objects.for_widget(chat.widget_id).filter(contact=chat.contact_id, has_client_messages=True)
    is_returning = not episode.is_first or others.exclude(pk=chat.pk).exists()
    return {"messages": episode.messages, "is_returning": is_returning}


def _hours(facts: AskedFacts) -> Facts:
    chat = facts.chat
    hours = hours_of_department(chat.widget_id, chat.department_id) if chat.department_id else None
    now = (hours or hours_of_widget(chat.widget_id).hours).now(facts.as_of)
    here = facts.as_of.astimezone(ZoneInfo(now.time_zone))
    return {"is_open": now.is_open, "weekday": DAYS[here.weekday()], "time": here.time()}


def _staff(facts: AskedFacts) -> Facts:
    chat = facts.chat
    people = at_work(Agent.objects.for_widget(chat.widget_id).people())
    if chat.department_id is not None:
        people = people.filter(departments=chat.department_id)
    return {"is_staffed": people.exists()}


# By field, the read of its group.
_READS: Mapping[str, Callable[[AskedFacts], Facts]] = {
    **dict.fromkeys(
        ("channel", "department_id", "agent_id", "priority", "status", "handling", "handover_reason"), _chat
    ),
    **dict.fromkeys(("contact.name", "contact.email", "contact.phone"), _contact),
    **dict.fromkeys((f"previous.{name}" for name in PREVIOUS), _previous),
    **dict.fromkeys(("text", "message_type"), _message),
    "is_automatic": _automatic,
    "page_url": _page,
    "language": _language,
    "contact.tags": _tags,
    "rating": _rating,
    "waits_minutes": _waits,
    "started_by": _begin,
    **dict.fromkeys(("messages", "is_returning"), _episode),
    **dict.fromkeys(("is_open", "weekday", "time"), _hours),
    "is_staffed": _staff,
}
