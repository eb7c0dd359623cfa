"""Lists of a help center for search engines and programs."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.html import escape

from apps.articles.models import ArticleCategory
from apps.articles.querysets.pages import IndexedText, indexed
from apps.articles.rules.addresses import article_path, category_path
from apps.articles.rules.slugs import slug_of
from apps.articles.rules.words import words_of
from apps.articles.sites import AT_DOMAIN, PLAIN, READS, XML, HelpSite, missing, public_page, text
from apps.chats.rules.languages import NAMES

# Addresses in a file: the protocol of sitemaps allows 50,000.
MAX_ADDRESSES = 20_000
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9"


@public_page(*READS)
def sitemap(request: HttpRequest, site: HelpSite) -> HttpResponseBase:
    """The addresses of all pages with their languages; of more than a file takes, the list of its files."""
    entries = _entries(site)
    asked = request.GET.get("part", "")
    if asked or len(entries) <= MAX_ADDRESSES:
        part = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 4 else 0
        shown = entries[part * MAX_ADDRESSES : (part + 1) * MAX_ADDRESSES]
        rows = "".join(shown)
        xhtml = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"'
        return text(site, f'{_HEAD}<urlset xmlns="{_SCHEMA}" {xhtml}>\n{rows}</urlset>\n', XML)
    parts = range(-(-len(entries) // MAX_ADDRESSES))
    rows = "".join(f"<sitemap><loc>{site.base}/sitemap.xml?part={part}</loc></sitemap>\n" for part in parts)
    return text(site, f'{_HEAD}<sitemapindex xmlns="{_SCHEMA}">\n{rows}</sitemapindex>\n', XML)


def _entries(site: HelpSite) -> list[str]:
    """The entries of homes, of categories and of articles: one an address, in its languages."""
    center, found = site.center, indexed(site.center.widget_id)
    written = [lang for lang in center.languages.supported if any(one.lang == lang for one in found)]
    entries = list(_of(site, {lang: f"/{lang}/" for lang in written}, {}))
    used = {one.category_id for one in found}
    for row in ArticleCategory.objects.for_widget(center.widget_id).in_order():
        if row.pk in used:
            named = {lang: slug_of(center.text(row.name, lang)) for lang in written}
            of = {one.lang for one in found if one.category_id == row.pk}
            entries += _of(site, {lang: category_path(lang, row.pk, named[lang]) for lang in written if lang in of}, {})
    for _, texts in groupby(found, key=lambda one: one.article_id):
        by_lang = {one.lang: one for one in texts if one.lang in written}
        paths = {lang: article_path(lang, one.article_id, one.slug) for lang, one in by_lang.items()}
        entries += _of(site, paths, {lang: one.published_at for lang, one in by_lang.items()})
    return entries


def _of(site: HelpSite, paths: dict[str, str], changed: dict[str, Any]) -> Iterator[str]:
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang="{lang}" href="{escape(site.base + path)}"/>'
        for lang, path in paths.items()
    )
    links = links if len(paths) > 1 else ""
    for lang, path in paths.items():
        at = f"<lastmod>{changed[lang].isoformat(timespec='seconds')}</lastmod>" if lang in changed else ""
        yield f"<url><loc>{escape(site.base + path)}</loc>{at}{links}</url>\n"


@public_page(*READS)
def llms(request: HttpRequest, site: HelpSite, lang: str | None = None) -> HttpResponseBase:
    """The articles of a language as their Markdown, by category (llmstxt.org); in the default one without `lang`."""
    center = site.center
    if lang is not None and lang not in center.languages.supported:
        return missing(site, lang)
    shown = lang or center.default_language
    texts = indexed(center.widget_id, lang=shown)
    by_category: dict[int | None, list[IndexedText]] = {}
    for one in texts:
        by_category.setdefault(one.category_id, []).append(one)
    lines = [f"# {center.title(shown)}", ""]
    if intro := " ".join(center.text(center.row.intro, shown).split()):
        lines += [f"> {intro}", ""]
    for row in ArticleCategory.objects.for_widget(center.widget_id).in_order():
        if row.pk in by_category:
            lines += _section(site, center.text(row.name, shown), by_category[row.pk])
    if None in by_category:
        lines += _section(site, words_of(shown).articles, by_category[None])
    others = [one for one in center.written_languages if one != shown]
    if others:
        lines += [f"## {words_of(shown).languages}", ""]
        lines += [f"- [{NAMES.get(one, one)}]({site.base}/{one}/llms.txt)" for one in others]
    return text(site, "\n".join(lines).rstrip() + "\n", PLAIN, lang=shown)


def _section(site: HelpSite, heading: str, texts: Sequence[IndexedText]) -> list[str]:
    lines = [f"## {heading}", ""]
    for one in texts:
        title = one.title.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
        about = " ".join(one.summary.split())
        address = f"{site.base}{article_path(one.lang, one.article_id, one.slug)}.md"
        lines.append(f"- [{title}]({address})" + (f": {about}" if about else ""))
    return [*lines, ""]


@public_page(*READS)
def robots(request: HttpRequest, site: HelpSite) -> HttpResponseBase:
    """`robots.txt` of an own domain; below another host's `/help/` there is none."""
    if not request.META.get(AT_DOMAIN):
        return missing(site, "")
    named = f"\nSitemap: {site.base}/sitemap.xml\n" if site.center.row.indexing else ""
    return text(site, f"User-agent: *\nAllow: /\n{named}", PLAIN)
