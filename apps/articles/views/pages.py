"""Pages for people: home, categories, articles with their Markdown, and search."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils import formats, translation
from django.utils.cache import patch_vary_headers

from apps.articles.actions.search import search as find
from apps.articles.actions.tallies import count_view, keep_page_search, read_page
from apps.articles.querysets import pages as reads
from apps.articles.querysets.articles import PublishedText, languages_of
from apps.articles.querysets.pages import ListedArticle
from apps.articles.rules.addresses import article_path, category_path, read_name
from apps.articles.rules.pages import (
    article_html,
    article_markdown,
    description_of,
    front_matter,
    linked_articles,
    shown_pictures,
)
from apps.articles.rules.slugs import slug_of
from apps.articles.rules.tallies import ReadingPlace, is_robot
from apps.articles.rules.words import locale_of, words_of
from apps.articles.sites import MARKDOWN, READS, HelpSite, missing, page, public_page, text
from apps.chats.rules.languages import language_for
from apps.core.endpoints.addresses import key_of

PER_PAGE = 50
MAX_PAGES = 1_000
HITS, LONGEST_QUERY = 20, 200


@public_page(*READS)
def root(request: HttpRequest, site: HelpSite) -> HttpResponseBase:
    """To the home in the reader's language, by `Accept-Language`."""
    written = site.center.written_languages
    accepted = request.headers.get("Accept-Language", "")
    lang = language_for("", accepted, default="auto", supported=written, fallback=site.center.default_language)
    response = HttpResponseRedirect(f"{site.root}/{lang}/")
    response.headers["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ["Accept-Language"])
    return response


@public_page(*READS)
def home(request: HttpRequest, site: HelpSite, lang: str) -> HttpResponseBase:
    """The categories of a language, and the articles that are in none."""
    center = site.center
    if lang not in center.languages.supported:
        return missing(site, lang)
    number, of = _page_number(request), reads.counts(center.widget_id, lang)
    found = reads.listed(center.widget_id, lang, None, offset=(number - 1) * PER_PAGE, limit=PER_PAGE)
    if number > 1 and not found:
        return missing(site, lang)
    shown = reads.categories(center, lang, of=of)
    context = {
        "title": center.title(lang),
        "heading": center.title(lang),
        "description": center.text(center.row.intro, lang),
        "categories": [
            (each, f"{site.root}{category_path(lang, each.id, slug_of(each.name))}") for each in shown if number == 1
        ],
        "articles": _linked(site, lang, found),
        "canonical": f"{site.base}/{lang}/" + _query(number),
        "paths": {one: f"/{one}/" for one in center.written_languages},
        "default_path": "/",
        **_paging(f"{site.root}/{lang}/", number, of.get(None, 0)),
    }
    return page(site, "articles/home.html", context, lang=lang)


@public_page(*READS)
def category(request: HttpRequest, site: HelpSite, lang: str, name: str) -> HttpResponseBase:
    """The articles of a category in a language."""
    center, named = site.center, read_name(name)
    row = reads.category(center.widget_id, named[0]) if named and lang in center.languages.supported else None
    if row is None:
        return missing(site, lang)
    title, number = center.text(row.name, lang), _page_number(request)
    path = category_path(lang, row.pk, slug_of(title))
    if named is None or path != category_path(lang, *named):
        return _moved(site, path)
    of = reads.counts(center.widget_id, lang).get(row.pk, 0)
    found = reads.listed(center.widget_id, lang, row.pk, offset=(number - 1) * PER_PAGE, limit=PER_PAGE)
    if number > 1 and not found:
        return missing(site, lang)
    written = center.written_languages
    others = {one: category_path(one, row.pk, slug_of(center.text(row.name, one))) for one in written}
    context = {
        "title": f"{title} · {center.title(lang)}",
        "heading": title,
        "description": title,
        "articles": _linked(site, lang, found),
        "canonical": f"{site.base}{path}{_query(number)}",
        "paths": others,
        "default_path": others.get(center.default_language, path),
        **_paging(f"{site.root}{path}", number, of),
    }
    return page(site, "articles/category.html", context, lang=lang, is_indexed=bool(of))


@public_page(*READS)
def article(request: HttpRequest, site: HelpSite, lang: str, name: str) -> HttpResponseBase:
    """An article; with `.md` behind its name, or where `text/markdown` is asked for, its text for programs."""
    bare = name.removesuffix(".md")
    named = read_name(bare)
    texts = languages_of(site.center.widget_id, named[0]) if named else {}
    if named is None or not texts:
        return missing(site, lang)
    shown = texts.get(lang)
    if shown is None:
        other = texts.get(site.center.default_language)
        if other is None:
            return missing(site, lang)
        there = article_path(other.lang, other.article_id, other.slug)
        return HttpResponseRedirect(f"{site.root}{there}{name[len(bare) :]}", headers={"Cache-Control": "no-cache"})
    path = article_path(lang, shown.article_id, shown.slug)
    if bare != path.rpartition("/")[2]:
        return _moved(site, path + name[len(bare) :])
    is_text = bare != name or _wants_markdown(request)
    if request.method == "GET":
        _count(request, shown, site.center.widget_id, ReadingPlace.MARKDOWN if is_text else ReadingPlace.PAGE)
    if is_text:
        return _markdown(site, shown, path)
    return _article(site, shown, texts, path)


def _count(request: HttpRequest, shown_text: PublishedText, widget_id: int, place: ReadingPlace) -> None:
    agent = request.headers.get("User-Agent", "")
    count_view(
        widget_id=widget_id, article_id=shown_text.article_id, lang=shown_text.lang, place=place, user_agent=agent
    )
    if place is ReadingPlace.PAGE and not is_robot(agent) and "/search?" in request.headers.get("Referer", ""):
        read_page(widget_id=widget_id, article_id=shown_text.article_id, address=key_of(request))


def _article(
    site: HelpSite, shown_text: PublishedText, texts: Mapping[str, PublishedText], path: str
) -> HttpResponseBase:
    center, lang = site.center, shown_text.lang
    body = article_html(
        shown_text.body,
        links=_links(site, shown_text, site.root),
        pictures=reads.picture_sizes(center.widget_id, shown_pictures(shown_text.body)),
        origins=site.origins,
    )
    others = {
        one: article_path(one, shown_text.article_id, texts[one].slug)
        for one in center.languages.supported
        if one in texts
    }
    within = reads.category(center.widget_id, shown_text.category_id) if shown_text.category_id else None
    within_name = center.text(within.name, lang) if within else ""
    with translation.override(locale_of(lang)):
        updated = formats.date_format(shown_text.published_at, "DATE_FORMAT")
    context = {
        "title": f"{shown_text.title} · {center.title(lang)}",
        "og_title": shown_text.title,
        "og_type": "article",
        "heading": shown_text.title,
        "description": description_of(shown_text.summary, shown_text.body),
        "article": shown_text,
        "body": body,
        "updated": updated,
        "category": within_name,
        "category_url": within and f"{site.root}{category_path(lang, within.pk, slug_of(within_name))}",
        "canonical": f"{site.base}{path}",
        "markdown_url": f"{site.base}{path}.md",
        "paths": others,
        "default_path": others.get(center.default_language, path),
        "feedback_url": f"{site.root}{path}/feedback",
        "reasons": _reasons(lang),
        "is_thanked": "thanks" in site.request.GET,
    }
    return page(site, "articles/article.html", context, lang=lang)


def _markdown(site: HelpSite, shown_text: PublishedText, path: str) -> HttpResponseBase:
    url = f"{site.base}{path}"
    head = front_matter(title=shown_text.title, url=url, language=shown_text.lang, updated=shown_text.published_at)
    body = article_markdown(shown_text.body, links=_links(site, shown_text, site.base), origin=settings.PUBLIC_URL)
    response = text(site, f"{head}{body}\n", MARKDOWN, lang=shown_text.lang)
    response.headers["Link"] = f'<{url}>; rel="canonical"'
    return response


def _links(site: HelpSite, shown_text: PublishedText, beginning: str) -> dict[int, str]:
    """The addresses of `article:ID`: the article in the reader's language, else in the default one."""
    default, found = site.center.default_language, {}
    for article_id, slugs in reads.slugs_of(site.center.widget_id, linked_articles(shown_text.body)).items():
        lang = next((one for one in (shown_text.lang, default) if one in slugs), None)
        if lang is not None:
            found[article_id] = f"{beginning}{article_path(lang, article_id, slugs[lang])}"
    return found


@public_page(*READS)
def search(request: HttpRequest, site: HelpSite, lang: str) -> HttpResponseBase:
    """The articles that answer to the words of `q`. No search engine lists these pages, and nobody keeps them."""
    center = site.center
    if lang not in center.languages.supported:
        return missing(site, lang)
    query = " ".join(request.GET.get("q", "")[:LONGEST_QUERY].replace("\x00", "").split())
    hits = find(center.widget_id, query, lang, HITS) if query else []
    if query and request.method == "GET":
        keep_page_search(
            widget_id=center.widget_id,
            q=query,
            lang=lang,
            address=key_of(request),
            found=[hit.article_id for hit in hits],
            user_agent=request.headers.get("User-Agent", ""),
        )
    words = words_of(lang)
    paths = reads.slugs_of(center.widget_id, {hit.article_id for hit in hits})
    context = {
        "title": f"{words.results} · {center.title(lang)}",
        "heading": words.results,
        "query": query,
        "hits": [
            (hit, f"{site.root}{article_path(hit.lang, hit.article_id, paths[hit.article_id][hit.lang])}")
            for hit in hits
            if hit.lang in paths.get(hit.article_id, {})
        ],
        "canonical": f"{site.base}/{lang}/search",
        "is_private": True,
    }
    return page(site, "articles/search.html", context, lang=lang, is_indexed=False)


@public_page(*READS)
def nothing(request: HttpRequest, site: HelpSite, rest: str = "") -> HttpResponseBase:
    """404 for every other address below a help center's."""
    first = rest.partition("/")[0]
    if rest == first and first in site.center.languages.supported:
        return _moved(site, f"/{first}/")
    return missing(site, first)


def _moved(site: HelpSite, path: str) -> HttpResponse:
    query = site.request.META.get("QUERY_STRING", "")
    return HttpResponsePermanentRedirect(f"{site.root}{path}{f'?{query}' if query else ''}")


def _wants_markdown(request: HttpRequest) -> bool:
    """Whether an answer in Markdown is liked better than a page."""
    if MARKDOWN not in request.headers.get("Accept", ""):
        return False
    return request.get_preferred_type([MARKDOWN, "text/html"]) == MARKDOWN


def _linked(site: HelpSite, lang: str, found: Sequence[ListedArticle]) -> list[tuple[ListedArticle, str]]:
    return [(each, f"{site.root}{article_path(lang, each.id, each.slug)}") for each in found]


def _page_number(request: HttpRequest) -> int:
    asked = request.GET.get("page", "1")
    return int(asked) if asked.isascii() and asked.isdigit() and 0 < int(asked[:5]) <= MAX_PAGES else 1


def _query(number: int) -> str:
    return f"?page={number}" if number > 1 else ""


def _paging(path: str, number: int, of: int) -> dict[str, Any]:
    has_more = number * PER_PAGE < of and number < MAX_PAGES
    return {
        "earlier": f"{path}{_query(number - 1)}" if number > 1 else None,
        "later": f"{path}{_query(number + 1)}" if has_more else None,
        "number": number,
    }


def _reasons(lang: str) -> list[tuple[str, str]]:
    words = words_of(lang)
    return [(name, getattr(words, name)) for name in ("wrong", "unclear", "missing", "other")]
