"""Episodes as they are at a moment, for one question: the SQL under every figure, group, list and file.

`EpisodeView` writes it in two steps. `source` reads the rows of the window that pass the filters, as they are
at the moment; `seen` hides first replies, people's replies and ratings that are not of the operators asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from apps.chats.rules.folding import alike
from apps.core.parsing.periods import Window
from apps.reports.querysets.hours import hours_beside, hours_parameters, opened_between
from apps.reports.rules.filters import NONE, Value, escaped
from apps.reports.rules.reports import ReportQuery
from apps.reports.rules.windows import offsets

# So long after its end an episode is settled: its visitor did not come back.
SETTLED_AFTER = timedelta(days=7)

_IS_ENDED = "(e.ended_from <= %(as_of)s)"
_IS_OLD = f"({_IS_ENDED} AND e.ended_at <= %(settled_until)s)"
_LASTED = "floor(date_part('epoch', e.ended_at - {since}))::bigint"
# Seconds of the clock's face at the opening, since 1970.
_FACE = (
    "(floor(date_part('epoch', e.opened_at))::bigint + "
    "(%(offsets)s::bigint[])[width_bucket(e.opened_at, %(changes)s::timestamptz[])])"
)
WEEKDAY = f"(({_FACE} / 86400 + 3) %% 7 + 1)"
HOUR = f"({_FACE} / 3600 %% 24)"
DEPARTMENT = f"(CASE WHEN {_IS_ENDED} THEN e.department_id ELSE e.open_department_id END)"
OUTCOME = f"(CASE WHEN {_IS_ENDED} THEN e.outcome ELSE 'open' END)"
ENDED_BY = f"(CASE WHEN {_IS_ENDED} THEN e.ended_by END)"
_OVER = (
    f"CASE WHEN {_IS_ENDED} AND e.waits_since IS NOT NULL THEN greatest(0, {_LASTED.format(since='e.waits_since')}) END"
)

IS_DURABLE = (
    f"(CASE WHEN {OUTCOME} IN ('person', 'ai') THEN"
    f" CASE WHEN e.reopened_at IS NOT NULL THEN false WHEN {_IS_OLD} THEN true END END)"
)

# The facts of an episode at the moment, by name.
COLUMNS = {
    "id": "e.id",
    "opened_at": "e.opened_at",
    "person_id": "e.person_id",
    "outcome": OUTCOME,
    "is_replied": "e.first_reply_at IS NOT NULL",
    "first_reply_agent_id": "e.first_reply_agent_id",
    "person_reply_agent_id": "e.person_reply_agent_id",
    "ai_involved": "e.ai_involved",
    "is_handed_over": "e.handed_over_at IS NOT NULL",
    "is_old": _IS_OLD,
    "is_settled": f"({_IS_OLD} AND e.outcome IN ('person', 'ai'))",
    "is_reopened": f"({_IS_ENDED} AND e.reopened_at IS NOT NULL)",
    "is_asked": "e.asked_at IS NOT NULL",
    "rating_value": "e.rating_value",
    "given_kind": "e.rating_kind",
    "rating_agent_id": "e.rating_agent_id",
    "duration_s": f"CASE WHEN {_IS_ENDED} AND e.outcome IN ('person', 'ai')"
    f" THEN greatest(0, {_LASTED.format(since='e.opened_at')}) END",
}
_ALWAYS = {
    "first_reply_seconds": "e.first_reply_seconds",
    "person_reply_seconds": "e.person_reply_seconds",
    "longest_wait_s": f"greatest(e.longest_wait_seconds, {_OVER})",
}
_OPEN_WAITS = (
    f"(SELECT max({opened_between('w.since', 'w.until')})"  # noqa: S608 - of constants
    " FROM unnest(e.wait_starts, e.wait_ends) w(since, until))"
)
_OPEN_END = opened_between("e.waits_since", "e.ended_at")
_OPEN = {
    "first_reply_seconds": opened_between("e.opened_at", "e.first_reply_at"),
    "person_reply_seconds": opened_between("e.person_reply_from", "e.person_reply_at"),
    "longest_wait_s": f"greatest({_OPEN_WAITS}, CASE WHEN {_IS_ENDED} THEN {_OPEN_END} END)",
}
# The columns that `seen` makes: of which column, whose it must be, and the value where it is not theirs.
_HIDDEN = {
    "is_answered": ("is_replied", "first_reply_agent_id", "false"),
    "first_reply_s": ("first_reply_seconds", "first_reply_agent_id", "NULL"),
    "person_reply_s": ("person_reply_seconds", "person_reply_agent_id", "NULL"),
    "rating": ("rating_value", "rating_agent_id", "NULL"),
    "rating_kind": ("given_kind", "rating_agent_id", "NULL"),
}
# The contacts of an episode's person, and their tags.
_TAGS = """
    chats_contacttag ct JOIN chats_tag t ON t.id = ct.tag_id
    WHERE ct.contact_id IN (
        SELECT e.person_id UNION SELECT j.contact_id FROM chats_contactjoin j
        WHERE j.widget_id = %(widget_id)s AND j.first_id = e.person_id)"""


def key_of(text: str) -> str:
    """A column of text as the value of a filter (`filters.escaped`)."""
    commas = f"replace({text}, ',', '%%2C')"
    return (
        f"(CASE WHEN {text} = '{NONE}' THEN '%%6Eone' WHEN right({text}, 1) = '*' THEN left({commas}, -1) || '%%2A'"
        f" ELSE nullif({commas}, '') END)"
    )


# The tags of all people of the window, read once: by person `k`, beside each episode.
TAGGED = f"""people AS MATERIALIZED (
    SELECT DISTINCT e.person_id FROM reports_episoderow e
    WHERE e.widget_id = %(widget_id)s AND e.opened_at >= %(start)s AND e.opened_at < %(end)s
), tagged AS MATERIALIZED (
    SELECT p.person_id, array_agg(DISTINCT {key_of("t.name")}) AS keys
    FROM (
        SELECT person_id, person_id AS contact_id FROM people
        UNION SELECT j.first_id, j.contact_id FROM chats_contactjoin j JOIN people ON people.person_id = j.first_id
        WHERE j.widget_id = %(widget_id)s
    ) p JOIN chats_contacttag ct ON ct.contact_id = p.contact_id JOIN chats_tag t ON t.id = ct.tag_id
    GROUP BY p.person_id
)"""  # noqa: S608 - of constants
TAGGED_BESIDE = "LEFT JOIN tagged ON tagged.person_id = e.person_id"


@dataclass(slots=True)
class EpisodeView:
    """The SQL of a question as of a moment, and its parameters.

    Its rows were opened in `spans`: the window, and perhaps the one before it.
    """

    widget_id: int
    query: ReportQuery
    as_of: datetime
    low: int
    spans: Sequence[Window]
    parameters: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        whole = Window(min(each.start for each in self.spans), max(each.end for each in self.spans))
        self.parameters |= {
            "widget_id": self.widget_id,
            "as_of": self.as_of,
            "settled_until": self.as_of - SETTLED_AFTER,
            "low": self.low,
            "start": whole.start,
            "end": whole.end,
        }
        if self.is_open_clock:
            self.parameters |= hours_parameters(self.widget_id, whole.start, self.as_of)

    @property
    def is_open_clock(self) -> bool:
        return self.query.clock == "open"

    def source(self, beside: str = "", **columns: str) -> str:
        """The rows: COLUMNS and `columns`, which are `name=SQL` over `e` and the tables that are joined `beside` it."""
        every = {**COLUMNS, **(_OPEN if self.is_open_clock else _ALWAYS), **columns}
        listed = ", ".join(f"{sql} AS {name}" for name, sql in every.items())
        hours = hours_beside(DEPARTMENT) if self.is_open_clock else ""
        where = [
            "e.widget_id = %(widget_id)s",
            "e.opened_at >= %(start)s AND e.opened_at < %(end)s",
            *self._conditions(),
        ]
        return f"SELECT {listed} FROM reports_episoderow e {hours} {beside} WHERE {' AND '.join(where)}"  # noqa: S608

    def seen(self, *, by_key: bool = False) -> str:
        """The columns of figures over rows `b` of `source`: with `by_key`, of the operator who is the key of `k`."""
        shown = ["b.*"]
        for name, (column, agent, hidden) in _HIDDEN.items():
            theirs = f"b.{agent} IS NOT DISTINCT FROM k.key" if by_key else self._theirs(f"b.{agent}")
            value = f"b.{column}" if theirs is None else f"CASE WHEN {theirs} THEN b.{column} ELSE {hidden} END"
            shown.append(f"{value} AS {name}")
        return ", ".join(shown)

    def rated(self) -> str:
        """The condition of the filter by rating, over rows of `seen`."""
        values = self.query.filters.get("rating")
        return "true" if values is None else self._is_any("v.rating", "rating", values, "bigint")

    def own_keys(self, name: str, key: str) -> str:
        """The condition that a key of a group is one of its own filter's values."""
        values = self.query.filters.get(name)
        if values is None:
            return "true"
        if name == "tag":
            is_one = self._is_tag(key, name, values)
            return f"({is_one} OR {key} IS NULL)" if None in values else f"coalesce({is_one}, false)"
        return self._is_any(key, name, values, "bigint")

    def _theirs(self, agent: str) -> str | None:
        values = self.query.filters.get("agent_id")
        return None if values is None else self._is_any(agent, "agent_id", values, "bigint")

    def _is_any(self, column: str, name: str, values: Sequence[Value], kind: str) -> str:
        """Whether a column is one of values; None is null."""
        self.parameters[name] = [each for each in values if each is not None]
        is_one = f"{column} = ANY(%({name})s::{kind}[])"
        return f"({is_one} OR {column} IS NULL)" if None in values else f"coalesce({is_one}, false)"

    def _conditions(self) -> list[str]:
        return [
            getattr(self, f"_by_{name}")(name, values)
            for name, values in self.query.filters.items()
            if name != "rating"
        ]

    def _by_id(self, column: str, name: str, values: Sequence[Value]) -> str:
        return self._is_any(column, name, values, "bigint")

    def _by_key(self, column: str, name: str, values: Sequence[Value]) -> str:
        return self._is_any(column, name, [each if each is None else escaped(str(each)) for each in values], "text")

    def _by_channel(self, name: str, values: Sequence[Value]) -> str:
        return self._by_key(key_of("e.channel"), name, values)

    def _by_department_id(self, name: str, values: Sequence[Value]) -> str:
        return self._by_id(DEPARTMENT, name, values)

    def _by_chat_id(self, name: str, values: Sequence[Value]) -> str:
        return self._by_id("e.chat_id", name, values)

    def _by_agent_id(self, name: str, values: Sequence[Value]) -> str:
        return self._by_list("e.agents", name, values)

    def _by_assistant_id(self, name: str, values: Sequence[Value]) -> str:
        return self._by_list("e.assistants", name, values)

    def _by_list(self, column: str, name: str, values: Sequence[Value]) -> str:
        self.parameters[name] = [each for each in values if each is not None]
        overlaps = f"{column} && %({name})s::bigint[]"
        return f"({overlaps} OR {column} = '{{}}')" if None in values else overlaps

    def _by_tag(self, name: str, values: Sequence[Value]) -> str:
        has = f"EXISTS (SELECT FROM {_TAGS} AND {self._is_tag(key_of('t.name'), name, values)})"
        return f"({has} OR NOT EXISTS (SELECT FROM {_TAGS}))" if None in values else has

    def _is_tag(self, key: str, name: str, values: Sequence[Value]) -> str:
        """Whether a tag looks like one of those that are asked for."""
        self.parameters[name] = [alike(escaped(str(each))) for each in values if each is not None]
        return f"chats_alike({key}) = ANY(%({name})s::text[])"

    def _by_language(self, name: str, values: Sequence[Value]) -> str:
        return self._by_key(key_of("e.language"), name, values)

    def _by_handover(self, name: str, values: Sequence[Value]) -> str:
        return self._by_key(key_of("e.handed_over_reason"), name, values)

    def _by_page(self, name: str, values: Sequence[Value]) -> str:
        begins = [str(each)[:-1] for each in values if each is not None and str(each).endswith("*")]
        whole = [each for each in values if each is None or not str(each).endswith("*")]
        found = [self._by_key(key_of("e.page"), name, whole)] if whole else []
        if begins:
            self.parameters["page_begins"] = begins
            found.append(
                "EXISTS (SELECT FROM unnest(%(page_begins)s::text[]) begin"
                " WHERE starts_with(replace(e.page, ',', '%%2C'), begin))"
            )
        return f"({' OR '.join(found)})"

    def _by_outcome(self, name: str, values: Sequence[Value]) -> str:
        return self._is_any(OUTCOME, name, values, "text")

    def _by_ended_by(self, name: str, values: Sequence[Value]) -> str:
        return self._is_any(ENDED_BY, name, values, "text")

    def _by_opened_by(self, name: str, values: Sequence[Value]) -> str:
        return self._is_any("e.opened_by", name, values, "text")

    def _by_weekday(self, name: str, values: Sequence[Value]) -> str:
        self.read_clocks()
        return self._by_id(WEEKDAY, name, values)

    def _by_hour(self, name: str, values: Sequence[Value]) -> str:
        self.read_clocks()
        return self._by_id(HOUR, name, values)

    def read_clocks(self) -> None:
        """Parameters for WEEKDAY and HOUR: how far the zone's clocks are ahead of UTC, and from when."""
        whole = Window(self.parameters["start"], self.parameters["end"])
        changes = offsets(whole, self.query.zone)
        self.parameters |= {"changes": [at for at, _ in changes], "offsets": [ahead for _, ahead in changes]}
