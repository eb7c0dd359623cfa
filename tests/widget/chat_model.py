"""A language model for tests: it answers what the test says, and remembers what it was asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from apps.core import plugins
from apps.core.ai_protocols import ModelReply
from apps.egress.call_budget import CallBudget


class Model:
    """`answers` are texts, taken in turn, the last again and again; or exceptions, which are raised."""

    def __init__(self) -> None:
        self.answers: list[Any] = []
        self.asked: list[dict[str, Any]] = []

    def available(self, widget_id: int, assistant_id: int | None = None) -> bool:
        return assistant_id is None

    def complete(self, widget_id: int, *, meter: CallBudget, **asked: Any) -> ModelReply:
        meter.spend()
        self.asked.append(asked)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return ModelReply(json.dumps({"text": answer}), "test", 5, 5)


model = Model()


@contextmanager
def plugged_in() -> Iterator[Model]:
    """Has the slot filled by `model`, and by no app."""
    model.answers, model.asked = [], []
    before = {config: config.plugin for config in plugins.installed()}
    for config, plugin in before.items():
        config.plugin = replace(plugin, chat_model=None)
        if config.label == "widget":
            config.plugin = replace(plugin, chat_model="tests.widget.chat_model.model")
    try:
        yield model
    finally:
        for config, plugin in before.items():
            config.plugin = plugin
