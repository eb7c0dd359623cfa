"""Whether a website's chat shows articles."""

from collections.abc import Mapping
from typing import Any

from apps.articles.models import HelpCenter
from apps.articles.querysets.centers import center_of
from apps.articles.rules.states import InWidget


def shows_articles(widget_id: int) -> bool:
    """Whether the widget's chat has a help."""
    return bool(_shown(widget_id).exists())


def served_help(widget_id: int, _language: str) -> Mapping[str, Any]:
    """The config's member of the help: none where it is off, which costs one statement."""
    mode = _shown(widget_id).values_list("in_widget", flat=True).first()
    return {} if mode is None else {"help": {"mode": mode, "url": center_of(widget_id).url}}


def _shown(widget_id: int) -> Any:
    return HelpCenter.objects.for_widget(widget_id).exclude(in_widget=InWidget.OFF)
