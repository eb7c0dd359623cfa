"""Asking models: which credentials a question goes to, in which order, and what each operation cost."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from apps.ai.actions.models import endpoint, remembering
from apps.ai.actions.usage import CallEnd, Limit, TokenEstimate, vendor_call, write_end
from apps.ai.drivers import DRIVERS, Cause, Completion, CompletionRequest, Driver, Endpoint, OnText, ProviderFailed
from apps.ai.models import Assistant, Credential
from apps.ai.rules.configuration import BackupLink, CredentialCandidate, chain_of, first_credential, model_of
from apps.ai.rules.fitting import fitted
from apps.ai.rules.prices import Price
from apps.ai.rules.prompts import MAX_OUTPUT_TOKENS, Prompt, PromptMessage, halved, tokens_of
from apps.core.database.encryption import DecryptionFailed
from apps.egress.call_budget import CallBudget
from apps.kb.questions import ModelFailed, NoModel


@dataclass(frozen=True, slots=True)
class CredentialSource:
    """A credential that can be asked: its driver, endpoint and model, and the price of its model."""

    credential_id: int
    driver: Driver
    endpoint: Endpoint
    model: str
    context_tokens: int | None = None
    price: Price | None = None


@dataclass(slots=True)
class Asker:
    """Asks a chain of credentials, each once, until one answers; every request is counted and written down.

    `automatic`: nobody asked for it, so that the last tenth of the day's budget is left to people.
    `answered_by` is the place in the chain of the one that answered last; None before. `on_call` is called before each
    call. `failures` are all that happened, by credential; the tokens are those of all calls.

    The first call takes one of each of the `limits`. If `keeps_end`, the end of the last call, if it answered, is
    `unwritten`, to be written with what follows from it, or by `settle`. is_troubled: alerts are open which that answer
    may end.
    """

    widget_id: int
    sources: Sequence[CredentialSource]
    budget: CallBudget
    assistant_id: int | None = None
    operator_id: int | None = None
    chat_id: int | None = None
    temperature: float | None = None
    automatic: bool = False
    answered_by: int | None = None
    limits: Sequence[Limit] = ()
    keeps_end: bool = False
    unwritten: CallEnd | None = None
    is_troubled: bool = False
    on_call: Callable[[], None] = lambda: None
    failures: list[tuple[int, ProviderFailed]] = field(default_factory=list)
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def ask(
        self,
        purpose: str,
        prompt: Prompt,
        *,
        max_tokens: int = MAX_OUTPUT_TOKENS,
        on_text: OnText | None = None,
    ) -> Completion:
        """The first answer. `on_text` is given the words so far while they come, where the driver streams.

        Raises BudgetExhausted and LimitReached before a call, SpentError of the budget, and ProviderFailed where all
        fail (the last one's).
        """
        failure: ProviderFailed | None = None
        for place, source in enumerate(self.sources):
            try:
                completion = self._ask(source, purpose, prompt, max_tokens, on_text)
            except ProviderFailed as failed:
                failure = failed
                self.failures.append((source.credential_id, failed))
            else:
                self.answered_by = place
                return completion
        raise failure or ProviderFailed("unreachable")

    def _ask(
        self, source: CredentialSource, purpose: str, prompt: Prompt, max_tokens: int, on_text: OnText | None
    ) -> Completion:
        try:
            return self._once(source, purpose, prompt, max_tokens, on_text)
        except ProviderFailed as failure:
            if not failure.too_long:
                raise
            return self._once(source, purpose, halved(prompt), max_tokens, on_text)

    def _once(
        self, source: CredentialSource, purpose: str, prompt: Prompt, max_tokens: int, on_text: OnText | None
    ) -> Completion:
        self.settle()
        self.on_call()
        prompt = fitted(prompt, context_tokens=source.context_tokens, max_tokens=max_tokens)
        about: dict[str, Any] = {
            "widget_id": self.widget_id,
            "credential_id": source.credential_id,
            "model": source.model,
        }
        with (
            remembering(source.endpoint, **about),
            vendor_call(
                **about,
                assistant_id=self.assistant_id,
                operator_id=self.operator_id,
                chat_id=self.chat_id,
                purpose=purpose,
                estimate=TokenEstimate(prompt.tokens, max_tokens),
                budget=self.budget,
                automatic=self.automatic,
                price=source.price,
                limits=self.limits,
                ends=self._keep if self.keeps_end else write_end,
            ) as call,
        ):
            self.limits = ()
            request = CompletionRequest(
                purpose=purpose,
                model=source.model,
                system=prompt.system,
                turns=prompt.lines,
                temperature=self.temperature,
                max_tokens=max_tokens,
                on_text=on_text,
            )
            completion = source.driver.complete(source.endpoint, request, budget=self.budget)
            call.answered(
                prompt_tokens=completion.prompt_tokens,
                completion_tokens=completion.completion_tokens,
                said=tokens_of(completion.text),
            )
        if source.endpoint.quirks.only_thoughts:
            self.failures.append((source.credential_id, ProviderFailed("bad_answer", cause=Cause.ONLY_THOUGHTS)))
        self.prompt_tokens += completion.prompt_tokens
        self.completion_tokens += completion.completion_tokens
        return completion

    def settle(self) -> None:
        """Writes the end of the last call, if it is unwritten."""
        end, self.unwritten = self.unwritten, None
        if end is not None:
            write_end(end)

    def _keep(self, end: CallEnd) -> None:
        self.unwritten = end


def sources_of(widget_id: int, assistant: Assistant | None, operator_id: int | None = None) -> list[CredentialSource]:
    """The credentials that a widget's assistant uses, in order: the nearest active one, then its backups.

    Without an assistant widget-wide credentials alone count. Credentials without a model, or whose key can't be read,
    are left out.
    """
    return sources_among(Credential.objects.for_widget(widget_id), assistant, operator_id)


def sources_among(
    credentials: Iterable[Credential], assistant: Assistant | None, operator_id: int | None
) -> list[CredentialSource]:
    """`sources_of` the credentials of a widget that were read already."""
    by_id = {one.pk: one for one in credentials}
    first = _nearest(by_id, assistant, operator_id)
    return [] if first is None else chained(first, by_id, assistant)


def nearest_credential(widget_id: int, assistant: Assistant, operator_id: int | None) -> int | None:
    """The active credential that comes first for the assistant, whether or not there is a model for it."""
    credentials = {one.pk: one for one in Credential.objects.for_widget(widget_id)}
    return _nearest(credentials, assistant, operator_id)


def _nearest(credentials: Mapping[int, Credential], assistant: Assistant | None, operator_id: int | None) -> int | None:
    return first_credential(
        [
            CredentialCandidate(one.pk, one.provider, one.assistant_id, one.operator_id)
            for one in credentials.values()
            if one.is_active and one.for_answers and is_readable(one)
        ],
        assistant_id=assistant.pk if assistant else 0,
        operator_id=operator_id,
        provider=assistant.provider if assistant else "",
    )


def chained(first: int, credentials: Mapping[int, Credential], assistant: Assistant | None) -> list[CredentialSource]:
    """A credential of a widget and its backups, in order of use; those that can't be used are left out."""
    links = {
        pk: BackupLink(
            pk, one.backup_id, one.is_active and one.for_answers and is_readable(one), one.provider, one.model
        )
        for pk, one in credentials.items()
    }
    used = [credentials[first], *(credentials[link.id] for link in chain_of(first, links))]
    sources = [_source(one, assistant) for one in used]
    return [source for source in sources if source.model]


def _source(credential: Credential, assistant: Assistant | None) -> CredentialSource:
    driver = DRIVERS[credential.provider]
    model = model_of(
        assistant_provider=assistant.provider if assistant else "",
        assistant_model=assistant.model if assistant else "",
        driver=driver.code,
        own=credential.model,
        recommended=next(iter(driver.recommended_models), None),
    )
    asked = endpoint(credential, model)
    return CredentialSource(credential.pk, driver, asked, model, credential.context_tokens, credential.price)


def is_readable(credential: Credential) -> bool:
    """Whether its key can be decrypted."""
    try:
        return bool(credential.api_key)
    except DecryptionFailed:
        return False


class ModelReply(NamedTuple):
    """A model's words, which model said them, and what that cost."""

    text: str
    model: str
    prompt_tokens: int
    completion_tokens: int


class WidgetChatModel:
    """A widget's models for other apps; without an `assistant_id`, its widget-wide credentials alone count."""

    def available(self, widget_id: int, assistant_id: int | None = None) -> bool:
        """Whether a model could be asked. No model is asked."""
        return bool(sources_of(widget_id, self._assistant(widget_id, assistant_id)))

    def complete(
        self,
        widget_id: int,
        *,
        purpose: str,
        system: str,
        messages: Sequence[tuple[Literal["user", "assistant"], str]],
        max_tokens: int,
        budget: CallBudget,
        assistant_id: int | None = None,
    ) -> ModelReply:
        """A model's words. Raises NoModel, BudgetExhausted, ModelFailed, SpentError."""
        sources = sources_of(widget_id, self._assistant(widget_id, assistant_id))
        if not sources:
            raise NoModel
        asker = Asker(widget_id, sources, budget, assistant_id=assistant_id)
        prompt = Prompt(system, [PromptMessage(role, content) for role, content in messages])
        try:
            completion = asker.ask(purpose, prompt, max_tokens=max_tokens)
        except ProviderFailed as failure:
            raise ModelFailed(failure.reason) from None
        used = sources[asker.answered_by or 0]
        return ModelReply(completion.text, used.model, completion.prompt_tokens, completion.completion_tokens)

    @staticmethod
    def _assistant(widget_id: int, assistant_id: int | None) -> Any:
        return None if assistant_id is None else Assistant.objects.for_widget(widget_id).filter(pk=assistant_id).first()


CHAT_MODEL = WidgetChatModel()
