"""The parts of the cabinet's page of knowledge: what is known, from where, how fresh, what is used, what is lacking."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.http import urlencode
from django.utils.translation import gettext, ngettext

from apps.core import plugins
from apps.kb.actions.status import status_of
from apps.kb.models import CrawlPage, KnowledgeBase, Rule, Source, Upload
from apps.kb.questions import KnowledgeHooks
from apps.kb.rules.crawling import PageNote
from apps.kb.rules.texts import SourceType
from apps.kb.rules.uploads import UploadState, upload_ref

SOURCES, PIECES, NEVER_USED = 20, 200, 10


class KnownSource(NamedTuple):
    """A source, as the page lists it: `used` counts the answers of the last 30 days that were given a piece of it."""

    source: Source
    name: str
    kind: str
    used: int
    address: str


class Piece(NamedTuple):
    """A rule of a source, and how many answers were given it."""

    rule: Rule
    used: int
    address: str


def knowledge_of(base: KnowledgeBase) -> dict[str, Any]:
    """The parts of the page of a widget's knowledge, in a number of statements that does not grow."""
    widget_id = base.widget_id
    status, used = status_of(widget_id, base), pieces_used(widget_id)
    sources = Source.objects.for_widget(widget_id).filled()
    by_source = _by_source(widget_id, used)
    newest = list(sources.order_by("-updated_at", "-pk")[:SOURCES])
    idle = sources.exclude(pk__in=by_source).order_by("updated_at", "pk") if used else sources.none()
    add = reverse("admin:kb_rule_add")
    return {
        "told": _told(status),
        "why_not": _why_not(status),
        "sources": [_known(source, by_source) for source in newest],
        "more_sources": status["sources"] > SOURCES,
        "never_used": [_known(source, by_source) for source in idle[:NEVER_USED]],
        "in_vain": [
            (question, times, f"{add}?{urlencode({'question': question, 'widget': str(widget_id)})}")
            for question, times in asked_in_vain(widget_id)
        ],
        "gaps": next((page(widget_id) for page in plugins.hooked(lambda app: app.gaps_page, KnowledgeHooks)), ""),
        "ask": reverse("admin:kb_knowledgebase_ask", args=[widget_id]),
        "ways": [
            (gettext("Write a rule"), "edit_note", f"{add}?{urlencode({'widget': widget_id})}"),
            (gettext("Upload documents"), "upload_file", reverse("admin:kb_upload_add")),
            (gettext("Read a website"), "language", reverse("admin:kb_crawler_changelist")),
        ],
    }


def pieces_used(widget_id: int) -> Mapping[int, int]:
    """How many answers of late were given each rule; empty without AI."""
    found: dict[int, int] = {}
    for used in plugins.hooked(lambda app: app.used_knowledge, KnowledgeHooks):
        found |= used(widget_id)
    return found


def asked_in_vain(widget_id: int) -> list[tuple[str, int]]:
    """The questions that nothing answered of late, and how often; none without an app that notes them."""
    return [one for asked in plugins.hooked(lambda app: app.asked_in_vain, KnowledgeHooks) for one in asked(widget_id)]


def pieces_of(source: Source) -> list[Piece]:
    """The rules of a source, in its order."""
    used = pieces_used(source.widget_id)
    rules = Rule.objects.for_widget(source.widget_id).filter(source=source).order_by("chunk_index", "pk")
    return [
        Piece(rule, used.get(rule.pk, 0), reverse("admin:kb_rule_change", args=[rule.pk])) for rule in rules[:PIECES]
    ]


def name_of(source: Source) -> str:
    """The name of a source: its title, its document's name, its address."""
    return source.title or source.url or source.ref


def document_of(source: Source) -> Upload | None:
    """The uploaded document of a source; None of others."""
    if source.upload_id is None:
        return None
    return Upload.objects.for_widget(source.widget_id).filter(pk=source.upload_id).first()


def note_of_page(source: Source) -> PageNote | None:
    """The note of the last crawl on the page of a source; None of others."""
    pages = CrawlPage.objects.for_widget(source.widget_id).filter(url=source.url or "").exclude(note="")
    note = pages.order_by("-pk").values_list("note", flat=True).first()
    return PageNote(note) if note else None


def source_of(upload: Upload) -> Source | None:
    """The source of a document; None until it is read."""
    return Source.objects.for_widget(upload.widget_id).filter(ref=upload_ref(upload.pk)).first()


def states_of(uploads: Any) -> list[dict[str, Any]]:
    """How far documents are, in words."""
    said = {
        UploadState.QUEUED.value: gettext("waits to be read"),
        UploadState.EXTRACTING.value: gettext("is being read"),
        UploadState.EMBEDDING.value: gettext("is being understood"),
        UploadState.READY.value: gettext("ready"),
    }
    return [
        {
            "id": upload.pk,
            "state": said.get(upload.state) or upload.error_detail,
            "is_over": upload.state in (UploadState.READY, UploadState.FAILED),
            "is_good": upload.state == UploadState.READY,
            "address": reverse("admin:kb_upload_change", args=[upload.pk]),
        }
        for upload in uploads
    ]


def _by_source(widget_id: int, used: Mapping[int, int]) -> dict[int, int]:
    found: dict[int, int] = {}
    rows = Rule.objects.for_widget(widget_id).filter(pk__in=used).order_by().values_list("pk", "source_id")
    for rule_id, source_id in rows:
        found[source_id] = found.get(source_id, 0) + used[rule_id]
    return found


def _known(source: Source, by_source: Mapping[int, int]) -> KnownSource:
    kinds = {
        SourceType.UPLOAD.value: gettext("document"),
        SourceType.CRAWL.value: gettext("page"),
        SourceType.ARTICLE.value: gettext("article"),
    }
    address = reverse("admin:kb_source_change", args=[source.pk])
    kind = kinds.get(source.type) or gettext("by hand")
    return KnownSource(source, name_of(source), kind, by_source.get(source.pk, 0), address)


def _told(status: Mapping[str, Any]) -> str:
    rules = ngettext("%(count)s piece", "%(count)s pieces", status["rules"]) % {"count": _count(status["rules"])}
    sources = ngettext("of %(count)s source", "of %(count)s sources", status["sources"])
    return f"{rules} {sources % {'count': _count(status['sources'])}}"


def _why_not(status: Mapping[str, Any]) -> list[str]:
    """The reasons that keep knowledge from being found, in words."""
    vectors, told = status["embeddings"], []
    if not status["rules"]:
        return []
    if not status["in_use"]:
        told.append(gettext("No assistant uses it now: AI is off, or knowledge is switched off in the assistant."))
    if vectors["failed"]:
        text = ngettext(
            "%(count)s piece is refused by the provider, and is found by its words alone.",
            "%(count)s pieces are refused by the provider, and are found by their words alone.",
            vectors["failed"],
        )
        told.append(text % {"count": _count(vectors["failed"])})
    if vectors["pending"]:
        text = ngettext("%(count)s piece waits.", "%(count)s pieces wait.", vectors["pending"])
        told.append(text % {"count": _count(vectors["pending"])})
    elif status["retrieval"] == "text":
        told.append(gettext("No key makes vectors: questions are looked for by their words, not by their meaning."))
    return told


def _count(number: int) -> str:
    return number_format(number, force_grouping=True)
