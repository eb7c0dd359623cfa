"""Versions, history, cycles, gates and the panel of self-learning on the wire."""

from typing import Any

from apps.ai.rules.configuration import PersonaAction, PersonaCause
from apps.ai.serializers.assistants import LearningTargetSerializer
from apps.core.endpoints.row_serializers import Json, MethodField, RowSerializer, TextOrNull, Time
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Number, Text
from apps.learning.rules.states import CycleState, CycleTrigger, ProbationKind, ProbationState


class ActorSerializer(RowSerializer):
    """The actor of a change."""

    kind = Choice(choices=["token", "staff", "system"])
    id = Integer(allow_null=True)
    name = Text()


def kept(value: Any) -> Any:
    """The stored JSON, as it is."""
    return value


class ChatMetricsSerializer(RowSerializer):
    """The results of chats."""

    chats = Integer()
    escalations = Integer(help_text="Handed over, or taken by a person, within 24 hours.")
    escalation_rate = Number(allow_null=True)
    ratings = Integer()
    rating_average = Number(allow_null=True)


class PatchOperationSerializer(RowSerializer):
    """One step of a patch, on the result of the one before."""

    op = Choice(choices=["append", "replace", "remove"])
    field = Choice(choices=["persona", "system_prompt"])
    find = Text(allow_null=True, help_text="The text to replace or remove; null for `append`.")
    text = Text(allow_null=True, help_text="The new text; null for `remove`.")


class PatchSerializer(RowSerializer):
    """A change of a text."""

    operations = PatchOperationSerializer(many=True)


def is_live(version: int, live: int) -> bool:
    """Whether a version is the one that the assistant speaks with."""
    return version == live


class VersionRowSerializer(RowSerializer):
    """A version of an assistant's text."""

    version = Integer(help_text="1 and up, within the assistant.")
    assistant_id = Integer()
    cause = Choice(choices=[one.value for one in PersonaCause])
    is_live = MethodField(Boolean(), columns=("version", "assistant__persona_version"), from_=is_live)
    restores = Integer(allow_null=True, help_text="The version whose text came back.")
    wish_id = Integer(allow_null=True)
    cycle_id = Integer(allow_null=True)
    summary = Text()
    actor = MethodField(ActorSerializer(), columns=("actor",), from_=kept)
    created_at = Time()


class VersionBeforeSerializer(RowSerializer):
    """The version before."""

    version = Integer()
    persona = Text()
    system_prompt = Text()


class VersionSerializer(VersionRowSerializer):
    """A version with its text, and that of the one before."""

    persona = Text()
    system_prompt = Text()
    patch = PatchSerializer(allow_null=True)
    previous = VersionBeforeSerializer(allow_null=True)


class HistorySerializer(RowSerializer):
    """A line of the history of assistants' texts. It is never changed, and outlives the assistant."""

    id = Integer()
    at = Time()
    assistant_id = Integer()
    action = Choice(choices=[one.value for one in PersonaAction])
    from_version = Integer(allow_null=True)
    to_version = Integer()
    actor = MethodField(ActorSerializer(), columns=("actor",), from_=kept)
    wish_id = Integer(allow_null=True)
    cycle_id = Integer(allow_null=True)
    patch = MethodField(PatchSerializer(allow_null=True), columns=("patch",), from_=kept)
    reason = TextOrNull()
    metrics = MethodField(Json(allow_null=True), columns=("metrics",), from_=kept)


EVIDENCE: dict[str, Any] = {"pairs": 0, "chats": 0, "from": None, "to": None}


class EvidenceSerializer(RowSerializer):
    """The evidence of a cycle."""

    pairs = Integer()
    chats = Integer()
    vars()["from"] = Time(allow_null=True)
    to = Time(allow_null=True)


def evidence_told(evidence: dict[str, Any]) -> dict[str, Any]:
    """The evidence of a cycle; zeros before it has looked."""
    return {name: evidence.get(name, default) for name, default in EVIDENCE.items()}


class EvaluationSerializer(RowSerializer):
    """How the new text did on questions that were held out."""

    examples = Integer()
    better = Integer()
    worse = Integer()
    same = Integer()


class CycleSerializer(RowSerializer):
    """One attempt to tune an assistant."""

    id = Integer()
    assistant_id = Integer()
    trigger = Choice(choices=[one.value for one in CycleTrigger])
    state = Choice(choices=[one.value for one in CycleState])
    reason = TextOrNull(help_text="Why nothing was applied; a guard rail's name where it was refused.")
    base_version = Integer()
    version = Integer(allow_null=True, help_text="The version that it made.")
    summary = Text()
    patch = MethodField(PatchSerializer(allow_null=True), columns=("patch",), from_=kept)
    evidence = MethodField(EvidenceSerializer(), columns=("evidence",), from_=evidence_told)
    evaluation = MethodField(EvaluationSerializer(allow_null=True), columns=("evaluation",), from_=kept)
    provider_http_operations = Integer()
    queued_at = Time()
    started_at = Time(allow_null=True)
    finished_at = Time(allow_null=True)


class GateSerializer(RowSerializer):
    """A gate of the kill switch."""

    name = Choice(choices=["platform", "widget", "target"])
    open = Boolean()
    reason = Text(allow_null=True, help_text="The first that closes it.")


class KillSwitchSerializer(RowSerializer):
    """Whether an assistant may tune itself."""

    assistant_id = Integer(allow_null=True)
    may_run = Boolean()
    gates = GateSerializer(many=True)


class ProbationSerializer(RowSerializer):
    """Whether a new text does no worse than the one before."""

    state = Choice(choices=[one.value for one in ProbationState])
    kind = Choice(choices=[one.value for one in ProbationKind])
    version = Integer()
    base_version = Integer()
    started_at = Time()
    ends_at = Time()
    baseline = ChatMetricsSerializer(help_text="The figures of the version before, in the 30 days before.")
    current = ChatMetricsSerializer(help_text="As of the last review.")


class EvidenceThereSerializer(RowSerializer):
    """The evidence for a cycle now."""

    window_days = Integer()
    pairs = Integer()
    chats = Integer()
    min_pairs = Integer()


class GuardRailsSerializer(RowSerializer):
    """How much a patch may change."""

    max_operations = Integer()
    max_text = Integer()
    max_growth = Integer()


class ProbationRulesSerializer(RowSerializer):
    """When a text is worse than the one before."""

    hours = Integer()
    min_chats = Integer()
    min_ratings = Integer()
    max_escalation_rise = Number()
    max_rating_fall = Number()


class WishCountsSerializer(RowSerializer):
    """Wishes that wait for a person."""

    submitted = Integer()
    on_probation = Integer()


class LearningSettingsSerializer(RowSerializer):
    """The panel of self-learning of an assistant."""

    assistant_id = Integer(allow_null=True)
    learning_target = LearningTargetSerializer(allow_null=True)
    autonomous_tuning_enabled = Boolean()
    may_run = Boolean()
    gates = GateSerializer(many=True)
    live_version = Integer(allow_null=True)
    probation = ProbationSerializer(allow_null=True, help_text="The one that runs.")
    last_cycle = CycleSerializer(allow_null=True, help_text="The last that ended, however.")
    running_cycle = CycleSerializer(allow_null=True)
    next_cycle_at = Time(allow_null=True, help_text="Null while a gate is closed.")
    evidence = EvidenceThereSerializer()
    guard_rails = GuardRailsSerializer()
    probation_rules = ProbationRulesSerializer()
    wishes = WishCountsSerializer()
    cycles_applied = Integer()
    cycles_rolled_back = Integer()
