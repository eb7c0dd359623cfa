"""The reads of sockets, each for many chats in one statement."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from apps.chats.querysets.activities import KINDS, VISITOR_STEPS
from apps.core.database import Row, fetch_all

# How far back a chat is searched for what was seen last; older messages were shown as seen long ago.
_SEEN_DEPTH = 200


@dataclass(frozen=True, slots=True)
class ChatPosition:
    """How far a chat has come: `version` counts the changes of any kind."""

    version: int
    last_message_id: int


@dataclass(frozen=True, slots=True)
class ChatState:
    """The state of a chat that both sides see besides its messages; ids are 0 before anything was seen.

    `rating_requested_at` is None unless the visitor is asked for a rating and has not given one since. `is_queued`: the
    chat has a place in the queue of its department. `step` is the
    last that visitors are told of, as `querysets/activities.py` reads it; `edit` is the id of the last change of an
    operator's message.
    """

    status: str = "active"
    agent_id: int | None = None
    agent_name: str | None = None
    seen_by_operator: int = 0
    seen_by_visitor: int = 0
    rating_requested_at: datetime | None = None
    is_queued: bool = False
    step: Row | None = None
    edit: int = 0


@dataclass(frozen=True, slots=True)
class ChatChange:
    """A chat's state and the id of its newest message, notes too; 0 without any."""

    state: ChatState
    newest_message_id: int


def positions(chat_ids: Collection[int]) -> dict[int, ChatPosition]:
    """How far each of the chats has come; those that are gone are left out."""
    found = fetch_all(
        """
        SELECT id, version, coalesce(last_message_id, 0) FROM chats_chat WHERE id = ANY(%(ids)s)
        /* unscoped: chats of sockets that are open */""",
        {"ids": list(chat_ids)},
    )
    return {id_: ChatPosition(version, last_message_id) for id_, version, last_message_id in found}


def states(chat_ids: Collection[int]) -> dict[int, ChatState]:
    """The state of each of the chats; those that are gone are left out."""
    found = fetch_all(
        f"""
        SELECT c.id, c.status, c.agent_id, nullif(concat_ws(' ', a.name, nullif(a.surname, '')), ''),
               coalesce(seen.by_operator, 0), coalesce(seen.by_visitor, 0), c.rating_requested_at,
               c.queued_at IS NOT NULL,
               step.id, step.kind, step.name, step.after_message_id, step.at,
               coalesce((SELECT max(e.id) FROM chats_messageedit e WHERE e.chat_id = c.id), 0)
        FROM chats_chat c
        LEFT JOIN agents_agent a ON a.id = c.agent_id
        CROSS JOIN LATERAL (
            SELECT max(m.id) FILTER (WHERE m.sender_kind = 'client') AS by_operator,
                   max(m.id) FILTER (WHERE m.sender_kind <> 'client') AS by_visitor
            FROM (
                SELECT id, sender_kind, seen_at FROM chats_message
                WHERE chat_id = c.id AND NOT is_internal ORDER BY id DESC LIMIT %(depth)s
            ) m
            WHERE m.seen_at IS NOT NULL
        ) seen
        LEFT JOIN LATERAL ({VISITOR_STEPS} LIMIT 1) step ON true
        WHERE c.id = ANY(%(ids)s) /* unscoped: chats of sockets that are open */""",  # noqa: S608 - of constants
        {"ids": list(chat_ids), "depth": _SEEN_DEPTH, "kinds": KINDS},
    )
    return {id_: ChatState(*columns) for id_, *columns in map(_with_step, found)}


def _with_step(row: Row) -> Row:
    """The row with the columns of its step as one, None where it has none."""
    return (*row[:-6], row[-6:-1] if row[-6] else None, row[-1])


def changes(chat_ids: Collection[int]) -> dict[int, ChatChange]:
    """The change of each of the chats; deleted chats are left out. Index: chats_message_in_chat."""
    newest_ids: dict[int, int] = dict(
        fetch_all(
            """
            SELECT c.id, (SELECT max(m.id) FROM chats_message m WHERE m.chat_id = c.id) FROM chats_chat c
            WHERE c.id = ANY(%(ids)s) /* unscoped: chats of sockets that are open */""",
            {"ids": list(chat_ids)},
        )
    )
    return {id_: ChatChange(state, newest_ids.get(id_) or 0) for id_, state in states(chat_ids).items()}
