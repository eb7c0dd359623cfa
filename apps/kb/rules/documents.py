"""The comparison of a document's new chunks with its rules: new, kept, gone."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple


class Chunk(NamedTuple):
    """A piece of a document: where it stands (page or document title and headings, joined by ` › `), and its text."""

    title: str
    content: str


class Comparison(NamedTuple):
    """`kept` is by the id of a rule its new place; `added` is by its place what no rule says yet; `removed` are ids."""

    kept: Mapping[int, int]
    added: Mapping[int, Chunk]
    removed: Sequence[int]


def compared(known: Iterable[tuple[int, Chunk]], chunks: Sequence[Chunk]) -> Comparison:
    """Compares the rules of a document, in order, with its chunks of now: equal ones keep their rule, each once."""
    rules: dict[Chunk, list[int]] = defaultdict(list)
    for rule_id, chunk in known:
        rules[chunk].append(rule_id)
    kept: dict[int, int] = {}
    added: dict[int, Chunk] = {}
    for place, chunk in enumerate(chunks):
        if rules[chunk]:
            kept[rules[chunk].pop(0)] = place
        else:
            added[place] = chunk
    return Comparison(kept, added, [rule_id for ids in rules.values() for rule_id in ids])
