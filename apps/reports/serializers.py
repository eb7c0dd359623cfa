"""Answers of reports over REST, and the kind of their parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from apps.core.endpoints.row_serializers import IntegerList, RowSerializer, Time
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Number, Text
from apps.reports.rules.answers import Count, Figures, ReportAnswer
from apps.reports.rules.figures import COUNTS, TIMES
from apps.reports.rules.filters import ENDED_BY, OPENED_BY, OUTCOMES
from apps.reports.rules.money import MONEY_GROUPS, MachineWork, MoneyReport, SpentCalls, amounts, for_each, hours_saved
from apps.reports.rules.reports import CLOCKS, GROUPS

KINDS = ("person", "ai")


class Parameter(Text):
    """A parameter, as it stands in the document; `rules/reports.py` reads it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, allow_blank=True, **options)


class CountFigureSerializer(RowSerializer):
    """How many there are."""

    value = Integer()
    of = Integer(allow_null=True, help_text="Out of how many.")
    rate = Number(allow_null=True, help_text="`value` of `of`, to four places; null of none.")
    chats = Text(help_text="The address of the list, which has exactly so many rows.")


class TimeFigureSerializer(RowSerializer):
    """Times in seconds; percentiles are by nearest rank, and null where there is none."""

    n = Integer()
    p50 = Integer(allow_null=True)
    p90 = Integer(allow_null=True)
    chats = Text(help_text="The address of the list, which has `n` rows.")
    slowest = Text(help_text="The address of the list of those that are at least `p90`.")


class FiguresSerializer(RowSerializer):
    """The figures of the episodes that were opened in a window."""

    for _count in COUNTS:
        vars()[_count.name] = CountFigureSerializer()
    for _time in TIMES:
        vars()[_time.name] = TimeFigureSerializer()


class ReportBeforeSerializer(RowSerializer):
    """The figures of the window before."""

    vars()["from"] = Time(help_text="Inclusive.")
    to = Time(help_text="Exclusive.")
    figures = FiguresSerializer()


class ReportGroupSerializer(RowSerializer):
    """The figures of one key: those of the report with its filter."""

    key = Text(help_text="The filter's value, or `none`.")
    vars()["label"] = Text(help_text="The name, where there is one, else the key.")
    figures = FiguresSerializer()


class ReportRestSerializer(RowSerializer):
    """The groups that are left out."""

    groups = Integer()
    episodes = Integer()


class ReportSerializer(RowSerializer):
    """The figures of a widget, of the episodes that were opened in a window."""

    vars()["from"] = Time(help_text="With the zone's offset; inclusive.")
    to = Time(help_text="With the zone's offset; exclusive.")
    zone = Text()
    clock = Choice(choices=CLOCKS)
    as_of = Time(help_text="All that was stored by then is counted.")
    settled_until = Time(help_text="Episodes that were opened later may still move.")
    kept_days = Integer(allow_null=True, help_text="After how many days chats are removed; null: never.")
    page = Text(help_text="The address of this report in the cabinet.")
    group = Choice(choices=GROUPS, allow_null=True)
    figures = FiguresSerializer()
    before = ReportBeforeSerializer(allow_null=True)
    groups = ReportGroupSerializer(many=True)
    overlaps = Boolean(help_text="Whether an episode may be in several groups.")
    rest = ReportRestSerializer()


class AmountSerializer(RowSerializer):
    """Money of one currency."""

    currency = Text()
    amount = Text(help_text="With six places.")


class SpentSerializer(RowSerializer):
    """The calls of models, and their cost."""

    calls = Integer()
    prompt_tokens = Integer()
    completion_tokens = Integer()
    unpriced_tokens = Integer(help_text="The tokens of calls whose price nobody had entered: their money is not known.")
    money = AmountSerializer(many=True, help_text="One entry a currency.")


class MoneyGroupSerializer(SpentSerializer):
    """The calls of one key. Models and purposes have no episodes: these are null."""

    key = Text(help_text="A day, the assistant's id, a model or a purpose; or `none`.")
    vars()["label"] = Text(help_text="The name, where there is one, else the key.")
    answered = Integer(allow_null=True)
    resolved = Integer(allow_null=True)
    per_answered = AmountSerializer(many=True)
    per_resolved = AmountSerializer(many=True)


class HoursSavedSerializer(RowSerializer):
    """The hours that people were saved, by an assumption: so many minutes for each answer of AI."""

    hours = Number()
    replies = Integer(help_text="The answers of machines, without the phrases of handovers.")
    minutes_per_reply = Integer(help_text="The assumption; the cabinet has it.")


class MoneyRestSerializer(RowSerializer):
    """The groups that are left out."""

    groups = Integer()
    calls = Integer()


class MoneyReportSerializer(SpentSerializer):
    """The cost of models in a window."""

    vars()["from"] = Time(help_text="With the zone's offset; inclusive.")
    to = Time(help_text="With the zone's offset; exclusive.")
    zone = Text()
    page = Text(help_text="The address of this report in the cabinet.")
    group = Choice(choices=MONEY_GROUPS, allow_null=True)
    answered = Integer(help_text="The episodes of the window with AI: the report's `ai_involved`.")
    resolved = Integer(help_text="The episodes that AI resolved for good: the report's `ai_resolved`.")
    per_answered = AmountSerializer(many=True, help_text="`money` for each of `answered`; empty of none.")
    per_resolved = AmountSerializer(many=True, help_text="`money` for each of `resolved`; empty of none.")
    hours_saved = HoursSavedSerializer()
    groups = MoneyGroupSerializer(many=True)
    rest = MoneyRestSerializer()


class EpisodeReplySerializer(RowSerializer):
    """An answer, after so many seconds."""

    at = Time()
    seconds = Integer()
    kind = Choice(choices=KINDS)
    agent_id = Integer(allow_null=True)


class EpisodeHandoverSerializer(RowSerializer):
    """The first handover to people."""

    at = Time()
    reason = Text(allow_null=True)


class EpisodeGivenRatingSerializer(RowSerializer):
    """The last rating that was given to an episode, and who wrote its last answer before."""

    value = Integer()
    rated_at = Time()
    kind = Choice(choices=KINDS, allow_null=True)
    agent_id = Integer(allow_null=True)


class EpisodeMessagesSerializer(RowSerializer):
    """The messages of an episode, by who wrote them."""

    visitor = Integer()
    person = Integer()
    ai = Integer()


class EpisodeSerializer(RowSerializer):
    """An episode: a chat from a visitor's first word to its end."""

    id = Integer(help_text="Its first message's.")
    chat_id = Integer()
    contact_id = Text()
    channel = Text()
    department_id = Integer(allow_null=True)
    language = Text(allow_null=True)
    page = Text(allow_null=True)
    opened_at = Time()
    opened_by = Choice(choices=OPENED_BY)
    first_reply = EpisodeReplySerializer(allow_null=True)
    person_reply = EpisodeReplySerializer(allow_null=True)
    longest_wait_seconds = Integer(allow_null=True, help_text="The longest of the waits that are over.")
    handed_over = EpisodeHandoverSerializer(allow_null=True)
    ended_at = Time(allow_null=True)
    ended_by = Choice(choices=ENDED_BY, allow_null=True)
    ended_by_agent_id = Integer(allow_null=True)
    outcome = Choice(choices=OUTCOMES)
    reopened_at = Time(allow_null=True)
    is_durable = Boolean(allow_null=True)
    asked_at = Time(allow_null=True)
    rating = EpisodeGivenRatingSerializer(allow_null=True)
    agents = IntegerList()
    assistants = IntegerList()
    messages = EpisodeMessagesSerializer()


def shown_episode(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of the list (`querysets/lists.py`) as REST answers it."""
    return {
        **{name: row[name] for name in ("id", "chat_id", "contact_id", "channel", "department_id", "language", "page")},
        "opened_at": row["opened_at"],
        "opened_by": row["opened_by"],
        "first_reply": _reply(row, "first_reply", row["first_reply_kind"]),
        "person_reply": _reply(row, "person_reply", KINDS[0]),
        "longest_wait_seconds": row["longest_wait_s"],
        "handed_over": row["handed_over_at"] and {"at": row["handed_over_at"], "reason": row["handed_over_reason"]},
        **{name: row[name] for name in ("ended_at", "ended_by", "ended_by_agent_id", "outcome", "reopened_at")},
        "is_durable": row["is_durable"],
        "asked_at": row["asked_at"],
        "rating": row["rated_at"] and _rating(row),
        "agents": row["agents"],
        "assistants": row["assistants"],
        "messages": {kind: row[f"messages_{kind}"] for kind in ("visitor", "person", "ai")},
    }


def _reply(row: Mapping[str, Any], name: str, kind: str) -> dict[str, Any] | None:
    if row[f"{name}_at"] is None:
        return None
    seconds, agent_id = row[f"{name}_seconds"], row[f"{name}_agent_id"]
    return {"at": row[f"{name}_at"], "seconds": seconds, "kind": kind, "agent_id": agent_id}


def _rating(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "value": row["rating_value"],
        "rated_at": row["rated_at"],
        "kind": row["given_kind"],
        "agent_id": row["rating_agent_id"],
    }


def shown_figures(figures: Figures) -> dict[str, Any]:
    """Figures as REST answers them."""
    return {name: _figure(figure) for name, figure in figures.items()}


def _figure(figure: Any) -> dict[str, Any]:
    if isinstance(figure, Count):
        return {"value": figure.value, "of": figure.of, "rate": figure.rate, "chats": figure.chats}
    return {name: getattr(figure, name) for name in ("n", "p50", "p90", "chats", "slowest")}


def shown_report(report: ReportAnswer) -> dict[str, Any]:
    """A report as REST answers it."""
    query = report.query
    zone = query.zone
    before = report.before and {
        "from": report.before.window.start.astimezone(zone),
        "to": report.before.window.end.astimezone(zone),
        "figures": shown_figures(report.before.figures),
    }
    return {
        "from": query.window.start.astimezone(zone),
        "to": query.window.end.astimezone(zone),
        "zone": zone.key,
        "clock": query.clock,
        "as_of": report.as_of,
        "settled_until": report.settled_until,
        "kept_days": report.kept_days,
        "page": report.page,
        "group": query.group,
        "figures": shown_figures(report.figures),
        "before": before,
        "groups": [
            {"key": each.key, "label": each.label, "figures": shown_figures(each.figures)} for each in report.groups
        ],
        "overlaps": report.overlaps,
        "rest": {"groups": report.rest_groups, "episodes": report.rest_episodes},
    }


def shown_money(report: MoneyReport) -> dict[str, Any]:
    """The money of models as REST answers it."""
    query, minutes = report.query, report.minutes_per_reply
    replies = report.work.replies
    return {
        "from": query.window.start.astimezone(query.zone),
        "to": query.window.end.astimezone(query.zone),
        "zone": query.zone.key,
        "page": report.page,
        "group": query.group,
        **_spent(report.spent, report.work),
        "hours_saved": {"hours": hours_saved(replies, minutes), "replies": replies, "minutes_per_reply": minutes},
        "groups": [{"key": each.key, "label": each.label, **_spent(each.spent, each.work)} for each in report.groups],
        "rest": {"groups": report.rest_groups, "calls": report.rest_calls},
    }


def _spent(spent: SpentCalls, work: MachineWork | None) -> dict[str, Any]:
    answered, resolved = (work.answered, work.resolved) if work else (None, None)
    return {
        "calls": spent.calls,
        "prompt_tokens": spent.prompt_tokens,
        "completion_tokens": spent.completion_tokens,
        "unpriced_tokens": spent.unpriced_tokens,
        "money": amounts(spent.money),
        "answered": answered,
        "resolved": resolved,
        "per_answered": amounts(for_each(spent.money, answered or 0)),
        "per_resolved": amounts(for_each(spent.money, resolved or 0)),
    }
