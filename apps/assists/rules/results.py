"""Results of assists, as they are stored and shown."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple

SourceKind = Literal["knowledge", "past", "card"]


class DraftSource(NamedTuple):
    """A numbered piece that a draft may rest on."""

    n: int
    kind: SourceKind
    title: str
    url: str | None
    ref: str
    is_public: bool


class Sentence(NamedTuple):
    """A sentence of a draft, and the numbers of its sources."""

    text: str
    sources: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistResult:
    """A model's result. `differs`: facts that one of two texts lacks, each `{kind, source, text}`."""

    text: str = ""
    sentences: Sequence[Sentence] = ()
    sources: Sequence[DraftSource] = ()
    unsupported: Sequence[str] = ()
    differs: Sequence[Mapping[str, Any]] = ()
    summary: Mapping[str, Any] | None = None
    tags: Sequence[str] = ()
    language: str | None = None
    # What a kind keeps for itself.
    more: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        kept = asdict(self)
        kept["sentences"] = [one._asdict() for one in self.sentences]
        kept["sources"] = [one._asdict() for one in self.sources]
        return kept


class AssistFailed(Exception):
    """There is no result: the reason, and whether the job was refused rather than failed."""

    def __init__(self, reason: str, *, refused: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.refused = reason, refused
