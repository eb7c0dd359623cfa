"""Importing articles: the texts of a file or a site become drafts, by a worker (`import_runs`)."""

from __future__ import annotations

from typing import Any

from apps.articles.actions.imported_files import UnknownFile, check_file
from apps.articles.actions.imported_sites import start_of
from apps.articles.actions.texts import languages_refusal
from apps.articles.errors import ARTICLE_PICTURE_STORAGE_FAILED, IMPORT_RUNNING
from apps.articles.models import ArticleCategory, ArticleImport
from apps.articles.rules.imports import (
    FINISHED,
    MAX_IMPORT_BYTES,
)
from apps.chats.rules import file_name
from apps.core.database.constraints import unique_or
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.endpoints.uploads import ReceivedFile, UploadForm
from apps.core.errors import INVALID_INPUT
from apps.core.files import storage
from apps.leases import wake_workers

IMPORT_FORM = UploadForm(max_bytes=MAX_IMPORT_BYTES, texts=("lang", "category_id", "dry_run", "publish"))


def queue_file(
    *,
    upload: ReceivedFile,
    outbound: ExternalCall,
    lang: str | None = None,
    category_id: int | None = None,
    dry_run: bool = False,
    publish: bool = False,
    actor: str = "",
) -> ArticleImport:
    """Has a file's texts become drafts: `.md`, a `.zip` of them with pictures, or `.json` as Chatwoot lists articles.

    `lang` and `category_id` are of texts that name none. `dry_run`: nothing is written, only counted.

    Raises INVALID_INPUT (422) by name, `file` for any other file or a bomb; IMPORT_RUNNING (409),
    IDEMPOTENCY_KEY_REUSED (409), ARTICLE_PICTURE_STORAGE_FAILED (502), TRY_AGAIN (503): then nothing is kept.
    """
    widget_id = outbound.widget_id
    _refuse(widget_id, lang, category_id)
    name = file_name(upload.name)
    try:
        check_file(name, upload.content)
    except UnknownFile as error:
        raise INVALID_INPUT(errors={IMPORT_FORM.part: [str(error)]}) from None
    upload.rewind()
    try:
        with unique_or(IMPORT_RUNNING, "articles_one_import_at_a_time"), storage.stored(upload.content) as key:
            if outbound.lock is not None:
                outbound.lock.take()
            row = _queued(
                widget_id,
                name=name,
                storage_key=key,
                lang=lang or "",
                category_id=category_id,
                dry_run=dry_run,
                publish=publish,
                actor=actor,
            )
            outbound.made(row.pk)
            return row
    except storage.StorageFailed:
        raise ARTICLE_PICTURE_STORAGE_FAILED() from None


def queue_site(
    *,
    url: str,
    outbound: ExternalCall,
    lang: str | None = None,
    category_id: int | None = None,
    dry_run: bool = False,
    publish: bool = False,
    actor: str = "",
) -> ArticleImport:
    """Has the pages of a site, from that address on, become drafts. See `queue_file`."""
    widget_id = outbound.widget_id
    start = start_of(url)
    if start is None:
        raise INVALID_INPUT(errors={"url": ["This is no address of a site that may be read."]})
    _refuse(widget_id, lang, category_id)
    with unique_or(IMPORT_RUNNING, "articles_one_import_at_a_time"), outbound.write():
        row = _queued(
            widget_id,
            url=start,
            lang=lang or "",
            category_id=category_id,
            dry_run=dry_run,
            publish=publish,
            actor=actor,
        )
        outbound.made(row.pk)
    return row


def _refuse(widget_id: int, lang: str | None, category_id: int | None) -> None:
    found = {} if lang is None else languages_refusal(widget_id, lang)
    if category_id is not None and not ArticleCategory.objects.for_widget(widget_id).filter(pk=category_id).exists():
        found = {**found, "category_id": "There is no such category."}
    if found:
        raise INVALID_INPUT(errors={path: [why] for path, why in found.items()})
    if ArticleImport.objects.for_widget(widget_id).exclude(state__in=FINISHED).exists():
        raise IMPORT_RUNNING()


def _queued(widget_id: int, **columns: Any) -> ArticleImport:
    row: ArticleImport = ArticleImport.objects.create(widget_id=widget_id, **columns)
    wake_workers()
    row.refresh_from_db()
    return row
