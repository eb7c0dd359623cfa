"""The demo's help of models: the shop has a tool of its own for texts."""

from apps.accounts.models import Widget
from apps.assists.models import OwnTool
from apps.demo.document import Demo

NAMES = {"en": "As a tea master", "ru": "Как чайный мастер"}
INSTRUCTION = "Say it as a tea master would: warm, unhurried, with one picture of tea at most."


def seed(demo: Demo) -> None:
    """Adds the shop's tool, if it is not there yet."""
    widget = demo.row(Widget, "shop")
    tools = OwnTool.objects.for_widget(widget.pk)
    tool = tools.first() or OwnTool.objects.create(widget=widget, names=NAMES, instruction=INSTRUCTION)
    demo.part(widget).setdefault("beside", {})["tool_id"] = tool.pk
