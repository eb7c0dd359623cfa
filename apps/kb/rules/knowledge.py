"""The knowledge that a model is given for a question."""

from collections.abc import Sequence
from typing import Literal, NamedTuple


class KnowledgePiece(NamedTuple):
    """A piece of knowledge that a model is given."""

    id: int
    content: str
    source_ref: str
    title: str
    url: str | None
    score: float


class Knowledge(NamedTuple):
    """The knowledge that was found for a question."""

    status: Literal["empty", "included", "unavailable"]
    chunks: Sequence[KnowledgePiece]
