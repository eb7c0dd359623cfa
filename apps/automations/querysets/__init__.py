"""The named reads of automations."""

from apps.automations.querysets.rows import (
    AutomationEventQuerySet,
    AutomationQuerySet,
    AutomationRunQuerySet,
    AutomationVersionQuerySet,
    MacroQuerySet,
)

__all__ = [
    "AutomationEventQuerySet",
    "AutomationQuerySet",
    "AutomationRunQuerySet",
    "AutomationVersionQuerySet",
    "MacroQuerySet",
]
