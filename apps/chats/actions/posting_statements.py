"""The statements of posting: one that reads a chat, one that writes into it, and the same two for several posts.

A statement of several is made of the text of the statement of one: its parameters become columns, of rows that are
given as JSON. So both say the same.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from apps.chats.actions.changes import VERSION_RAISED
from apps.chats.actions.snoozes import AT_HAND
from apps.chats.actions.together import MOST
from apps.chats.querysets.snoozes import IS_SNOOZED_SQL
from apps.chats.questions import ChatHooks
from apps.chats.rules import ATTRIBUTION_COLUMNS
from apps.chats.rules.console_settings import DEFAULT_AWAY_MINUTES
from apps.chats.rules.timers import TimerKind
from apps.core import plugins
from apps.core.database import Parameters
from apps.core.endpoints.idempotency import IS_TAKEN_SQL, claim_for_each

LOCK = "SELECT FROM chats_chat WHERE id = %(chat_id)s AND widget_id = %(widget_id)s FOR UPDATE"
_READ = f"""
WITH chat AS MATERIALIZED (
    SELECT id, widget_id, contact_id, version, channel, status, last_message_id, translation, snoozed_at,
           {", ".join(ATTRIBUTION_COLUMNS)}
    FROM chats_chat WHERE id = %(chat_id)s AND widget_id = %(widget_id)s
)
SELECT {IS_TAKEN_SQL}, nextval('chats_message_id_seq'),
       chat.id, chat.widget_id, chat.version, widget.guid, contact.guid, chat.channel, chat.status,
       coalesce(chat.last_message_id, 0), widget.answerers, chat.translation::text, chat.snoozed_at IS NOT NULL,
       {", ".join(f"chat.{name}" for name in ATTRIBUTION_COLUMNS)},
       sender.id, sender.type, sender.status, concat_ws(' ', sender.name, nullif(sender.surname, '')),
       sender.status = 'active' AND sender.online_since IS NOT NULL,
       file.id, file.name, file.size, file.content_type, file.contact_id IS NOT NULL AND NOT file.is_sent{{read_for}}
FROM chat
JOIN accounts_widget widget ON widget.id = chat.widget_id
JOIN chats_contact contact ON contact.id = chat.contact_id
LEFT JOIN agents_agent sender
       ON sender.id = coalesce(%(agent_id)s, chat.agent_id) AND sender.widget_id = chat.widget_id
LEFT JOIN chats_file file ON file.id = %(file_id)s AND file.widget_id = chat.widget_id
     AND file.purpose = 'attachment' AND (file.contact_id = chat.contact_id OR NOT %(by_client)s)"""  # noqa: S608 - of constants

# The parameters of several posts, as rows: the driver takes far longer to write arrays.
_GIVEN = """(
    SELECT given.* FROM {before}json_to_recordset(%(posts)s::json) AS given ({columns}) ORDER BY chat_id LIMIT {most}
) given"""
# A statement of several that waits for a lock is given up soon: each post waits alone, and holds up no other.
_IMPATIENT = "set_config('lock_timeout', '200', true), "
_PARAMETER = re.compile(r"%\((\w+)\)s")
# The types of those that are not text.
_TYPES = {
    **dict.fromkeys(
        ("chat_id", "widget_id", "version", "message_id", "file_id", "sender_id", "assistant_id"), "bigint"
    ),
    **dict.fromkeys(("agent_id", "accepted_agent_id", "handled_agent_id"), "bigint"),
    **dict.fromkeys(("accepted_at", "handled_at", "handed_over_at"), "timestamptz"),
    **dict.fromkeys(("details", "delivery", "about"), "jsonb"),
    "client_id": "uuid",
    "by_client": "bool",
    "away_minutes": "int",
}


@cache
def read_with_chat_by_app() -> dict[str, str]:
    """By app, the query whose value its handlers need."""
    hooks = plugins.declared("hooks", ChatHooks)
    return {app: one.read_with_chat for app, declared in hooks.items() for one in declared if one.read_with_chat}


@cache
def read_of_one() -> str:
    """With a column for each app that has something read with the chat, last."""
    return _READ.format(read_for="".join(f",\n({query})::text" for query in read_with_chat_by_app().values()))


@cache
def read_of_several() -> str:
    """The same for each of some posts, and last its chat."""
    statement = read_of_one()
    given, each = _given(_names(statement)), _PARAMETER.sub(r"given.\1", statement)
    return f"""SELECT found.*, given.chat_id FROM {given} CROSS JOIN LATERAL ({each}) found
/* unscoped: each by its post's widget */"""  # noqa: S608 - of constants


def _names(sql: str) -> list[str]:
    return list(dict.fromkeys(_PARAMETER.findall(sql)))


def _given(names: Sequence[str], *others: str, before: str = "") -> str:
    columns = [*(f"{name} {_TYPES.get(name, 'text')}" for name in names), *others]
    return _GIVEN.format(before=before, columns=", ".join(columns), most=MOST)


_CHAT = """
chat AS MATERIALIZED (
    SELECT id, widget_id FROM chats_chat WHERE id = %(chat_id)s AND version = %(version)s FOR UPDATE
    /* unscoped: read before */
)"""
# A chat that somebody holds is left out: its post waits for it alone.
_CHATS = """
chat AS MATERIALIZED (
    SELECT unmoved.id, unmoved.widget_id, given.* FROM {given} CROSS JOIN LATERAL (
        SELECT id, widget_id FROM chats_chat WHERE id = given.chat_id AND version = given.version
        FOR UPDATE SKIP LOCKED
    ) unmoved /* unscoped: read before */
)"""
_WRITE = """{chat}, {claim}
{stored} AS (
    INSERT INTO chats_message (id, chat_id, widget_id, type, body, markdown, details, origin, via, sender_kind,
    agent_id, sender_name, client_id, delivery, language, page, assistant_id, created_at)
    SELECT %(message_id)s, chat.id, chat.widget_id, %(type)s, %(body)s, %(markdown)s, %(details)s::jsonb, %(origin)s,
    %(via)s, %(sender_kind)s, %(sender_id)s, %(name)s, %(client_id)s::uuid, %(delivery)s::jsonb,
    %(language)s, %(page)s, %(assistant_id)s, clock_timestamp() FROM {claimant}
    ON CONFLICT (chat_id, client_id) WHERE client_id IS NOT NULL DO NOTHING
    RETURNING *
){written}, moved AS (
    UPDATE chats_chat c SET {moves}{spoken}{answerers}{version_raised}
    FROM {with_given} WHERE c.id = written.chat_id
)"""
# A word of either side; the system's is beside the talk.
_SPOKEN = """
    last_message_id = written.id, last_message_at = written.created_at,
    has_client_messages = c.has_client_messages OR written.sender_kind = 'client',
    waiting_since = CASE WHEN written.sender_kind = 'client' THEN coalesce(c.waiting_since, written.created_at) END,
    """
# The owner is away while the visitor begins to wait: the end of the patience with them (actions/owners.py).
_TIMED = """, timed AS (
    INSERT INTO chats_timer (widget_id, chat_id, kind, anchor, due_at)
    SELECT c.widget_id, c.id, %(owner_away)s, written.id::text, patience.ends
    FROM {with_given} JOIN chats_chat c ON c.id = written.chat_id JOIN agents_agent owner ON owner.id = c.agent_id
    LEFT JOIN chats_desksettings settings ON settings.widget_id = c.widget_id
    CROSS JOIN LATERAL (
        SELECT coalesce(settings.away_minutes, %(away_minutes)s) AS minutes
    ) said CROSS JOIN LATERAL (
        SELECT make_interval(mins => said.minutes) + greatest(coalesce(owner.away_since, owner.created_at),
            least(c.waiting_since, c.handed_over_at, c.for_people_since, written.created_at)) AS ends
    ) patience
    WHERE said.minutes > 0 AND (c.owner_away_at IS NULL OR c.owner_away_at < patience.ends)
    ON CONFLICT (chat_id, kind, key) DO NOTHING
)"""
OF_TIMED: Parameters = {"owner_away": TimerKind.OWNER_AWAY.value, "away_minutes": DEFAULT_AWAY_MINUTES}
# A person's word ends a snooze for good (querysets/snoozes.py), and the wait for people.
PERSONS = "".join(f"{name} = NULL, " for name in ("for_people_since", *AT_HAND))
FOR_PEOPLE = "for_people_since = coalesce(c.for_people_since, c.waiting_since, written.created_at), "
# A program's word under a person's name ends a return; the visitor's brings the chat back.
PROGRAMS = "woken_at = NULL, "
BACK = (
    f"woken_at = CASE WHEN {IS_SNOOZED_SQL} THEN written.created_at END, "
    "snoozed_at = NULL, snoozed_until = NULL, snoozed_by_id = NULL, snoozed_after_id = NULL, "
)
_MOVES = "".join(f"{name} = %({name})s, " for name in ("status", *ATTRIBUTION_COLUMNS)) + "left_unanswered_at = NULL, "


class PostForm(NamedTuple):
    """The parts of a statement that writes, beside those that each has."""

    claims: bool
    moves: bool
    is_spoken: bool
    answerers: str
    is_timed: bool


@cache
def write_of_one(form: PostForm) -> str:
    """The statement that takes the claim, stores a message and updates its chat, if that has the version still."""
    parts = {
        "chat": _CHAT,
        "claim": f"claim AS ({claim_for_each('chat')}\n)," if form.claims else "",
        "claimant": "chat CROSS JOIN claim" if form.claims else "chat",
        "stored": "written",
        "written": "",
        "with_given": "written",
    }
    return _filled(form, parts)


@cache
def write_of_several(form: PostForm, statement: str) -> str:
    """The `statement` of one post, with the additions of handlers, for several posts of its form; last each one's chat.

    Its parameters are columns of `chat`; those of handlers are members of a column of `written`.
    """
    _, of_one, added = statement.partition(write_of_one(form))
    assert of_one  # noqa: S101 - the bus has put it there
    claims = claim_for_each("chat").replace("RETURNING 1", "RETURNING k.widget_id, k.key")
    written = "SELECT stored.*, chat.added FROM stored JOIN chat ON chat.id = stored.chat_id"
    parts = {
        "chat": "",
        "claim": f"claim AS ({claims}\n)," if form.claims else "",
        "claimant": "chat JOIN claim USING (widget_id, key)" if form.claims else "chat",
        "stored": "stored",
        "written": f", written AS ({written})",
        "with_given": "written JOIN chat ON chat.id = written.chat_id",
    }
    rest = _filled(form, parts)
    chats = _CHATS.format(given=_given([*_names(_CHAT), *_names(rest)], "added json", before=_IMPATIENT))
    rest = _PARAMETER.sub(r"chat.\1", rest)
    added = _PARAMETER.sub(r"(written.added ->> '\1')", added).removesuffix(" FROM written")
    return f"WITH {chats}{rest}{added}, written.chat_id FROM written"


def _filled(form: PostForm, parts: Mapping[str, str]) -> str:
    return (_WRITE + (_TIMED if form.is_timed else "")).format(
        **parts,
        moves=_MOVES if form.moves else "",
        spoken=_SPOKEN if form.is_spoken else "",
        answerers=form.answerers,
        version_raised=VERSION_RAISED,
    )
