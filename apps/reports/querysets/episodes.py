"""The chats whose episodes are to be derived anew, and the rows that the raw rows tell."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Max

from apps.chats.models import Chat, ContactJoin, Message
from apps.chats.querysets.episodes import histories_of
from apps.chats.rules.episodes import ChatEpisode, episodes_of, note_returns
from apps.core.database import fetch_all, fetch_one
from apps.reports.models import EpisodeRow
from apps.reports.rules.episode_rows import EpisodeChat, row_of

# The columns of a row, in the order in which rows are compared.
COLUMNS = tuple(field.attname for field in EpisodeRow._meta.concrete_fields)
OF_CHAT = COLUMNS.index("chat_id")
Row = tuple[Any, ...]

_NOW = "SELECT clock_timestamp()"
_LAST_TAKEN = "SELECT last_value FROM chats_message_id_seq"
_SETTLED = "SELECT settled_id FROM reports_episodeprogress"
_BEHIND = "SELECT extract(epoch FROM clock_timestamp() - caught_up_at)::float FROM reports_episodeprogress"
# Noted chats, and those with a message that is newer than all that were read of them. Indexes:
# reports_stalechat_noted, that of a message's id.
_PENDING = """
SELECT widget_id, chat_id FROM reports_stalechat s WHERE {scope_of_note}
UNION
SELECT newest.widget_id, newest.chat_id FROM (
    SELECT m.widget_id, m.chat_id, max(m.id) AS id FROM chats_message m
    WHERE m.id > %(after)s AND m.id <= %(up_to)s {scope_of_message} GROUP BY m.widget_id, m.chat_id
) newest LEFT JOIN (
    SELECT chat_id, last_message_id FROM reports_derivedchat {scope_of_derived}
) d ON d.chat_id = newest.chat_id
WHERE d.last_message_id IS NULL OR d.last_message_id < newest.id"""
_PENDING_OF_ALL = f"""
SELECT widget_id, chat_id FROM (
{_PENDING.format(scope_of_note="%(with_notes)s", scope_of_message="", scope_of_derived="")}
) pending ORDER BY 1, 2 /* unscoped: every widget */"""  # noqa: S608 - of constants
_PENDING_OF_WIDGET = _PENDING.format(
    scope_of_note="s.widget_id = %(widget_id)s",
    scope_of_message="AND m.widget_id = %(widget_id)s",
    scope_of_derived="WHERE widget_id = %(widget_id)s",
)
_PENDING_AMONG = _PENDING.format(
    scope_of_note="s.widget_id = %(widget_id)s AND s.chat_id = ANY(%(chats)s)",
    scope_of_message="AND m.widget_id = %(widget_id)s AND m.chat_id = ANY(%(chats)s)",
    scope_of_derived="WHERE widget_id = %(widget_id)s",
)


class DerivedEpisodes(NamedTuple):
    """The rows that the raw rows of some people tell, by number; by chat its newest message, and whose it is."""

    rows: dict[int, Row]
    last_messages: dict[int, int]
    people: dict[int, int]


def database_now() -> datetime:
    row = fetch_one(_NOW, {})
    assert row is not None  # noqa: S101 - it has no FROM
    return row[0]  # type: ignore[no-any-return]


def settled_id() -> int:
    """All messages up to this one are read."""
    row = fetch_one(_SETTLED, {})
    return row[0] if row else 0


def seconds_behind() -> float:
    """How long ago the last run of the job began that left nothing; 0 before the first."""
    row = fetch_one(_BEHIND, {})
    return row[0] or 0.0 if row else 0.0


def last_taken_id() -> int:
    """The newest id that this installation has given to a message; others, of rows that were moved here, are noted."""
    row = fetch_one(_LAST_TAKEN, {})
    assert row is not None  # noqa: S101 - a sequence has one row
    return row[0]  # type: ignore[no-any-return]


def pending_of_all(after: int, up_to: int | None) -> dict[int, list[int]]:
    """The chats to be derived anew, by widget, by their messages in a span of ids; noted ones with the last span."""
    parameters = {"after": after, "up_to": up_to or last_taken_id(), "with_notes": up_to is None}
    found: dict[int, list[int]] = defaultdict(list)
    for widget_id, chat_id in fetch_all(_PENDING_OF_ALL, parameters):
        found[widget_id].append(chat_id)
    return found


def pending_of_widget(widget_id: int) -> list[int]:
    """The chats of a widget to be derived anew."""
    parameters = {"widget_id": widget_id, "after": settled_id(), "up_to": last_taken_id()}
    return [chat_id for _, chat_id in fetch_all(_PENDING_OF_WIDGET, parameters)]


def pending_among(widget_id: int, chat_ids: Collection[int]) -> set[int]:
    """The chats among these that are to be derived anew."""
    parameters = {
        "widget_id": widget_id,
        "chats": list(chat_ids),
        "after": settled_id(),
        "up_to": last_taken_id(),
    }
    return {chat_id for _, chat_id in fetch_all(_PENDING_AMONG, parameters)}


def derived(widget_id: int, chat_ids: Collection[int]) -> DerivedEpisodes:
    """The rows of all chats of the people to whom some chats belong, read off their raw rows.

    The newest message of each chat is read before the others: one that comes meanwhile is found again by its id, if
    this installation gave it.
    """
    chats = _chats_of_people(widget_id, chat_ids)
    newest = Message.objects.for_widget(widget_id).filter(chat_id__in=chats, pk__lte=last_taken_id()).order_by()
    last_messages = dict.fromkeys(chats, 0) | dict(newest.values_list("chat_id").annotate(Max("id")))
    histories = histories_of(widget_id, chats)
    of_people: dict[int, list[ChatEpisode]] = defaultdict(list)
    rows: dict[int, Row] = {}
    episodes = {pk: episodes_of(histories[pk]) for pk in chats}
    for pk, chat in chats.items():
        of_people[chat.person_id] += episodes[pk]
    for found in of_people.values():
        note_returns(found)
    for pk, chat in chats.items():
        rows |= {episode.id: _columns(row_of(chat, episode)) for episode in episodes[pk]}
    return DerivedEpisodes(rows, last_messages, {pk: chat.person_id for pk, chat in chats.items()})


def stored_rows(widget_id: int, chat_ids: Collection[int]) -> dict[int, Row]:
    """The rows of those chats as they are stored, by number. Index: reports_episode_of_chat."""
    rows: Iterable[Row] = EpisodeRow.objects.for_widget(widget_id).filter(chat_id__in=chat_ids).values_list(*COLUMNS)
    return {row[0]: row for row in rows}


def chats_of_widget(widget_id: int, after: int, limit: int) -> list[int]:
    """The next chats of a widget by their number: those there are, and those there were rows of."""
    chats = Chat.objects.for_widget(widget_id).filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)
    gone = EpisodeRow.objects.for_widget(widget_id).filter(chat_id__gt=after).order_by("chat_id").distinct()
    return sorted({*chats[:limit], *gone.values_list("chat_id", flat=True)[:limit]})[:limit]


def _columns(values: Mapping[str, Any]) -> Row:
    return tuple(values[name] for name in COLUMNS)


def _chats_of_people(widget_id: int, chat_ids: Collection[int]) -> dict[int, EpisodeChat]:
    """All chats of the contacts of some chats, and of contacts that are joined with them (there is one level)."""
    chats, joins = Chat.objects.for_widget(widget_id), ContactJoin.objects.for_widget(widget_id)
    touched = set(chats.filter(pk__in=chat_ids).order_by().values_list("contact_id", flat=True))
    firsts = dict(joins.filter(contact__in=touched).values_list("contact_id", "first_id"))
    people = {firsts.get(contact_id, contact_id) for contact_id in touched}
    person_of = dict(joins.filter(first__in=people).values_list("contact_id", "first_id"))
    columns = chats.filter(contact__in=people | person_of.keys()).values_list("pk", "contact_id", "channel")
    return {
        pk: EpisodeChat(pk, widget_id, contact_id, person_of.get(contact_id, contact_id), channel)
        for pk, contact_id, channel in columns
    }
