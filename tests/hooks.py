"""The hooks of apps, changed for a test: as if an app were not installed, or another one were."""

from dataclasses import fields, replace
from typing import Any

import pytest

from apps.core import plugins


def unhook(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """As if no app had those hooks."""
    left = [_without(hooks, names) for hooks in plugins._hooks()]
    monkeypatch.setattr(plugins, "_hooks", lambda: left)


def hook(monkeypatch: pytest.MonkeyPatch, **given: Any) -> None:
    """As if an app of the test had those hooks of one set, and no other app."""
    (kind,) = {type(hooks) for hooks in plugins._hooks() if given.keys() <= _names(hooks)}
    unhook(monkeypatch, *given)
    left = plugins._hooks()
    monkeypatch.setattr(plugins, "_hooks", lambda: [*left, kind(**given)])


def _without(hooks: Any, names: tuple[str, ...]) -> Any:
    return replace(hooks, **dict.fromkeys(_names(hooks) & set(names)))


def _names(hooks: Any) -> set[str]:
    return {each.name for each in fields(hooks)}
