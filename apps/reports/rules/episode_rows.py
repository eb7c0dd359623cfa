"""An episode as the columns of its row. Pure."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from apps.chats.rules.episodes import ChatEpisode
from apps.chats.rules.histories import WordSide


class EpisodeChat(NamedTuple):
    """The chat that an episode is of; `person_id` is the contact to whom its contact is joined, else its contact."""

    id: int
    widget_id: int
    contact_id: int
    person_id: int
    channel: str


def row_of(chat: EpisodeChat, episode: ChatEpisode) -> Mapping[str, Any]:
    """The values of an episode's row, by column."""
    first, person, rating = episode.first_reply, episode.person_reply, episode.rating
    return {
        "id": episode.id,
        "widget_id": chat.widget_id,
        "chat_id": chat.id,
        "contact_id": chat.contact_id,
        "person_id": chat.person_id,
        "channel": chat.channel,
        "department_id": episode.department_id,
        "open_department_id": episode.open_department_id,
        "language": episode.language,
        "page": episode.page,
        "opened_at": episode.opened_at,
        "opened_by": str(episode.opened_by),
        "first_reply_at": first and first.at,
        "first_reply_seconds": first and first.seconds,
        "first_reply_kind": first and str(first.kind),
        "first_reply_agent_id": first and first.agent_id,
        "person_reply_from": person and person.since,
        "person_reply_at": person and person.at,
        "person_reply_seconds": person and person.seconds,
        "person_reply_agent_id": person and person.agent_id,
        "wait_starts": [since for since, _ in episode.waits],
        "wait_ends": [until for _, until in episode.waits],
        "waits_since": episode.waits_since,
        "longest_wait_seconds": episode.longest_wait_seconds,
        "handed_over_at": episode.handed_over_at,
        "handed_over_reason": episode.handed_over_reason,
        "ai_involved": episode.is_ai_involved,
        "ended_at": episode.ended_at,
        "ended_by": str(episode.ended_by),
        "ended_by_agent_id": episode.ended_by_agent_id,
        "ended_from": episode.ended_from,
        "outcome": str(episode.outcome),
        "reopened_at": episode.reopened_at,
        "asked_at": episode.asked_at,
        "rating_value": rating and rating.value,
        "rated_at": rating and rating.at,
        "rating_kind": str(rating.kind) if rating and rating.kind else None,
        "rating_agent_id": rating and rating.agent_id,
        "agents": episode.agents,
        "assistants": episode.assistants,
        "messages_visitor": episode.messages[WordSide.VISITOR],
        "messages_person": episode.messages[WordSide.PERSON],
        "messages_ai": episode.messages[WordSide.AI],
        "answers_ai": sum(answer.kind is WordSide.AI for answer in episode.answers),
    }
