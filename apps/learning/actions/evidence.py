"""People's answers to visitors: the pairs that a cycle learns from, redacted."""

from collections.abc import Sequence
from datetime import datetime

from apps.ai.rules.redaction import Redaction
from apps.chats.rules import Via
from apps.core.database import fetch_all
from apps.learning.rules.cycles import ANSWERED_WITHIN, LONGEST, MAX_PAIRS, SHORTEST, WINDOW, Pair

# The newest pair of each contact.
# The newest messages of people, each with the visitor's words before it that nobody of the people had answered. What
# AI said in between does not count: so what people said after, or beside, AI is evidence as well. Index:
# chats_message_counted.
_PAIRS = """
WITH said AS (
    SELECT m.id, m.chat_id, m.body, m.created_at FROM chats_message m
    WHERE m.widget_id = %(widget_id)s AND m.created_at > %(since)s AND m.created_at <= %(until)s
      AND m.sender_kind = 'agent' AND NOT m.is_internal AND m.type = 'text'
      AND (m.via IS NULL OR m.via <> ALL (%(not_theirs)s))
    ORDER BY m.created_at DESC LIMIT %(looked_at)s
), asked AS (
    SELECT said.*, burst.question, burst.last FROM said CROSS JOIN LATERAL (
        SELECT string_agg(b.body, E'\\n' ORDER BY b.id) AS question, max(b.created_at) AS last
        FROM chats_message b
        WHERE b.chat_id = said.chat_id AND b.widget_id = %(widget_id)s AND b.id < said.id
          AND b.sender_kind = 'client' AND b.type = 'text' AND NOT b.is_internal
          AND b.created_at > said.created_at - %(within)s
          AND b.id > coalesce((
              SELECT max(p.id) FROM chats_message p
              WHERE p.chat_id = said.chat_id AND p.id < said.id AND p.sender_kind = 'agent' AND NOT p.is_internal
          ), 0)
    ) burst
    WHERE burst.question IS NOT NULL
)
SELECT id, chat_id, created_at, question, body FROM (
SELECT DISTINCT ON (c.contact_id) asked.id, asked.chat_id, asked.created_at, asked.question, asked.body FROM asked
JOIN chats_chat c ON c.id = asked.chat_id AND c.widget_id = %(widget_id)s AND c.status <> 'spam' AND NOT c.internal
WHERE coalesce((
      SELECT r.value FROM chats_rating r
      WHERE r.chat_id = asked.chat_id AND r.widget_id = %(widget_id)s ORDER BY r.rated_at DESC, r.id DESC LIMIT 1
  ), 5) > 2
  AND length(asked.question) BETWEEN %(shortest)s AND %(longest)s
  AND length(asked.body) BETWEEN %(shortest)s AND %(longest)s
ORDER BY c.contact_id, asked.created_at DESC, asked.id DESC
) AS of_contacts
ORDER BY created_at DESC, id DESC LIMIT %(pairs)s"""
_NOT_THEIRS = (Via.SUPPORT_API, Via.LEGACY_BOT)


def pairs_of(widget_id: int, *, now: datetime, since: datetime | None = None) -> Sequence[Pair]:
    """The newest pairs of the last 30 days (of those since a moment), newest first: one of each contact, so that no
    customer alone teaches an assistant.

    Never of spam or of chats that were rated 1 or 2, nor what the support surface, or a bot of the other platform,
    wrote in a person's name.
    """
    rows = fetch_all(
        _PAIRS,
        {
            "widget_id": widget_id,
            "since": max(now - WINDOW, since) if since else now - WINDOW,
            "until": now,
            "within": ANSWERED_WITHIN,
            "not_theirs": [via.value for via in _NOT_THEIRS],
            "looked_at": 10 * MAX_PAIRS,
            "shortest": SHORTEST,
            "longest": LONGEST,
            "pairs": MAX_PAIRS,
        },
    )
    return [_redacted(*row) for row in rows]


def _redacted(message_id: int, chat_id: int, at: datetime, question: str, answer: str) -> Pair:
    redaction = Redaction()
    return Pair(message_id, chat_id, at.isoformat(), redaction.hide(question), redaction.hide(answer))
