"""The hooks of apps, changed for a test: as if an app were not installed, or another one were."""

from dataclasses import replace
from typing import Any

import pytest

from apps.core import plugins
from apps.core.plugins import Hooks


def unhook(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """As if no app had those hooks."""
    left = [replace(hooks, **dict.fromkeys(names)) for hooks in plugins._hooks()]
    monkeypatch.setattr(plugins, "_hooks", lambda: left)


def hook(monkeypatch: pytest.MonkeyPatch, **given: Any) -> None:
    """As if an app of the test had those hooks, and no other app."""
    unhook(monkeypatch, *given)
    left = plugins._hooks()
    monkeypatch.setattr(plugins, "_hooks", lambda: [*left, Hooks(**given)])
