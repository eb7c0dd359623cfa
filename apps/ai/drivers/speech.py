"""Speech by the reference vendor (https://platform.openai.com/docs/api-reference/audio). No audio is ever stored."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from apps.ai.drivers.client import require, wired
from apps.ai.drivers.driver import Endpoint
from apps.ai.drivers.gpt import OpenAIDriver, _sdk
from apps.egress.call_budget import CallBudget

if TYPE_CHECKING:
    import httpx2

REFERENCE = OpenAIDriver.code
PURPOSE = "speech"
MAX_AUDIO_BYTES = 20 * 1024 * 1024
_IS_AUDIO = ("audio/", "application/octet-stream")


def transcribe(
    endpoint: Endpoint, *, model: str, audio: bytes, name: str, mime_type: str, language: str | None, budget: CallBudget
) -> str:
    """The words of a recording; empty for silence. Raises ProviderFailed, and SpentError of the budget."""
    parameters: dict[str, Any] = {"model": model, "file": (name, audio, mime_type), "response_format": "json"}
    if language is not None:
        parameters["language"] = language

    def ask(http: "httpx2.Client") -> str:
        create: Callable[..., Any] = _sdk(endpoint, http).audio.transcriptions.create
        text = create(**parameters).text
        require(isinstance(text, str))
        return str(text)

    with wired(endpoint, PURPOSE, budget) as call:
        return call(ask)


def speak(endpoint: Endpoint, *, model: str, text: str, voice: str, format: str, budget: CallBudget) -> bytes:
    """A recording of a text. Raises ProviderFailed, and SpentError of the budget."""

    def ask(http: "httpx2.Client") -> bytes:
        create: Callable[..., Any] = _sdk(endpoint, http).audio.speech.create
        answer = create(model=model, voice=voice, input=text, response_format=format)
        kind = answer.response.headers.get("Content-Type", "")
        require(kind.startswith(_IS_AUDIO) and bool(answer.content))
        return bytes(answer.content)

    with wired(endpoint, PURPOSE, budget, MAX_AUDIO_BYTES) as call:
        return call(ask)
