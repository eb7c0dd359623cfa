"""Episodes worked out a second time, the plain way: by looking back over a chat at each of its facts.

It shares nothing with `chats/rules/episodes.py` but the list of courtesies. Everything is of one moment (`as_of`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from apps.chats.models import Chat, ChatActivity, ContactJoin, Message, Rating, RatingRequest
from apps.chats.rules.courtesies import is_courtesy
from apps.reports.models import EpisodeRow

DAY = timedelta(days=1)
MICROSECOND = timedelta(microseconds=1)


@dataclass
class Said:
    """A counted message (`side` is set) or a step, at its place in the talk."""

    place: tuple[int, int, int]
    at: datetime
    side: str | None
    row: Any

    def is_step(self, kind: str) -> bool:
        return self.side is None and self.row.kind == kind and self.row.comment != "low_rating"


class PlainChat:
    """One chat, looked at as of a moment."""

    def __init__(self, chat: Chat, as_of: datetime) -> None:
        self.chat, self.as_of = chat, as_of
        rows = [
            Said((row.pk, 0, 0), row.created_at, side(row), row)
            for row in Message.objects.filter(chat=chat)
            if counts(row)
        ]
        self.steps = list(ChatActivity.objects.filter(chat=chat).order_by("pk"))
        rows += [Said((step.after_message_id, 1, step.pk), step.at, None, step) for step in self.steps]
        self.facts = sorted(rows, key=lambda said: said.place)
        if chat.status == "spam" or chat.internal:
            self.facts = []

    def is_phrase(self, said: Said) -> bool:
        named = [step for step in self.facts if step.is_step("waits") and step.row.after_message_id == said.row.pk]
        return said.side == "ai" and any(step.at - said.at <= timedelta(minutes=1) for step in named)

    def is_answer(self, said: Said) -> bool:
        return said.side in ("person", "ai") and not self.is_phrase(said)

    def is_thanks(self, index: int) -> bool:
        """Whether a visitor's message is a courtesy for the answer before it."""
        said = self.facts[index]
        if said.side != "visitor" or said.row.type != "text" or not is_courtesy(said.row.body):
            return False
        for before in range(index - 1, -1, -1):
            other = self.facts[before]
            if other.side is None or (other.side == "visitor" and self.is_thanks(before)):
                continue
            asks = other.row.body.rstrip()[-1:] in ("?", "？", "؟", ";", "\N{GREEK QUESTION MARK}")
            return self.is_answer(other) and not asks and said.at - other.at <= DAY
        return False

    def waits_from(self, first: int, index: int) -> datetime | None:
        """Since when the visitor waits just before a fact, in the episode that began at another."""
        begin = None
        for place in range(index - 1, first - 1, -1):
            said = self.facts[place]
            if self.is_answer(said) or said.is_step("dealt_with"):
                break
            if (said.side == "visitor" and not self.is_thanks(place)) or said.is_step("waits"):
                begin = said.at
        return begin

    def end_of(self, first: int) -> tuple[int, datetime | None, str | None, Any]:
        """Behind which fact the episode is over that began at one, when and how; the last: the step that closed it."""
        for index in range(first + 1, len(self.facts) + 1):
            at = self.facts[index].at if index < len(self.facts) else self.as_of
            words = [said for said in self.facts[first:index] if said.side]
            theirs = [said for said in words if said.side == "visitor"]
            if self.waits_from(first, index) is None:
                if at - words[-1].at > DAY:
                    return index, words[-1].at, "silence", None
            elif at - theirs[-1].at > 30 * DAY:
                return index, theirs[-1].at + 30 * DAY, "nobody", None
            if index < len(self.facts) and self.facts[index].is_step("closed"):
                step = self.facts[index].row
                return index, step.at, "operator" if step.agent_id else "api", step.agent_id
        return len(self.facts), None, None, None

    def episodes(self) -> list[dict[str, Any]]:
        found, index = [], 0
        while index < len(self.facts):
            if self.facts[index].side == "visitor" and not self.is_thanks(index):
                end = self.end_of(index)
                found.append(self.episode(index, *end))
                index = max(end[0], index + 1)
                continue
            index += 1
        self.rate(found)
        return found

    def episode(self, first: int, end: int, ended_at: Any, ended_by: Any, closed_by: Any) -> dict[str, Any]:
        facts = self.facts[first:end]
        opening, words = facts[0], [said for said in facts if said.side]
        before = [said for said in self.facts[:first] if said.side]
        in_episode = self.is_in_episode(first - 1) if before else False
        answers = [said for said in words if self.is_answer(said)]
        persons = [said for said in answers if said.side == "person"]
        handovers = [said for said in facts if said.is_step("waits")]
        waits = self.waits(first, end, ended_at, ended_by)
        reply, person = answers[0] if answers else None, self.person_reply(first, persons, handovers)
        steps = [step for step in self.steps if step.department_id]
        by_then = [step for step in steps if ended_at is None or step.at <= ended_at]
        last_handover = handovers[-1].place if handovers else (0, 0, 0)
        by_ai = any(said.side == "ai" and said.place > last_handover for said in answers)
        outcome = "person" if persons else "ai" if by_ai else "dismissed"
        return {
            "id": opening.row.pk,
            "chat_id": self.chat.pk,
            "contact_id": self.chat.contact_id,
            "channel": self.chat.channel,
            "department_id": by_then[-1].department_id if by_then else None if steps else self.chat.department_id,
            "language": opening.row.language,
            "page": opening.row.page,
            "opened_at": opening.at,
            "opened_by": "operator" if before and before[-1].side != "visitor" and not in_episode else "visitor",
            "first_reply": reply and (reply.at, seconds(opening.at, reply.at), reply.side, agent(reply)),
            "person_reply": person,
            "longest_wait_seconds": max((seconds(*wait) for wait in waits), default=None),
            "handed_over": (handovers[0].at, handovers[0].row.comment or None) if handovers else None,
            "ai_involved": bool(handovers) or any(said.side == "ai" for said in answers),
            "ended_at": ended_at,
            "ended_by": ended_by,
            "ended_by_agent_id": closed_by,
            "outcome": "open" if ended_at is None else "unanswered" if ended_by == "nobody" else outcome,
            "asked_at": None,
            "rating": None,
            "agents": sorted({agent(said) for said in answers} - {None}),
            "assistants": sorted({said.row.assistant_id for said in answers} - {None}),
            "messages": {kind: sum(said.side == kind for said in words) for kind in ("visitor", "person", "ai")},
        }

    def is_in_episode(self, index: int) -> bool:
        """Whether the last message up to a fact is of an episode."""
        while self.facts[index].side is None:
            index -= 1
        first = 0
        while first <= index:
            if self.facts[first].side == "visitor" and not self.is_thanks(first):
                end = self.end_of(first)[0]
                if index < end:
                    return True
                first = max(end, first + 1)
                continue
            first += 1
        return False

    def waits(self, first: int, end: int, ended_at: Any, ended_by: Any) -> list[tuple[datetime, datetime]]:
        found = []
        for index in range(first, end):
            said, begin = self.facts[index], self.waits_from(first, index)
            if begin and (self.is_answer(said) or said.is_step("dealt_with")):
                found.append((begin, said.at))
        last = self.waits_from(first, end)
        return [*found, (last, ended_at)] if last and ended_at else found

    def person_reply(self, first: int, persons: list[Said], handovers: list[Said]) -> tuple[Any, ...] | None:
        if not persons:
            return None
        reply = persons[0]
        earlier = [said for said in handovers if said.place < reply.place]
        since = earlier[0].at if earlier else self.waits_from(first, self.facts.index(reply))
        return since and (reply.at, seconds(since, reply.at), agent(reply))

    def rate(self, episodes: list[dict[str, Any]]) -> None:
        for number, episode in enumerate(episodes):
            until = episodes[number + 1]["id"] if number + 1 < len(episodes) else 2**62
            asked = RatingRequest.objects.filter(chat=self.chat)
            here = asked.filter(after_message_id__gte=episode["id"], after_message_id__lt=until)
            episode["asked_at"] = here.order_by("at").values_list("at", flat=True).first()
            given = Rating.objects.filter(chat=self.chat, after_message_id__gte=episode["id"])
            rating = given.filter(after_message_id__lt=until).order_by("rated_at", "pk").last()
            if rating is not None:
                end = self.end_of(next(i for i, said in enumerate(self.facts) if said.place == (episode["id"], 0, 0)))
                answers = [
                    said
                    for said in self.facts[: end[0]]
                    if said.place[0] >= episode["id"]
                    and self.is_answer(said)
                    and said.row.pk <= rating.after_message_id
                ]
                by = (answers[-1].side, agent(answers[-1])) if answers else (None, None)
                episode["rating"] = (rating.value, rating.rated_at, *by)


def counts(row: Message) -> bool:
    is_by_itself = row.origin in ("invitation", "automation") and row.sender_kind != "client"
    return not (row.is_internal or row.sender_kind == "system" or "deleted_at" in (row.details or {}) or is_by_itself)


def side(row: Message) -> str:
    if row.sender_kind == "client":
        return "visitor"
    by_person = row.sender_kind == "external_operator" and (row.details or {}).get("by_person")
    return "person" if by_person or (row.sender_kind == "agent" and row.via != "legacy_bot") else "ai"


def agent(said: Said) -> int | None:
    return said.row.agent_id  # type: ignore[no-any-return]


def seconds(since: datetime, until: datetime) -> int:
    return max(0, int((until - since).total_seconds()))


def told(widget_id: int, as_of: datetime) -> dict[int, dict[str, Any]]:
    """All episodes of a widget, by number, with the returns of their people."""
    firsts = dict(ContactJoin.objects.filter(widget_id=widget_id).values_list("contact_id", "first_id"))
    episodes = [
        episode for chat in Chat.objects.filter(widget_id=widget_id) for episode in PlainChat(chat, as_of).episodes()
    ]
    for episode in episodes:
        episode["person_id"] = firsts.get(episode["contact_id"], episode["contact_id"])
    for episode in episodes:
        ended_at = episode["ended_at"]
        returns = [
            other["opened_at"]
            for other in episodes
            if ended_at
            and other["id"] != episode["id"]
            and other["person_id"] == episode["person_id"]
            and other["opened_by"] == "visitor"
            and ended_at <= other["opened_at"] <= ended_at + 7 * DAY
        ]
        episode["reopened_at"] = min(returns, default=None)
    return {episode["id"]: episode for episode in episodes}


def shown(row: EpisodeRow, as_of: datetime) -> dict[str, Any]:
    """A stored row as it is shown at a moment."""
    is_ended = as_of >= row.ended_from
    longest = row.longest_wait_seconds
    if is_ended and row.waits_since:
        longest = max(longest or 0, seconds(row.waits_since, row.ended_at))
    first, person = row.first_reply_at, row.person_reply_at
    return {
        "id": row.pk,
        "chat_id": row.chat_id,
        "contact_id": row.contact_id,
        "person_id": row.person_id,
        "channel": row.channel,
        "department_id": row.department_id if is_ended else row.open_department_id,
        "language": row.language,
        "page": row.page,
        "opened_at": row.opened_at,
        "opened_by": row.opened_by,
        "first_reply": first and (first, row.first_reply_seconds, row.first_reply_kind, row.first_reply_agent_id),
        "person_reply": person and (person, row.person_reply_seconds, row.person_reply_agent_id),
        "longest_wait_seconds": longest,
        "handed_over": row.handed_over_at and (row.handed_over_at, row.handed_over_reason),
        "ai_involved": row.ai_involved,
        "ended_at": row.ended_at if is_ended else None,
        "ended_by": row.ended_by if is_ended else None,
        "ended_by_agent_id": row.ended_by_agent_id if is_ended else None,
        "outcome": row.outcome if is_ended else "open",
        "reopened_at": row.reopened_at if is_ended else None,
        "asked_at": row.asked_at,
        "rating": row.rated_at and (row.rating_value, row.rated_at, row.rating_kind, row.rating_agent_id),
        "agents": row.agents,
        "assistants": sorted(row.assistants),
        "messages": {"visitor": row.messages_visitor, "person": row.messages_person, "ai": row.messages_ai},
    }
