"""The catalogue of conditions over chats: one row each, with its name, kind, look-up and words.

Lists and counts of chats take their conditions from here: the filters of the API's list, the views of the console, the
filters of the cabinet, the windows of statistics, and reports and automations.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from django.db.models import BooleanField, Case, Q, Value, When
from django.utils.translation import gettext_lazy as _

from apps.chats.querysets.snoozes import back_since, is_snoozed
from apps.chats.querysets.waiting import may_wait, waits_since
from apps.chats.rules import OPEN, Handling, Status

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class ConditionKind(StrEnum):
    """The type of a condition's value."""

    CHOICE = "choice"
    TEXT = "text"
    FLAG = "flag"  # it is asked for, or not
    MOMENT = "moment"
    ID = "id"
    STATE = "state"  # as a flag, but of the moment of reading: of no column alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A condition over chats. `title` is for people; `parameter` says in the API's document what a value is.

    lookup: the column, with Django's look-up; of a state, `state` gives the chats instead, over ANNOTATIONS.
    choices: the values that there are. max_length: of a text.
    """

    kind: ConditionKind
    title: "StrOrPromise"
    lookup: str = ""
    state: Callable[[datetime], Q] | None = None
    parameter: str | None = None
    choices: type[StrEnum] | None = None
    max_length: int | None = None

    def q(self, value: Any) -> Q:
        """The chats of that value; of a state, `value` is the moment, and the chats are annotated with ANNOTATIONS."""
        return self.state(value) if self.state else Q(**{self.lookup: value})

    def sql(self, parameter: str) -> str:
        """The condition on rows `c` in SQL; `parameter` stands for the value. No state has one (ValueError)."""
        if self.state:
            raise ValueError(f"{self.title}: no column alone")
        if self.kind is ConditionKind.FLAG:
            return f"c.{self.lookup}"
        column, _separator, comparison = self.lookup.partition("__")
        return f"c.{column} {_COMPARED[comparison]} {parameter}"


_COMPARED = {"": "=", "gte": ">=", "lt": "<"}

# The values of a moment that no column holds: states are asked over them.
ANNOTATIONS: Mapping[str, Callable[[datetime], Any]] = {
    "waits_since": waits_since,
    "back_since": lambda now: back_since(),
    "is_aside": lambda now: Case(
        When(is_snoozed(), then=Value(True)), default=Value(False), output_field=BooleanField()
    ),
}


def annotations(now: datetime) -> dict[str, Any]:
    """The annotations over which states are asked."""
    return {name: expression(now) for name, expression in ANNOTATIONS.items()}


def _is_at_hand(now: datetime) -> Q:
    # As the index says it, so that it is used.
    was_aside = Q(snoozed_at__isnull=False) | Q(woken_at__isnull=False)
    is_back = was_aside & Q(status=Status.EXPIRED, back_since__isnull=False)
    return (Q(status__in=OPEN) | is_back) & Q(is_aside=False)


CONDITIONS: Mapping[str, Condition] = {
    "status": Condition(kind=ConditionKind.CHOICE, title=_("status"), lookup="status", choices=Status),
    "channel": Condition(
        kind=ConditionKind.TEXT,
        title=_("channel"),
        lookup="channel",
        max_length=32,
        parameter="Provider code, such as `widget`.",
    ),
    "has_client_messages": Condition(
        kind=ConditionKind.FLAG,
        title=_("the visitor wrote"),
        lookup="has_client_messages",
        parameter="1 keeps the chats in which the visitor wrote.",
    ),
    "created_at__gte": Condition(kind=ConditionKind.MOMENT, title=_("created since"), lookup="created_at__gte"),
    "created_at__lt": Condition(kind=ConditionKind.MOMENT, title=_("created before"), lookup="created_at__lt"),
    "handling": Condition(kind=ConditionKind.CHOICE, title=_("handling"), lookup="handling", choices=Handling),
    "internal": Condition(kind=ConditionKind.FLAG, title=_("between colleagues"), lookup="internal"),
    "agent": Condition(kind=ConditionKind.ID, title=_("operator"), lookup="agent_id"),
    "departments": Condition(kind=ConditionKind.ID, title=_("department"), lookup="department_id__in"),
    "closed_after": Condition(kind=ConditionKind.MOMENT, title=_("closed since"), lookup="expired_at__gt"),
    "at_hand": Condition(kind=ConditionKind.STATE, title=_("open, or back at hand"), state=_is_at_hand),
    "waits": Condition(
        kind=ConditionKind.STATE,
        title=_("waits for an answer"),
        state=lambda now: may_wait(now) & Q(waits_since__isnull=False),
    ),
    "closed": Condition(
        kind=ConditionKind.STATE,
        title=_("closed"),
        state=lambda now: Q(status=Status.EXPIRED, expired_at__isnull=False, is_aside=False),
    ),
    "snoozed": Condition(
        kind=ConditionKind.STATE, title=_("snoozed"), state=lambda now: Q(snoozed_at__isnull=False, is_aside=True)
    ),
}
