"""States, verdicts and problems of articles in a clerk's words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_noop, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class ShownState(NamedTuple):
    """A text's state in words, and the tone of its chip."""

    words: StrOrPromise
    tone: str = ""


NOT_WRITTEN = ShownState(_("not written"))
DRAFT = ShownState(pgettext_lazy("an article", "draft"))
PUBLISHED = ShownState(pgettext_lazy("an article", "published"), "success")
CHANGED = ShownState(_("published, with changes that are not"), "info")


def state_of(text: Any | None) -> ShownState:
    """The state of a text of an article; None: it is not written in that language."""
    if text is None:
        return NOT_WRITTEN
    if text.publish_at is not None:
        return ShownState(gettext("will be published %(when)s") % {"when": moment(text.publish_at)}, "warning")
    if text.published_version is None:
        return DRAFT
    return PUBLISHED if text.published_version == text.version else CHANGED


def moment(at: datetime) -> str:
    """A moment in the time zone of the page."""
    return date_format(timezone.localtime(at), "SHORT_DATETIME_FORMAT")


def saved_words(at: datetime) -> str:
    """The words beside the field, once the draft is kept."""
    return gettext("Saved at %(time)s as a draft") % {"time": date_format(timezone.localtime(at), "TIME_FORMAT")}


def asked_words(asked: Mapping[str, Any] | None) -> str:
    """How often an article's question was asked in vain; empty where nobody has asked."""
    if not asked:
        return ""
    text = ngettext(
        "Asked %(count)s time without an answer: this draft is made of what your people have answered.",
        "Asked %(count)s times without an answer: this draft is made of what your people have answered.",
        asked["count"],
    )
    return text % {"count": asked["count"]}


DRAFT_STATES: Mapping[str, StrOrPromise] = {
    "pending": _("A model is writing this draft anew; look again in a minute."),
    "ready": _("A model has written this draft. Read it before you publish it."),
    "failed": _("No model could write the draft anew: it is made of the answers as they were."),
}

VERDICTS: Mapping[str, ShownState] = {
    "answers": ShownState(_("answers"), "success"),
    "mixed": ShownState(_("helps some readers"), "warning"),
    "fails": ShownState(_("does not help"), "danger"),
    "too_few": ShownState(_("too few voices")),
}

REASONS: Mapping[str, StrOrPromise] = {
    "wrong": pgettext_lazy("of an article", "wrong"),
    "unclear": pgettext_lazy("of an article", "unclear"),
    "missing": _("something is missing"),
    "other": pgettext_lazy("a reason", "other"),
}

IMPORT_STATES: Mapping[str, ShownState] = {
    "queued": ShownState(_("waits"), "warning"),
    "running": ShownState(_("is being read"), "warning"),
    "done": ShownState(pgettext_lazy("an import", "done"), "success"),
    "failed": ShownState(pgettext_lazy("an import", "failed"), "danger"),
}

IMPORT_PROBLEMS: Mapping[str, StrOrPromise] = {
    "bad_path": _("the name leads out of the archive"),
    "duplicate": _("there are two of this name"),
    "not_a_picture": _("this is no picture"),
    "no_such_picture": _("the picture is not there"),
    "no_title": _("it has no title"),
    "too_long": _("it is too long"),
    "bad_language": _("the language is not the widget's"),
    "bad_text": _("the text holds what no text may"),
    "unreadable": _("it can't be read"),
    "too_many": _("there is no room for more articles"),
    "kb_full": _("the knowledge is full"),
    "empty": _("it is empty"),
}

DOMAIN_STATES: Mapping[str, ShownState] = {
    "pending": ShownState(_("waits for its record"), "warning"),
    "verified": ShownState(_("proved"), "success"),
    "lapsed": ShownState(_("its record is gone: it does not answer"), "danger"),
}

DOMAIN_PROBLEMS: Mapping[str, StrOrPromise] = {
    "no_record": _("The record is not there. A new one may take an hour to be seen."),
    "other_value": _("There is a record, with another value."),
    "no_answer": _("The name servers do not answer. Try again later."),
}

LEFT_OUT: Mapping[str, StrOrPromise] = {
    "answered": _("have had an answer since"),
    "told": _("were told already"),
    "spam": _("are spam"),
    "blocked": _("are blocked"),
    "old": _("asked more than 90 days ago"),
    "no_way": _("can't be reached: their messenger or mail takes no message now"),
}

# Refusals of fields, as the rules say them.
REFUSALS = (
    gettext_noop("The text is empty."),
    gettext_noop("The moment is past."),
    gettext_noop("The moment is more than a year away."),
    gettext_noop("Small letters a to z, digits and hyphens are expected."),
    gettext_noop("Control characters are not allowed."),
    gettext_noop("There is no such category."),
    gettext_noop("A whole domain name is expected, such as help.shop.example."),
    gettext_noop("A domain name is expected, not an address."),
    gettext_noop("The domain name is not valid."),
    gettext_noop("This is a host of the installation itself."),
)
