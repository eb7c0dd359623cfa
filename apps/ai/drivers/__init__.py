"""Vendors of language models: one driver each, over the vendor's official SDK and our guarded transport.

Questions and texts to embed go out as bodies of ours, and answers are read from their bytes: an SDK's own types take
twice to four times the work of the call.

A driver makes one call on one credential and gives its outcome: a `Completion`, models, vectors, or `ProviderFailed`
with a reason of ours. It knows no credential's row, no chain of backups, no prompt. The SDKs are imported when a driver
makes its first call: they cost seconds and 100 MB, which few processes should pay.
"""

from apps.ai.drivers.claude import AnthropicDriver
from apps.ai.drivers.driver import Completion, CompletionRequest, Driver, Endpoint, Model, Quirks
from apps.ai.drivers.failures import CAUSES, Cause, ProviderFailed
from apps.ai.drivers.gemini import GeminiDriver
from apps.ai.drivers.gpt import OpenAICompatibleDriver, OpenAIDriver
from apps.ai.drivers.streaming import OnText, StreamStopped

DRIVERS: dict[str, Driver] = {
    driver.code: driver for driver in (OpenAICompatibleDriver(), OpenAIDriver(), AnthropicDriver(), GeminiDriver())
}
"""By the code that a credential's `provider` names."""

__all__ = [
    "CAUSES",
    "DRIVERS",
    "Cause",
    "Completion",
    "CompletionRequest",
    "Driver",
    "Endpoint",
    "Model",
    "OnText",
    "ProviderFailed",
    "Quirks",
    "StreamStopped",
]
