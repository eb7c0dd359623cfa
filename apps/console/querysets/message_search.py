"""The place in a chat at which a searched term was said."""

from collections.abc import Collection
from typing import Any

from apps.chats.querysets.search import SEARCHED
from apps.chats.rules.folding import folded, place_of
from apps.core.database import fetch_all

# How far back of a chat's newest visible message is looked, and how much of a message is shown from before the term.
LOOKED_AT, BEFORE, EXCERPT = 500, 30, 120

# Index: chats_message_in_chat.
_MATCHED = """
SELECT c.id, said.id, said.body
FROM chats_chat c CROSS JOIN LATERAL (
    SELECT m.id, m.body FROM (
        SELECT id, body FROM chats_message WHERE chat_id = c.id AND NOT is_internal ORDER BY id DESC LIMIT %(looked_at)s
    ) m
    WHERE strpos(chats_searchable(m.body), %(q)s) > 0
    ORDER BY m.id DESC LIMIT 1
) said
WHERE c.widget_id = %(widget_id)s AND c.id = ANY(%(ids)s)"""


def matches(widget_id: int, chat_ids: Collection[int], term: str) -> dict[int, dict[str, Any]]:
    """The newest message of each chat in which a term was said, with what stands around it, by chat.

    Skips chats without a match in their last LOOKED_AT messages. One statement.
    """
    folded_term = folded(term)
    if not folded_term:
        return {}
    parameters = {"widget_id": widget_id, "ids": list(chat_ids), "q": folded_term, "looked_at": LOOKED_AT}
    return {
        chat_id: {"message_id": message_id, "excerpt": _excerpt(body, folded_term)}
        for chat_id, message_id, body in fetch_all(_MATCHED, parameters)
    }


def _excerpt(body: str, term: str) -> str:
    start = max((place_of(body[:SEARCHED], term) or 0) - BEFORE, 0)
    return ("…" if start else "") + " ".join(body[start : start + EXCERPT].split())
