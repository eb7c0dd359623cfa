"""A language model for tests: it answers what the test says, and remembers what it was asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from django.apps import apps

from apps.core.chat_model import Answered
from apps.core.egress.meter import Meter


class Model:
    """`answers` are texts, taken in turn, the last again and again; or exceptions, which are raised."""

    def __init__(self) -> None:
        self.answers: list[Any] = []
        self.asked: list[dict[str, Any]] = []
        self.has_credential = True

    def available(self, widget_id: int, assistant_id: int | None) -> bool:
        return self.has_credential and assistant_id is None

    def complete(self, widget_id: int, *, meter: Meter, **asked: Any) -> Answered:
        meter.spend()
        self.asked.append(asked)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        text = answer if answer.startswith("{") else json.dumps({"text": answer})
        return Answered(text, "test", 10)


model = Model()


@contextmanager
def plugged_in() -> Iterator[Model]:
    """Has the slot filled by `model`, as an app would."""
    config = apps.get_app_config("widget")
    before = config.plugin  # type: ignore[attr-defined]
    model.__init__()  # type: ignore[misc]
    config.plugin = replace(before, chat_model="tests.widget.chat_model.model")  # type: ignore[attr-defined]
    try:
        yield model
    finally:
        config.plugin = before  # type: ignore[attr-defined]
