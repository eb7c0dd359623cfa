"""The words for people of this app's fields, marked for translation."""

from django.utils.translation import gettext_noop

# The names of fields that no page has named: the audit trail shows them.
FIELD_WORDS = {
    "mode": gettext_noop("who gets a chat"),
    "accept_seconds": gettext_noop("seconds of an offer"),
    "silent_minutes": gettext_noop("minutes of a silent owner"),
    "prefer_last": gettext_noop("the last operator first"),
    "languages": gettext_noop("languages"),
    "overflow_department": gettext_noop("department that helps out"),
    "overflow_minutes": gettext_noop("minutes until another department helps out"),
    "answer_times": gettext_noop("answer times"),
    "warn_percent": gettext_noop("warning, percent of the time"),
    "clock": gettext_noop("clock of answer times"),
    "capacity": gettext_noop("places"),
    "show_place": gettext_noop("visitors see their place"),
    "show_expected": gettext_noop("visitors see the expected wait"),
}
