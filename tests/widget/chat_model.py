"""A language model for tests: it answers what the test says, and remembers what it was asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from apps.ai.actions.model_calls import ModelReply
from apps.egress.call_budget import CallBudget


class Model:
    """`answers` are texts, taken in turn, the last again and again; or exceptions, which are raised."""

    def __init__(self) -> None:
        self.answers: list[Any] = []
        self.asked: list[dict[str, Any]] = []

    def available(self, widget_id: int, assistant_id: int | None = None) -> bool:
        return assistant_id is None

    def complete(self, widget_id: int, *, budget: CallBudget, **asked: Any) -> ModelReply:
        budget.spend()
        self.asked.append(asked)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return ModelReply(json.dumps({"text": answer}), "test", 5, 5)


model = Model()


@contextmanager
def plugged_in() -> Iterator[Model]:
    """`model` is asked, instead of the widget's own."""
    model.answers, model.asked = [], []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("apps.ai.actions.model_calls.CHAT_MODEL", model)
        yield model
