"""AI and searches follow when articles are published, withdrawn, or shown otherwise.

All of it is under the lock of the widget's knowledge base, behind that of the text: of two at once, the later sees the
earlier one's work. Rules are written without a vendor; the knowledge base has them embedded in the background.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.search import SearchVector
from django.db import transaction
from django.db.models import Exists, Func, OuterRef, TextField, Value

from apps.articles.actions.search import address_of
from apps.articles.actions.words import forget_unused_words, note_words
from apps.articles.models import ArticleText, ArticleWord, SearchableText
from apps.articles.querysets.articles import PublishedText, published_texts, shown
from apps.articles.querysets.centers import Center, center_of
from apps.articles.rules.pieces import (
    MAX_EXCERPT,
    MOST_MARKED,
    ArticlePieces,
    languages_given,
    pieces_of,
    searched_part,
)
from apps.chats.questions import SPOKEN
from apps.core.problems import Problem
from apps.kb.actions.bases import locked_base
from apps.kb.actions.documents import delete_source, delete_sources, replace_document, set_languages
from apps.kb.errors import KB_FULL
from apps.kb.models import Source
from apps.kb.rules.documents import Chunk
from apps.kb.rules.fusion import folded
from apps.kb.rules.texts import MAX_TITLE, SourceType, article_ref

# Texts that a change of the help center takes along at once; the job writes the others, so many of a widget a run.
AT_ONCE, A_RUN, A_BATCH = 200, 500, 50
# The settings of a help center that show in AI's rules, besides `for_ai`: addresses, and languages of readers.
_MARKS: Any = ArrayField(TextField())
SHOWN_IN_RULES = frozenset({"slug", "is_public", "domain", "default_language"})


@transaction.atomic
def take_up(*, widget_id: int, article_id: int, lang: str) -> None:
    """Has searches find the published version of a text, and AI know it. Raises KB_FULL (409): nothing is published."""
    locked_base(widget_id)
    center = center_of(widget_id)
    for text in shown(published_texts(widget_id).filter(article_id=article_id, lang=lang)):
        pieces = pieces_of(text.title, text.body)
        _make_searchable(widget_id, text, pieces)
        if center.row.for_ai:
            _write_rules(center, text, pieces, _languages_of(widget_id, article_id))
            _follow_languages(center, article_id)


@transaction.atomic
def take_out(*, widget_id: int, article_id: int, lang: str) -> None:
    """Has neither AI nor searches know a text any more: it was withdrawn, or its article deleted."""
    locked_base(widget_id)
    SearchableText.objects.for_widget(widget_id).filter(article_id=article_id, lang=lang).delete()
    if delete_source(widget_id=widget_id, source_ref=article_ref(article_id, lang)):
        _follow_languages(center_of(widget_id), article_id)


@transaction.atomic
def follow_center(*, widget_id: int, changed: Collection[str]) -> None:
    """Has AI know articles as the help center says now: with `for_ai` off all its rules of them go at once.

    Raises KB_FULL (409).
    """
    if "for_ai" not in changed and not SHOWN_IN_RULES & set(changed):
        return
    locked_base(widget_id)
    texts = SearchableText.objects.for_widget(widget_id)
    if not center_of(widget_id).row.for_ai:
        texts.filter(is_due=True).update(is_due=False)
        sources = Source.objects.for_widget(widget_id).filter(type=SourceType.ARTICLE)
        delete_sources(widget_id=widget_id, sources=sources)
        return
    texts.filter(is_due=False).update(is_due=True)
    _write_due(widget_id, AT_ONCE)


def take_up_all(*, widget_id: int) -> int:
    """Takes up the published texts of a widget that searches do not find yet, as after an import of it; gives how many.

    A text that the knowledge base has no room for is found by searches alone.
    """
    of_text = {"text": OuterRef("pk"), "version": OuterRef("published_version")}
    known = SearchableText.objects.for_widget(widget_id).filter(**of_text)
    missing = ArticleText.objects.for_widget(widget_id).published().filter(~Exists(known))
    pks = list(missing.order_by("pk").values_list("pk", flat=True))
    for begin in range(0, len(pks), A_BATCH):
        with transaction.atomic():
            locked_base(widget_id)
            for text in list(shown(published_texts(widget_id).filter(pk__in=pks[begin : begin + A_BATCH]))):
                _make_searchable(widget_id, text, pieces_of(text.title, text.body), is_due=True)
    _follow_due([widget_id])
    return len(pks)


def follow_articles() -> None:
    """Writes the due rows of every widget: AI's rules after a change of a help center, and texts that an import
    brought.

    Harmless when run twice at once.
    """
    known = SearchableText.objects.unscoped("each text's own").filter(
        text=OuterRef("pk"), version=OuterRef("published_version")
    )
    missing = ArticleText.objects.unscoped("every widget's published texts").published().filter(~Exists(known))
    for widget_id in list(missing.order_by().values_list("widget_id", flat=True).distinct()):
        take_up_all(widget_id=widget_id)
    due = SearchableText.objects.unscoped("every widget's texts that are due").filter(is_due=True)
    _follow_due(list(due.order_by().values_list("widget_id", flat=True).distinct()))


def forget_words() -> None:
    """Forgets the words that no published text of their widget has any more."""
    words = ArticleWord.objects.unscoped("every widget with articles").order_by()
    for widget_id in list(words.values_list("widget_id", flat=True).distinct()):
        forget_unused_words(widget_id)


def _follow_due(widget_ids: Iterable[int]) -> None:
    for widget_id in widget_ids:
        try:
            with transaction.atomic():
                locked_base(widget_id)
                _write_due(widget_id, A_RUN)
        except Problem as problem:
            if problem.type is not KB_FULL:
                raise


def _write_due(widget_id: int, most: int) -> None:
    """Writes the rules of some texts that are due. The base is locked."""
    center = center_of(widget_id)
    due = SearchableText.objects.for_widget(widget_id).filter(is_due=True)
    rows = dict(due.order_by("pk").values_list("text_id", "pk")[:most])
    if not rows:
        return
    if center.row.for_ai:
        texts = list(shown(published_texts(widget_id).filter(pk__in=list(rows))))
        languages: dict[int, set[str]] = {}
        of_them = SearchableText.objects.for_widget(widget_id).filter(
            article_id__in={text.article_id for text in texts}
        )
        for article_id, lang in of_them.values_list("article_id", "lang"):
            languages.setdefault(article_id, set()).add(lang)
        for text in texts:
            _write_rules(center, text, pieces_of(text.title, text.body), languages[text.article_id])
    due.filter(pk__in=list(rows.values())).update(is_due=False)


def _write_rules(center: Center, text: PublishedText, pieces: ArticlePieces, languages: Collection[str]) -> None:
    replace_document(
        widget_id=center.row.widget_id,
        source_ref=article_ref(text.article_id, text.lang),
        source_type=SourceType.ARTICLE,
        title=text.title[:MAX_TITLE],
        doc_id=None,
        url=address_of(center, text.lang, text.article_id, text.slug),
        chunks=[Chunk(title, content) for title, content in pieces.chunks],
        languages=_given(center, text.lang, languages),
    )


def _follow_languages(center: Center, article_id: int) -> None:
    """The text in the default language is given to who has no other: whom that is, the other texts say."""
    languages = _languages_of(center.row.widget_id, article_id)
    default = center.default_language
    if default in languages:
        set_languages(
            widget_id=center.row.widget_id,
            source_ref=article_ref(article_id, default),
            languages=_given(center, default, languages),
        )


def _given(center: Center, lang: str, languages: Collection[str]) -> Sequence[str]:
    return languages_given(lang, languages, default=center.default_language, spoken=SPOKEN)


def _languages_of(widget_id: int, article_id: int) -> set[str]:
    """The languages in which an article is published."""
    texts = SearchableText.objects.for_widget(widget_id).filter(article_id=article_id)
    return set(texts.values_list("lang", flat=True))


def _make_searchable(widget_id: int, text: PublishedText, pieces: ArticlePieces, *, is_due: bool = False) -> None:
    """Has searches find a text by the words of its title, its summary and its body."""
    title = folded(text.title)
    content = searched_part(f"{text.summary}\n{pieces.text}")
    titled: Any = SearchVector(Value(title), weight="A", config="russian")
    values: dict[str, Any] = {
        "version": text.version,
        "titled": titled,
        "searched": titled + SearchVector(Value(folded(content)), weight="B", config="russian"),
        "marks": Func(Value(f"{title}\n{content}"[:MOST_MARKED]), function="kb_marks", output_field=_MARKS),
        "excerpt": content[:MAX_EXCERPT],
        "is_due": is_due,
    }
    of_it = SearchableText.objects.for_widget(widget_id).filter(article_id=text.article_id, lang=text.lang)
    if not of_it.update(**values):
        texts = ArticleText.objects.for_widget(widget_id).filter(article_id=text.article_id)
        text_id = texts.values_list("pk", flat=True).get(lang=text.lang)
        of_text = {"widget_id": widget_id, "article_id": text.article_id, "lang": text.lang, "text_id": text_id}
        SearchableText.objects.create(**of_text, **values)
    note_words(widget_id, text.article_id, text.lang)
