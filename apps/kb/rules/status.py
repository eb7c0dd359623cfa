"""Why a knowledge base is not in use."""

from typing import Literal

from apps.kb.questions import Answering

Reason = Literal["empty", "ai_disabled", "rag_disabled", "no_assistant"]


def unused_because(answering: Answering, *, rules: int) -> Reason | None:
    """The first reason why the rules are not used; None while an answerer uses them."""
    if not rules:
        return "empty"
    if not answering.enabled:
        return "ai_disabled"
    if not answering.rag_enabled:
        return "rag_disabled"
    if not any(assistant.enabled and assistant.rag_enabled for assistant in answering.assistants):
        return "no_assistant"
    return None
