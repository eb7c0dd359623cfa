"""The editor of an article: the deeds of its buttons, and its fields. It works without scripts."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from apps.accounts.models import Widget
from apps.articles.actions.articles import change_article, create_article
from apps.articles.actions.publishing import publish, unpublish
from apps.articles.actions.texts import put_text
from apps.articles.cabinet.pages import (
    Edited,
    category_choices,
    editor_of,
    language_of_page,
    language_tabs,
    languages_of,
    public_url,
)
from apps.articles.cabinet.pictures import kept_picture
from apps.articles.cabinet.words import DRAFT_STATES, asked_words, moment, saved_words, state_of
from apps.articles.errors import ARTICLE_CHANGED
from apps.articles.forms import ArticleForm
from apps.articles.models import Article, ArticlePicture, ArticleText
from apps.articles.rules.addresses import picture_path
from apps.articles.rules.limits import MAX_BODY
from apps.articles.rules.pages import article_html, linked_articles, shown_pictures
from apps.articles.rules.slugs import slug_of
from apps.articles.rules.states import DraftState
from apps.cabinet.refusals import words_of
from apps.cabinet.tenant_admin import user_of
from apps.chats.rules.languages import direction_of
from apps.core.errors import INVALID_INPUT
from apps.core.problems import Problem

# An anchor of the page itself might be one of the cabinet's.
_ANCHOR = re.compile(r'(<h[2-6]) id="[^"]*"')
SAVING = ("keep", "save", "mine", "publish", "schedule")
FOUND = 10


class Editing:
    """A request of the editor's page."""

    def __init__(self, request: HttpRequest, widget: Widget, article: Article | None) -> None:
        self.request, self.widget, self.article = request, widget, article
        self.languages = languages_of(widget.pk)
        self.lang = language_of_page(request, list(self.languages))
        self.texts = {text.lang: text for text in article.texts.all()} if article else {}
        self.text: ArticleText | None = self.texts.get(self.lang)
        self.newer: int | None = None
        self.form = self._form(None)

    def _form(self, data: Any, files: Any = None) -> ArticleForm:
        text, article = self.text, self.article
        initial = {
            "title": text.title if text else "",
            "body": text.body if text else "",
            "summary": text.summary if text else "",
            "slug": text.slug if text else "",
            "category": article.category_id if article else self.request.GET.get("category", ""),
            "position": article.position if article else None,
            "at": timezone.localtime(text.publish_at).strftime("%Y-%m-%dT%H:%M") if text and text.publish_at else "",
        }
        return ArticleForm(
            data,
            files,
            initial=initial,
            lang=self.lang,
            direction=direction_of(self.lang),
            categories=category_choices(self.widget.pk, self.lang),
        )

    # The deeds.

    def do(self, does: str) -> HttpResponse | None:
        """Follows the button; None where the page is shown again with refusals."""
        if does == "unpublish":
            return self._unpublish()
        if does not in SAVING:
            return None
        data = self.request.POST.copy()
        if does != "schedule":
            data["at"] = ""
        self.form = self._form(data, self.request.FILES)
        if does == "schedule" and self.form.is_valid() and self.form.cleaned_data["at"] is None:
            self.form.add_error("at", gettext("Choose the moment."))
        if not self.form.is_valid():
            return self._refused_aloud() if does == "keep" else None
        try:
            article_id = self._save(is_forced=does == "mine")
        except Problem as problem:
            self._refuse(problem)
            return self._refused_aloud() if does == "keep" else None
        if does == "keep":
            return self._kept(article_id)
        at = self.form.cleaned_data["at"] if does == "schedule" else None
        try:
            if does in ("publish", "schedule"):
                publish(widget_id=self.widget.pk, article_id=article_id, lang=self.lang, at=at)
        except Problem as problem:
            messages.error(self.request, gettext("Saved, and not published: %s") % words_of(problem))
        else:
            messages.success(self.request, _said(does, at))
        return HttpResponseRedirect(editor_of(article_id, self.lang))

    def _save(self, *, is_forced: bool) -> int:
        """Writes the form's values; the article's id."""
        values, about, actor = self._values(), self._about(), str(user_of(self.request))
        where: dict[str, Any] = {"widget_id": self.widget.pk, "lang": self.lang, "actor": actor}
        if self.article is None:
            return create_article(**where, **values, **about).pk
        changes = {name: value for name, value in about.items() if value != getattr(self.article, name)}
        if changes:
            change_article(widget_id=self.widget.pk, article_id=self.article.pk, changes=changes)
        base = None if is_forced else self._base_version()
        put_text(**where, **values, **self._doubts(values["body"]), article_id=self.article.pk, base_version=base)
        return self.article.pk

    def _values(self) -> dict[str, Any]:
        """The members of the text; a picture that came with the form stands at its end."""
        values = {name: self.form.cleaned_data[name] for name in ("title", "body", "summary", "slug")}
        if sent := self.form.cleaned_data["picture"]:
            kept = kept_picture(self.widget.pk, sent)
            if isinstance(kept, str):
                raise INVALID_INPUT(errors={"picture": [kept]})
            values["body"] = f"{values['body'].rstrip()}\n\n![]({picture_path(kept.guid)})\n".lstrip()
        if not values["slug"]:
            values["slug"] = slug_of(values["title"])
        elif self.text is not None and values["slug"] == self.text.slug:
            values["slug"] = None  # one that follows the title goes on to do so
        return values

    def _doubts(self, body: str) -> dict[str, Any]:
        """The facts of a model's draft that nothing proves: those that the text still has."""
        text = self.text
        facts = [fact for fact in text.unsupported if fact["text"] in body] if text else []
        return {
            "unsupported": facts,
            "draft_state": DraftState(text.draft_state) if text and facts else DraftState.NONE,
        }

    def _about(self) -> dict[str, Any]:
        """The members of the article that the form changes."""
        category, position = self.form.cleaned_data["category"], self.form.cleaned_data["position"]
        about: dict[str, Any] = {"category_id": int(category) if category else None}
        return about if position is None else {**about, "position": position}

    def _base_version(self) -> int | None:
        sent = self.request.POST.get("base_version", "")
        return int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 10 else None

    def _refuse(self, problem: Problem) -> None:
        self.form.refuse(problem)
        if problem.type is ARTICLE_CHANGED:
            self.newer = problem.members["version"]

    def _refused_aloud(self) -> JsonResponse:
        words = " ".join(str(text) for texts in self.form.errors.values() for text in texts)
        if self.newer is not None:
            return JsonResponse({"changed": words, "version": self.newer})
        return JsonResponse({"refusal": words})

    def _kept(self, article_id: int) -> JsonResponse:
        text = ArticleText.objects.for_widget(self.widget.pk).get(article=article_id, lang=self.lang)
        address = editor_of(article_id, self.lang)
        kept = {"version": text.version, "said": saved_words(text.updated_at), "state": str(state_of(text).words)}
        return JsonResponse({**kept, "address": address})

    def _unpublish(self) -> HttpResponse | None:
        if self.article is None:
            return None
        try:
            unpublish(widget_id=self.widget.pk, article_id=self.article.pk, lang=self.lang)
        except Problem as problem:
            messages.error(self.request, words_of(problem))
        else:
            messages.success(self.request, gettext("Readers do not see it any more."))
        return HttpResponseRedirect(editor_of(self.article.pk, self.lang))

    # The fields.

    def context(self, *, may_change: bool) -> dict[str, Any]:
        """The parts of the page."""
        article, text = self.article, self.text
        edited = Edited(self.widget, self.lang, article, text)
        state = state_of(text)
        asked = article.asked if article else None
        body = self.form["body"].value() or ""
        return {
            "widget": self.widget,
            "article": article,
            "lang": self.lang,
            "language_name": self.languages[self.lang],
            "direction": direction_of(self.lang),
            "languages": language_tabs(edited, self.languages, self.texts),
            "form": self.form,
            "more": self.form.more(),
            "is_more_open": any(field.errors for field in [*self.form.more(), self.form["at"]]),
            "newer": self.newer,
            "base_version": text.version if text else 0,
            "state": state,
            "saved": saved_words(text.updated_at) if text else "",
            "url": public_url(text) if text else None,
            "is_published": text is not None and text.published_version is not None,
            "preview": preview_of(self.widget.pk, body),
            "asked": asked_words(asked),
            "notes": [DRAFT_STATES[text.draft_state]] if text and text.draft_state in DRAFT_STATES else [],
            "unsupported": [fact["text"] for fact in text.unsupported] if text else [],
            "addresses": {name: reverse(f"admin:articles_article_{name}") for name in ("preview", "pictures", "find")}
            | {"list": reverse("admin:articles_article_changelist")},
            "deeds": self._deeds() if may_change else None,
        }

    def _deeds(self) -> dict[str, Any] | None:
        article, text = self.article, self.text
        if article is None:
            return None
        within = {"versions": "versions", "tell": "tell", "remove_language": "remove_language", "remove": "delete"}
        to = {name: reverse(f"admin:articles_article_{page}", args=[article.pk]) for name, page in within.items()}
        query = f"?lang={self.lang}"
        return {
            "remove": to["remove"],
            "tell": to["tell"] if article.gap_key else None,
            "versions": to["versions"] + query if text else None,
            "remove_language": to["remove_language"] + query,
            "is_language_removable": text is not None and len(self.texts) > 1,
            "is_withdrawable": text is not None and (text.published_version is not None or text.publish_at is not None),
        }


def _said(does: str, at: datetime | None) -> str:
    if at is not None:
        return gettext("It will be published %(when)s.") % {"when": moment(at)}
    if does == "publish":
        return gettext("Published: readers see it now.")
    return gettext("Saved as a draft: readers do not see it yet.")


def preview_of(widget_id: int, body: str) -> SafeString:
    """A body as its readers will see it; links to articles lead to their editors."""
    ids = linked_articles(body)
    texts = ArticleText.objects.for_widget(widget_id).filter(article_id__in=ids)
    links = {article_id: editor_of(article_id, lang) for article_id, lang in texts.values_list("article_id", "lang")}
    guids = [UUID(guid) for guid in shown_pictures(body)]
    rows = ArticlePicture.objects.for_widget(widget_id).filter(guid__in=guids)
    pictures = {guid.hex: (width, height) for guid, width, height in rows.values_list("guid", "width", "height")}
    drawn = article_html(body[:MAX_BODY], links=links, pictures=pictures, origins=(settings.PUBLIC_URL,))
    return mark_safe(_ANCHOR.sub(r"\1", drawn.html))  # noqa: S308 - the renderer's own


def found_articles(widget_id: int, q: str, lang: str) -> list[dict[str, Any]]:
    """The articles whose title has all of `q`, those in the language first: number, title and state of each."""
    words = q.strip()[:200]
    texts = ArticleText.objects.for_widget(widget_id).filter(title__icontains=words).order_by("-updated_at")
    found: dict[int, ArticleText] = {}
    for text in [*texts.filter(lang=lang)[:FOUND], *texts.exclude(lang=lang)[:FOUND]]:
        found.setdefault(text.article_id, text)
    return [
        {"id": text.article_id, "title": text.title, "told": str(state_of(text).words)}
        for text in list(found.values())[:FOUND]
    ]
