"""The only writers of operators, invitations, departments and the event log."""

from apps.agents.actions.owners import make_owner

__all__ = ["make_owner"]
