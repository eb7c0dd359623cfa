"""The words for people of what this app stores, marked for translation."""

from django.utils.translation import gettext_noop, pgettext_lazy

# The names of fields that no page has named: the audit trail shows them.
FIELD_WORDS = {
    "persona_version": gettext_noop("persona's version"),
    "severity": gettext_noop("severity"),
    "credential": gettext_noop("key"),
    "avatar": gettext_noop("picture"),
    "ai_assistant_id": gettext_noop("assistant"),
    "escalation_triggers": gettext_noop("words that call a person"),
    "greeting_i18n": gettext_noop("greeting in languages"),
    "quick_phrases": gettext_noop("quick phrases"),
    "quick_phrases_i18n": gettext_noop("quick phrases in languages"),
    "enabled_since": gettext_noop("on since"),
    "migrated_assistant": gettext_noop("assistant taken over"),
    "is_migrated": gettext_noop("taken over"),
    "phrases": gettext_noop("phrases"),
    "backup": gettext_noop("in reserve"),
    "embedding_model": gettext_noop("embedding model"),
    "own_embedding_model": gettext_noop("embedding model"),
    "for_answers": gettext_noop("for answers"),
    "for_knowledge": gettext_noop("for the knowledge base"),
    "timeout_s": gettext_noop("time limit, seconds"),
    "context_tokens": gettext_noop("context, tokens"),
    "learnt": gettext_noop("what its models do not take"),
    "embeds_nothing_until": gettext_noop("makes no embeddings until"),
    "public_id": gettext_noop("public id"),
    "standing": gettext_noop("standing"),
    "state_changed_at": gettext_noop("state changed at"),
    "verified_at": gettext_noop("verified"),
    "rotation_started_at": gettext_noop("key change began"),
    "overlap_ends_at": gettext_noop("old key is valid until"),
    "reply_timeout_sec": gettext_noop("seconds to answer"),
    "deleted_at": gettext_noop("deleted"),
    "assistant": gettext_noop("assistant"),
    "link_hosts": gettext_noop("hosts that links may have"),
    "summary": gettext_noop("what it changed"),
    "draft": gettext_noop("draft"),
}

# The names of alerts that no other page names.
ALERT_NAMES = (
    pgettext_lazy("value", "model_gone"),
    pgettext_lazy("value", "kb_embedding_failed"),
    pgettext_lazy("value", "kb_embeddings_unsupported"),
)
