"""The serializers of assistants, operators, credentials, alerts and settings."""

from datetime import datetime
from typing import Any

from rest_framework import serializers

from apps.agents import rules as agents
from apps.agents.serializers.responses import avatar_address
from apps.ai.rules.configuration import (
    BASE_URLS,
    BackupLink,
    Severity,
    Use,
    chain_of,
    effective_triggers,
    endpoint_of,
    uses_of,
)
from apps.ai.rules.languages import LANGUAGES
from apps.ai.rules.phrases import PHRASE_KEYS, PHRASES
from apps.core.endpoints.row_serializers import (
    IntegerList,
    Json,
    MethodField,
    RowSerializer,
    TextList,
    TextOrNull,
    Time,
    Url,
)
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Number, Text


class UsageSerializer(RowSerializer):
    """An assistant's usage this month, in UTC."""

    since = Time()
    prompt_tokens = Integer()
    completion_tokens = Integer()
    operations = Integer(help_text="Requests to vendors, failed ones too.")


def usage_since(since: datetime, used: dict[str, int] | None) -> dict[str, Any]:
    """The usage since the month began; zeros without a row."""
    return {"since": since, **(used or {"prompt_tokens": 0, "completion_tokens": 0, "operations": 0})}


class AssistantSerializer(RowSerializer):
    """An assistant: what an AI operator says, and how."""

    id = Integer()
    name = Text()
    enabled = Boolean()
    is_default = Boolean()
    persona = Text()
    system_prompt = Text()
    temperature = Number(allow_null=True, help_text="Null: none is sent, and the model's own holds.")
    rag_enabled = Boolean()
    escalation_triggers = TextList()
    effective_escalation_triggers = MethodField(
        TextList(help_text="The platform's words for asking for a person, then its own."),
        columns=("escalation_triggers",),
        from_=effective_triggers,
    )
    greeting = Text()
    greeting_i18n = Json(help_text="By language.")
    quick_phrases = TextList()
    quick_phrases_i18n = Json(help_text="By language.")
    provider = TextOrNull(help_text="The code of the driver whose credentials come first.")
    model = TextOrNull()
    operator_ids = IntegerList(source="operators", help_text="The AI operators that run it and are not retired.")
    usage = MethodField(UsageSerializer(), columns=("since", "used"), from_=usage_since)
    created_at = Time()
    updated_at = Time()


class AssistantReferenceSerializer(RowSerializer):
    """The assistant that settings speak of."""

    id = Integer()
    name = Text()
    enabled = Boolean()
    is_default = Boolean()


class LearningTargetSerializer(RowSerializer):
    """The text that learning changes."""

    kind = Choice(choices=["assistant"])
    assistant_id = Integer()


class MigratedSerializer(RowSerializer):
    """The result of migrating the legacy settings."""

    assistant = AssistantSerializer(allow_null=True)
    created = Boolean(help_text="Whether this very call made it.")


class PhraseSerializer(RowSerializer):
    """One phrase in one language."""

    text = Text(help_text="The text of the phrase.")
    source = Choice(choices=["override", "default"])  # type: ignore[assignment]
    default = Text()


def _of_every_language() -> type[RowSerializer]:
    return type(
        "PhraseLanguagesSerializer",
        (RowSerializer,),
        {language: PhraseSerializer() for language in LANGUAGES}
        | {"__doc__": "A phrase in each language.", "__module__": __name__},
    )


PhraseLanguagesSerializer = _of_every_language()
PhrasesSerializer: type[RowSerializer] = type(
    "PhrasesSerializer",
    (RowSerializer,),
    {key: PhraseLanguagesSerializer() for key in PHRASE_KEYS}
    | {"__doc__": "The service's own phrases.", "__module__": __name__},
)


def shown_phrases(overrides: dict[str, dict[str, str]]) -> dict[str, Any]:
    """Every phrase in every language, with where its text is from."""
    return {
        key: {
            language: {
                "text": overrides.get(key, {}).get(language, default),
                "source": "override" if language in overrides.get(key, {}) else "default",
                "default": default,
            }
            for language, default in texts.items()
        }
        for key, texts in PHRASES.items()
    }


class AiOperatorSerializer(RowSerializer):
    """An AI operator, to whom replies are attributed."""

    id = Integer()
    name = Text()
    assistant_id = Integer(source="ai_assistant_id", allow_null=True)
    status = Choice(choices=agents.STATUSES, help_text="`banned`: retired.")
    show_in_header = Boolean()
    avatar_url = MethodField(Url(allow_null=True), columns=("id", "avatar"), from_=avatar_address)
    created_at = Time()


class BackupSerializer(RowSerializer):
    """A credential that is used when those before it fail."""

    id = Integer()
    provider = Text()
    model = TextOrNull()


class BackupChain(serializers.ListField):
    """The active backups, in order of use."""

    child = BackupSerializer()

    def to_representation(self, value: Any) -> Any:
        return value


class Uses(serializers.ListField):
    """The uses of a credential."""

    child = Choice(choices=[use.value for use in Use])


def scope_of(assistant_id: int | None, operator_id: int | None) -> str:
    """For whom a credential is."""
    return "assistant" if assistant_id else "operator" if operator_id else "widget"


def backup_chain(credential_id: int, links: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The active backups of a credential, of all that its widget has."""
    known = {one["id"]: BackupLink(**one) for one in links}
    chain = chain_of(credential_id, known)
    return [{"id": one.id, "provider": one.provider, "model": one.model or None} for one in chain]


class CredentialSerializer(RowSerializer):
    """A credential. Its key and signing secret are never shown."""

    id = Integer()
    provider = Choice(choices=list(BASE_URLS))
    scope = MethodField(
        Choice(choices=["widget", "assistant", "operator"]), columns=("assistant_id", "operator_id"), from_=scope_of
    )
    assistant_id = Integer(allow_null=True)
    operator_id = Integer(allow_null=True)
    endpoint = MethodField(Text(help_text="The base URL in use."), columns=("provider", "target"), from_=endpoint_of)
    base_url = TextOrNull(help_text="The credential's own.")
    model = TextOrNull()
    uses = MethodField(
        Uses(help_text="The uses that it is for."),
        columns=("for_answers", "for_knowledge"),
        from_=uses_of,
    )
    embedding_model = TextOrNull(source="own_embedding_model", help_text="Null: it is found out by itself.")
    timeout_s = Integer(help_text="The seconds that one call may take.")
    context_tokens = Integer(allow_null=True, help_text="The context of the model; null: not known.")
    is_active = Boolean()
    has_api_key = Boolean()
    has_signing_secret = Boolean()
    backup_credential_id = Integer(source="backup_id", allow_null=True)
    backup_chain = MethodField(
        BackupChain(help_text="At most three; inactive ones are passed over."),
        columns=("id", "links"),
        from_=backup_chain,
    )
    created_at = Time()
    updated_at = Time()


class ModelSerializer(RowSerializer):
    """A model that a credential may use."""

    id = Text()
    label = Text()  # type: ignore[assignment]
    is_recommended = Boolean()


def state_of(acknowledged_at: datetime | None) -> str:
    """An alert's state."""
    return "unacknowledged" if acknowledged_at is None else "acknowledged"


class AlertSerializer(RowSerializer):
    """Something that its owner should look at."""

    id = Integer()
    code = Text()
    severity = Choice(choices=[one.value for one in Severity])
    message = Text()
    assistant_id = Integer(allow_null=True)
    operator_id = Integer(allow_null=True)
    credential_id = Integer(allow_null=True)
    chat_id = Integer(allow_null=True)
    occurrences = Integer()
    first_at = Time()
    last_at = Time()
    state = MethodField(
        Choice(choices=["unacknowledged", "acknowledged"]), columns=("acknowledged_at",), from_=state_of
    )
    acknowledged_at = Time(allow_null=True)


class AcknowledgedSerializer(RowSerializer):
    """How many alerts were acknowledged now."""

    acknowledged = Integer()


class ConfiguredSerializer(RowSerializer):
    """The configuration of a test."""

    assistant_id = Integer()
    operator_id = Integer(allow_null=True, help_text="Null: no AI operator runs the assistant.")
    assistant_enabled = Boolean()
    configured_provider = Choice(choices=list(BASE_URLS))
    configured_model = Text()


class TestLimitsSerializer(RowSerializer):
    """How much a test may hold and take."""

    body_bytes = Integer()
    question_characters = Integer()
    history_items = Integer()
    total_characters = Integer()
    starts_per_minute = Integer()
    in_flight = Integer()
    provider_http_operations = Integer()
    provider_seconds = Integer()


class InspectionSerializer(ConfiguredSerializer):
    """The configuration that a test of an assistant would use; no provider was asked."""

    configuration_resolved = Boolean()
    provider_verified = Boolean()
    provider_http_operations = Integer()
    chat_created = Boolean()
    limits = TestLimitsSerializer()
    limitations = TextList()


class OperatorsStateSerializer(RowSerializer):
    """Whether people are there, and where that is from."""

    state = Choice(choices=["online", "offline", "unknown"])
    source = Choice(choices=["request", "presence", "disabled"])  # type: ignore[assignment]


class EscalationSerializer(RowSerializer):
    """Whether the chat would be handed to people."""

    escalated = Boolean()
    reason = Text(allow_null=True)
    trigger = Text(allow_null=True, help_text="The words that did it.")


class TestResultSerializer(ConfiguredSerializer):
    """The assistant's simulated answer, and how it came about."""

    answer = Text()
    provider_path = Choice(choices=["primary", "fallback", "none"])
    locale = Choice(choices=list(LANGUAGES))
    operators = OperatorsStateSerializer()
    presence_context_enabled = Boolean()
    rag_status = Choice(choices=["disabled", "unavailable", "empty", "included"])
    transformation = Choice(
        choices=[
            "answer",
            "social_reply",
            "empty_response",
            "answer_only_recovery",
            "untrusted_handoff_fallback",
            "escalation_outcome",
        ]
    )
    classifier = Choice(choices=["not_needed", "unavailable", "escalate", "no_escalation"])
    escalation = EscalationSerializer()
    outcome = Choice(choices=["handover_notice", "handover_offline", "handover_unknown"], allow_null=True)
    offline_outcome_suppressed = Boolean()
    provider_http_operations = Integer()
    chat_created = Boolean()
    limitations = TextList()
