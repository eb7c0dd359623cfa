"""Writing and deleting the texts of articles, and keeping their versions."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.articles.errors import ARTICLE_CHANGED, LAST_TEXT
from apps.articles.events import ArticleUnpublished
from apps.articles.models import Article, ArticleText, ArticleVersion
from apps.articles.rules.limits import KEPT_VERSIONS, MAX_ACTOR
from apps.articles.rules.slugs import slug_of
from apps.articles.rules.states import DraftState
from apps.articles.rules.texts import CONTENT, forgotten_versions, lines_of, text_refusals
from apps.chats.questions import widget_languages
from apps.core import bus
from apps.core.database.changes import save_changed, set_changes
from apps.core.errors import INVALID_INPUT


@transaction.atomic
def put_text(
    *,
    widget_id: int,
    article_id: int,
    lang: str,
    title: str,
    body: str,
    summary: str = "",
    slug: str | None = None,
    base_version: int | None = None,
    actor: str = "",
    draft_state: DraftState = DraftState.NONE,
    unsupported: list[Any] | None = None,
) -> ArticleText:
    """Writes the draft of an article in a language: a new version, which readers do not see. An equal one is none.

    Without `slug`, one that was made of the old title is made of the new one. `base_version` is the version that the
    writer has read, 0 for none. `draft_state` and `unsupported` are of a worker's draft.

    Raises NOT_FOUND (404), INVALID_INPUT (422) by name, ARTICLE_CHANGED (409) where another version is the newest.
    """
    article = Article.objects.for_widget(widget_id).get_for_update(pk=article_id)
    content = {"title": title, "body": body, "summary": summary, **({} if slug is None else {"slug": slug})}
    text = ArticleText.objects.for_widget(widget_id).filter(article=article, lang=lang).first()
    refusals = text_refusals(content) | ({} if text else languages_refusal(widget_id, lang))
    if refusals:
        raise INVALID_INPUT(errors={path: [why] for path, why in refusals.items()})
    newest = text.version if text else 0
    if base_version is not None and base_version != newest:
        raise ARTICLE_CHANGED(version=newest)
    if text is None:
        text = add_text(article, lang, content, actor=actor)
        changed = []
    else:
        changed = set_changes(text, _completed(content, text))
        if changed:
            text.version += 1
            changed.append("version")
            _keep_version(text, actor)
    changed += set_changes(text, {"draft_state": draft_state, "unsupported": unsupported or []})
    save_changed(text, changed)
    if changed:
        save_changed(article, ["updated_at"])
    return text


def add_text(article: Article, lang: str, content: Mapping[str, str], *, actor: str) -> ArticleText:
    """Adds the first version of a text, of good members, to an article that the caller has locked."""
    text = ArticleText(widget_id=article.widget_id, article=article, lang=lang, **_completed(content, None))
    text.save(force_insert=True)
    _keep_version(text, actor)
    return text


@transaction.atomic
def delete_text(*, widget_id: int, article_id: int, lang: str) -> Article:
    """Deletes an article's text in a language with its versions; readers see it no longer.

    Raises NOT_FOUND (404), LAST_TEXT (409) for an article's only one.
    """
    article = Article.objects.for_widget(widget_id).get_for_update(pk=article_id)
    texts = ArticleText.objects.for_widget(widget_id).filter(article=article)
    text = texts.get_or_404(lang=lang)
    if texts.count() == 1:
        raise LAST_TEXT()
    seen = text.published_version
    text.delete()
    save_changed(article, ["updated_at"])
    if seen is not None:
        bus.publish(ArticleUnpublished(widget_id=widget_id, article_id=article_id, lang=lang, version=seen))
    return article


def languages_refusal(widget_id: int, lang: str) -> dict[str, str]:
    """Why a widget's articles can't be written in a language."""
    supported = widget_languages(widget_id).supported
    return {} if lang in supported else {"lang": "The widget does not support this language."}


def _completed(content: Mapping[str, str], text: ArticleText | None) -> dict[str, str]:
    """The members as they are kept. A slug that the writer did not choose follows the title."""
    found = {**content, "body": lines_of(content["body"]), "title": content["title"].strip()}
    if "slug" not in found:
        is_chosen = text is not None and text.slug != slug_of(text.title)
        found["slug"] = text.slug if text is not None and is_chosen else slug_of(found["title"])
    return found


def _keep_version(text: ArticleText, actor: str) -> None:
    ArticleVersion.objects.create(
        widget_id=text.widget_id,
        text=text,
        version=text.version,
        actor=actor[:MAX_ACTOR],
        **{name: getattr(text, name) for name in CONTENT},
    )
    if text.version <= KEPT_VERSIONS:
        return
    versions = ArticleVersion.objects.for_widget(text.widget_id).filter(text=text)
    keep = (text.published_version, text.publish_version)
    old = forgotten_versions(list(versions.values_list("version", flat=True)), keep=keep, most=KEPT_VERSIONS)
    versions.filter(version__in=old).delete()
