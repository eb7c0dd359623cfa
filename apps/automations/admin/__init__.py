"""The cabinet's pages of automations, their runs, and macros."""

from apps.automations.admin import automations, macros, runs

__all__ = ["automations", "macros", "runs"]
