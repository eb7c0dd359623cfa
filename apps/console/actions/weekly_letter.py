"""The choice of the weekly letter, where reports are installed."""

from apps.agents.models import Agent
from apps.console.querysets.page import HAS_REPORTS


def gets_weekly_letter(agent: Agent) -> bool:
    """Whether the weekly letter goes to an operator."""
    if not HAS_REPORTS or agent.user is None:
        return False
    from apps.reports.querysets.readers import wants_letter

    return wants_letter(agent.user, agent.widget)


def choose_weekly_letter(agent: Agent, *, is_wanted: bool) -> None:
    """Stores whether a manager wants the weekly letter."""
    if HAS_REPORTS and agent.user is not None:
        from apps.reports.actions.letters import choose_letter

        choose_letter(widget_id=agent.widget_id, user_id=agent.user.pk, is_wanted=is_wanted)
