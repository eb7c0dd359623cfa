"""The words for people of what this app stores, marked for translation."""

from django.utils.translation import gettext_noop, pgettext_lazy

# The names of fields that no page has named: the audit trail shows them.
FIELD_WORDS = {
    "persona_version": gettext_noop("persona's version"),
    "category": gettext_noop("category"),
    "escalation_triggers": gettext_noop("words that call a person"),
    "greeting_i18n": gettext_noop("greeting in languages"),
    "quick_phrases": gettext_noop("quick phrases"),
    "quick_phrases_i18n": gettext_noop("quick phrases in languages"),
    "summary": gettext_noop("what it changed"),
    "base_version": gettext_noop("version before"),
    "draft": gettext_noop("draft"),
    "trigger": gettext_noop("began by"),
}

TEXT_ROLLED_BACK, RAIL_REFUSED, CASES_LOST = "text_rolled_back", "rail_refused", "cases_lost"
# The sentences of the alerts that tuning reports.
ALERT_SENTENCES = {
    TEXT_ROLLED_BACK: gettext_noop("The assistant did worse with its new text, so the text before is back."),
    RAIL_REFUSED: gettext_noop("A tuning cycle proposed what a guard rail refuses: %(reason)s."),
    CASES_LOST: gettext_noop("A tuning cycle was refused. Lost %(lost)s of %(of)s: a person decides."),
}
# Why a cycle applied nothing.
REASONS = (pgettext_lazy("value", "loses_cases"),)
# The names of the alerts themselves.
ALERT_NAMES = (pgettext_lazy("value", "learning_rolled_back"), pgettext_lazy("value", "learning_refused"))
