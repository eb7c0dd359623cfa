"""A widget's owner among its operators."""

from apps.accounts.models import User
from apps.agents.models import Agent


def make_owner(*, widget_id: int, user: User) -> Agent:
    """Makes the account's owner the widget's default human agent. A widget has one owner."""
    return Agent.objects.create(
        widget_id=widget_id,
        user=user,
        role=Agent.Role.OWNER,
        name=user.name or user.email,
        surname=user.surname,
        email=user.email,
    )
