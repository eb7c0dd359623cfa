"""All that a reply reads, by one statement: the chat and what decides in it, and what an answer is made of.

A row is read as an array in JSON, and made into its model here: compiling a queryset costs more than running it.
"""

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any, NamedTuple

import orjson
from django.db import DEFAULT_DB_ALIAS, models
from django.db.models import Model

from apps.accounts.models import Widget
from apps.accounts.rules import Answerer
from apps.agents.models import Agent
from apps.ai.models import AiSettings, Assistant, Conversation, Credential, Turn
from apps.ai.rules.decisions import REPLIES_WINDOW
from apps.ai.rules.lifecycle import OperatorStanding
from apps.ai.rules.prompts import MAX_TEXT
from apps.chats.models import Chat, Contact
from apps.chats.questions import contact_address_sql, is_being_judged_sql, taken_messages_sql
from apps.chats.rules import Handling, SenderKind
from apps.chats.rules.activities import StepKind
from apps.core.database import Parameters, fetch_one
from apps.core.database.fields import EncryptedTextField
from apps.core.errors import NOT_FOUND
from apps.kb.questions import knowledge_base_sql

TAKEN_BY = (StepKind.ACCEPTED, StepKind.ASSIGNED, StepKind.TRANSFERRED)
MACHINES = (SenderKind.AI, SenderKind.EXTERNAL_OPERATOR)
HANDLED_BY_PERSON = (Handling.HUMAN, Handling.AI_TO_HUMAN)
# The tokens that a widget has spent today (UTC), with what calls under way may cost. Index: ai_usage_widget.
SPENT_TODAY = """
SELECT coalesce(sum(prompt_tokens + completion_tokens + reserved_tokens), 0) FROM ai_usage
WHERE widget_id = %(widget_id)s AND at >= date_trunc('day', statement_timestamp(), 'UTC')"""


class _Rows:
    """A model's rows within a larger statement, under an alias."""

    def __init__(self, model: type[Model], alias: str) -> None:
        fields = model._meta.concrete_fields
        self._model, self._names = model, [field.attname for field in fields]
        self._readers = {place: read for place, field in enumerate(fields) if (read := _reader(field))}
        self._alias = alias
        # A number with a point would be a float in JSON.
        columns = (f"{alias}.{field.column}{'::text' * isinstance(field, models.DecimalField)}" for field in fields)
        self.sql = f"json_build_array({', '.join(columns)})"
        self.sql_or_null = f"CASE WHEN {alias}.{model._meta.pk.column} IS NOT NULL THEN {self.sql} END"

    def read(self, values: list[Any] | None) -> Any:
        """The row; None without one."""
        if values is None:
            return None
        for place, read in self._readers.items():
            if values[place] is not None:
                values[place] = read(values[place])
        return self._model.from_db(DEFAULT_DB_ALIAS, self._names, values)

    def read_all(self, rows: list[list[Any]] | None) -> list[Any]:
        return [self.read(values) for values in rows or ()]


def _reader(field: "models.Field[Any, Any]") -> Callable[[Any], Any] | None:
    """The function that makes a column's value of its form in JSON; None where they are the same."""
    if isinstance(field, models.DateTimeField):
        return datetime.fromisoformat
    if isinstance(field, models.DecimalField):
        return Decimal
    if isinstance(field, EncryptedTextField):
        return lambda token: field.from_db_value(token, None, None)  # type: ignore[arg-type]  # it reads neither
    return None


_LISTS = frozenset({"assistants", "operators", "credentials"})


@cache
def _rows() -> dict[str, _Rows]:
    """By member of the answer; each alias is the statement's."""
    named: dict[str, tuple[type[Model], str]] = {
        "chat": (Chat, "chat"),
        "widget": (Widget, "widget"),
        "contact": (Contact, "contact"),
        "conversation": (Conversation, "noted"),
        "settings": (AiSettings, "settings"),
        "turn": (Turn, "t"),
        "assistants": (Assistant, "s"),
        "operators": (Agent, "a"),
        "credentials": (Credential, "c"),
    }
    return {name: _Rows(model, alias) for name, (model, alias) in named.items()}


_READ = f"""
WITH chat AS MATERIALIZED (
    SELECT c.*, c.xmin AS row_version FROM chats_chat c
    WHERE c.id = %(chat_id)s AND c.widget_id = %(widget_id)s{{lock}}
), said AS MATERIALIZED (
    SELECT id, sender_kind, type, left(body, {MAX_TEXT + 1}) AS body, details, sender_name, via, agent_id, created_at
    FROM chats_message
    WHERE chat_id = %(chat_id)s AND widget_id = %(widget_id)s AND NOT is_internal
      AND sender_kind <> '{SenderKind.SYSTEM}'
    ORDER BY id DESC LIMIT %(limit)s
), asked AS MATERIALIZED (SELECT id, via FROM said WHERE sender_kind = '{SenderKind.CLIENT}')
SELECT json_build_object({{members}})::text
FROM chat JOIN accounts_widget widget ON widget.id = chat.widget_id
JOIN chats_contact contact ON contact.id = chat.contact_id
LEFT JOIN ai_conversation noted ON noted.chat_id = chat.id
LEFT JOIN ai_aisettings settings ON settings.widget_id = chat.widget_id"""  # noqa: S608 - of constants


def _among(values: tuple[str, ...]) -> str:
    return "(" + ", ".join(f"'{value}'" for value in values) + ")"


class _OfApps(NamedTuple):
    """The expressions that other apps answer with."""

    taken_messages: str
    is_being_judged: str
    contact_address: str
    knowledge_base: str


@lru_cache(maxsize=8)
def _statement(of_apps: _OfApps, *, is_verdict: bool) -> str:
    """Composed once a process: its text is the same object each time."""
    members = {**_facts(of_apps), **(_verdict() if is_verdict else _means(of_apps))}
    lock = " FOR NO KEY UPDATE" if is_verdict else ""
    return _READ.format(lock=lock, members=", ".join(f"'{name}', {sql}" for name, sql in members.items()))


def _begun(scope: str, key: str) -> str:
    return f"""(
        SELECT coalesce(sum(weight), 0) FROM core_spending
        WHERE scope = '{scope}' AND key = {key} AND at > statement_timestamp() - interval '1 minute')"""  # noqa: S608


def _facts(of_apps: _OfApps) -> dict[str, str]:
    """The members that decide, by name. Index of a chat's steps: chats_step_in_chat."""
    rows = _rows()
    return {
        "chat": rows["chat"].sql,
        "widget": rows["widget"].sql,
        "contact": rows["contact"].sql,
        "conversation": rows["conversation"].sql_or_null,
        "messages": """(
            SELECT json_agg(json_build_array(id, sender_kind, type, body, details, sender_name, via, agent_id,
                created_at) ORDER BY id) FROM said)""",
        "taken": f"to_json({of_apps.taken_messages})",
        "taken_at": f"""CASE WHEN chat.agent_id IS NOT NULL OR chat.handling IN {_among(HANDLED_BY_PERSON)} THEN (
            SELECT max(at) FROM chats_chatstep
            WHERE widget_id = %(widget_id)s AND chat_id = %(chat_id)s AND kind IN {_among(TAKEN_BY)}) END""",  # noqa: S608 - of constants
        "replies_in_shadow": f"""CASE WHEN '{Answerer.AI_IN_SHADOW}' = ANY (widget.answerers) THEN (
            SELECT count(*) FROM chats_message
            WHERE widget_id = %(widget_id)s AND chat_id = %(chat_id)s AND sender_kind IN {_among(MACHINES)}
              AND created_at > statement_timestamp() - interval '{REPLIES_WINDOW.total_seconds()} s') END""",  # noqa: S608 - of constants
    }


def _means(of_apps: _OfApps) -> dict[str, str]:
    """The members that are read before an answer is made, and not again before it is shown, by name."""
    rows = _rows()
    people = "SELECT json_agg(a.id) FROM agents_agent a"
    active = f"a.widget_id = %(widget_id)s AND a.type = '{Agent.Type.HUMAN}' AND a.status = '{Agent.Status.ACTIVE}'"
    return {
        "is_being_judged": f"({of_apps.is_being_judged})",
        "settings": rows["settings"].sql_or_null,
        "spent": f"({SPENT_TODAY})",
        "turn": f"""(
            SELECT {rows["turn"].sql} FROM ai_turn t
            WHERE t.widget_id = %(widget_id)s AND t.chat_id = %(chat_id)s ORDER BY t.id DESC LIMIT 1)""",  # noqa: S608 - of constants
        "owes_cancellation": """EXISTS (
            SELECT FROM ai_turn WHERE widget_id = %(widget_id)s AND chat_id = %(chat_id)s AND owes_cancellation)""",
        "has_external": f"""settings.external_operators_enabled IS NOT FALSE AND EXISTS (
            SELECT FROM ai_externaloperator
            WHERE widget_id = %(widget_id)s AND deleted_at IS NULL AND standing = '{OperatorStanding.ACTIVE}')""",
        "assistants": f"""(
            SELECT json_agg({rows["assistants"].sql}) FROM ai_assistant s WHERE s.widget_id = %(widget_id)s)""",  # noqa: S608 - of constants
        "operators": f"""(
            SELECT json_agg({rows["operators"].sql}) FROM agents_agent a
            WHERE a.widget_id = %(widget_id)s AND a.type = '{Agent.Type.AI}' AND a.ai_assistant_id IS NOT NULL
              AND a.status <> '{Agent.Status.BANNED}')""",  # noqa: S608 - of constants
        "credentials": f"""(
            SELECT json_agg({rows["credentials"].sql}) FROM ai_credential c WHERE c.widget_id = %(widget_id)s)""",  # noqa: S608 - of constants
        "people": f"""coalesce((
            {people} JOIN agents_department_agents d ON d.agent_id = a.id
            WHERE {active} AND d.department_id = chat.department_id
        ), ({people} WHERE {active}))""",
        # The replies begun in the last minute, for the widget and the address. Index: core_spending_budget.
        "begun": f"""(
            SELECT json_build_array(address, {_begun("ai_replies_of_widget", "%(widget_id)s::text")},
                {_begun("ai_replies_of_address", "address")})
            FROM (SELECT {of_apps.contact_address} AS address) visitor)""",  # noqa: S608 - of constants
        "knowledge_base": of_apps.knowledge_base,
    }


def _verdict() -> dict[str, str]:
    """The members that are read besides before an answer is shown."""
    return {
        "is_able": """EXISTS (
            SELECT FROM agents_agent a JOIN ai_assistant s ON s.id = a.ai_assistant_id AND s.widget_id = a.widget_id
            WHERE a.widget_id = %(widget_id)s AND a.id = %(operator_id)s AND a.status = 'active'
              AND s.id = %(assistant_id)s AND s.enabled)""",
        # A statement that waited for the lock sees all other rows as they were before it waited.
        "is_current": """chat.row_version = (
            SELECT c.xmin FROM chats_chat c WHERE c.id = %(chat_id)s AND c.widget_id = %(widget_id)s)""",
    }


def read_for_reply(*, widget_id: int, chat_id: int, limit: int) -> dict[str, Any]:
    """A chat with its newest `limit` messages, and what an answer to them would be made of. Raises NOT_FOUND (404)."""
    parameters = {"widget_id": widget_id, "chat_id": chat_id, "limit": limit}
    return _read(_statement(_of_apps(), is_verdict=False), parameters)


def read_for_verdict(
    *, widget_id: int, chat_id: int, limit: int, operator_id: int | None, assistant_id: int | None
) -> dict[str, Any]:
    """A chat, which is locked until the transaction ends, and `is_able`: whether the operator may speak still.

    Raises NOT_FOUND (404).
    """
    parameters: Parameters = {"widget_id": widget_id, "chat_id": chat_id, "limit": limit}
    parameters |= {"operator_id": operator_id, "assistant_id": assistant_id}
    statement = _statement(_of_apps(), is_verdict=True)
    found = _read(statement, parameters)
    return found if found["is_current"] else _read(statement, parameters)


def _of_apps() -> _OfApps:
    return _OfApps(taken_messages_sql(), is_being_judged_sql(), contact_address_sql(), knowledge_base_sql())


def _read(statement: str, parameters: Parameters) -> dict[str, Any]:
    row = fetch_one(statement, parameters)
    if row is None:
        raise NOT_FOUND()
    found: dict[str, Any] = orjson.loads(row[0])
    for name, rows in _rows().items():
        if name in found:
            found[name] = rows.read_all(found[name]) if name in _LISTS else rows.read(found[name])
    found["chat"].widget, found["chat"].contact = found["widget"], found["contact"]
    return found
