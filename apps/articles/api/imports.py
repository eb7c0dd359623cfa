"""Imports of articles over REST (design of the first word, 3)."""

from typing import Any

from apps.articles.actions.imports import IMPORT_FORM, queue_file, queue_site
from apps.articles.errors import ARTICLE_PICTURE_STORAGE_FAILED, IMPORT_RUNNING
from apps.articles.models import ArticleImport
from apps.articles.querysets.actors import token_name
from apps.articles.serializers.imports import ArticleImportBody, ArticleImportSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import INVALID_INPUT, MISSING_SCOPE

PUBLISH = "articles:publish"
_SWITCHES = {"true": True, "1": True, "false": False, "0": False, "": False}


class ArticleImportViewSet(ApiViewSet):
    target = ArticleImport
    reads = ("kb:read",)
    writes = ("kb:write",)

    @operation(
        summary="Import articles",
        upload=IMPORT_FORM,
        takes=ArticleImportBody,
        answers=ArticleImportSerializer,
        status=202,
        problems=(IMPORT_RUNNING, ARTICLE_PICTURE_STORAGE_FAILED, MISSING_SCOPE),
        calls_out=True,
        example={"url": "https://help.flowers.example/"},
    )
    def create(self, context: RequestContext) -> Answer:
        """Has a file, or a site, become drafts of articles. Poll `GET /v1/article-imports/{id}` until it is `done` or
        `failed`.

        A form has a `file` of at most 50 MB: a text in Markdown (`.md`), a `.zip` of them with their pictures, or a
        `.json` as Chatwoot's API lists articles; beside it texts `lang`, `category_id`, `dry_run`, `publish`. Front
        matter is `title`, `slug`, `lang`, `category`, `summary`; folders are of a language, within it of a category;
        without a title the first heading is it. The same path, id or address again is a draft of the same article. Each
        entry that is refused is in `problems`, and touches no other.
        """
        values = _of_form(context.upload.texts) if context.upload is not None else dict(context.body)
        if values.get("publish") and PUBLISH not in context.caller.scopes:
            raise MISSING_SCOPE(f"To publish what is imported needs the scope {PUBLISH}.")
        values["actor"] = token_name(context.widget_id, context.caller.token_id)
        if context.upload is not None:
            return queue_file(upload=context.upload, outbound=context.outbound, **values)
        return queue_site(outbound=context.outbound, **values)

    @operation(summary="Read an import of articles", answers=ArticleImportSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """How far it is, and its figures."""
        return context.target


def _of_form(texts: dict[str, str]) -> dict[str, Any]:
    """The texts of a form as the members that they stand for. Raises INVALID_INPUT (422) by name."""
    found: dict[str, Any] = {}
    refused: dict[str, list[str]] = {}
    for name, text in texts.items():
        if name == "lang":
            found[name] = text or None
        elif name == "category_id":
            found[name] = int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None
            if text and found[name] is None:
                refused[name] = ["A whole number is expected."]
        elif text.lower() in _SWITCHES:
            found[name] = _SWITCHES[text.lower()]
        else:
            refused[name] = ["true or false is expected."]
    if refused:
        raise INVALID_INPUT(errors=refused)
    return found
