"""The standing of a chat that waits: with its owner, in the queue of its department, or with all. Pure.

And the outcome of an offer, read off the chat as it is now.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from apps.agents.rules.hours import OpenHours
from apps.routing.rules.reasons import OfferOutcome, Reason
from apps.routing.rules.settings import Routing

# A socket that breaks is back within seconds: so long an offer outlives it.
ABSENT_AFTER = timedelta(seconds=10)


class ChatStanding(StrEnum):
    """The people that a chat waits for."""

    NOBODY = "nobody"
    OWNER = "owner"
    QUEUE = "queue"
    ALL = "all"


class Owner(NamedTuple):
    """A chat's owner as far as they are known: since when they are away, and when that was too long."""

    is_here: bool
    away_since: datetime | None
    passes_on: bool
    silent_at: datetime | None
    away_at: datetime | None

    def why_not(self, since: datetime) -> Reason | None:
        """Why a chat that waits `since` waits for others; None while it waits for them."""
        if self.is_here:
            return Reason.OWNER_SILENT if self.silent_at is not None and self.silent_at >= since else None
        both_since = max(self.away_since, since) if self.away_since else since
        is_over = self.away_at is not None and self.away_at >= both_since
        return Reason.OWNER_AWAY if self.passes_on or is_over else None


class DepartmentState(NamedTuple):
    """A department now: whether its chats are routed, it is open, and somebody there takes routed chats."""

    is_routed: bool
    is_open: bool
    is_staffed: bool


def departments_now(
    routings: Mapping[int | None, Routing],
    hours: Mapping[int | None, OpenHours | None],
    staffed: Callable[[Collection[int | None]], Collection[int | None]],
    as_of: datetime,
) -> dict[int | None, DepartmentState]:
    """Whether the chats of each department of `hours` are routed, it is open, and somebody there takes routed chats.

    None is for the chats without a department; a department that is gone has no hours, and is closed. `staffed` is
    asked for those among the open ones in which somebody is; a department that is not routed is not asked any further.
    """
    routed = [pk for pk in hours if routings.get(pk, routings[None]).is_routed]
    is_open = {pk for pk in routed if (each := hours[pk]) is not None and each.is_open(as_of)}
    there = staffed(is_open) if is_open else ()
    return {pk: DepartmentState(pk in routed, pk in is_open, pk in there) for pk in hours}


def standing_of(
    since: datetime | None, owner: Owner | None, department: DepartmentState, *, is_missed: bool
) -> ChatStanding:
    """The standing of a chat that waits `since`; `is_missed`: an answer time of it is missed."""
    if since is None:
        return ChatStanding.NOBODY
    if is_missed:
        return ChatStanding.ALL
    if owner is not None and owner.why_not(since) is None:
        return ChatStanding.OWNER
    return ChatStanding.QUEUE if all(department) else ChatStanding.ALL


class Offer(NamedTuple):
    """An offer that stands: to whom, in which department and wait, and the chat's owner then."""

    agent_id: int
    department_id: int | None
    owner_id: int | None
    waits_since: datetime


class ChatNow(NamedTuple):
    """The facts that decide on an offer: the chat's owner, its wait, and the operator who spoke last since then."""

    owner_id: int | None
    department_id: int | None
    waits_since: datetime | None
    spoke_id: int | None


class OfferedOperator(NamedTuple):
    """The operator to whom a chat is offered: at work, with the console open, since when not."""

    is_at_work: bool
    is_online: bool
    away_since: datetime | None


def outcome_of(
    offer: Offer, chat: ChatNow, operator: OfferedOperator | None, standing: ChatStanding, now: datetime
) -> OfferOutcome | None:
    """The outcome of an offer that its chat or its operator has ended; None while it stands."""
    if chat.spoke_id is not None:
        return OfferOutcome.ACCEPTED if chat.spoke_id == offer.agent_id else OfferOutcome.TAKEN
    if chat.owner_id == offer.agent_id:
        return OfferOutcome.ACCEPTED
    if chat.owner_id is not None and chat.owner_id != offer.owner_id:
        return OfferOutcome.TAKEN
    is_elsewhere = chat.department_id != offer.department_id or chat.waits_since != offer.waits_since
    if standing is not ChatStanding.QUEUE or is_elsewhere or operator is None or not operator.is_at_work:
        return OfferOutcome.WITHDRAWN
    left = absent_in(operator, now)
    return None if left is None or left > timedelta() else OfferOutcome.WITHDRAWN


def absent_in(operator: OfferedOperator, now: datetime) -> timedelta | None:
    """In how long an operator who has no console open counts as absent; None for one who has."""
    if operator.is_online:
        return None
    return (operator.away_since or now - ABSENT_AFTER) + ABSENT_AFTER - now
