"""Translations of the tenant's texts over REST (specification, Endpoints, "Widget settings")."""

from typing import Any

from apps.chats.rules.languages import LANGUAGES
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.serializers import Body, Choice
from apps.core.endpoints.viewsets import ApiViewSet
from apps.widget.actions.translations import HOUR, RESERVATIONS, regenerate
from apps.widget.errors import (
    WIDGET_TRANSLATION_BUDGET_UNAVAILABLE,
    WIDGET_TRANSLATION_CREDENTIAL_MISSING,
    WIDGET_TRANSLATION_DISABLED,
    WIDGET_TRANSLATION_STORE_UNAVAILABLE,
)
from apps.widget.querysets.settings import Settings, settings_of, store_of, translation_status
from apps.widget.rules import translations
from apps.widget.rules.fields import SUPPORTED, TEXTS
from apps.widget.rules.translations import Store
from apps.widget.serializers.requests import DistinctItems
from apps.widget.serializers.settings import RegeneratedSerializer, TranslationsSerializer


class RegenerateBody(Body):
    """The texts to translate again, and the languages: each text into each language."""

    fields = DistinctItems(child=Choice(choices=TEXTS), allow_empty=False, max_length=len(TEXTS))  # type: ignore[assignment]
    locales = DistinctItems(child=Choice(choices=LANGUAGES), allow_empty=False, max_length=len(LANGUAGES))


class TranslationViewSet(ApiViewSet):
    reads = ("widget:read",)
    writes = ("widget:write",)

    @operation(summary="Read the state of translations", answers=TranslationsSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """Every text in every supported language: who wrote what is shown, never the text itself."""
        settings, store = settings_of(context.widget_id), store_of(context.widget_id)
        remaining = RESERVATIONS.remaining(context.widget_id)
        return {
            "revision": settings.revision,
            "status": translation_status(settings, store),
            "translations": [
                _described(settings, store or {}, field, locale)
                for field in TEXTS
                for locale in settings.values[SUPPORTED]
            ],
            "budget": {
                "limit": RESERVATIONS.limit,
                "window_seconds": int(HOUR.total_seconds()),
                "used": RESERVATIONS.limit - remaining,
                "remaining": remaining,
            },
        }

    @operation(
        summary="Translate texts again",
        takes=RegenerateBody,
        answers=RegeneratedSerializer,
        status=202,
        problems=(
            WIDGET_TRANSLATION_DISABLED,
            WIDGET_TRANSLATION_CREDENTIAL_MISSING,
            WIDGET_TRANSLATION_STORE_UNAVAILABLE,
            WIDGET_TRANSLATION_BUDGET_UNAVAILABLE,
        ),
        limits=(RESERVATIONS,),
        example={"fields": ["widget_greeting"], "locales": ["ru"]},
    )
    def regenerate(self, context: RequestContext) -> Answer:
        """Asks the widget's model for each field in each locale. The shown text stays until the answer is there.

        Translations are counted, and taken whole or not at all. A refusal gives the idempotency key back.
        """
        asked = regenerate(widget_id=context.widget_id, **context.body)
        jobs = [{"field": field, "locale": locale, "state": "pending"} for field, locale in asked.cells]
        return {"revision": asked.revision, "jobs": jobs, "reserved": len(jobs), "remaining": asked.remaining}


def _described(settings: Settings, store: Store, field: str, locale: str) -> dict[str, Any]:
    made = store.get((field, locale))
    state = translations.state_of(settings.values, (field, locale), store)
    origin, text = translations.shown(settings.values, field, locale, store, name=settings.name)
    return {
        "field": field,
        "locale": locale,
        "state": state,
        "shown": origin,
        "characters": len(text or ""),
        "error": made.error or None if made is not None and state == "failed" else None,
        "updated_at": made.updated_at if made is not None else None,
    }
