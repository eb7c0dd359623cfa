"""Articles: 10,000 of them, half in two languages; how long a search takes, of words as they are written and misspelt,
in Russian and in English, alone and while articles are published; and how long publishing takes, AI's rules with it.

`python -m bench.articles ARTICLES` fills a migrated database and says how long each took (JSON).
"""

import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import quantiles
from typing import Any

from bench.cpu import FOREIGN_LIMIT, Foreign
from bench.databases import own_servers
from config.environment import PROJECT_ROOT

ARTICLES = 10_000
SEARCH_GOAL_MS, PUBLISH_GOAL_MS = 40.0, 100.0
SEARCHES, PUBLISHED, WORDS = 100, 50, 12_000
# A text's words by Zipf's law, in paragraphs under headings.
A_TEXT, A_PART, A_TITLE = 180, 60, 4
_ENGLISH = "ba ber cal con der dis fer gal hor in kel lan mer nor or pal quin ret sol tam un ver wil yor zen ing"
_RUSSIAN = "ба вер гал дор ель жир зам кол лан мер нос опр пал рет сол там удо фер хор цен чес шил юр ям ист"
_SYLLABLES = {"en": _ENGLISH.split(), "ru": _RUSSIAN.split()}


@dataclass(frozen=True, slots=True)
class Articles:
    """The 95th percentiles, in milliseconds."""

    articles: int
    words: int
    search_ms: dict[str, float]
    busy_ms: dict[str, float]
    publish_ms: float
    foreign_cores: float

    @property
    def judged(self) -> list[tuple[str, float, float]]:
        """The figures that have a goal, by name."""
        searches = [(f"search, {name}, p95 ms", ms, SEARCH_GOAL_MS) for name, ms in self.search_ms.items()]
        busy = [(f"search, {name}, while publishing, p95 ms", ms, SEARCH_GOAL_MS) for name, ms in self.busy_ms.items()]
        return [*searches, *busy, ("publishing, p95 ms", self.publish_ms, PUBLISH_GOAL_MS)]

    @property
    def counts(self) -> bool:
        """Whether the machine was quiet enough."""
        return self.foreign_cores <= FOREIGN_LIMIT

    def document(self) -> dict[str, Any]:
        return {**asdict(self), "counts": self.counts}


def measure_articles(articles: int = ARTICLES) -> Articles:
    """Raises RuntimeError if a search does not find the article whose title it is."""
    with own_servers() as (_, environ), Foreign() as foreign:
        command = [sys.executable, "-m", "bench.articles", str(articles)]
        done = subprocess.run(command, cwd=PROJECT_ROOT, env=dict(environ), check=True, stdout=subprocess.PIPE)
    found = json.loads(done.stdout.splitlines()[-1])
    if missed := found.pop("missed"):
        raise RuntimeError(f"searches did not find their article: {missed}")
    return Articles(**found, foreign_cores=foreign.cores)


class Library:
    """The words of a language, the frequent ones first."""

    def __init__(self, lang: str) -> None:
        self._chance = random.Random(lang)
        made: dict[str, None] = {}
        while len(made) < WORDS:
            made["".join(self._chance.choices(_SYLLABLES[lang], k=self._chance.randint(2, 4)))] = None
        self._words = list(made)
        self._weights = [1 / (rank + 10) for rank in range(WORDS)]

    def words(self, many: int) -> list[str]:
        return self._chance.choices(self._words, self._weights, k=many)

    def title(self) -> str:
        """Words that are not of the most frequent ones."""
        return " ".join(self._chance.sample(self._words[200:], A_TITLE)).capitalize()

    def body(self) -> str:
        parts = [" ".join(self.words(A_PART)) for _ in range(A_TEXT // A_PART)]
        return "\n\n".join(f"## {self.title()}\n\n{part}." for part in parts)

    def misspelt(self, words: str) -> str:
        """Each word with one letter less, more, or another, or two that changed places."""
        return " ".join(map(self._misspelt, words.split()))

    def _misspelt(self, word: str) -> str:
        at = self._chance.randrange(1, len(word) - 1)
        letter = self._chance.choice(word)
        ways = (word[at + 1 :], letter + word[at:], letter + word[at + 1 :], word[at + 1] + word[at] + word[at + 2 :])
        return word[:at] + self._chance.choice(ways)


def _fill(widget_id: int, articles: int) -> dict[str, list[tuple[int, str]]]:
    """Writes the articles, and has searches and AI take them up; gives the titles by language."""
    from django.db import connection
    from django.utils import timezone

    from apps.articles.actions.knowledge import take_up_all
    from apps.articles.models import Article, ArticleText, ArticleVersion, HelpCenter, SearchableText

    HelpCenter.objects.create(widget_id=widget_id, for_ai=False)  # AI has those alone that are published meanwhile
    libraries = {lang: Library(lang) for lang in _SYLLABLES}
    titles: dict[str, list[tuple[int, str]]] = {lang: [] for lang in _SYLLABLES}
    rows = Article.objects.bulk_create([Article(widget_id=widget_id) for _ in range(articles)], batch_size=1_000)
    for lang, library in libraries.items():
        chosen = rows if lang == "en" else rows[::2]
        shown = {"version": 1, "published_version": 1, "published_at": timezone.now()}
        texts = [
            ArticleText(
                widget_id=widget_id, article=row, lang=lang, title=library.title(), body=library.body(), **shown
            )
            for row in chosen
        ]
        ArticleText.objects.bulk_create(texts, batch_size=500)
        versions = [
            ArticleVersion(widget_id=widget_id, text=text, version=1, title=text.title, body=text.body)
            for text in texts
        ]
        ArticleVersion.objects.bulk_create(versions, batch_size=500)
        titles[lang] = [(text.article_id, text.title) for text in texts]
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    take_up_all(widget_id=widget_id)
    SearchableText.objects.for_widget(widget_id).update(is_due=False)
    HelpCenter.objects.for_widget(widget_id).update(for_ai=True)
    return titles


def _p95(taken: list[float]) -> float:
    return round(quantiles(taken, n=20)[-1], 1)


def _timed(what: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.perf_counter()
    found = what()
    return 1_000 * (time.perf_counter() - begin), found


def _measure(articles: int) -> dict[str, Any]:
    from django.db import connection

    from apps.accounts.models import Account, Widget
    from apps.articles.actions.publishing import publish
    from apps.articles.actions.search import search
    from apps.articles.actions.texts import put_text
    from apps.articles.models import ArticleWord

    account = Account.objects.create(email="bench@parley.example", name="Bench")
    widget_id = Widget.objects.create(account=account, name="Bench").pk
    titles = _fill(widget_id, articles)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    libraries, chance, missed = {lang: Library(lang) for lang in titles}, random.Random(7), 0

    def searched() -> dict[str, float]:
        """Each question is a title: as it is, with frequent words beside it, and with all its words misspelt."""
        nonlocal missed
        found: dict[str, float] = {}
        for lang, library in libraries.items():
            for name in ("", ", misspelt"):
                taken = []
                for _ in range(SEARCHES):
                    article_id, title = chance.choice(titles[lang])
                    q = library.misspelt(title) if name else f"{title} {' '.join(library.words(3))}"
                    ms, hits = _timed(lambda q=q, lang=lang: search(widget_id, q, lang))
                    taken.append(ms)
                    missed += not name and article_id not in [hit.article_id for hit in hits]
                found[{"en": "English", "ru": "Russian"}[lang] + name] = _p95(taken)
        return found

    def publishes() -> None:
        for _ in range(PUBLISHED):
            article_id, title = chance.choice(titles["en"])
            body = libraries["en"].body()
            text = put_text(widget_id=widget_id, article_id=article_id, lang="en", title=title, body=body)
            ms, _ = _timed(
                lambda article_id=article_id, text=text: publish(
                    widget_id=widget_id, article_id=article_id, lang="en", version=text.version
                )
            )
            published.append(ms)
        connection.close()

    published: list[float] = []
    searched()
    alone = searched()
    meanwhile = threading.Thread(target=publishes)
    meanwhile.start()
    busy = searched()
    meanwhile.join()
    words = ArticleWord.objects.for_widget(widget_id).count()
    return {
        "articles": articles,
        "words": words,
        "search_ms": alone,
        "busy_ms": busy,
        "publish_ms": _p95(published),
        "missed": missed,
    }


def main() -> None:
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    print(json.dumps(_measure(int(sys.argv[1]))))


if __name__ == "__main__":
    main()
