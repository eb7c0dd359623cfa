"""Conversations with tools, and speech, for a company's own application: what is asked of which credential.

The credential is the assistant's, else the lowest of the active unowned ones of the provider, then its backups.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from django.conf import settings

from apps.ai.actions.model_calls import CredentialSource, chained, is_readable
from apps.ai.actions.models import remembering
from apps.ai.actions.usage import TokenEstimate, VendorCall, vendor_call
from apps.ai.drivers import ProviderFailed, speech
from apps.ai.drivers.conversing import ModelAnswer, ModelRequest, Tool, Utterance, converse
from apps.ai.models import Assistant, Credential
from apps.ai.rules.prompts import tokens_of
from apps.egress.call_budget import CallBudget, SpentError
from apps.kb.questions import BudgetExhausted

MAX_OUTPUT_TOKENS = 4_000
PURPOSE = "turn"
# Speech is counted in tokens, too: of a recording's bytes, and of what a text becomes when it is spoken. Vendors tell
# neither; 1,000 bytes are an eighth of a second of clear speech to half a second of a dense format.
BYTES_A_TOKEN, SPOKEN_TOKENS = 1_000, 8

T = TypeVar("T")


class ConversedAnswer(NamedTuple):
    """A model's answer, and which model gave it."""

    turn: ModelAnswer
    model: str


def can_converse(widget_id: int, provider: str, assistant_id: int | None) -> bool:
    """Whether a credential is there to begin with: the assistant's own, or without one an unowned one."""
    return _first(_credentials(widget_id), provider, assistant_id, or_unowned=assistant_id is None) is not None


def sources_for(widget_id: int, provider: str, assistant: Assistant | None) -> list[CredentialSource]:
    """The credentials in order of use; none where no active one is left."""
    credentials = _credentials(widget_id)
    first = _first(credentials, provider, assistant.pk if assistant else None, or_unowned=True)
    return [] if first is None else chained(first, credentials, assistant)


def _credentials(widget_id: int) -> dict[int, Credential]:
    return {one.pk: one for one in Credential.objects.for_widget(widget_id)}


def _first(
    credentials: dict[int, Credential], provider: str, assistant_id: int | None, *, or_unowned: bool
) -> int | None:
    usable = [
        one
        for pk, one in sorted(credentials.items())
        if one.is_active and one.for_answers and one.provider == provider and is_readable(one)
    ]
    owned = [one.pk for one in usable if assistant_id is not None and one.assistant_id == assistant_id]
    unowned = [one.pk for one in usable if one.assistant_id is None and one.operator_id is None]
    return next(iter([*owned, *(unowned if or_unowned else ())]), None)


def ask_with_tools(
    *,
    widget_id: int,
    sources: Sequence[CredentialSource],
    assistant: Assistant | None,
    system: str,
    utterances: Sequence[Utterance],
    tools: Sequence[Tool],
    budget: CallBudget,
) -> ConversedAnswer:
    """The first answer of the chain. Nothing that a model asks for is run.

    Raises BudgetExhausted before a call; ProviderFailed where all fail (the last one's), SpentError of the budget.
    """

    def ask(source: CredentialSource, call: VendorCall) -> ConversedAnswer:
        asked = ModelRequest(
            source.model, system, utterances, tools, assistant.temperature if assistant else None, MAX_OUTPUT_TOKENS
        )
        turn = converse(source.driver, source.endpoint, asked, purpose=PURPOSE, budget=budget)
        call.answered(prompt_tokens=turn.prompt_tokens, completion_tokens=turn.completion_tokens)
        return ConversedAnswer(turn, source.model)

    estimate = TokenEstimate(tokens_of(f"{system}{utterances}{tools}"), MAX_OUTPUT_TOKENS)
    return _first_answer(widget_id, sources, assistant, PURPOSE, estimate, budget, ask)


def transcribe(
    *,
    widget_id: int,
    sources: Sequence[CredentialSource],
    audio: bytes,
    name: str,
    mime_type: str,
    language: str | None,
    budget: CallBudget,
) -> str:
    """The words of a recording. Raises BudgetExhausted, ProviderFailed, SpentError."""

    def ask(source: CredentialSource, call: VendorCall) -> str:
        words = speech.transcribe(
            source.endpoint,
            model=settings.STT_MODEL,
            audio=audio,
            name=name,
            mime_type=mime_type,
            language=language,
            budget=budget,
        )
        call.answered(said=tokens_of(words))
        return words

    estimate = TokenEstimate(len(audio) // BYTES_A_TOKEN + 1, MAX_OUTPUT_TOKENS)
    return _first_answer(widget_id, sources, None, speech.PURPOSE, estimate, budget, ask, model=settings.STT_MODEL)


def speak(
    *, widget_id: int, sources: Sequence[CredentialSource], text: str, voice: str, format: str, budget: CallBudget
) -> bytes:
    """A recording of a text. Raises BudgetExhausted, ProviderFailed, SpentError."""

    def ask(source: CredentialSource, call: VendorCall) -> bytes:
        audio = speech.speak(
            source.endpoint, model=settings.TTS_MODEL, text=text, voice=voice, format=format, budget=budget
        )
        call.answered()
        return audio

    estimate = TokenEstimate(tokens_of(text), SPOKEN_TOKENS * tokens_of(text))
    return _first_answer(widget_id, sources, None, speech.PURPOSE, estimate, budget, ask, model=settings.TTS_MODEL)


def _first_answer(
    widget_id: int,
    sources: Sequence[CredentialSource],
    assistant: Assistant | None,
    purpose: str,
    estimate: TokenEstimate,
    budget: CallBudget,
    ask: Callable[[CredentialSource, VendorCall], T],
    model: str | None = None,
) -> T:
    """Asks each source once until one answers. `model`: another than the source's, whose price nobody knows.

    Raises BudgetExhausted, ProviderFailed, SpentError.
    """
    failure = ProviderFailed("unreachable")
    for source in sources:
        try:
            about: dict[str, Any] = {
                "widget_id": widget_id,
                "credential_id": source.credential_id,
                "model": model or source.model,
            }
            with (
                remembering(source.endpoint, **about),
                vendor_call(
                    **about,
                    assistant_id=assistant.pk if assistant else None,
                    purpose=purpose,
                    estimate=estimate,
                    budget=budget,
                    price=source.price if model is None else None,
                ) as call,
            ):
                return ask(source, call)
        except ProviderFailed as failed:
            failure = failed
    raise failure


__all__ = [
    "BudgetExhausted",
    "ConversedAnswer",
    "ProviderFailed",
    "SpentError",
    "Tool",
    "Utterance",
    "ask_with_tools",
    "can_converse",
    "sources_for",
    "speak",
    "transcribe",
]
