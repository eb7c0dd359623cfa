"""Automations, macros and their runs over REST."""

from datetime import datetime
from typing import Any

from rest_framework import serializers

from apps.automations.rules.limits import MAX_AUTOMATIONS, MAX_MACRO_NAME, MAX_NAME
from apps.automations.rules.runs import ActResult, RunState
from apps.core.endpoints.paging import PageQuery
from apps.core.endpoints.row_serializers import Json, MethodField, RowSerializer, TextOrNull, Time
from apps.core.endpoints.serializers import Body, Boolean, Integer, Items, PatchBody, QueryInteger, Text
from apps.core.endpoints.windows import Moment

MAX_TRIAL_DAYS = 30
MAX_ID = 2**63 - 1
WHEN = "`{event}`, or `{wait, minutes, clock}`."
CONDITION = "Null, `{all: […]}`, `{any: […]}`, `{not: …}` or `{field, op, value}`; nested 4 deep, 30 comparisons."
THEN = "1 to 10 acts `{do, …}`, done in their order."
STOP = "The automations behind it are not asked about the same event."


class Tree(serializers.JSONField):
    """Any JSON; the rules refuse it, by its path, where it is none of theirs."""

    def to_internal_value(self, data: Any) -> Any:
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class TriedSerializer(RowSerializer):
    """The trial of an automation."""

    version = Integer(help_text="The version that was tried.")
    at = Time()
    chats = Integer()
    runs = Integer()


def _tried(version: int | None, at: datetime | None, chats: int, runs: int) -> dict[str, Any] | None:
    if version is None or at is None:
        return None
    return {"version": version, "at": at, "chats": chats, "runs": runs}


class ProblemPlaceSerializer(RowSerializer):
    """A row that an automation names and that is no more: that act is skipped, the others are done."""

    path = Text(help_text="As in a refusal, such as `then.0.agent_id`.")
    code = Text(help_text="`gone`.")


class AutomationSerializer(RowSerializer):
    """Acts that follow an event or a wait by themselves."""

    json_columns = ("problem",)

    id = Integer()
    name = Text()
    is_enabled = Boolean()
    position = Integer(help_text="They are asked in this order.")
    version = Integer(help_text="Counts the changes of `when`, `if`, `then` and `stop`.")
    when = Json(help_text=WHEN)
    locals()["if"] = Tree(source="condition", allow_null=True, help_text=CONDITION)
    then = serializers.ListField(child=Json(), help_text=THEN)
    stop = Boolean(help_text=STOP)
    tried = MethodField(
        TriedSerializer(allow_null=True),
        columns=("tried_version", "tried_at", "tried_chats", "tried_runs"),
        from_=_tried,
    )
    problem = ProblemPlaceSerializer(allow_null=True)
    created_at = Time()
    updated_at = Time()


class MacroQuestionSerializer(RowSerializer):
    """A question that a macro asks of the operator who runs it."""

    key = Text(help_text="Its text says `{input.<key>}`.")
    label = Text()  # type: ignore[assignment]
    is_required = Boolean()


class MacroSerializer(RowSerializer):
    """Several acts at a click."""

    json_columns = ("inputs",)

    id = Integer()
    name = Text()
    key = Integer(allow_null=True, help_text="1 to 9: Alt and this digit run it.")
    agent_id = Integer(allow_null=True, help_text="The operator whose own it is; null: all operators'.")
    then = serializers.ListField(child=Json(), help_text=THEN)
    inputs = MacroQuestionSerializer(many=True)
    created_at = Time()
    updated_at = Time()


class CheckedSerializer(RowSerializer):
    """A comparison as it was judged."""

    field = Text()
    op = Text()
    value = Tree(allow_null=True)
    was = Tree(allow_null=True, help_text="The value then; null of texts.")
    held = Boolean()


class ActDoneSerializer(RowSerializer):
    """An act with its result."""

    do = Text()
    result = serializers.ChoiceField(choices=list(ActResult))
    why = TextOrNull(help_text="The reason of a skipped or failed one, such as `already_answered` or `gone`.")


class RunSerializer(RowSerializer):
    """The acts of an automation or a macro in a chat. Kept for 90 days."""

    json_columns = ("why", "did")

    id = Integer()
    automation_id = Integer(allow_null=True)
    macro_id = Integer(allow_null=True)
    name = Text(help_text="The automation's or the macro's, as it was called then.")
    version = Integer(allow_null=True)
    chat_id = Integer()
    at = Time()
    by = Integer(source="agent_id", allow_null=True, help_text="The operator who ran the macro.")
    trigger = Json(help_text="The event, or the wait.")
    why = CheckedSerializer(many=True)
    did = ActDoneSerializer(many=True)
    state = serializers.ChoiceField(
        choices=list(RunState), help_text="`limit`: automations have acted too often in this chat; nothing was done."
    )
    depth = Integer(help_text="0, or how many runs led to it.")
    undone_at = Time(allow_null=True)


class KeptActSerializer(RowSerializer):
    """An act that could not be taken back."""

    do = Text()
    why = Text(help_text="`changed_since` or `cannot`.")


class UndoneSerializer(RowSerializer):
    """The acts that were taken back, and those that were not."""

    undone = serializers.ListField(child=Text())
    kept = KeptActSerializer(many=True)


class UndoingSerializer(RowSerializer):
    """How many runs are being taken back."""

    runs = Integer()


class SampleSerializer(RowSerializer):
    """A moment in which it would have acted."""

    chat_id = Integer()
    at = Time()
    message_id = Integer(allow_null=True)


class TrialSerializer(RowSerializer):
    """The acts that an automation would have done in the last days. Nothing was written."""

    version = Integer(allow_null=True, help_text="The version that was tried; null of one that is not kept.")
    vars()["from"] = Time(help_text="How far back it looked.")
    to = Time()
    chats = Integer()
    runs = Integer()
    looked_at = Integer(help_text="The events and waits that were judged.")
    is_sampled = Boolean(help_text="Earlier days were left out: ten seconds were over.")
    judged_by_now = serializers.ListField(child=Text(), help_text="Fields without a history, judged as they are now.")
    would = Json(help_text="By act, how often.")
    samples = SampleSerializer(many=True, help_text="At most 50, newest first.")


def _days() -> Integer:
    return Integer(
        required=False, default=MAX_TRIAL_DAYS, min_value=1, max_value=MAX_TRIAL_DAYS, help_text="How far back."
    )


class AutomationBody(Body):
    """A new automation. It begins switched off, and last."""

    name = Text(min_length=1, max_length=MAX_NAME)
    when = Tree(help_text=WHEN)
    locals()["if"] = Tree(required=False, default=None, allow_null=True, help_text=CONDITION)
    then = Tree(help_text=THEN)
    stop = Boolean(required=False, default=False, help_text=STOP)


class AutomationChanges(PatchBody):
    """The changes of an automation. Another `when`, `if`, `then` or `stop` is a new version, and switches it off."""

    of = AutomationBody
    is_enabled = Boolean(required=False, help_text="True only for a version that was tried.")


class OrderBody(Body):
    """The order in which automations are asked."""

    ids = Items(
        child=Integer(min_value=1, max_value=MAX_ID),
        max_length=MAX_AUTOMATIONS,
        help_text="All of the widget's, once each.",
    )


class TrialBody(Body):
    """An automation that is tried before it is kept."""

    when = Tree(help_text=WHEN)
    locals()["if"] = Tree(required=False, default=None, allow_null=True, help_text=CONDITION)
    then = Tree(help_text=THEN)
    stop = Boolean(required=False, default=False, help_text=STOP)
    days = _days()


class TrialDaysBody(Body):
    """How far back a trial looks."""

    days = _days()


class SinceBody(Body):
    """Since when runs are taken back."""

    since = Moment(help_text="Inclusive; of the last 90 days.")


class RunFilters(PageQuery):
    """The filters of runs."""

    chat_id = QueryInteger(required=False, min_value=1, max_value=MAX_ID, help_text="The runs of this chat alone.")


class MacroQuestionBody(Body):
    """A question of a macro."""

    key = Text(min_length=1, max_length=32)
    label = Text(min_length=1, max_length=80)  # type: ignore[assignment]
    is_required = Boolean(required=False, default=False)


class MacroBody(Body):
    """A new macro."""

    name = Text(min_length=1, max_length=MAX_MACRO_NAME)
    key = Integer(required=False, default=None, allow_null=True, min_value=1, max_value=9)
    agent_id = Integer(
        required=False,
        default=None,
        allow_null=True,
        min_value=1,
        max_value=MAX_ID,
        help_text="The operator whose own it is; null: all operators'.",
    )
    then = Tree(help_text=f"{THEN} `reply` is the operator's message, and takes `text` or `reply_id`.")
    inputs = Items(child=MacroQuestionBody(), required=False, default=list, max_length=5)


class MacroChanges(PatchBody):
    """The changes of a macro."""

    of, without = MacroBody, ("agent_id",)
