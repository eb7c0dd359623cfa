"""Documents of several chunks, as crawls and uploads bring them: replaced whole, and deleted."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import Case, F, IntegerField, Value, When
from django.utils import timezone

from apps.kb.actions.background import queue_embedding
from apps.kb.actions.bases import locked_base, require_room, statuses
from apps.kb.errors import RULE_OF_ARTICLE
from apps.kb.models import KnowledgeBase, Rule, Source
from apps.kb.querysets import RuleQuerySet, SourceQuerySet
from apps.kb.rules.documents import Chunk, compared
from apps.kb.rules.texts import EmbeddingStatus, SourceType, digest_of, is_article_ref


class Replaced(NamedTuple):
    """How many rules of a document are new, stayed, and went."""

    added: int
    kept: int
    removed: int


@transaction.atomic
def replace_document(
    *,
    widget_id: int,
    source_ref: str,
    source_type: SourceType,
    title: str,
    doc_id: str | None,
    url: str | None,
    chunks: Sequence[Chunk],
    upload_id: int | None = None,
    regenerates: bool = False,
    languages: Sequence[str] | None = None,
) -> Replaced:
    """Makes these chunks the rules of the source, in their order; equal chunks keep their rule and its id. They
    are given in chats of these `languages`, or in all.

    New rules are found by their text from the commit on, and embedded in the background. Without chunks the source
    goes. It may run within a larger transaction. Raises KB_FULL (409), which must roll that back.
    """
    base = locked_base(widget_id)
    source, _ = Source.objects.for_widget(widget_id).get_or_create(
        ref=source_ref, defaults={"widget_id": widget_id, "type": source_type}
    )
    known = Rule.objects.for_widget(widget_id).filter(source=source).order_by("chunk_index", "pk")
    rows = list(known.values_list("pk", "chunk_index", "title", "content"))
    found = compared([(pk, Chunk(name, content)) for pk, _, name, content in rows], chunks)
    require_room(base, len(found.added) - len(found.removed))
    _delete(Rule.objects.for_widget(widget_id).filter(pk__in=found.removed))
    _move(widget_id, {pk: found.kept[pk] for pk, place, _, _ in rows if found.kept.get(pk, place) != place})
    if not chunks:
        source.delete()
        return Replaced(0, 0, len(found.removed))
    source.type, source.title, source.doc_id, source.url = source_type, title, doc_id, url
    source.upload_id, source.regenerates, source.updated_at = upload_id, regenerates, timezone.now()
    source.save(update_fields=["type", "title", "doc_id", "url", "upload_id", "regenerates", "updated_at"])
    _add(base, source, found.added, languages)
    if rows and languages is not None:
        set_languages(widget_id=widget_id, source_ref=source_ref, languages=languages)
    return Replaced(len(found.added), len(found.kept), len(found.removed))


def _move(widget_id: int, places: Mapping[int, int]) -> None:
    if places:
        cases = [When(pk=pk, then=Value(place)) for pk, place in places.items()]
        moved = Case(*cases, default=F("chunk_index"), output_field=IntegerField())
        Rule.objects.for_widget(widget_id).filter(pk__in=list(places)).update(chunk_index=moved)


def _add(base: KnowledgeBase, source: Source, chunks: Mapping[int, Chunk], languages: Sequence[str] | None) -> None:
    digests = {place: digest_of(chunk.title, chunk.content) for place, chunk in chunks.items()}
    status = statuses(base, digests.values())
    rows = [
        Rule(
            widget_id=base.widget_id,
            source=source,
            title=chunk.title,
            content=chunk.content,
            doc_id=source.doc_id,
            chunk_index=place,
            languages=languages,
            digest=digests[place],
            embedding_status=status[digests[place]],
        )
        for place, chunk in chunks.items()
    ]
    Rule.objects.bulk_create(rows, batch_size=500)
    if EmbeddingStatus.PENDING in status.values():
        queue_embedding(base)


@transaction.atomic
def set_languages(*, widget_id: int, source_ref: str, languages: Sequence[str]) -> None:
    """Has the rules of a source be given in chats of these languages alone. An unknown source has none."""
    locked_base(widget_id)
    rules = Rule.objects.for_widget(widget_id).filter(source__ref=source_ref, source__widget_id=widget_id)
    rules.exclude(languages=list(languages)).update(languages=list(languages))


@transaction.atomic
def delete_source(*, widget_id: int, source_ref: str) -> int:
    """Deletes a source with its rules; gives how many those were. An unknown source has none."""
    locked_base(widget_id)
    source = Source.objects.for_widget(widget_id).filter(ref=source_ref).first()
    if source is None:
        return 0
    _delete(Rule.objects.for_widget(widget_id).filter(source=source))
    source.delete()
    return source.chunks


def delete_own_source(*, widget_id: int, source_ref: str) -> int:
    """Deletes a source at its owner's word, as `delete_source`. Raises RULE_OF_ARTICLE (409)."""
    if is_article_ref(source_ref):
        raise RULE_OF_ARTICLE()
    return delete_source(widget_id=widget_id, source_ref=source_ref)


@transaction.atomic
def delete_sources(*, widget_id: int, sources: SourceQuerySet) -> None:
    """Deletes sources of the widget with all their rules, in two statements."""
    locked_base(widget_id)
    ids = list(sources.values_list("pk", flat=True))
    _delete(Rule.objects.for_widget(widget_id).filter(source_id__in=ids))
    Source.objects.for_widget(widget_id).filter(pk__in=ids).delete()


def _delete(rules: RuleQuerySet) -> None:
    """In one statement, whatever their number: nothing refers to a rule, and a document's are no lines of the audit."""
    rules._raw_delete(using=rules.db)
