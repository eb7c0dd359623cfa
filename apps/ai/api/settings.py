"""Settings and phrases of a widget's AI over REST (specification, Endpoints, "AI configuration")."""

from typing import Any

from rest_framework import serializers

from apps.ai.actions.assistants import migrate_settings
from apps.ai.actions.personas import token_actor
from apps.ai.actions.settings import change_phrases, change_settings, replace_phrases, settings_of
from apps.ai.models import AiSettings, Assistant
from apps.ai.rules.configuration import MAX_LINK_HOSTS, MAX_TAKEOVER_S, MIN_TAKEOVER_S
from apps.ai.rules.disclosures import says_something
from apps.ai.rules.languages import LANGUAGES
from apps.ai.rules.links import is_host
from apps.ai.rules.phrases import MAX_PHRASE, PHRASE_KEYS, stripped
from apps.ai.serializers.assistants import (
    AiSettingsSerializer,
    AssistantReferenceSerializer,
    AssistantSerializer,
    MigratedSerializer,
    PhrasesSerializer,
    shown_phrases,
)
from apps.ai.serializers.requests import MAX_ID, ByLanguage
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.serializers import Body, Boolean, Integer, Items, PatchBody, Query, QueryInteger, Text
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import NOT_FOUND


class TakeoverTimeout(Integer):
    """Seconds, or 0 for never."""

    default_error_messages = {"timeout": f"Must be 0, or from {MIN_TAKEOVER_S} to {MAX_TAKEOVER_S}."}

    def to_internal_value(self, data: Any) -> int:
        seconds = super().to_internal_value(data)
        if seconds != 0 and not MIN_TAKEOVER_S <= seconds <= MAX_TAKEOVER_S:
            self.fail("timeout")
        return seconds


class LinkHost(Text):
    """A host's name, in small letters, without scheme, port or path."""

    default_error_messages = {"host": "Must be a host's name, such as shop.example: no scheme, port or path."}

    def to_internal_value(self, data: Any) -> str:
        host = super().to_internal_value(data).lower()
        if not is_host(host):
            self.fail("host")
        return host


class Phrase(Text):
    """A phrase in other words: plain text. Tags and control characters are stripped."""

    LONGEST_SENT = 8 * MAX_PHRASE

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_null=True, required=False, **options)

    def to_internal_value(self, data: Any) -> str:
        if isinstance(data, str) and len(data) > self.LONGEST_SENT:
            self.fail("max_length", max_length=MAX_PHRASE)
        text = stripped(super().to_internal_value(data))
        if not text:
            self.fail("blank")
        if len(text) > MAX_PHRASE:
            raise serializers.ValidationError(f"Ensure this field has no more than {MAX_PHRASE} characters.")
        return text


class Disclosure(Phrase):
    """The sentence that a machine speaks, in other words."""

    default_error_messages = {"wordless": "Must have words: the sentence can be worded, but not taken away."}

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not says_something(text):
            self.fail("wordless")
        return text


class AiSettingsChangesBody(PatchBody):
    """The changes of the switches."""

    enabled = Boolean(required=False)
    rag_enabled = Boolean(required=False)
    shadow_mode = Boolean(required=False)
    autonomous_tuning_enabled = Boolean(required=False)
    presence_context_enabled = Boolean(required=False)
    link_hosts = Items(
        child=LinkHost(),
        max_length=MAX_LINK_HOSTS,
        required=False,
        help_text="Hosts of any page that answers may link to, such as shop.example; each once.",
    )
    ai_disclosure = Disclosure(
        help_text="The first sentence before AI's messages, in the owner's words; null: the default of each language.",
    )
    ai_disclosure_i18n = ByLanguage(
        required=False, child=Disclosure(), help_text="The same by language; merged, and null removes one."
    )
    takeover_timeout_sec = TakeoverTimeout(
        required=False,
        help_text=f"0: never; else from {MIN_TAKEOVER_S} to {MAX_TAKEOVER_S} seconds.",
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
    def retrieve(self, call: RequestContext) -> dict[str, Any]:
        """The widget's switches; `effective_assistant` is the one of `assistant_id`, else the default one."""
        assistants = Assistant.objects.for_widget(call.widget_id)
        wanted = call.filters.get("assistant_id")
        assistant = (
            assistants.default() if wanted is None else assistants.get_or_404("There is no such assistant.", pk=wanted)
        )
        return _shown(settings_of(call.widget_id), assistant)

    @operation(
        summary="Change the AI settings",
        takes=AiSettingsChangesBody,
        answers=AiSettingsSerializer,
        example={"enabled": True, "takeover_timeout_sec": 120},
    )
    def partial_update(self, call: RequestContext) -> dict[str, Any]:
        """Changes what is sent and nothing else. `offline_outcome_mode` is set in the cabinet."""
        changes = dict(call.body)
        if "ai_disclosure" in changes:
            changes["ai_disclosure"] = changes["ai_disclosure"] or ""
        settings = change_settings(widget_id=call.widget_id, changes=changes)
        return _shown(settings, Assistant.objects.for_widget(call.widget_id).default())

    @operation(summary="Make an assistant of the legacy settings", answers=MigratedSerializer)
    def migrate(self, call: RequestContext) -> dict[str, Any]:
        """Additive and repeatable: it makes an enabled assistant whose persona is the legacy one, once; later calls
        give the same. Without legacy settings `assistant` is null.
        """
        assistant, created = migrate_settings(
            widget_id=call.widget_id, actor=token_actor(call.widget_id, call.caller.token_id)
        )
        if assistant is None:
            return {"assistant": None, "created": False}
        row = Assistant.objects.for_widget(call.widget_id).for_api().get_or_404(pk=assistant.pk)
        return {"assistant": AssistantSerializer.show(row), "created": created}


def _shown(settings: AiSettings, assistant: Assistant | None) -> dict[str, Any]:
    own = (
        "enabled",
        "rag_enabled",
        "shadow_mode",
        "autonomous_tuning_enabled",
        "presence_context_enabled",
        "link_hosts",
        "ai_disclosure_i18n",
    )
    return {
        **{name: getattr(settings, name) for name in own},
        "ai_disclosure": settings.ai_disclosure or None,
        "takeover_timeout_sec": settings.takeover_timeout_sec,
        "offline_outcome_mode": settings.offline_outcome_mode,
        "effective_assistant": AssistantReferenceSerializer.show(assistant) if assistant else None,
        "legacy_persona": settings.legacy_persona or None,
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
    def retrieve(self, call: RequestContext) -> dict[str, Any]:
        """Each of seven phrases in each of seven languages: what is said, and whether it is an override."""
        return shown_phrases(settings_of(call.widget_id).phrases)

    @operation(
        summary="Change some of the AI's phrases",
        takes=PhrasesBody,
        answers=PhrasesSerializer,
        example={"social_reply": {"en": "Any time!", "de": None}},
    )
    def partial_update(self, call: RequestContext) -> dict[str, Any]:
        """A phrase that is not sent stays; null resets one phrase to its default."""
        return shown_phrases(change_phrases(widget_id=call.widget_id, changes=call.body).phrases)

    @operation(
        summary="Replace the AI's phrases",
        takes=PhrasesBody,
        answers=PhrasesSerializer,
        example={"social_reply": {"en": "Any time!"}},
    )
    def update(self, call: RequestContext) -> dict[str, Any]:
        """The complete set of overrides: what is omitted is cleared, and an empty object resets all."""
        return shown_phrases(replace_phrases(widget_id=call.widget_id, overrides=call.body).phrases)
