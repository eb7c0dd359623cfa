"""Operators follow what happens to accounts; others are told when operators come and go."""

from collections.abc import Sequence

from django.db.models import QuerySet

from apps.accounts.actions import leave_account
from apps.accounts.events import AccountDeleted, PersonSuspended, WidgetAdded
from apps.accounts.models import User, Widget
from apps.agents import actions, presence
from apps.agents.broadcasts import PresenceChanged
from apps.agents.events import AgentChanged, AgentWentOffline, AgentWentOnline
from apps.agents.models import Agent
from apps.core.bus import handles, handles_after_commit
from apps.core.database.tenants import unscoped
from apps.core.redis import broadcasts


@handles(WidgetAdded)
def create_agent_of_owner(event: WidgetAdded) -> None:
    """A widget has a default human agent from its first moment."""
    actions.make_owner(widget_id=event.widget_id, user=User.objects.get(pk=event.owner_id))


@handles(AccountDeleted)
def keep_shared_users(event: AccountDeleted) -> None:
    """An account's person who is an operator of another's widget keeps their sign-in for it."""
    for user_id in _shared_users(event.account_id).order_by("pk").values_list("pk", flat=True):
        leave_account(user_id=user_id)


@handles(PersonSuspended)
def end_agents_of_suspended_user(event: PersonSuspended) -> None:
    """Suspending a person in an account ends their rights at its widgets, and keeps those at others'."""
    for widget_id in Widget.objects.filter(account_id=event.account_id).order_by("pk").values_list("pk", flat=True):
        actions.dismiss(widget_id=widget_id, user_id=event.user_id)
    if _shared_users(event.account_id).filter(pk=event.user_id).exists():
        leave_account(user_id=event.user_id)


def _shared_users(account_id: int) -> QuerySet[User]:
    others = Widget.objects.exclude(account_id=account_id)
    people = unscoped(User.objects.all(), "the account's people, by where they are operators")
    return people.filter(account_id=account_id, agents__widget__in=others).distinct()  # type: ignore[no-any-return]


@handles_after_commit(AgentWentOnline, AgentWentOffline)
def copy_presence(events: Sequence[AgentWentOnline | AgentWentOffline]) -> None:
    """Redis has a copy of who is online."""
    for event in events:
        mark = presence.mark_online if isinstance(event, AgentWentOnline) else presence.mark_offline
        mark(widget_id=event.widget_id, agent_id=event.agent_id)


@handles_after_commit(AgentWentOnline, AgentWentOffline, AgentChanged)
def broadcast_presence_to_visitors(events: Sequence[AgentWentOnline | AgentWentOffline | AgentChanged]) -> None:
    """Tells visitors' sockets whether an operator is online; it may be as before."""
    for widget_id in {event.widget_id for event in events}:
        online = Agent.objects.for_widget(widget_id).available().exists()
        broadcasts.send(PresenceChanged(widget_id=widget_id, online=online))
