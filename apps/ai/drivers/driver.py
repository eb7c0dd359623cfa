"""The contract of every driver, and the outcomes of a call."""

import hashlib
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

from apps.ai.drivers.failures import Cause, ProviderFailed, Reason
from apps.ai.drivers.reading import VendorAnswer
from apps.ai.drivers.streaming import OnText
from apps.ai.rules.configuration import DEFAULT_TIMEOUT_S
from apps.ai.rules.prompts import PromptMessage
from apps.egress.call_budget import CallBudget

Task = Literal["document", "query"]
T = TypeVar("T")
# The tokens that a model may think for, besides its answer's.
TOKENS_TO_THINK = 4_000
_OF_PROCESS = secrets.token_bytes(16)

__all__ = [
    "Cause",
    "Completion",
    "CompletionRequest",
    "Driver",
    "Endpoint",
    "Model",
    "ProviderFailed",
    "Quirks",
    "Reason",
    "Task",
]


@dataclass(slots=True)
class Quirks:
    """The settings that a model was found not to take: learnt by calls that were refused, and kept with the credential.

    left_out: `temperature`, `system` (its text stands in the first message), `dimensions` and the like. limit: the name
    under which the limit of tokens is taken, "" for none, None where it is not known. thinks: all tokens of a call went
    into thoughts, so more are asked for.
    """

    left_out: set[str] = field(default_factory=set)
    limit: str | None = None
    thinks: bool = False
    # Not kept: whether the last call gave thoughts and no answer, though more tokens were asked for.
    only_thoughts: bool = field(default=False, compare=False)

    @classmethod
    def of(cls, kept: Any) -> "Quirks":
        """The quirks that were kept as JSON."""
        known = kept if isinstance(kept, dict) else {}
        return cls(set(known.get("left_out") or ()), known.get("limit"), bool(known.get("thinks")))

    def as_json(self) -> dict[str, Any]:
        return {"left_out": sorted(self.left_out), "limit": self.limit, "thinks": self.thinks}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The address of a credential's calls, its secrets, and what is known of the model. Secrets are in no `repr`."""

    base_url: str
    api_key: str = field(repr=False)
    signing_secret: str | None = field(default=None, repr=False)
    timeout_s: float = DEFAULT_TIMEOUT_S
    quirks: Quirks = field(default_factory=Quirks)

    @property
    def owner(self) -> bytes:
        """Stands for its secrets where connections are kept apart by them. Differs from process to process."""
        both = f"{self.api_key}\0{self.signing_secret or ''}"
        return hashlib.blake2b(both.encode(), key=_OF_PROCESS, digest_size=16).digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRequest:
    """One question to a model. Roles of `turns` alternate. `on_text` is given the words so far while they come."""

    purpose: str
    model: str
    system: str
    turns: Sequence[PromptMessage]
    temperature: float | None
    max_tokens: int
    on_text: OnText | None = None


class Completion(NamedTuple):
    """A model's words for people: no thoughts, nothing for machines, and no half sentence where the model was cut off.

    Empty for a refusal, a content filter or a safety block.
    """

    text: str
    prompt_tokens: int
    completion_tokens: int


class Model(NamedTuple):
    """A model that a credential may use."""

    id: str
    label: str
    is_recommended: bool


class Driver:
    """One vendor. Each method makes one piece of work's calls on one credential, counted by `budget`.

    All raise ProviderFailed, and SpentError (`egress.meter`) where the budget allows no further request. `purpose`
    goes out as `X-Service-Purpose`, so that gateways can split costs: `reply`, `classifier`, `recovery`, `models`,
    `embedding` and what other areas add.
    """

    code: ClassVar[str]
    recommended_models: ClassVar[tuple[str, ...]] = ()
    """The first is used where neither assistant nor credential names one."""
    embedding_model: ClassVar[str | None] = None
    """None: the vendor makes no embeddings."""
    embedding_dimensions: ClassVar[int | None] = None

    def complete(self, endpoint: Endpoint, request: CompletionRequest, *, budget: CallBudget) -> Completion:
        """The model's answer.

        A setting that the model does not take is left out or exchanged, once, and noted in the endpoint's `quirks`.
        """
        raise NotImplementedError

    def models(self, endpoint: Endpoint, *, budget: CallBudget) -> list[Model]:
        """The models that can talk, recommended ones first."""
        raise NotImplementedError

    def embed(
        self, endpoint: Endpoint, *, model: str, texts: Sequence[str], task: Task, budget: CallBudget
    ) -> list[list[float]]:
        """A vector for each text."""
        raise NotImplementedError

    def _listed(self, found: Sequence[tuple[str, str]]) -> list[Model]:
        models = [Model(name, label or name, name in self.recommended_models) for name, label in found]
        return sorted(models, key=lambda model: (not model.is_recommended, model.id))


_OTHER_LIMIT = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}


def adapting(quirks: Quirks, ask: Callable[[], T], *, limit: str | None = None) -> T:
    """Asks, and once more for each thing that the model does not take: without it, or with the other one of its kind.

    `ask` reads `quirks` anew each time. limit: the limit of tokens by the driver's own name for it.
    """
    while True:
        try:
            return ask()
        except ProviderFailed as failure:
            name = failure.unsupported
            if name is None or not _has_learnt(quirks, name, limit):
                raise


def _has_learnt(quirks: Quirks, name: str, limit: str | None) -> bool:
    """Notes that it is not taken; whether that was new."""
    if name in _OTHER_LIMIT:
        used = limit if quirks.limit is None else quirks.limit
        if limit is None or used != name:
            return False
        quirks.limit = _OTHER_LIMIT[name] if quirks.limit is None else ""
        return True
    if name in quirks.left_out:
        return False
    quirks.left_out.add(name)
    return True


def answered(quirks: Quirks, ask: Callable[[], VendorAnswer], *, limit: str | None = None) -> Completion:
    """The completion of a vendor's answer; where all tokens went into thoughts, of a second call with more of them.

    A content filter that refuses the question is an empty answer, as one that refuses the answer is.
    """
    try:
        answer = adapting(quirks, ask, limit=limit)
        if answer.is_only_thoughts and not quirks.thinks:
            quirks.thinks = True
            answer = adapting(quirks, ask, limit=limit)
        quirks.only_thoughts = answer.is_only_thoughts
    except ProviderFailed as failure:
        if failure.cause is not Cause.FILTERED:
            raise
        return Completion("", 0, 0)
    return Completion(answer.text, answer.prompt_tokens, answer.completion_tokens)


def tokens_asked_for(quirks: Quirks, max_tokens: int) -> int:
    """How many tokens are asked for: those of the answer, and those of thoughts before it, where the model thinks."""
    return max_tokens + TOKENS_TO_THINK if quirks.thinks else max_tokens
