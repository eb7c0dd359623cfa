"""The tools for texts: those that stand, and the owner's own."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext, override

from apps.accounts.models import Widget
from apps.assists.models import OwnTool
from apps.assists.rules.kinds import MAX_OWN_TOOLS, OWN, BuiltInTool


class TooManyTools(Exception):
    """The widget has MAX_OWN_TOOLS tools of its own."""


def tools_of(widget_id: int, language: str) -> list[dict[str, Any]]:
    """The tools of a widget's operators, the built-in ones first; their names in that language."""
    with override(language):
        names = {
            BuiltInTool.SHORTEN: gettext("Shorter"),
            BuiltInTool.FRIENDLIER: gettext("Friendlier"),
            BuiltInTool.FORMAL: gettext("More formal"),
            BuiltInTool.GRAMMAR: gettext("Correct mistakes"),
            BuiltInTool.TRANSLATE: gettext("Translate"),
        }
    own = OwnTool.objects.for_widget(widget_id).order_by("pk")
    return [
        *({"id": tool.value, "name": name, "is_builtin": True} for tool, name in names.items()),
        *({"id": f"{OWN}{tool.pk}", "name": tool.name_in(language), "is_builtin": False} for tool in own),
    ]


@transaction.atomic
def write_tool(*, widget_id: int, values: Mapping[str, Any], tool_id: int | None = None) -> OwnTool:
    """Makes a tool of the owner's, or changes one. `values`: names (by language) and instruction.

    Raises NOT_FOUND (404), TooManyTools.
    """
    Widget.objects.select_for_update(no_key=True).get(pk=widget_id)
    rows = OwnTool.objects.for_widget(widget_id)
    if tool_id is None:
        if rows.count() >= MAX_OWN_TOOLS:
            raise TooManyTools
        return OwnTool.objects.create(widget_id=widget_id, **values)
    tool = rows.get_for_update(pk=tool_id)
    for name, value in values.items():
        setattr(tool, name, value)
    tool.save(update_fields=list(values))
    return tool


@transaction.atomic
def delete_tool(*, widget_id: int, tool_id: int) -> None:
    """Deletes a tool of the owner's. Raises NOT_FOUND (404)."""
    OwnTool.objects.for_widget(widget_id).get_for_update(pk=tool_id).delete()
