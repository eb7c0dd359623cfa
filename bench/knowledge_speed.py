"""Speed of the knowledge base: searches (the question's vector is given: no vendor is waited for) at each size, what
the background embeds a second with a vendor that answers at once, pages of loopback that a crawl reads a minute, and
the memory of the cage.

`python -m bench.knowledge_speed URL SIZES EMBEDDED PAGES` is a process on the DATABASE_URL, with a vendor and a site at
that address; it prints the figures (JSON).
"""

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from statistics import median, quantiles
from typing import Any

import django

from bench.cpu import FOREIGN_LIMIT, Foreign
from bench.databases import own_servers
from config.environment import PROJECT_ROOT

SIZES = (1_000, 50_000)
SEARCHES, DIMENSION, EMBEDDED, PAGES = 60, 512, 2_000, 120
_SAID = "доставка возврат гарантия букет роза тюльпан ваза оплата карта склад скидка заказ курьер адрес время цена"
_WORDS = _SAID.split()


@dataclass(frozen=True, slots=True)
class KnowledgeSpeed:
    """Searches in milliseconds by the number of texts (`median_ms`, `p95_ms`); rates; the cage's most memory."""

    searches: dict[str, dict[str, float]]
    embedded_a_second: float
    pages_a_minute: float
    cage_mib: float
    foreign_cores: float

    @property
    def counts(self) -> bool:
        """Whether the machine was quiet enough."""
        return self.foreign_cores <= FOREIGN_LIMIT

    def document(self) -> dict[str, Any]:
        return {**asdict(self), "counts": self.counts}


def measure_knowledge_speed(
    sizes: Sequence[int] = SIZES, embedded: int = EMBEDDED, pages: int = PAGES
) -> KnowledgeSpeed:
    """Raises RuntimeError if the process that searches, embeds and crawls fails."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Vendor)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"127.0.0.1:{server.server_port}"
    with own_servers() as (_, environ), Foreign() as foreign:
        environ |= {"EGRESS_ALLOW": address, "KB_CRAWL_PAUSE": "0", "DJANGO_SETTINGS_MODULE": "config.settings"}
        command = [sys.executable, "-m", "bench.knowledge_speed", f"http://{address}", ",".join(map(str, sizes))]
        command += [str(embedded), str(pages)]
        done = subprocess.run(command, cwd=PROJECT_ROOT, env=environ, capture_output=True, text=True, check=False)
    server.shutdown()
    if done.returncode:
        raise RuntimeError(f"the knowledge base failed: {done.stderr[-2000:]}")
    return KnowledgeSpeed(**json.loads(done.stdout.splitlines()[-1]), foreign_cores=foreign.cores)


def _text(chance: random.Random, number: int) -> str:
    words = " ".join(chance.choice(_WORDS) + chance.choice("абвгдежз") for _ in range(60))
    price = chance.randrange(100, 9_999)
    return f"Артикул AB-{number}. {words}. Цена {price} рублей, {' '.join(chance.sample(_WORDS, 8))}."


def _fill(widget_id: int, number: int) -> None:
    from django.db import connection

    from apps.kb.models import Embedding, KnowledgeBase, Rule, Source
    from apps.kb.rules.spaces import space_of
    from apps.kb.rules.texts import digest_of

    chance = random.Random(number)
    space = space_of("openai_compatible", "http://127.0.0.1:1/v1", "e")
    KnowledgeBase.objects.create(
        widget_id=widget_id, due_at=None, provider="openai_compatible", endpoint="http://127.0.0.1:1/v1", model="e",
        dimension=DIMENSION,
    )  # fmt: skip
    for begin in range(0, number, 1_000):
        source = Source.objects.create(widget_id=widget_id, ref=f"upload:{begin}", type="upload")
        texts = [_text(chance, begin + place) for place in range(min(1_000, number - begin))]
        digests = [digest_of("", text) for text in texts]
        rules = [
            Rule(widget_id=widget_id, source=source, content=text, digest=digest, embedding_status="ready")
            for text, digest in zip(texts, digests, strict=True)
        ]
        Rule.objects.bulk_create(rules)
        vectors = [
            Embedding(
                widget_id=widget_id, digest=digest, space=space, vector=[chance.gauss(0, 1) for _ in range(DIMENSION)]
            )
            for digest in digests
        ]
        Embedding.objects.bulk_create(vectors)
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("VACUUM (ANALYZE, PARALLEL 0)")


def _searches(widget_id: int, number: int) -> dict[str, float]:
    from apps.kb.actions.retrieval import find
    from apps.kb.querysets.retrieval import RetrievalQuery
    from apps.kb.rules.spaces import space_of

    chance = random.Random(1)
    space = space_of("openai_compatible", "http://127.0.0.1:1/v1", "e")
    taken: list[float] = []
    for _ in range(SEARCHES):
        text = f"{' '.join(chance.sample(_WORDS, 4))} AB-{chance.randrange(number)}"
        query = RetrievalQuery(widget_id, None, text, number, space, [chance.gauss(0, 1) for _ in range(DIMENSION)])
        begin = time.perf_counter()
        find(query)
        taken.append(1_000 * (time.perf_counter() - begin))
    return {"median_ms": round(median(taken), 1), "p95_ms": round(quantiles(taken, n=20)[-1], 1)}


class _Vendor(BaseHTTPRequestHandler):
    """Vectors at once, and a site of pages that link to the next ones."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        vector = [0.1] * DIMENSION
        made = [{"object": "embedding", "index": place, "embedding": vector} for place in range(len(asked["input"]))]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        self._say(json.dumps({"object": "list", "data": made, "model": "e", "usage": usage}), "application/json")

    def do_GET(self) -> None:
        number = int(self.path.strip("/") or 0) if self.path.strip("/").isdigit() or self.path == "/" else None
        if number is None:
            self.send_error(404)
            return
        chance = random.Random(number)
        body = "".join(f"<h2>{chance.choice(_WORDS)}</h2><p>{_text(chance, number)}</p>" for _ in range(20))
        links = "".join(f'<a href="/{number * 4 + place}">x</a>' for place in range(1, 5))
        self._say(f"<html><body><main>{body}</main>{links}</body></html>", "text/html; charset=utf-8")

    def _say(self, text: str, kind: str) -> None:
        content = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


def _embedding(widget_id: int, url: str, number: int) -> float:
    """Texts a second."""
    from apps.ai.actions.credentials import create_credential
    from apps.kb.actions.documents import replace_document
    from apps.kb.rules.documents import Chunk
    from apps.kb.rules.texts import SourceType
    from apps.kb.tasks import EMBEDDING_QUEUE
    from apps.leases import claims

    chance = random.Random(7)
    where: dict[str, Any] = {"base_url": f"{url}/v1", "target": f"{url}/v1", "own_embedding_model": "e"}
    create_credential(widget_id=widget_id, provider="openai_compatible", api_key="k", **where)
    chunks = [Chunk("", _text(chance, place)) for place in range(number)]
    names: dict[str, Any] = {"title": "", "doc_id": None, "url": None}
    replace_document(widget_id=widget_id, source_ref="upload:1", source_type=SourceType.UPLOAD, chunks=chunks, **names)
    begin = time.perf_counter()
    for lease in claims.claim(EMBEDDING_QUEUE, wanted=1):
        lease.run()
    return number / (time.perf_counter() - begin)


def _crawl(widget_id: int, url: str, pages: int) -> dict[str, float]:
    from apps.kb.actions.crawler import replace_crawler
    from apps.kb.models import CrawlRun
    from apps.kb.tasks import CRAWL_QUEUE
    from apps.leases import claims

    replace_crawler(
        widget_id=widget_id,
        values={"start_urls": [f"{url}/"], "max_pages": pages, "max_depth": 10, "use_sitemap": False},
    )
    peak = [0]
    over = threading.Event()
    watcher = threading.Thread(target=_watch, args=(peak, over), daemon=True)
    watcher.start()
    begin = time.perf_counter()
    for lease in claims.claim(CRAWL_QUEUE, wanted=1):
        lease.run()
    seconds = time.perf_counter() - begin
    over.set()
    fetched = CrawlRun.objects.for_widget(widget_id).get().fetched
    return {"pages_a_minute": 60 * fetched / seconds, "cage_mib": peak[0] / 1024}


def _watch(peak: list[int], over: threading.Event) -> None:
    """The most memory (proportional, in KiB) that this process's children have had together."""
    while not over.wait(0.05):
        told = subprocess.run(
            ["ps", "-o", "rss=", "--ppid", str(os.getpid())], capture_output=True, text=True, check=False
        )
        peak[0] = max(peak[0], max(map(int, told.stdout.split()), default=0))


def _measure(url: str, sizes: Sequence[int], embedded: int, pages: int) -> dict[str, Any]:
    from apps.accounts.models import Account, Widget

    account = Account.objects.create(email="bench@parley.example", name="Bench")
    searches: dict[str, dict[str, float]] = {}
    for number in sizes:
        widget_id = Widget.objects.create(account=account, name="Bench").pk
        _fill(widget_id, number)
        _searches(widget_id, number)
        searches[f"{number:,}"] = _searches(widget_id, number)
    embedding = _embedding(Widget.objects.create(account=account, name="Bench").pk, url, embedded)
    crawl = _crawl(Widget.objects.create(account=account, name="Bench").pk, url, pages)
    return {"searches": searches, "embedded_a_second": embedding, **crawl}


def main(url: str, sizes: str, embedded: str, pages: str) -> None:
    django.setup()
    print(json.dumps(_measure(url, [int(size) for size in sizes.split(",")], int(embedded), int(pages))))


if __name__ == "__main__":
    main(*sys.argv[1:])
