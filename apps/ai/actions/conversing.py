"""Conversations with tools, and speech, for a company's own application: what is asked of which credential.

The credential is the assistant's, else the lowest of the active unowned ones of the provider, then its backups.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from django.conf import settings

from apps.ai.actions.model_calls import CredentialSource, chained, is_readable
from apps.ai.actions.usage import Use
from apps.ai.drivers import ProviderFailed, speech
from apps.ai.drivers.conversing import ModelAnswer, ModelRequest, Tool, Utterance, converse
from apps.ai.models import Assistant, Credential
from apps.egress.call_budget import CallBudget, SpentError

MAX_OUTPUT_TOKENS = 4_000
PURPOSE = "turn"

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
        if one.is_active and one.provider == provider and is_readable(one)
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
    meter: CallBudget,
) -> ConversedAnswer:
    """The first answer of the chain. Nothing that a model asks for is run.

    Raises ProviderFailed where all fail (the last one's), SpentError of the meter.
    """

    def ask(source: CredentialSource) -> ConversedAnswer:
        asked = ModelRequest(
            source.model, system, utterances, tools, assistant.temperature if assistant else None, MAX_OUTPUT_TOKENS
        )
        return ConversedAnswer(
            converse(source.driver, source.endpoint, asked, purpose=PURPOSE, meter=meter), source.model
        )

    def tokens(answered: ConversedAnswer) -> tuple[int, int]:
        return answered.turn.prompt_tokens, answered.turn.completion_tokens

    return _first_answer(widget_id, sources, assistant, PURPOSE, meter, ask, tokens)


def transcribe(
    *,
    widget_id: int,
    sources: Sequence[CredentialSource],
    audio: bytes,
    name: str,
    mime_type: str,
    language: str | None,
    meter: CallBudget,
) -> str:
    """The words of a recording. Raises ProviderFailed, SpentError."""

    def ask(source: CredentialSource) -> str:
        return speech.transcribe(
            source.endpoint,
            model=settings.STT_MODEL,
            audio=audio,
            name=name,
            mime_type=mime_type,
            language=language,
            meter=meter,
        )

    return _first_answer(widget_id, sources, None, speech.PURPOSE, meter, ask, model=settings.STT_MODEL)


def speak(
    *, widget_id: int, sources: Sequence[CredentialSource], text: str, voice: str, format: str, meter: CallBudget
) -> bytes:
    """A recording of a text. Raises ProviderFailed, SpentError."""

    def ask(source: CredentialSource) -> bytes:
        return speech.speak(
            source.endpoint, model=settings.TTS_MODEL, text=text, voice=voice, format=format, meter=meter
        )

    return _first_answer(widget_id, sources, None, speech.PURPOSE, meter, ask, model=settings.TTS_MODEL)


def _first_answer(
    widget_id: int,
    sources: Sequence[CredentialSource],
    assistant: Assistant | None,
    purpose: str,
    meter: CallBudget,
    ask: Callable[[CredentialSource], T],
    tokens: Callable[[T], tuple[int, int]] = lambda _: (0, 0),
    model: str | None = None,
) -> T:
    """Asks each source once until one answers; every request is written down as use."""
    failure = ProviderFailed("unreachable")
    for source in sources:
        spent, outcome, took = meter.spent, "spent", (0, 0)
        use = Use(
            widget_id=widget_id,
            assistant_id=assistant.pk if assistant else None,
            credential_id=source.credential_id,
            purpose=purpose,
            model=model or source.model,
        )
        try:
            answer = ask(source)
            outcome, took = "ok", tokens(answer)
        except ProviderFailed as failed:
            failure, outcome = failed, failed.reason
        else:
            return answer
        finally:
            use.ended(requests=meter.spent - spent, outcome=outcome, prompt_tokens=took[0], completion_tokens=took[1])
    raise failure


__all__ = [
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
