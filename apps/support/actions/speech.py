"""Speech to text and text to speech, by the reference vendor. Audio is never stored."""

import base64
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta

from django.db import transaction

from apps.ai.actions.conversing import BudgetExhausted, ProviderFailed, SpentError, sources_for
from apps.ai.actions.conversing import speak as ask_to_speak
from apps.ai.actions.conversing import transcribe as ask_to_transcribe
from apps.ai.actions.model_calls import CredentialSource
from apps.ai.drivers.speech import REFERENCE
from apps.ai.errors import PROVIDER_FAILURE
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.errors import AI_BUDGET_EXHAUSTED
from apps.core.quotas import Quota
from apps.egress import BulkheadFull
from apps.egress.call_budget import CallBudget
from apps.support.errors import (
    ASSISTANT_BUSY,
    ASSISTANT_RATE_LIMITED,
    ASSISTANT_UNAVAILABLE,
    SPEECH_UNSUPPORTED,
)
from apps.support.models import Binding
from apps.support.rules import speech as rules

LISTENED = Quota("assistant_stt", 20, timedelta(minutes=1), ASSISTANT_RATE_LIMITED)
SPOKEN = Quota("assistant_tts", 20, timedelta(minutes=1), ASSISTANT_RATE_LIMITED)


def require_speech(binding: Binding) -> None:
    """Raises SPEECH_UNSUPPORTED (422) unless the bound provider is the reference vendor."""
    if binding.provider != REFERENCE:
        raise SPEECH_UNSUPPORTED()


def transcribe(
    *, binding: Binding, outbound: ExternalCall, audio: bytes, ending: str, mime_type: str, language: str | None
) -> str:
    """The words of a recording.

    Raises SPEECH_UNSUPPORTED (422), ASSISTANT_RATE_LIMITED, AI_BUDGET_EXHAUSTED (429), PROVIDER_FAILURE (502),
    ASSISTANT_UNAVAILABLE, ASSISTANT_BUSY (503).
    """
    with _begun(binding, outbound, LISTENED) as (sources, budget):
        return ask_to_transcribe(
            widget_id=binding.widget_id,
            sources=sources,
            audio=audio,
            name=f"audio.{ending}",
            mime_type=mime_type,
            language=language,
            budget=budget,
        )


def speak(*, binding: Binding, outbound: ExternalCall, text: str, voice: str, format: str) -> str:
    """A recording of a text, in base64. Raises as `transcribe`."""
    with _begun(binding, outbound, SPOKEN) as (sources, budget):
        audio = ask_to_speak(
            widget_id=binding.widget_id, sources=sources, text=text, voice=voice, format=format, budget=budget
        )
    return base64.b64encode(audio).decode("ascii")


@contextmanager
def _begun(
    binding: Binding, outbound: ExternalCall, starts: Quota
) -> Iterator[tuple[Sequence[CredentialSource], CallBudget]]:
    """Admits the work: its credentials, and its budget. A provider's error inside the block becomes 502."""
    require_speech(binding)
    found = sources_for(binding.widget_id, binding.provider, binding.assistant)
    sources = [source for source in found if source.driver.code == REFERENCE]
    if not sources:
        _require(starts, binding)
        raise ASSISTANT_UNAVAILABLE()
    try:
        with outbound.slot():
            with transaction.atomic(durable=True):
                starts.spend(binding.widget_id)
            budget = CallBudget(operations=rules.OPERATIONS, seconds=rules.SECONDS, each_seconds=rules.SECONDS)
            yield sources, budget
    except BulkheadFull:
        _require(starts, binding)
        raise ASSISTANT_BUSY(headers={"Retry-After": "1"}) from None
    except BudgetExhausted as failure:
        raise AI_BUDGET_EXHAUSTED(headers=failure.headers) from None
    except ProviderFailed as failure:
        raise PROVIDER_FAILURE(provider_reason=failure.reason) from None
    except SpentError:
        raise PROVIDER_FAILURE(provider_reason="timeout") from None


@transaction.atomic
def _require(starts: Quota, binding: Binding) -> None:
    """Raises ASSISTANT_RATE_LIMITED (429), which comes before 503."""
    starts.require(binding.widget_id)
