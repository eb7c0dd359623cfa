"""The words for people of what this app stores, marked for translation."""

from django.utils.translation import gettext_noop

# The names of fields that no page has named: the audit trail shows them.
FIELD_WORDS = {
    "avatar": gettext_noop("picture"),
    "ai_assistant_id": gettext_noop("assistant"),
    "channels": gettext_noop("channels"),
}
