"""The shape of what is recorded of a provider."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from apps.messengers.rules.kinds import Kind

FILE = "https://files.example/flower.jpg"

Document = dict[str, Any]


@dataclass(frozen=True)
class Recorded:
    """One payload of a kind, as the page or the client named by `source` has it, and the messages that it becomes:
    the type and the body of each; none where it becomes nothing, or is shown at an earlier message.
    """

    document: Document
    source: str
    becomes: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Payloads:
    """What is recorded of a provider.

    text: a text "Привет", the conversation, what it is stored under. picture: with the caption "Роза" (or none). place:
    at 55.75, 37.6. nothing: what no person has written to us. kinds: by kind, see `Adapter.reads`.
    """

    text: tuple[Document, str, str]
    picture: tuple[Document, str] | None = None
    place: Document | None = None
    nothing: Sequence[Document] = ()
    kinds: Mapping[Kind, Sequence[Recorded]] = field(default_factory=dict)
