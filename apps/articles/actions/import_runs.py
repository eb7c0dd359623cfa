"""The work of an import, by a worker under a lease: each text in one transaction with how far it came.

So a worker that takes up a lost import goes on behind the last text that counts. The order of locks is the import's
row, then the article's, then the knowledge base's.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from io import BytesIO
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from apps import extraction
from apps.accounts.models import Widget
from apps.articles.actions.articles import create_article
from apps.articles.actions.categories import create_category
from apps.articles.actions.imported_files import ImportedFile, UnknownFile, opened_file
from apps.articles.actions.imported_sites import SiteReading
from apps.articles.actions.pictures import add_picture, redrawn
from apps.articles.actions.publishing import publish
from apps.articles.actions.texts import put_text
from apps.articles.errors import TOO_MANY_ARTICLES, TOO_MANY_CATEGORIES
from apps.articles.models import Article, ArticleCategory, ArticleImport, ArticlePicture, ArticleText
from apps.articles.querysets.centers import center_of
from apps.articles.rules.addresses import picture_path
from apps.articles.rules.imports import (
    MAX_IMPORT_BYTES,
    MAX_PATH,
    MAX_PROBLEMS,
    ImportEntry,
    ImportState,
    Refused,
    is_markdown,
    place_of,
    with_addresses,
    with_targets,
)
from apps.articles.rules.limits import MAX_NAME
from apps.articles.rules.slugs import is_slug
from apps.articles.rules.texts import lines_of, text_refusals
from apps.chats.rules.languages import LANGUAGES
from apps.core.files import storage
from apps.core.parsing.pictures import NotAPicture
from apps.core.problems import Problem
from apps.extraction import Cage
from apps.kb.actions.fetching import canonical_url
from apps.kb.errors import KB_FULL
from apps.kb.rules.crawling import host_of
from apps.leases import Lease, LeaseLost

UNREADABLE, NO_ARTICLES, UNREACHABLE, CRASHED = "unreadable", "no_articles", "unreachable", "crashed"
_FIGURES = ("created", "updated", "unchanged", "refused", "pictures")


def work(lease: Lease[ArticleImport]) -> None:
    with extraction.page_cage() as cage:
        _ImportPass(lease, cage).work()


def given_up(lease: Lease[ArticleImport], reason: str) -> None:
    _finish(lease, ImportState.FAILED, CRASHED)


@transaction.atomic
def _finish(lease: Lease[ArticleImport], state: ImportState, error: str = "") -> None:
    row = ArticleImport.objects.for_widget(lease.row.widget_id).select_for_update().get(pk=lease.row.pk)
    if row.storage_key:
        storage.discard(row.storage_key)
    row.state, row.error, row.finished_at, row.updated_at = state, error, Now(), Now()
    row.storage_key, row.found, row.linked = "", {}, []
    row.save(update_fields=["state", "error", "finished_at", "updated_at", "storage_key", "found", "linked"])
    lease.done()


class _ImportPass:
    """One worker's part of an import."""

    def __init__(self, lease: Lease[ArticleImport], cage: Cage) -> None:
        self._lease, self._cage = lease, cage
        self._row, self._widget_id = lease.row, lease.row.widget_id
        center = center_of(self._widget_id)
        self._default, self._supported = lease.row.lang or center.default_language, center.languages.supported
        guid = Widget.objects.values_list("guid", flat=True).get(pk=self._widget_id)
        self._namespace = uuid.uuid5(uuid.NAMESPACE_URL, f"pictures of {guid}")
        self._seen: set[tuple[str, str]] = set()
        self._file = ImportedFile()

    def work(self) -> None:
        """Works until all is done, or the worker must stop. Raises LeaseLost."""
        is_over = self._read_site() if self._row.url else self._read_file()
        if is_over and self._set_links():
            _finish(self._lease, ImportState.DONE)

    def _read_file(self) -> bool:
        """Takes the entries of the file that are not done; returns whether all are, and the import goes on."""
        row = self._row
        try:
            content = storage.read_stored(row.storage_key, most=MAX_IMPORT_BYTES)
            self._file = opened_file(row.name, content, self._cage)
        except UnknownFile:
            _finish(self._lease, ImportState.FAILED, UNREADABLE)
            return False
        except (storage.StorageFailed, Problem):  # it may be there a minute later
            self._lease.failed()
            return False
        if not self._file.items:
            _finish(self._lease, ImportState.FAILED, NO_ARTICLES)
            return False
        for place, item in enumerate(self._file.items):
            if self._lease.must_stop:
                self._lease.give_back()
                return False
            self._take(item.path, item.read(), is_done=place < row.position)
        return True

    def _read_site(self) -> bool:
        """Takes the pages of the site that are not done; returns whether all are, and the import goes on."""
        row = self._row
        reading = SiteReading(row.url, dict(row.found), self._cage, self._wait)
        while (page := reading.next_page()) is not None:
            if self._lease.must_stop or page.is_stopped:
                self._lease.give_back()
                return False
            row.found = reading.state
            if page.entry is None:
                with self._writing():
                    pass
            else:
                self._take(page.url, page.entry)
        if not any(getattr(row, name) for name in _FIGURES):
            _finish(self._lease, ImportState.FAILED, NO_ARTICLES if reading.was_answered else UNREACHABLE)
            return False
        return True

    def _wait(self, seconds: float) -> bool:
        return self._lease.wait(seconds) if seconds else self._lease.must_stop

    # One text

    def _take(self, path: str, found: ImportEntry | Refused | str, *, is_done: bool = False) -> None:
        """Writes a text, or why it is left out, and that it is done; of one that is done, remembers its name."""
        refusal = found if not isinstance(found, ImportEntry) else self._refusal(found)
        if is_done:
            return
        if not isinstance(found, ImportEntry) or refusal is not None:
            with self._writing():
                self._note(path, str(refusal))
            return
        pictures, problems = self._pictures(found)
        with self._with_pictures(pictures), self._writing():
            for name, reason in problems.items():
                self._note(name, reason)
            self._write(found, {name: guid for name, (guid, _) in pictures.items()})

    def _refusal(self, entry: ImportEntry) -> Refused | None:
        lang = entry.lang or self._default
        if lang not in self._supported:
            return Refused.BAD_LANGUAGE
        name = (entry.key, lang)
        if name in self._seen:
            return Refused.DUPLICATE
        self._seen.add(name)
        if not entry.title.strip():
            return Refused.NO_TITLE
        content = {"title": entry.title, "summary": entry.summary, "body": entry.body}
        refusals = text_refusals(content)
        if not refusals:
            return None
        is_long = any(text_refusals({name: content[name][:1]}) == {} for name in refusals)
        return Refused.TOO_LONG if is_long else Refused.BAD_TEXT

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction that counts only while the lease is held; the import's figures are written with it."""
        row = self._row
        before = {name: getattr(row, name) for name in (*_FIGURES, "position")}
        problems, linked = list(row.problems), list(row.linked)
        try:
            with transaction.atomic():
                held = ArticleImport.objects.for_widget(self._widget_id).filter(
                    pk=row.pk, claim_id=self._lease.claim_id
                )
                if not held.select_for_update(no_key=True).exists():
                    raise LeaseLost
                yield
                row.state, row.position, row.updated_at = ImportState.RUNNING, row.position + 1, Now()
                row.save(update_fields=[*_FIGURES, "position", "problems", "linked", "found", "state", "updated_at"])
        except BaseException:
            row.problems, row.linked = problems, linked
            for name, value in before.items():
                setattr(row, name, value)
            raise

    def _note(self, path: str, reason: str) -> None:
        self._row.refused += 1
        if len(self._row.problems) < MAX_PROBLEMS:
            shown = "".join(each if each.isprintable() else "\ufffd" for each in path[:MAX_PATH])
            self._row.problems.append({"path": shown, "reason": str(reason)})

    def _write(self, entry: ImportEntry, pictures: dict[str, uuid.UUID]) -> None:
        row, lang = self._row, entry.lang or self._default
        waiting: list[str] = []
        body = lines_of(self._with_links(entry.body, entry.path, pictures, waiting))
        slug = entry.slug if entry.slug and is_slug(entry.slug) else None
        content: dict[str, Any] = {"title": entry.title.strip(), "summary": entry.summary, "body": body, "slug": slug}
        articles = Article.objects.for_widget(self._widget_id)
        article = articles.filter(origin_key=entry.key).first()
        text = article and ArticleText.objects.for_widget(self._widget_id).filter(article=article, lang=lang).first()
        if row.dry_run:
            self._count(None if not text else _is_equal(text, content))
            return
        try:
            with transaction.atomic():
                if article is None:
                    category_id = self._category(entry.category, lang)
                    article = create_article(
                        widget_id=self._widget_id,
                        lang=lang,
                        category_id=category_id,
                        origin_key=entry.key,
                        actor=row.actor,
                        **content,
                    )
                    is_equal = None
                else:
                    before = text.version if text else 0
                    text = put_text(
                        widget_id=self._widget_id, article_id=article.pk, lang=lang, actor=row.actor, **content
                    )
                    is_equal = None if not before else text.version == before
        except Problem as problem:
            is_many = problem.type in (TOO_MANY_ARTICLES, TOO_MANY_CATEGORIES)
            self._note(entry.path, Refused.TOO_MANY if is_many else Refused.BAD_TEXT)
            return
        self._count(is_equal)
        if waiting and len(self._row.linked) < 2_000:
            row.linked.append([article.pk, lang, entry.path])
        if row.publish and entry.publishes:
            self._publish(article.pk, lang, entry.path, body)

    def _count(self, is_equal: bool | None) -> None:
        name = "created" if is_equal is None else "unchanged" if is_equal else "updated"
        setattr(self._row, name, getattr(self._row, name) + 1)

    def _publish(self, article_id: int, lang: str, path: str, body: str) -> None:
        if not body.strip():
            self._note(path, Refused.EMPTY)
            return
        try:
            with transaction.atomic():
                publish(widget_id=self._widget_id, article_id=article_id, lang=lang)
        except Problem as problem:
            if problem.type is not KB_FULL:
                raise
            self._note(path, Refused.KB_FULL)

    def _category(self, name: str | None, lang: str) -> int | None:
        """The category of that name in the language, made where it is not there; without a name, the import's."""
        name = " ".join((name or "").split())[:MAX_NAME]
        if not name:
            return self._row.category_id
        known = ArticleCategory.objects.for_widget(self._widget_id)
        found = known.filter(**{f"name__{lang}": name}).order_by("pk").values_list("pk", flat=True).first()
        if found is not None:
            return found
        return create_category(widget_id=self._widget_id, name={lang: name}, position=known.count()).pk

    # Links

    def _with_links(self, body: str, path: str, pictures: dict[str, uuid.UUID], waiting: list[str]) -> str:
        """A text that shows these pictures and leads to articles, where they are there; `waiting` are the missing
        ones."""
        if self._row.url:
            return with_addresses(body, lambda is_picture, to: None if is_picture else self._page(to, waiting))
        return with_targets(
            body,
            path,
            lambda is_picture, to: _address_of(pictures.get(to)) if is_picture else self._file_at(to, waiting),
        )

    def _page(self, address: str, waiting: list[str]) -> str | None:
        url = canonical_url(address) if address.startswith(("http://", "https://")) else None
        if url is None or host_of(url) not in self._row.found.get("hosts", ()):
            return None
        return self._article(f"url:{url}", waiting)

    def _file_at(self, path: str, waiting: list[str]) -> str | None:
        return self._article(f"path:{place_of(path, LANGUAGES)[2]}", waiting) if is_markdown(path) else None

    def _article(self, key: str, waiting: list[str]) -> str | None:
        keyed = Article.objects.for_widget(self._widget_id).filter(origin_key=key[: MAX_PATH + 5])
        found = keyed.values_list("pk", flat=True).first()
        if found is None:
            waiting.append(key)
        return None if found is None else f"article:{found}"

    def _set_links(self) -> bool:
        """Sets the links that lead to texts which came later; returns whether all are set."""
        row = self._row
        while row.linked:
            if self._lease.must_stop:
                self._lease.give_back()
                return False
            article_id, lang, path = row.linked[0]
            with self._writing():
                row.linked = row.linked[1:]
                self._set_links_of(article_id, lang, path)
        return True

    def _set_links_of(self, article_id: int, lang: str, path: str) -> None:
        text = ArticleText.objects.for_widget(self._widget_id).filter(article_id=article_id, lang=lang).first()
        if text is None:
            return
        body = self._with_links(text.body, path, {}, [])
        if body == text.body:
            return
        was_published = text.published_version == text.version
        content = {name: getattr(text, name) for name in ("title", "summary", "slug")}
        put_text(
            widget_id=self._widget_id, article_id=article_id, lang=lang, body=body, actor=self._row.actor, **content
        )
        if was_published and self._row.publish:
            self._publish(article_id, lang, path, body)

    # Pictures

    def _pictures(self, entry: ImportEntry) -> tuple[dict[str, tuple[uuid.UUID, bytes | None]], dict[str, str]]:
        """The pictures of the archive that a text shows, each with its guid and, if it is new, its bytes; and why
        others are not taken. The same bytes are one picture."""
        found: dict[str, tuple[uuid.UUID, bytes | None]] = {}
        problems: dict[str, str] = {}

        def look_at(is_picture: bool, path: str) -> None:
            if not is_picture or path in found or path in problems or self._row.url:
                return
            content = self._file.picture(path)
            if content is None or isinstance(content, Refused):
                problems[path] = str(content or Refused.NO_SUCH_PICTURE)
                return
            guid = uuid.uuid5(self._namespace, sha256(content).hexdigest())
            if ArticlePicture.objects.for_widget(self._widget_id).filter(guid=guid).exists():
                found[path] = (guid, None)
                return
            try:
                found[path] = (guid, redrawn(BytesIO(content)))
            except NotAPicture:
                problems[path] = str(Refused.NOT_A_PICTURE)

        with_targets(entry.body, entry.path, look_at)
        return found, problems

    @contextmanager
    def _with_pictures(self, pictures: dict[str, tuple[uuid.UUID, bytes | None]]) -> Iterator[None]:
        """The transaction that adds the new ones of these pictures."""
        new = {guid: made for guid, made in pictures.values() if made is not None}
        if self._row.dry_run or not new:
            self._row.pictures += len(new)
            yield
            return
        with storage.stored_together([BytesIO(made) for made in new.values()]) as keys:
            self._add_pictures(new, keys)
            yield

    def _add_pictures(self, new: dict[uuid.UUID, bytes], keys: Sequence[str]) -> None:
        for (guid, made), key in zip(new.items(), keys, strict=True):
            add_picture(self._widget_id, made, key, guid=guid)
        self._row.pictures += len(new)


def _address_of(guid: uuid.UUID | None) -> str | None:
    return None if guid is None else picture_path(guid.hex)


def _is_equal(text: ArticleText, content: dict[str, Any]) -> bool:
    """Whether a text is as it would be written."""
    names = ("title", "summary", "body") if content["slug"] is None else ("title", "summary", "body", "slug")
    return all(getattr(text, name) == content[name] for name in names)
