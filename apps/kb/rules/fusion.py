"""The choice and the order of the found chunks that the bot is given (docs/guides/knowledge.md)."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

MAX_QUERY, DEFAULT_LIMIT, MAX_LIMIT = 1_000, 8, 20
MAX_TOKENS = 3_000
# Of each leg; and of a word that nobody wrote, how long it is at least, and of how many alternatives are looked for.
CANDIDATES, MIN_MISSPELT, MAX_MISSPELT = 40, 4, 6
MIN_SIMILARITY = 0.25
SPELLED_AMONG = 5_000
OF_ONE_SOURCE = 3
# Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009).
K = 60
# What the legs of words and of spelling weigh at least beside the one of meaning.
LEAST_WEIGHT = 0.05

_WORD = re.compile(r"[^\W\d_]+")
_SAME_LETTER = str.maketrans("ёЁ", "еЕ")


class Ranks(NamedTuple):
    """The place of a rule in each leg, from 1; None where that did not find it."""

    vector: int | None
    text: int | None
    trigram: int | None


class RuleCandidate(NamedTuple):
    """A rule that a leg has found. `similarity` is the cosine, None without a vector; `known` is which part of the
    question's words any rule has.
    """

    rule_id: int
    source_id: int
    content: str
    ranks: Ranks
    similarity: float | None
    known: float = 1.0


def folded(query: str) -> str:
    """A question as it is compared with texts: ё is е."""
    return query.translate(_SAME_LETTER)


def spellable(query: str, *, rules: int) -> list[str]:
    """The question's words that may be looked for by their spelling, each once; none among more than SPELLED_AMONG
    rules, where that would take longer than a visitor waits (docs/adr/0023).
    """
    if rules > SPELLED_AMONG:
        return []
    words = (word.lower() for word in _WORD.findall(folded(query)) if len(word) >= MIN_MISSPELT)
    return list(dict.fromkeys(words))[:MAX_MISSPELT]


def score_of(ranks: Ranks, known: float = 1.0) -> float:
    """Reciprocal rank fusion. Words and spelling count by how much of the question the rules know: of one in another
    language they know next to nothing, and what is alike is so by chance (docs/adr/0023).
    """
    weight = max(known, LEAST_WEIGHT)
    by_text = sum(1 / (K + rank) for rank in (ranks.text, ranks.trigram) if rank is not None)
    return (0 if ranks.vector is None else 1 / (K + ranks.vector)) + weight * by_text


def tokens_of(content: str) -> int:
    """About as many tokens as a model counts: a quarter of the bytes, rounded up."""
    return -(-len(content.encode()) // 4)


def chosen(candidates: Iterable[RuleCandidate], *, limit: int, max_tokens: int) -> list[RuleCandidate]:
    """The best of them, best first: equal content once, at most OF_ONE_SOURCE of one source, until the tokens are full.

    The first candidate that does not fit ends the list: a worse one never takes the place of a better one.
    """
    found: list[RuleCandidate] = []
    seen: set[str] = set()
    of_source: Counter[int] = Counter()
    for candidate in sorted(candidates, key=lambda one: (-score_of(one.ranks, one.known), one.rule_id)):
        if len(found) == limit:
            break
        if candidate.content in seen or of_source[candidate.source_id] == OF_ONE_SOURCE:
            continue
        max_tokens -= tokens_of(candidate.content)
        if max_tokens < 0:
            break
        seen.add(candidate.content)
        of_source[candidate.source_id] += 1
        found.append(candidate)
    return found
