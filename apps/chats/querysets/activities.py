"""The steps of a chat that visitors are told of: a person joined, closed it, or opened it again."""

from typing import Any

from apps.chats.rules.activities import FOR_VISITORS, StepKind
from apps.core.database import Row, fetch_all

# How many a visitor is shown.
STEPS = 20

_OF_WHOM = "CASE WHEN s.kind IN ('assigned', 'transferred') THEN s.to_agent_id ELSE s.agent_id END"
# Of a chat `c.id`, the newest first. What nobody in particular did is left out. Index: chats_step_in_chat.
VISITOR_STEPS = f"""
SELECT s.id, s.kind, concat_ws(' ', p.name, nullif(p.surname, '')) AS name, s.after_message_id, s.at
FROM chats_chatstep s JOIN agents_agent p ON p.id = {_OF_WHOM}
WHERE s.chat_id = c.id AND s.kind = ANY(%(kinds)s)
ORDER BY s.id DESC"""  # noqa: S608 - of constants
KINDS = [str(kind) for kind in FOR_VISITORS]
_READ = f"""
SELECT step.* FROM chats_chat c CROSS JOIN LATERAL ({VISITOR_STEPS} LIMIT %(limit)s) step
WHERE c.id = %(id)s ORDER BY step.id
/* unscoped: read with its widget before */"""  # noqa: S608 - of constants


def visitor_steps(chat_id: int) -> list[dict[str, Any]]:
    """The newest of a chat, oldest first."""
    return [visitor_step(row) for row in fetch_all(_READ, {"id": chat_id, "kinds": KINDS, "limit": STEPS})]


def visitor_step(row: Row) -> dict[str, Any]:
    """A row of VISITOR_STEPS in its wire shape."""
    id_, kind, name, after_message_id, at = row
    return {
        "id": id_,
        "kind": FOR_VISITORS[StepKind(kind)],
        "name": name,
        "after_message_id": after_message_id,
        "at": at,
    }
