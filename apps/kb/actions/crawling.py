"""A crawl's run: a frontier of rows, worked off one page at a time under a lease.

A page's results are one transaction: its row, the pages that it leads to, its rules, the run's figures. So a worker
that takes up a lost run goes on where the frontier stands, and only the page in flight is fetched again. The order of
locks is the run's row, then the knowledge base's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.utils import timezone

from apps import extraction
from apps.core.problems import Problem
from apps.extraction import Cage, ExtractedPage, ExtractionFailed
from apps.kb import questions
from apps.kb.actions import crawled_texts
from apps.kb.actions.documents import delete_source
from apps.kb.actions.fetching import REDIRECTS, FetchResult, Site, Stopped, canonical_url
from apps.kb.actions.sitemaps import pages_of_sitemaps
from apps.kb.errors import KB_FULL
from apps.kb.models import Crawler, CrawlPage, CrawlRun
from apps.kb.rules import crawling as rules
from apps.kb.rules.crawling import CrawlRunState, CrawlScope, PageReason, PageState, RunError, crawl_ref, host_of
from apps.leases import Lease, LeaseLost

HTML = ("text/html", "application/xhtml+xml")
PLAIN = ("text/plain",)


class _Full(Exception):
    """The knowledge base has no room for a page."""


@contextmanager
def _naming_no_room() -> Iterator[None]:
    """Raises _Full for the problem that a document has no room."""
    try:
        yield
    except Problem as problem:
        raise (_Full() if problem.type is KB_FULL else problem) from None


def work(lease: Lease[CrawlRun]) -> None:
    with extraction.page_cage() as cage:
        try:
            _CrawlPass(lease, cage).work()
        except Stopped:
            lease.give_back()
        except _Full:
            with transaction.atomic():
                _end(lease.row, CrawlRunState.FAILED, RunError.KB_FULL)
                lease.done()


def given_up(lease: Lease[CrawlRun], reason: str) -> None:
    with transaction.atomic():
        _end(lease.row, CrawlRunState.FAILED, RunError.CRASHED)
        lease.done()


def _end(run: CrawlRun, state: CrawlRunState, error: RunError | None = None) -> None:
    run.state, run.finished_at, run.error_code = state, timezone.now(), error or ""
    run.save(update_fields=["state", "finished_at", "error_code", "rules_written"])


class _CrawlPass:
    """One worker's part of a run."""

    def __init__(self, lease: Lease[CrawlRun], cage: Cage) -> None:
        self._lease, self._cage = lease, cage
        self._run, self._widget_id = lease.row, lease.row.widget_id
        self._crawler = Crawler.objects.for_widget(self._widget_id).get()
        crawler = self._crawler
        own = questions.own_pages(self._widget_id)
        self._scope = CrawlScope(crawler.max_depth, crawler.include_paths, crawler.exclude_paths, own)
        self._site = Site(hosts=self._run.hosts, robots=self._run.robots, wait=self._wait)
        seen = CrawlPage.objects.for_widget(self._widget_id).filter(run=self._run).values_list("url", flat=True)
        self._seen = set(seen)
        self._variants = Counter(map(_without_query, self._seen))
        self._held: dict[int, crawled_texts.HeldPage] = {}

    def work(self) -> None:
        """Works until the frontier is empty, or a limit is reached. Raises Stopped, LeaseLost, _Full."""
        if self._run.state == CrawlRunState.QUEUED:
            self._begin()
        if self._crawler.use_sitemap and not self._run.has_read_sitemaps:
            self._read_sitemaps()
        while not self._is_over:
            frontier = CrawlPage.objects.for_widget(self._widget_id).frontier(self._run.pk)
            page = frontier.exclude(pk__in=self._held).first()
            if page is None and not self._held:
                self._finish(is_whole=True)
                return
            if page is not None:
                self._take(page)
            self._settle_held(at_once=page is None or len(self._held) > rules.MAX_HELD)
        self._settle_held(at_once=True)
        self._finish(is_whole=False)

    def _wait(self, seconds: float) -> bool:
        if seconds > 1 and not connection.in_atomic_block:
            connection.close()
        return self._lease.wait(seconds) if seconds else self._lease.must_stop

    @property
    def _is_over(self) -> bool:
        run = self._run
        started = run.started_at or timezone.now()
        is_late = timezone.now() - started > timedelta(seconds=rules.MAX_SECONDS)
        is_much = run.received_bytes + self._site.received > rules.MAX_TOTAL_BYTES
        return is_late or is_much or run.fetched >= self._crawler.max_pages

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction that counts only while the lease is held; the run's figures are written with it."""
        run = self._run
        before = {name: getattr(run, name) for name in _FIGURES}
        problems = list(run.problems)
        try:
            with transaction.atomic():
                held = CrawlRun.objects.for_widget(self._widget_id).filter(pk=run.pk, claim_id=self._lease.claim_id)
                if not held.select_for_update(no_key=True).exists():
                    raise LeaseLost
                yield
                run.received_bytes += self._site.received
                run.save(update_fields=[*_FIGURES, "problems", "hosts", "robots", "state", "started_at"])
        except BaseException:
            run.problems = problems
            for name, value in before.items():
                setattr(run, name, value)
            raise
        self._site.received = 0

    def _begin(self) -> None:
        run = self._run
        with self._writing():
            run.state, run.started_at = CrawlRunState.RUNNING, timezone.now()
            starts = [url for url in map(canonical_url, self._crawler.start_urls) if url]
            run.hosts[:] = dict.fromkeys(map(host_of, starts))
            self._add(starts, depth=0)

    def _read_sitemaps(self) -> None:
        starts = [url for url in map(canonical_url, self._crawler.start_urls) if url]
        found = pages_of_sitemaps(self._site, self._cage, starts)
        with self._writing():
            self._add(found.pages, depth=1, listed=found.pages)
            self._run.has_read_sitemaps, self._run.lacks_sitemaps = True, found.are_lacking

    # Pages

    def _add(
        self,
        urls: Iterable[str],
        *,
        depth: int,
        redirects: int = 0,
        listed: Mapping[str, datetime | None] | None = None,
    ) -> None:
        """Puts addresses that this run has not seen into its frontier; those out of its scope as what they are."""
        new: list[CrawlPage] = []
        for url in urls:
            if url in self._seen or len(self._seen) >= rules.MAX_FRONTIER or self._is_one_variant_too_many(url):
                continue
            self._seen.add(url)
            self._variants[_without_query(url)] += 1
            refusal = self._scope.refusal(url, depth)
            state = PageState.QUEUED if refusal is None else PageState.DONE
            row = CrawlPage(widget_id=self._widget_id, url=url, run=self._run, state=state, depth=depth)
            row.redirects, row.reason, row.listed_at = redirects, refusal or "", (listed or {}).get(url)
            new.append(row)
            self._run.found += 1
            if refusal is not None:
                self._note(url, refusal)
        CrawlPage.objects.bulk_create(
            new,
            batch_size=500,
            update_conflicts=True,
            unique_fields=["widget", "url"],
            update_fields=["run", "state", "depth", "redirects", "reason", "note", "listed_at"],
        )

    def _is_one_variant_too_many(self, url: str) -> bool:
        return "?" in url and self._variants[_without_query(url)] >= rules.MAX_VARIANTS

    def _note(self, url: str, reason: str) -> None:
        """Counts a page of which there are no rules, and names the first of them."""
        run = self._run
        if rules.is_failure(reason):
            run.failed += 1
        else:
            run.skipped += 1
        if len(run.problems) < rules.MAX_PROBLEMS:
            run.problems.append({"url": url, "reason": str(reason)})

    def _take(self, page: CrawlPage) -> None:
        """Fetches a page, and writes what came of it."""
        refusal = self._site.robots_refusal(page.url)
        if refusal is not None:
            self._refuse(page, refusal)
            return
        conditions = crawled_texts.conditions_of(page)
        if page.content_hash and rules.is_known_by_listing(page.listed_at, page.read_at, timezone.now()):
            self._unchanged(page, is_answer=False)
            return
        answer = self._site.get_page(page.url, headers=conditions)
        if answer.reason is not None:
            self._refuse(page, answer.reason)
        elif answer.status in REDIRECTS:
            self._redirect(page, canonical_url(answer.headers.get("Location", ""), page.url))
        elif answer.status == 304 and page.content_hash:
            self._unchanged(page)
        elif answer.status != 200:
            self._refuse(page, f"status_{answer.status}", is_answer=True)
        else:
            self._read(page, answer)

    def _refuse(self, page: CrawlPage, reason: str, *, is_answer: bool = False) -> None:
        with self._writing():
            self._run.fetched += is_answer
            self._close(page, reason)
            if rules.may_pass(reason) or not self._site.has_robots(page.url):
                self._add(page.links, depth=page.depth + 1)

    def _close(self, page: CrawlPage, reason: str, *, note: str = "") -> None:
        """The page's row where there are no rules of it now, in the transaction under way."""
        self._note(page.url, reason)
        page.state, page.reason, page.note = PageState.DONE, str(reason), note
        if rules.removes_at_once(reason):
            self._remove_rules(page)
        page.save(update_fields=["state", "reason", "note", "etag", "last_modified", "content_hash", "links"])

    def _remove_rules(self, page: CrawlPage) -> None:
        page.content_hash = page.etag = page.last_modified = ""
        if delete_source(widget_id=self._widget_id, source_ref=crawl_ref(page.url)):
            self._run.removed += 1

    def _redirect(self, page: CrawlPage, url: str | None) -> None:
        """A page that leads on to another address, by its status or by itself."""
        with self._writing():
            self._run.fetched += 1
            if url is not None and page.depth == 0 and self._is_own_www(page.url, url):
                self._run.hosts.append(host_of(url))
            if url is None or host_of(url) not in self._run.hosts:
                self._close(page, PageReason.OFF_HOST)
            elif rules.is_login(url) and not rules.is_login(page.url):
                self._close(page, PageReason.LOGIN)
            elif page.redirects >= rules.MAX_REDIRECTS:
                self._close(page, PageReason.REDIRECTS)
            else:
                page.state, page.reason = PageState.DONE, ""
                self._remove_rules(page)  # what it was is elsewhere now
                page.save(update_fields=["state", "reason", "etag", "last_modified", "content_hash"])
                self._add([url], depth=page.depth, redirects=page.redirects + 1)

    def _is_own_www(self, url: str, other: str) -> bool:
        return host_of(other) not in self._run.hosts and rules.is_www_of(host_of(url), host_of(other))

    def _unchanged(self, page: CrawlPage, *, is_answer: bool = True) -> None:
        with self._writing():
            self._run.fetched += is_answer
            self._run.unchanged += 1
            page.state, page.reason = PageState.DONE, ""
            if is_answer:
                page.read_at = timezone.now()
            page.save(update_fields=["state", "reason", "read_at"])
            self._add(page.links, depth=page.depth + 1)

    def _read(self, page: CrawlPage, result: FetchResult) -> None:
        kind, _, parameters = result.headers.get("Content-Type", "text/html").partition(";")
        kind = kind.strip().lower()
        if kind not in HTML + PLAIN:
            self._refuse(page, PageReason.NOT_TEXT, is_answer=True)
            return
        try:
            found = extraction.read_page(
                self._cage, result.body, is_html=kind in HTML, charset=rules.charset_in(parameters)
            )
        except ExtractionFailed as failed:
            is_large = failed.code in ("too_much_text", "limits_exceeded")
            self._refuse(page, PageReason.TOO_LARGE if is_large else PageReason.NOT_TEXT, is_answer=True)
            return
        leads_to = canonical_url(found.refresh, page.url) if found.refresh else None
        if leads_to is not None and leads_to != page.url and host_of(leads_to) in self._run.hosts:
            self._redirect(page, leads_to)
            return
        with _naming_no_room():
            self._write(page, result, found)

    def _write(self, page: CrawlPage, result: FetchResult, found: ExtractedPage) -> None:
        base = canonical_url(found.base, page.url) if found.base else None
        base = base or page.url
        said = found.robots | rules.robots_words(result.headers.get("X-Robots-Tag", ""))
        canonical = canonical_url(found.canonical, base) if found.canonical else None
        if canonical == page.url or (canonical and host_of(canonical) not in self._site.hosts):
            canonical = None
        followed = [] if said & {"nofollow", "none"} else [link.href for link in found.links if link.is_followed]
        with self._writing():
            self._run.fetched += 1
            page.links = list(dict.fromkeys(self._site.within(followed, base)))
            if canonical is not None:
                self._add([canonical], depth=page.depth)
            self._add(page.links, depth=page.depth + 1)
            if said & {"noindex", "none"}:
                self._close(page, PageReason.NOINDEX)
            elif found.asks_password and (page.redirects or rules.is_login(page.url)):
                self._close(page, PageReason.LOGIN)
            elif found.document is None or crawled_texts.is_unfilled(found.document):
                self._close(page, PageReason.EMPTY, note=crawled_texts.note_of(found))
            elif canonical is not None:
                note = crawled_texts.note_of(found)
                self._held[page.pk] = crawled_texts.HeldPage(page, result, found.document, canonical, note)
            else:
                self._keep(page, result, found.document, crawled_texts.note_of(found))

    def _settle_held(self, *, at_once: bool) -> None:
        """Decides on the pages that name another as their own, once that is read; at once on all of them."""
        waiting = {held.page.url for held in self._held.values()}
        for held in list(self._held.values()):
            other = CrawlPage.objects.for_widget(self._widget_id).filter(run=self._run, url=held.canonical)
            if not at_once and other.filter(state=PageState.QUEUED).exists():
                continue
            with _naming_no_room(), self._writing():
                if crawled_texts.is_copy(held, was_held=held.canonical in waiting):
                    self._close(held.page, PageReason.DUPLICATE)
                else:
                    self._keep(held.page, held.answer, held.document, held.note)
            del self._held[held.page.pk]

    def _keep(self, page: CrawlPage, result: FetchResult, document: extraction.ExtractedDocument, note: str) -> None:
        """Makes the page's text its rules, unless they are that already, or another page has the same."""
        content_hash = crawled_texts.hash_of(document)
        same = CrawlPage.objects.for_widget(self._widget_id).filter(run=self._run, content_hash=content_hash, reason="")
        if same.filter(state=PageState.DONE).exclude(pk=page.pk).exists():
            self._close(page, PageReason.DUPLICATE)
            return
        if page.content_hash == content_hash:
            self._run.unchanged += 1
        else:
            self._run.changed += 1
            self._run.rules_written += crawled_texts.store(page, document, self._crawler).added
        page.content_hash, page.state, page.reason, page.note = content_hash, PageState.DONE, "", note
        page.etag, page.last_modified = (crawled_texts.header_of(result, name) for name in ("ETag", "Last-Modified"))
        page.read_at = timezone.now()
        page.save()

    # The end

    def _finish(self, *, is_whole: bool) -> None:
        """Ends the run. A run that has seen everything removes pages that it has not found any more."""
        run = self._run
        if not run.fetched:
            reasons = {problem["reason"] for problem in run.problems}
            is_unavailable = any(said["refusal"] for said in run.robots.values())
            with transaction.atomic():
                _end(run, CrawlRunState.FAILED, rules.error_of(reasons, is_robots_unavailable=is_unavailable))
                self._lease.done()
            return
        while is_whole and not run.lacks_sitemaps and self._remove_some():
            if self._lease.must_stop:
                raise Stopped
        run.rules_written += crawled_texts.strip_repeated(self._crawler, self._writing)
        with transaction.atomic():
            _end(run, CrawlRunState.DONE)
            self._lease.done()

    def _remove_some(self, many: int = 100) -> bool:
        """Removes the rules and rows of some pages that the run did not find, or may not ask for."""
        pages = CrawlPage.objects.for_widget(self._widget_id)
        gone = list(pages.exclude(run=self._run)[:many])
        reasons = (
            rules.NOT_WANTED - {PageReason.ROBOTS}
            if any(said["refusal"] for said in self._run.robots.values())
            else rules.NOT_WANTED
        )
        barred = list(pages.filter(run=self._run, reason__in=reasons).exclude(content_hash="")[:many])
        with self._writing():
            for page in (*gone, *barred):
                self._remove_rules(page)
            for page in barred:
                page.save(update_fields=["etag", "last_modified", "content_hash"])
            pages.filter(pk__in=[page.pk for page in gone]).delete()
        return bool(gone or barred)


_FIGURES = (
    *("found", "fetched", "changed", "unchanged", "skipped", "failed", "removed"),
    *("rules_written", "received_bytes", "has_read_sitemaps", "lacks_sitemaps"),
)


def _without_query(url: str) -> str:
    return url.partition("?")[0]
