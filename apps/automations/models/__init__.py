"""The tables of automations."""

from apps.automations.models.automations import Automation, AutomationVersion
from apps.automations.models.events import AutomationEvent
from apps.automations.models.macros import Macro
from apps.automations.models.runs import AutomationRun
from apps.automations.models.undoing import UndoJob

__all__ = ["Automation", "AutomationEvent", "AutomationRun", "AutomationVersion", "Macro", "UndoJob"]
