"""An import of articles, and the body that begins one of a site."""

from typing import Any

from apps.articles.rules.imports import MAX_URL, ImportState, Refused
from apps.chats.rules.languages import LANGUAGES
from apps.core.endpoints.row_serializers import MethodField, RowSerializer, TextOrNull, Time
from apps.core.endpoints.serializers import Body, Boolean, Choice, Integer, Text


class ImportProblemSerializer(RowSerializer):
    """An entry that is left out; it touches no other."""

    path = Text(help_text="The path of the file or the picture, or the page's address.")
    reason = Text(
        help_text=", ".join(f"`{reason}`" for reason in Refused) + "; of a page also why a crawl leaves it out."
    )


def _error_of(error: str) -> str | None:
    return error or None


class ArticleImportSerializer(RowSerializer):
    """An import of articles, with its figures."""

    id = Integer()
    state = Choice(choices=[state.value for state in ImportState])
    dry_run = Boolean(help_text="Whether it only counts what it would write.")
    created = Integer(help_text="Texts that are new.")
    updated = Integer(help_text="Texts with a new draft.")
    unchanged = Integer()
    refused = Integer(help_text="Texts and pictures that are left out.")
    pictures = Integer(help_text="Pictures that are new.")
    problems: Any = ImportProblemSerializer(many=True, help_text="The first 500 that are left out.")
    error = MethodField(
        TextOrNull(help_text="Set in `failed`: `unreadable`, `no_articles`, `unreachable` or `crashed`."),
        columns=("error",),
        from_=_error_of,
    )
    created_at = Time()
    finished_at = Time(allow_null=True)


class ArticleImportBody(Body):
    """An import of a site."""

    url = Text(max_length=MAX_URL, help_text="Pages of its host below this address are read, by its sitemap and links.")
    lang = Choice(required=False, choices=list(LANGUAGES), help_text="The language of pages that name none.")
    category_id = Integer(required=False, min_value=1)
    dry_run = Boolean(required=False, default=False)
    publish = Boolean(required=False, default=False, help_text="Needs the scope `articles:publish`, too.")
