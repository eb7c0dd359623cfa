"""Picking the episodes of a week that are reviewed."""

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import partial
from zoneinfo import ZoneInfo

from django.conf import settings as installation
from django.db import transaction

from apps.accounts.models import Widget
from apps.core import database
from apps.reports.actions.episodes import caught_up
from apps.reports.actions.reports import low_of
from apps.reviews.models import Review, Scorecard
from apps.reviews.querysets.candidates import ended_between, persons_of, read_episodes
from apps.reviews.querysets.scorecards import scorecard_of
from apps.reviews.rules.picking import (
    Candidate,
    by_side,
    flags_of,
    in_lot_order,
    is_monday,
    moments_of,
    slow_from,
    week_before,
)
from apps.reviews.rules.scorecards import Flag
from apps.reviews.rules.scores import Origin, SubjectKind
from apps.reviews.rules.subjects import ReviewSubject, last_subject

logger = logging.getLogger(__name__)
_Key = tuple[int, ReviewSubject]


@dataclass(slots=True)
class _Pick:
    """An episode that is looked at for a subject: in the sample or not, and the flags."""

    candidate: Candidate
    subject: ReviewSubject
    origin: Origin
    flags: list[Flag] = field(default_factory=list)


def pick_reviews(*, as_of: datetime, widget_id: int | None = None, on_mondays: bool = False) -> list[Review]:
    """Makes the reviews of the episodes that ended in the newest week that is over, each once.

    A second run, or one at the same time, makes those alone that are not there yet. `on_mondays`: of widgets in whose
    zone it is Monday. A widget whose episodes cannot be read does not keep the others waiting.
    """
    widgets = Widget.objects.filter(moving_since=None).order_by("pk")
    if widget_id is not None:
        widgets = widgets.filter(pk=widget_id)
    found: list[Review] = []
    for widget in widgets:
        zone = ZoneInfo(widget.time_zone)
        if on_mondays and not is_monday(as_of, zone):
            continue
        try:
            found += _pick(widget.pk, week_before(as_of, zone), zone)
        except Exception:
            logger.exception("reviews of widget %s could not be picked", widget.pk)
    return found


def _pick(widget_id: int, week: date, zone: ZoneInfo) -> list[Review]:
    caught_up(widget_id)
    candidates = ended_between(widget_id, *moments_of(week, zone))
    if not candidates:
        return []
    scorecard = scorecard_of(widget_id)
    picks = _Picks(widget_id, scorecard, candidates, week)
    picks.flag()
    with transaction.atomic():
        database.lock(f"reviews.pick:{widget_id}")
        known = Review.objects.for_widget(widget_id).filter(episode_id__in=[each.id for each in candidates])
        there: dict[_Key, str] = {
            (episode_id, ReviewSubject(SubjectKind(kind), agent_id, assistant_id)): origin
            for episode_id, kind, agent_id, assistant_id, origin in known.values_list(
                "episode_id", "kind", "agent_id", "assistant_id", "origin"
            )
        }
        picks.sample(there)
        new = [pick for key, pick in picks.by_key.items() if key not in there]
        return Review.objects.bulk_create([_review(widget_id, scorecard, pick) for pick in new], batch_size=500)


def _review(widget_id: int, scorecard: Scorecard, pick: _Pick) -> Review:
    return Review(
        widget_id=widget_id,
        chat_id=pick.candidate.chat_id,
        episode_id=pick.candidate.id,
        kind=pick.subject.kind,
        agent_id=pick.subject.agent_id,
        assistant_id=pick.subject.assistant_id,
        origin=pick.origin,
        flags=[str(flag) for flag in pick.flags],
        scorecard_version=scorecard.version,
    )


class _Picks:
    """The picks of a widget's week, by episode and subject, in the order of the episodes."""

    def __init__(self, widget_id: int, scorecard: Scorecard, candidates: Sequence[Candidate], week: date) -> None:
        self.widget_id, self.scorecard = widget_id, scorecard
        self.by_key: dict[_Key, _Pick] = {}
        self.candidates = candidates
        self.lots = in_lot_order(candidates, week, installation.SECRET_KEY.encode())

    def flag(self) -> None:
        """All episodes that a flag of the scorecard marks, for their subject."""
        low = low_of(self.widget_id)
        slow = slow_from([each.wait for each in self.candidates if each.wait is not None])
        taken = {
            each.id: [flag for flag in flags_of(each, low=low, slow=slow) if flag in self.scorecard.flags]
            for each in self.candidates
        }
        flagged = [each for each in self.candidates if taken[each.id]]
        episodes = read_episodes(self.widget_id, flagged)
        for each in flagged:
            episode = episodes.get(each.id)
            if episode is None:
                continue
            of_machines, of_last = by_side(taken[each.id])
            last = last_subject(episode)
            machine = last_subject(episode, kind=SubjectKind.AI)
            if machine is None and each.answerer is not None:
                machine = ReviewSubject(SubjectKind.AI, *each.answerer)
            for flags, subject in ((of_machines, machine or last), (of_last, last)):
                if flags and subject is not None:
                    pick = self.by_key.setdefault((each.id, subject), _Pick(each, subject, Origin.FLAG))
                    pick.flags += flags

    def sample(self, there: dict[_Key, str]) -> None:
        """The smallest lots of each person, and of AI; as many as are not there yet."""
        sampled = Counter(
            key[1].agent_id if key[1].kind is SubjectKind.PERSON else None
            for key, origin in there.items()
            if origin == Origin.SAMPLE
        )
        for agent_id in sorted(persons_of(self.widget_id) & {pk for each in self.lots for pk in each.agents}):
            lots = [each for each in self.lots if agent_id in each.agents]
            subject = partial(last_subject, agent_id=agent_id, kind=SubjectKind.PERSON)
            self._take(lots, self.scorecard.per_operator, sampled[agent_id], there, subject)
        persons = persons_of(self.widget_id)
        lots = [each for each in self.lots if each.assistants or not persons.issuperset(each.agents)]
        self._take(lots, self.scorecard.ai, sampled[None], there, partial(last_subject, kind=SubjectKind.AI))

    def _take(
        self,
        lots: Sequence[Candidate],
        most: int,
        taken: int,
        there: dict[_Key, str],
        subject_of: Callable[..., ReviewSubject | None],
    ) -> None:
        """The first lots with such a subject: at most `most` with those of before."""
        chosen: list[_Pick] = []
        for first in range(0, len(lots), max(1, most)):
            if len(chosen) >= most:
                break
            batch = lots[first : first + most]
            episodes = read_episodes(self.widget_id, batch)
            subjects = ((each, subject_of(episodes[each.id])) for each in batch if each.id in episodes)
            chosen += [_Pick(each, subject, Origin.SAMPLE) for each, subject in subjects if subject is not None]
        new = [pick for pick in chosen[:most] if (pick.candidate.id, pick.subject) not in there]
        for pick in new[: max(0, most - taken)]:
            known = self.by_key.setdefault((pick.candidate.id, pick.subject), pick)
            known.origin = Origin.SAMPLE
