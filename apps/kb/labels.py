"""The words for people of what this app stores, marked for translation."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from apps.kb.rules.crawling import PageNote

# The names of fields that no page has named: the audit trail shows them.
FIELD_WORDS = {
    "content": gettext_noop("text"),
    "title": gettext_noop("title"),
    "doc_id": gettext_noop("document's id"),
    "error_code": gettext_noop("error"),
    "error_detail": gettext_noop("error's details"),
    "start_urls": gettext_noop("addresses to begin at"),
    "max_depth": gettext_noop("how deep"),
    "include_paths": gettext_noop("paths that are read"),
    "exclude_paths": gettext_noop("paths that are left out"),
    "use_sitemap": gettext_noop("reads the site map"),
    "recrawl_every_hours": gettext_noop("hours between readings"),
    "trigger": gettext_noop("began by"),
}

# The notes of a page, beside the pieces that it gave.
PAGE_NOTES = {
    PageNote.NEEDS_SCRIPTS: _("It has no text before its scripts run, and they are not run."),
    PageNote.FEW_WORDS: _("It has little text before its scripts run, and they are not run."),
    PageNote.UNFILLED: _("Its placeholders are filled in by scripts, and they are not run."),
}
