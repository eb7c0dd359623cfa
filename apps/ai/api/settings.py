"""Settings and phrases of a widget's AI over REST (specification, Endpoints, "AI configuration")."""

from typing import Any

from rest_framework import serializers

from apps.ai.actions.assistants import migrate_settings
from apps.ai.actions.personas import token_actor
from apps.ai.actions.settings import change_phrases, change_settings, replace_phrases
from apps.ai.models import AiSettings, Assistant
from apps.ai.rules.disclosures import is_wording
from apps.ai.rules.languages import LANGUAGES
from apps.ai.rules.phrases import MAX_PHRASE, PHRASE_KEYS, cleaned
from apps.ai.serializers.assistants import (
    AssistantReferenceSerializer,
    AssistantSerializer,
    LearningTargetSerializer,
    MigratedSerializer,
    PhrasesSerializer,
    shown_phrases,
)
from apps.ai.serializers.requests import MAX_ID, ByLanguage
from apps.ai.settings import SETTINGS, settings_of
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.serializers import Body, PatchBody, Query, QueryInteger, Text
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import NOT_FOUND


class Phrase(Text):
    """A phrase in other words: plain text. Tags and control characters are stripped."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_null=True, required=False, **options)

    def to_internal_value(self, data: Any) -> str:
        text = cleaned(super().to_internal_value(data))
        if not text:
            self.fail("blank")
        if len(text) > MAX_PHRASE:
            raise serializers.ValidationError(f"Ensure this field has no more than {MAX_PHRASE} characters.")
        return text


class Disclosure(Phrase):
    """The sentence that a machine speaks, in other words."""

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not is_wording(text):
            raise serializers.ValidationError(SETTINGS.by_name["ai_disclosure"].refusal)
        return text


_OF_THE_CABINET = ("external_operators_enabled", "daily_token_budget", "minutes_per_reply")
AiSettingsChangesBody = SETTINGS.body(
    "AiSettingsChangesBody",
    "The changes of the switches.",
    without=(*_OF_THE_CABINET, "offline_outcome_mode", "legacy_persona"),
    ai_disclosure_i18n=ByLanguage(
        required=False, child=Disclosure(), help_text=SETTINGS.by_name["ai_disclosure_i18n"].about
    ),
)
AiSettingsSerializer = SETTINGS.serializer(
    "AiSettingsSerializer",
    "The switches of the widget's AI.",
    without=_OF_THE_CABINET,
    effective_assistant=AssistantReferenceSerializer(allow_null=True),
    learning_target=LearningTargetSerializer(allow_null=True),
)


class AiSettingsQuery(Query):
    """The assistant that the settings are about."""

    assistant_id = QueryInteger(
        required=False, min_value=1, max_value=MAX_ID, help_text="The default one, unless it is sent."
    )


class AiSettingsViewSet(ApiViewSet):
    reads = ("ai:read",)
    writes = ("ai:write",)

    @operation(
        summary="Read the AI settings", filters=AiSettingsQuery, answers=AiSettingsSerializer, problems=(NOT_FOUND,)
    )
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """The widget's switches; `effective_assistant` is the one of `assistant_id`, else the default one."""
        assistants = Assistant.objects.for_widget(context.widget_id)
        wanted = context.filters.get("assistant_id")
        assistant = (
            assistants.default() if wanted is None else assistants.get_or_404("There is no such assistant.", pk=wanted)
        )
        return _shown(settings_of(context.widget_id), assistant)

    @operation(
        summary="Change the AI settings",
        takes=AiSettingsChangesBody,
        answers=AiSettingsSerializer,
        example={"enabled": True, "takeover_timeout_sec": 120},
    )
    def partial_update(self, context: RequestContext) -> dict[str, Any]:
        """Changes what is sent and nothing else. `offline_outcome_mode` is set in the cabinet."""
        settings = change_settings(widget_id=context.widget_id, changes=context.body)
        return _shown(settings, Assistant.objects.for_widget(context.widget_id).default())

    @operation(summary="Make an assistant of the legacy settings", answers=MigratedSerializer)
    def migrate(self, context: RequestContext) -> dict[str, Any]:
        """Additive and repeatable: it makes an enabled assistant whose persona is the legacy one, once; later calls
        give the same. Without legacy settings `assistant` is null.
        """
        assistant, created = migrate_settings(
            widget_id=context.widget_id, actor=token_actor(context.widget_id, context.caller.token_id)
        )
        if assistant is None:
            return {"assistant": None, "created": False}
        row = Assistant.objects.for_widget(context.widget_id).for_api().get_or_404(pk=assistant.pk)
        return {"assistant": AssistantSerializer.show(row), "created": created}


def _shown(settings: AiSettings, assistant: Assistant | None) -> dict[str, Any]:
    return {
        **SETTINGS.values(settings, without=_OF_THE_CABINET),
        "effective_assistant": AssistantReferenceSerializer.show(assistant) if assistant else None,
        "learning_target": {"kind": "assistant", "assistant_id": assistant.pk} if assistant else None,
    }


class PhraseLanguagesBody(Body):
    """A phrase in some languages; null takes an override back."""

    def get_fields(self) -> dict[str, Any]:
        return {language: Phrase() for language in LANGUAGES}


class PhrasesBody(PatchBody):
    """The overrides of phrases, by key and language."""

    def get_fields(self) -> dict[str, Any]:
        return {key: PhraseLanguagesBody(required=False) for key in PHRASE_KEYS}


class PhraseViewSet(ApiViewSet):
    reads = ("ai:read",)
    writes = ("ai:write",)

    @operation(summary="Read the AI's phrases", answers=PhrasesSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """Each of seven phrases in each of seven languages: what is said, and whether it is an override."""
        return shown_phrases(settings_of(context.widget_id).phrases)

    @operation(
        summary="Change some of the AI's phrases",
        takes=PhrasesBody,
        answers=PhrasesSerializer,
        example={"social_reply": {"en": "Any time!", "de": None}},
    )
    def partial_update(self, context: RequestContext) -> dict[str, Any]:
        """A phrase that is not sent stays; null resets one phrase to its default."""
        return shown_phrases(change_phrases(widget_id=context.widget_id, changes=context.body).phrases)

    @operation(
        summary="Replace the AI's phrases",
        takes=PhrasesBody,
        answers=PhrasesSerializer,
        example={"social_reply": {"en": "Any time!"}},
    )
    def update(self, context: RequestContext) -> dict[str, Any]:
        """The complete set of overrides: what is omitted is cleared, and an empty object resets all."""
        return shown_phrases(replace_phrases(widget_id=context.widget_id, overrides=context.body).phrases)
