"""A model writes the draft of an article anew, from people's answers and the knowledge. The work of a queue."""

from django.db import transaction

from apps.articles.actions.texts import put_text
from apps.articles.models import ArticleDraft, ArticleText
from apps.articles.questions import WritingFailed, WrittenArticle, past_answers, write
from apps.articles.rules.gaps import topic_of
from apps.articles.rules.states import DraftState
from apps.kb.actions.retrieval import asked_of, find
from apps.leases import Lease

MOST_PIECES = 5
ACTOR = "AI"


def work(lease: Lease[ArticleDraft]) -> None:
    """Queues the draft to be written anew; a person's text of meanwhile stays, and so does the draft if no model
    can."""
    draft = lease.row
    text = ArticleText.objects.for_widget(draft.widget_id).select_related("article").get(pk=draft.text_id)
    written = _written(text) if text.version == draft.base_version else None
    with transaction.atomic():
        _end(draft, text, written)
        lease.done()


def given_up(lease: Lease[ArticleDraft], reason: str) -> None:
    """The draft of people's answers stays."""
    ArticleText.objects.for_widget(lease.row.widget_id).filter(
        pk=lease.row.text_id, draft_state=DraftState.PENDING
    ).update(draft_state=DraftState.FAILED)


def _end(draft: ArticleDraft, old_text: ArticleText, written: WrittenArticle | None) -> None:
    """Writes the result, if the text is still the one that was to be replaced."""
    texts = ArticleText.objects.for_widget(draft.widget_id).filter(pk=draft.text_id, draft_state=DraftState.PENDING)
    text = texts.select_for_update(of=("self",)).first()
    if text is None:
        return
    if text.version != draft.base_version:
        texts.update(draft_state=DraftState.NONE)
    elif written is None:
        texts.update(draft_state=DraftState.FAILED)
    else:
        put_text(
            widget_id=draft.widget_id,
            article_id=old_text.article_id,
            lang=old_text.lang,
            title=written.title,
            body=written.body,
            actor=ACTOR,
            draft_state=DraftState.READY,
            unsupported=list(written.unsupported),
        )


def _written(text: ArticleText) -> WrittenArticle | None:
    topic_id = topic_of(text.article.gap_key)
    answers = [] if topic_id is None else list(past_answers(text.widget_id, topic_id))
    questions = list(dict.fromkeys([text.title, *(pair.question for pair in answers)]))
    try:
        return write(
            text.widget_id, text.lang, questions, [pair.answer for pair in answers], _pieces(text.widget_id, text.title)
        )
    except WritingFailed:
        return None


def _pieces(widget_id: int, question: str) -> list[str]:
    """The knowledge about it, by its words: no vendor is asked."""
    asked = asked_of(widget_id, None, question)
    return [] if asked is None else [chunk.rule.content for chunk in find(asked.query, limit=MOST_PIECES).chunks]
