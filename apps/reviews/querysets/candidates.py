"""The episodes that ended in a week, and AI's part in them."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import Q

from apps.agents.models import Agent
from apps.ai.models import AnswerFeedback, Exchange
from apps.chats.querysets.episodes import histories_of
from apps.chats.rules.episodes import ChatEpisode, EpisodeOutcome, episodes_of
from apps.reports.models import EpisodeRow
from apps.reviews.rules.picking import SAFETY, UNTRUSTED, Candidate
from apps.reviews.rules.scorecards import Flag

# Chats whose rows are looked up by one statement, and whose words are read at once.
LOOKED_UP, READ = 1_000, 200
_COLUMNS = (
    *("id", "chat_id", "agents", "assistants", "rating_value", "reopened_at", "longest_wait_seconds"),
    *("handed_over_reason", "outcome"),
)
_SETTLED = (EpisodeOutcome.PERSON, EpisodeOutcome.AI)


def ended_between(widget_id: int, start: datetime, end: datetime) -> list[Candidate]:
    """The widget's episodes that ended in that time, with AI's part in them.

    An episode ends when its end is known: a day of silence behind its last word. Each ends in one week. Index:
    reports_episode_ended.
    """
    rows = EpisodeRow.objects.for_widget(widget_id).filter(ended_from__gte=start, ended_from__lt=end).order_by("id")
    found = [_candidate(*row) for row in rows.values_list(*_COLUMNS)]
    flagged = _of_machines(widget_id, {each.chat_id for each in found})
    return [replace(each, **flagged[each.id]) if each.id in flagged else each for each in found]


def persons_of(widget_id: int) -> set[int]:
    """The operators who are people."""
    return set(Agent.objects.for_widget(widget_id).filter(type="human").values_list("pk", flat=True))


def read_episodes(widget_id: int, candidates: Sequence[Candidate]) -> Mapping[int, ChatEpisode]:
    """The episodes of candidates with the writers of their answers, by number."""
    wanted = {each.id for each in candidates}
    found: dict[int, ChatEpisode] = {}
    for chats in _slices({each.chat_id for each in candidates}, READ):
        for history in histories_of(widget_id, chats).values():
            found |= {episode.id: episode for episode in episodes_of(history) if episode.id in wanted}
    return found


def _slices(chat_ids: Collection[int], most: int) -> Iterator[list[int]]:
    ordered = sorted(chat_ids)
    return (ordered[first : first + most] for first in range(0, len(ordered), most))


def _candidate(
    pk: int,
    chat_id: int,
    agents: Sequence[int],
    assistants: Sequence[int],
    rating: int | None,
    reopened_at: datetime | None,
    wait: int | None,
    handover: str | None,
    outcome: str,
) -> Candidate:
    return Candidate(
        id=pk,
        chat_id=chat_id,
        agents=agents,
        assistants=assistants,
        rating=rating,
        is_reopened=reopened_at is not None and outcome in _SETTLED,
        wait=wait,
        handover=handover,
    )


def _of_machines(widget_id: int, chat_ids: Collection[int]) -> dict[int, dict[str, Any]]:
    """By episode: the flags of a machine's work, and who did it, of those that have one."""
    flags: dict[int, set[Flag]] = defaultdict(set)
    answerers: dict[int, tuple[int | None, int | None]] = {}
    for chats in _slices(chat_ids, LOOKED_UP):
        begins = _begins(widget_id, chats)
        for chat_id, message_id, flag, answerer in _facts(widget_id, chats):
            before = bisect_right(begins[chat_id], message_id)
            if before:
                episode_id = begins[chat_id][before - 1]
                flags[episode_id].add(flag)
                answerers[episode_id] = answerer or answerers.get(episode_id, (None, None))
    return {pk: {"machine_flags": frozenset(found), "answerer": answerers[pk]} for pk, found in flags.items()}


def _begins(widget_id: int, chat_ids: Sequence[int]) -> Mapping[int, list[int]]:
    """The numbers of all episodes of those chats, in order. Index: reports_episode_of_chat."""
    rows = EpisodeRow.objects.for_widget(widget_id).filter(chat_id__in=chat_ids).order_by("id")
    found: dict[int, list[int]] = defaultdict(list)
    for chat_id, pk in rows.values_list("chat_id", "pk"):
        found[chat_id].append(pk)
    return found


_Fact = tuple[int, int, Flag, tuple[int | None, int | None] | None]


def _facts(widget_id: int, chat_ids: Sequence[int]) -> Iterator[_Fact]:
    thumbs = AnswerFeedback.objects.for_widget(widget_id).filter(chat_id__in=chat_ids, helpful=False)
    columns = ("chat_id", "message_id", "exchange__operator_id", "exchange__assistant_id")
    for chat_id, message_id, agent_id, assistant_id in thumbs.order_by("pk").values_list(*columns):
        yield chat_id, message_id, Flag.THUMB_DOWN, (agent_id, assistant_id) if agent_id or assistant_id else None
    exchanges = Exchange.objects.for_widget(widget_id).filter(chat_id__in=chat_ids)
    exchanges = exchanges.filter(Q(reason__in=(SAFETY, UNTRUSTED)) | ~Q(facts_removed=[])).order_by("pk")
    told = ("chat_id", "last_message_id", "reason", "facts_removed", "operator_id", "assistant_id")
    for chat_id, message_id, reason, removed, agent_id, assistant_id in exchanges.values_list(*told):
        of_reason = {SAFETY: Flag.SAFETY, UNTRUSTED: Flag.UNTRUSTED_HANDOFF}.get(reason)
        for flag in (of_reason, Flag.FACTS_REMOVED if removed else None):
            if flag is not None:
                yield chat_id, message_id, flag, (agent_id, assistant_id)
