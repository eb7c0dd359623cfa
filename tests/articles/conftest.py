"""What tests of articles share: the events that are told."""

from typing import Any

import pytest

from apps.articles.events import ArticlePublished, ArticleUnpublished, HelpCenterChanged
from tests.handlers import also


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The events of articles, in their order."""
    events: list[Any] = []
    also(monkeypatch, events.append, ArticlePublished, ArticleUnpublished, HelpCenterChanged)
    return events
