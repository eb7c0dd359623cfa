"""The contract of every driver, and the outcomes of a call."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, NamedTuple

from apps.ai.rules.prompts import PromptMessage
from apps.egress.call_budget import CallBudget

Task = Literal["document", "query"]
Reason = Literal[
    "timeout", "unreachable", "rejected_key", "rate_limited", "model_not_found", "bad_answer", "server_error"
]


class ProviderFailed(Exception):
    """A call that gave no good answer, whatever the SDK raised or returned.

    reason: for programs, in `provider_reason`; never the provider's words.
    status: what the provider answered with, None if it did not.
    retry_after: seconds that a 429 asks to wait, None without.
    unsupported: the parameter that a 400 says the model does not take.
    too_long: a 400 says that the context is too long.
    """

    def __init__(
        self,
        reason: Reason,
        *,
        status: int | None = None,
        retry_after: float | None = None,
        unsupported: str | None = None,
        too_long: bool = False,
    ) -> None:
        super().__init__(reason)
        self.reason: Reason = reason
        self.status = status
        self.retry_after = retry_after
        self.unsupported = unsupported
        self.too_long = too_long

    @property
    def may_pass(self) -> bool:
        """Whether the same call may succeed a moment later."""
        return self.status not in (401, 403, 404)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The address of a credential's calls, and its secrets. Secrets are in no `repr`."""

    base_url: str
    api_key: str = field(repr=False)
    signing_secret: str | None = field(default=None, repr=False)


class Completion(NamedTuple):
    """A model's words: the text parts alone, cut at the last end of a sentence where the model ran out of tokens.

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
    """One vendor. Each method makes one piece of work's calls on one credential, counted by `meter`.

    All raise ProviderFailed, and SpentError (`egress.meter`) where the meter allows no further request. `purpose`
    goes out as `X-Service-Purpose`, so that gateways can split costs: `reply`, `classifier`, `recovery`, `models`,
    `embedding` and what other areas add.
    """

    code: ClassVar[str]
    recommended_models: ClassVar[tuple[str, ...]] = ()
    """The first is used where neither assistant nor credential names one."""
    embedding_model: ClassVar[str | None] = None
    """None: the vendor makes no embeddings."""
    embedding_dimensions: ClassVar[int | None] = None

    def complete(
        self,
        endpoint: Endpoint,
        *,
        purpose: str,
        model: str,
        system: str,
        turns: Sequence[PromptMessage],
        temperature: float | None,
        max_tokens: int,
        meter: CallBudget,
    ) -> Completion:
        """The model's answer. A parameter that the model does not take is left out or exchanged, once."""
        raise NotImplementedError

    def models(self, endpoint: Endpoint, *, meter: CallBudget) -> list[Model]:
        """The models that can talk, recommended ones first."""
        raise NotImplementedError

    def embed(
        self, endpoint: Endpoint, *, model: str, texts: Sequence[str], task: Task, meter: CallBudget
    ) -> list[list[float]]:
        """A vector for each text."""
        raise NotImplementedError

    def _listed(self, found: Sequence[tuple[str, str]]) -> list[Model]:
        models = [Model(name, label or name, name in self.recommended_models) for name, label in found]
        return sorted(models, key=lambda model: (not model.is_recommended, model.id))
