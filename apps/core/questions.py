"""The questions of the ground itself."""

from apps.core.plugins import Hooks, hooked


def is_moving(widget_id: int) -> bool:
    """Whether the widget's account moves to another installation at this moment, so that its data only is read."""
    return any(moves(widget_id) for moves in hooked(lambda app: app.is_moving, Hooks))
