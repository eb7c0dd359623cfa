"""The choice and the order of the found chunks that the bot is given (docs/guides/knowledge.md)."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

MAX_QUERY, DEFAULT_LIMIT, MAX_LIMIT = 1_000, 8, 20
MAX_TOKENS = 3_000
# Of each leg; and of a word that nobody wrote, how long it is at least, and of how many alternatives are looked for.
CANDIDATES, MIN_MISSPELT, MAX_MISSPELT, MAX_SWITCHED = 40, 4, 6, 24
MIN_SIMILARITY = 0.25
SPELLED_AMONG = 5_000
OF_ONE_SOURCE = 3
# Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009).
K = 60
# What the legs of words and of spelling weigh at least beside the one of meaning.
LEAST_WEIGHT = 0.05

_WORD = re.compile(r"[^\W\d_]+")
_SAME_LETTER = str.maketrans("ёЁ", "еЕ")


# The keys of a keyboard in English and in Russian: what one types is what the other would have been.
_EN = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`" + 'QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>~'
_RU = "йцукенгшщзхъфывапролджэячсмитьбюёЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮЁ"
_TO_RU, _TO_EN = str.maketrans(_EN, _RU), str.maketrans(_RU, _EN)
_TYPED_EN = re.compile(r"""[A-Za-z\[\]{};:'",.<>`~]{3,40}""")
_TYPED_RU = re.compile(r"[А-Яа-яЁё]{3,40}")
_ONLY_RU, _ONLY_EN = re.compile(r"[А-Яа-яЁё]{3,}"), re.compile(r"[A-Za-z]{3,}")
# Pairs of letters that ask, in Chinese and Japanese, and say nothing of what is asked for.
EMPTY_MARKS = [
    "什么", "怎么", "多少", "可以", "请问", "如何", "是否", "有没", "没有", "我们", "你们", "您好",
    "你好", "我想", "想问", "哪里", "哪些", "为什", "需要", "怎样", "多久", "能不", "不能", "是不",
    "不是", "です", "ます", "すか", "ませ", "せん", "くだ", "ださ", "さい", "この", "その", "どの",
]  # fmt: skip


class Ranks(NamedTuple):
    """The place of a rule in each leg, from 1; None where that did not find it."""

    vector: int | None
    text: int | None
    trigram: int | None


class RuleCandidate(NamedTuple):
    """A rule that a leg has found.

    source_id: the rule's own, negative, where it was written by hand. similarity: the cosine, None without a vector.
    known: which part of the question's words any rule has.
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


def other_layouts(query: str) -> list[tuple[str, str]]:
    """The question's words as the keys of the other keyboard would have written them: ljcnfdrf is доставка. As `(typed,
    other)`; a mark at a word's end may be a letter there, or what it is.
    """
    found: dict[tuple[str, str], None] = {}
    for match in _TYPED_EN.finditer(query):
        for typed in (match[0], match[0].strip("[]{};:'\",.<>`~")):
            if _ONLY_RU.fullmatch(other := typed.translate(_TO_RU)):
                found[typed, folded(other)] = None
    for match in _TYPED_RU.finditer(query):
        if _ONLY_EN.fullmatch(other := match[0].translate(_TO_EN)):
            found[folded(match[0]), other] = None
    return list(found)[:MAX_SWITCHED]


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
