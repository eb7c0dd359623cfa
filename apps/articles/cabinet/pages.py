"""The pages of articles: facts for an editor, its widget and languages, saved and refused in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.http import urlencode
from django.utils.timezone import localtime
from django.utils.translation import gettext

from apps.accounts.models import Widget
from apps.articles.cabinet.words import state_of
from apps.articles.models import Article, ArticleCategory, ArticleText
from apps.articles.querysets.centers import center_of
from apps.articles.rules.addresses import article_url
from apps.cabinet.chosen_widget import current_widget
from apps.chats.rules.languages import NAMES, direction_of

# Versions of one person that follow each other within this time are one line of the list, unless one is published.
ONE_SITTING_S = 10 * 60
MOST_VERSIONS = 200


@dataclass(frozen=True, slots=True)
class Edited:
    """The text that an editor shows: a widget's article in a language; either may not be there yet."""

    widget: Widget
    lang: str
    article: Article | None = None
    text: ArticleText | None = None

    @property
    def address(self) -> str:
        """The editor's own address."""
        if self.article is None:
            query = urlencode({"widget": str(self.widget.pk), "lang": self.lang})
            return f"{reverse('admin:articles_article_add')}?{query}"
        return editor_of(self.article.pk, self.lang)


def editor_of(article_id: int, lang: str) -> str:
    """The address of the editor of a text."""
    return f"{reverse('admin:articles_article_change', args=[article_id])}?{urlencode({'lang': lang})}"


def gaps_page(widget_id: int) -> str:
    """The address of the page of a widget's questions in vain."""
    return reverse("admin:articles_widgetarticlegaps_change", args=[widget_id])


def widget_of_page(request: HttpRequest, widgets: QuerySet[Widget]) -> Widget | None:
    """The widget that the address or the form names, else the current one, else the first one."""
    named = request.POST.get("widget") or request.GET.get("widget") or ""
    if named.isascii() and named.isdecimal() and len(named) < 19:
        return widgets.filter(pk=named).first()
    return current_widget(request) or widgets.order_by("pk").first()


def languages_of(widget_id: int) -> dict[str, str]:
    """The names of a widget's languages by code, that of its help center first."""
    center = center_of(widget_id)
    first = center.default_language
    codes = [first, *(code for code in center.languages.supported if code != first)]
    return {code: NAMES[code] for code in codes}


def codes_of(widget_id: int) -> list[tuple[str, str, str]]:
    """The code, name and direction of each of a widget's languages, that of its help center first."""
    return [(code, name, direction_of(code)) for code, name in languages_of(widget_id).items()]


def language_of_page(request: HttpRequest, codes: Sequence[str]) -> str:
    """The language that the address or the form names, else the first one."""
    named = request.POST.get("lang") or request.GET.get("lang") or ""
    return named if named in codes else codes[0]


def language_tabs(edited: Edited, names: Mapping[str, str], texts: Mapping[str, ArticleText]) -> list[dict[str, Any]]:
    """The languages of an article, each with its address and its text's state."""
    tabs = []
    for code, name in names.items():
        state = state_of(texts.get(code))
        address = Edited(edited.widget, code, edited.article).address
        tabs.append(
            {
                "name": name,
                "address": address,
                "is_current": code == edited.lang,
                "state": state.words,
                "tone": state.tone,
            }
        )
    return tabs


def category_choices(widget_id: int, lang: str) -> list[tuple[int, str]]:
    """The categories of a widget by name, in their order."""
    rows = ArticleCategory.objects.for_widget(widget_id).in_order()
    return [(row.pk, text_in(row.name, lang)) for row in rows]


def text_in(texts: Mapping[str, str], lang: str) -> str:
    """A text in a language, else in the first one that it is written in."""
    return texts.get(lang) or next(iter(texts.values()), "")


def version_lines(versions: Sequence[Any], published: int | None) -> list[dict[str, Any]]:
    """The versions of a text to choose from, newest first.

    An editor saves by itself: the newest version of one person's sitting stands for all, and so does each version that
    readers saw.
    """
    lines: list[dict[str, Any]] = []
    last: Any = None
    for version in versions:
        is_published = version.version == published
        is_same = last is not None and version.actor == last.actor and not is_published
        if is_same and (last.at - version.at).total_seconds() < ONE_SITTING_S and version is not versions[-1]:
            last = version
            continue
        last = version
        told = gettext("Version %(number)s, %(when)s") % {
            "number": version.version,
            "when": date_format(localtime(version.at), "SHORT_DATETIME_FORMAT"),
        }
        if is_published:
            told += " · " + gettext("readers see it")
        lines.append(
            {
                "version": version.version,
                "told": told,
                "is_newest": version is versions[0],
            }
        )
    return lines


def public_url(text: ArticleText) -> str | None:
    """The public address of a text; None where readers do not see it there."""
    center = center_of(text.widget_id) if text.published_version is not None else None
    return article_url(center.base, text.lang, text.article_id, text.slug) if center and center.url else None
