"""The words for people of this app's fields, marked for translation."""

from django.utils.translation import gettext_noop, pgettext_lazy

# The ways in which the widget shows articles (rules/states.py).
NAMED = (pgettext_lazy("value", "search"), pgettext_lazy("value", "suggest"))

# The names of fields that no page has named: the audit trail shows them.
FIELD_WORDS = {
    "article": gettext_noop("article"),
    "lang": gettext_noop("language"),
    "slug": gettext_noop("address"),
    "summary": gettext_noop("summary"),
    "published_version": gettext_noop("published version"),
    "published_at": gettext_noop("published"),
    "publish_at": gettext_noop("is published on"),
    "publish_version": gettext_noop("version to publish"),
    "category": gettext_noop("category"),
    "origin_key": gettext_noop("imported from"),
    "gap_key": gettext_noop("asked in vain"),
    "asked": gettext_noop("how often it was asked"),
}
