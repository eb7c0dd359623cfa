"""Canned replies in other languages, which people approve."""

from django.db import transaction

from apps.agents.models import Agent
from apps.agents.rules.choices import language_refusal
from apps.automations.rules.variables import without_variables
from apps.console.actions.translations import require_same_facts
from apps.console.models import CannedReply
from apps.console.rules.translated_replies import (
    MAX_TRANSLATIONS,
    ReplyTranslation,
    translated_variables_refusal,
    with_translation,
    without_translation,
)
from apps.core.errors import INVALID_INPUT, NOT_FOUND


@transaction.atomic
def approve_translation(*, agent: Agent, reply_id: int, lang: str, text: str) -> CannedReply:
    """Stores what a canned reply says in a language, in place of what it said there before.

    Raises NOT_FOUND (404), also for another operator's own reply and for what is no language; INVALID_INPUT (422) on
    `text` where its variables are not the reply's, or it would be one language too many; TRANSLATION_DIFFERS (422)
    where its facts are not the reply's.
    """
    reply = _locked(agent, reply_id, lang)
    if refusal := translated_variables_refusal(reply.body, text):
        raise INVALID_INPUT(errors={"text": [refusal]})
    require_same_facts(without_variables(reply.body), without_variables(text))
    translations = with_translation(reply.translations, lang, text)
    if len(translations) > MAX_TRANSLATIONS:
        raise INVALID_INPUT(errors={"text": [f"A reply has at most {MAX_TRANSLATIONS} languages."]})
    return _saved(reply, translations)


@transaction.atomic
def drop_translation(*, agent: Agent, reply_id: int, lang: str) -> CannedReply:
    """Deletes what a canned reply says in a language; one that is not there is no matter. Raises NOT_FOUND (404)."""
    reply = _locked(agent, reply_id, lang)
    return _saved(reply, without_translation(reply.translations, lang))


def _locked(agent: Agent, reply_id: int, lang: str) -> CannedReply:
    if language_refusal(lang):
        raise NOT_FOUND()
    return CannedReply.objects.for_widget(agent.widget_id).at_hand(agent).get_for_update(pk=reply_id)


def _saved(reply: CannedReply, translations: list[ReplyTranslation]) -> CannedReply:
    if translations != reply.translations:
        reply.translations = translations
        reply.save(update_fields=["translations"])
    return reply
