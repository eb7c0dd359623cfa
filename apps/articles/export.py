"""The tables of articles in an export of a widget: all but its domain, readers' figures and searches.

An imported help center is not public, its domain is proved anew, and AI and searches take its articles up by the
periodic job (`actions/knowledge.py`).
"""

import uuid
from collections.abc import Callable, Iterator
from typing import Any

from apps.accounts.actions.widget_export import ExportTable, LookUp, WidgetExport
from apps.accounts.models import Widget
from apps.articles.models import (
    Article,
    ArticleCategory,
    ArticleImport,
    ArticlePicture,
    ArticleText,
    ArticleVersion,
    HelpCenter,
)
from apps.articles.querysets.centers import free_slug
from apps.articles.rules.centers import texts_refusal
from apps.articles.rules.imports import FINISHED
from apps.articles.rules.limits import MAX_NAME, MAX_PICTURE_BYTES, MAX_PICTURE_SIDE, MAX_POSITION
from apps.articles.rules.pages import shown_pictures, with_links
from apps.articles.rules.slugs import is_center_slug
from apps.articles.rules.states import DraftState
from apps.articles.rules.texts import text_refusals
from apps.articles.settings import CENTER
from apps.chats.rules.languages import LANGUAGES
from apps.core.parsing.names import control_refusal
from apps.core.parsing.pictures import CONTENT_TYPE

_OF_DOMAIN = ("domain", "domain_state", "domain_token", "domain_checked_at", "domain_failed_since", "domain_problem")
_MOST_UNSUPPORTED, _LONGEST_UNSUPPORTED = 200, 2_000


def exported_of_widget(widget_id: int) -> Iterator[ExportTable]:
    settings = CENTER.export()
    settings["without"] = (*settings["without"], *_OF_DOMAIN)
    yield ExportTable(
        name="help_center",
        rows=HelpCenter.objects.for_widget(widget_id),
        besides={"wished_slug": "slug"},
        made=_settle_centers,
        **settings,
    )
    yield ExportTable(
        name="article_pictures",
        rows=ArticlePicture.objects.for_widget(widget_id),
        stored=("key",),
        checks={
            "content_type": lambda kind: None if kind == CONTENT_TYPE else f"It is always {CONTENT_TYPE}.",
            "width": _at_most(MAX_PICTURE_SIDE),
            "height": _at_most(MAX_PICTURE_SIDE),
            "size": _at_most(2 * MAX_PICTURE_BYTES),
        },
        made=_settle_pictures,
    )
    yield ExportTable(
        name="article_categories",
        rows=ArticleCategory.objects.for_widget(widget_id),
        checks={"name": lambda name: texts_refusal(name, MAX_NAME), "position": _at_most(MAX_POSITION)},
    )
    yield ExportTable(
        name="articles",
        rows=Article.objects.for_widget(widget_id),
        without=("gap_key",),
        checks={"origin_key": control_refusal, "asked": _asked_refusal, "position": _at_most(MAX_POSITION)},
    )
    yield from _texts_of_widget(widget_id)


def _texts_of_widget(widget_id: int) -> Iterator[ExportTable]:
    of_text = {name: _text_check(name) for name in ("slug", "title", "summary", "body")}
    yield ExportTable(
        name="article_texts",
        rows=ArticleText.objects.for_widget(widget_id),
        checks={
            **of_text,
            "lang": lambda lang: None if lang in LANGUAGES else "There is no such language.",
            "draft_state": lambda state: "Its work is not here." if state == DraftState.PENDING else None,
            "unsupported": _unsupported_refusal,
        },
        switches=("publish_at",),
        renumbers=_renumber,
        made=_show_own_pictures,
    )
    yield ExportTable(
        name="article_versions",
        rows=ArticleVersion.objects.for_widget(widget_id),
        checks={**of_text, "actor": control_refusal},
        renumbers=_renumber,
        made=_show_own_pictures,
    )


def _at_most(limit: int) -> Callable[[int], str | None]:
    return lambda number: None if 0 <= number <= limit else f"A number from 0 to {limit} is expected."


def _text_check(name: str) -> Callable[[Any], str | None]:
    return lambda value: text_refusals({name: value}).get(name)


def _asked_refusal(asked: Any) -> str | None:
    """How often it was asked, of how many chats, since when."""
    if isinstance(asked, dict) and asked.keys() == {"count", "chats", "since"}:
        counts = (asked["count"], asked["chats"])
        since = asked["since"]
        are_numbers = all(isinstance(each, int) and not isinstance(each, bool) and each >= 0 for each in counts)
        if are_numbers and (since is None or (isinstance(since, str) and len(since) <= 40)):
            return None
    return "An object of count, chats and since is expected."


def _unsupported_refusal(found: Any) -> str | None:
    if isinstance(found, list) and len(found) <= _MOST_UNSUPPORTED and all(map(_is_fact, found)):
        return None
    return f"A list of at most {_MOST_UNSUPPORTED} facts with their reasons is expected."


def _is_fact(fact: Any) -> bool:
    return isinstance(fact, dict) and all(
        isinstance(value, str) and len(value) <= _LONGEST_UNSUPPORTED for value in fact.values()
    )


def _renumber(row: dict[str, Any], look_up: LookUp) -> None:
    """Links of a text lead to the articles by their numbers here; one that is not there leads to none."""
    if isinstance(row.get("body"), str):
        row["body"] = with_links(row["body"], lambda was: f"article:{look_up('articles', was) or 0}")


def _settle_centers(made: list[tuple[Any, dict[str, Any]]], account_id: int) -> None:
    """A help center has its old slug where that is free. A switch that was off there is off here."""
    for row, exported in made:
        guid, name = Widget.objects.values_list("guid", "name").get(pk=row.widget_id)
        wished = exported.get("wished_slug")
        taken = HelpCenter.objects.unscoped("a slug is one help center's in the whole installation")
        is_free = isinstance(wished, str) and is_center_slug(wished) and not taken.filter(slug=wished).exists()
        row.slug = wished if is_free else free_slug(name, guid)
        row.for_ai = row.for_ai and exported.get("for_ai") is not False


def _settle_pictures(made: list[tuple[Any, dict[str, Any]]], account_id: int) -> None:
    """A copy's pictures have guids of their own, which follow from the old ones: so texts find them."""
    every = ArticlePicture.objects.unscoped("guids are unique over every widget")
    taken = set(every.filter(guid__in=[row.guid for row, _ in made]).values_list("guid", flat=True))
    for row, _ in made:
        if row.guid in taken:
            row.guid = _copied(row.widget_id, row.guid)


def _show_own_pictures(made: list[tuple[Any, dict[str, Any]]], account_id: int) -> None:
    for row, _ in made:
        copies = {_copied(row.widget_id, guid): guid for guid in map(uuid.UUID, shown_pictures(row.body))}
        own = ArticlePicture.objects.for_widget(row.widget_id).filter(guid__in=list(copies))
        for copy in own.values_list("guid", flat=True) if copies else ():
            row.body = row.body.replace(copies[copy].hex, copy.hex)


def _copied(widget_id: int, guid: uuid.UUID) -> uuid.UUID:
    return uuid.uuid5(guid, f"articles of the widget {widget_id}")


def unfinished_of_widget(widget_id: int) -> dict[str, int]:
    """Imports and drafts that workers are writing."""
    imports = ArticleImport.objects.for_widget(widget_id).exclude(state__in=FINISHED)
    drafts = ArticleText.objects.for_widget(widget_id).filter(draft_state=DraftState.PENDING)
    return {"imports of articles": imports.count(), "drafts of articles": drafts.count()}


EXPORT = WidgetExport(tables=exported_of_widget, unfinished=unfinished_of_widget)
