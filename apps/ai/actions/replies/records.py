"""The records of a reply besides its messages, by one statement: the exchange, the conversation's mode, and the end of
the model's call.
"""

from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from psycopg.types.json import Jsonb

from apps.ai.actions.usage import USED, CallEnd
from apps.ai.events import Answered
from apps.ai.rules.configuration import OF_A_CREDENTIAL, OF_A_WIDGET
from apps.ai.rules.decisions import Mode
from apps.core import bus
from apps.core.bus import Write
from apps.core.database import Parameters

_EXCHANGE = (
    *("operator_id", "persona_version", "chat_id", "first_message_id", "last_message_id", "answer_message_id"),
    *("question", "answer", "facts_removed", "language", "way", "transformation", "classifier", "reason", "rag_status"),
    *("chunk_ids", "sources", "outcome", "model", "operations", "prompt_tokens", "completion_tokens"),
)
_CASTS = {"facts_removed": "::text[]", "chunk_ids": "::bigint[]"}
_WRITTEN = f"""
written AS (
    INSERT INTO ai_exchange (widget_id, assistant_id, {", ".join(_EXCHANGE)})
    SELECT %(widget_id)s, (SELECT id FROM ai_assistant WHERE id = %(assistant_id)s AND widget_id = %(widget_id)s),
        {", ".join(f"%({name})s{_CASTS.get(name, '')}" for name in _EXCHANGE)}
    RETURNING id
)"""  # noqa: S608 - of constants
# A mode that goes on keeps its beginning.
_NOTED = """, noted AS (
    INSERT INTO ai_conversation (chat_id, mode, mode_since, operator_id, language, answered_message_id)
    VALUES (%(chat_id)s, %(mode)s, %(mode_since)s, %(operator_id)s, %(language)s, %(last_message_id)s)
    ON CONFLICT (chat_id) DO UPDATE SET mode = excluded.mode, mode_since = excluded.mode_since,
        operator_id = excluded.operator_id, language = excluded.language,
        answered_message_id = excluded.answered_message_id
)"""
_IS_TROUBLED = """EXISTS (
    SELECT FROM ai_alert WHERE widget_id = %(widget_id)s AND acknowledged_at IS NULL
       AND (code = ANY (%(of_widget)s) OR (code = ANY (%(of_credential)s) AND credential_id = %(credential_id)s)))"""


class NotedMode(NamedTuple):
    """The mode that a reply leaves the conversation in, and since when."""

    mode: Mode
    since: datetime


def write_records(
    exchange: Parameters,
    *,
    noted: NotedMode | None,
    end: CallEnd | None,
    credential_id: int | None,
    answered: Answered | None,
) -> bool:
    """Writes down an exchange, the mode if it is `noted`, the end of a call, and all that follows from an answer.

    Gives whether alerts are open that an answer of that credential may end. Inside a transaction.
    """
    parameters: Parameters = {**exchange, "sources": Jsonb(exchange["sources"]), **(end or {})}
    parameters |= {"of_widget": list(OF_A_WIDGET), "of_credential": list(OF_A_CREDENTIAL)}
    parameters["credential_id"] = credential_id
    if noted is not None:
        parameters |= {"mode": noted.mode, "mode_since": noted.since}
    statement = _statement(is_noted=noted is not None, ends=end is not None)
    row: Any = bus.write_and_publish(statement, parameters, *([answered] if answered else []))
    return bool(row[0])


@cache
def _statement(*, is_noted: bool, ends: bool) -> Write:
    used = f", used AS ({USED}\n)" if ends else ""
    return Write(f"{_WRITTEN}{_NOTED if is_noted else ''}{used}", columns=_IS_TROUBLED)
