"""What follows for operators from what happens to accounts."""

from apps.accounts.events import WidgetAdded
from apps.accounts.models import User
from apps.agents import actions
from apps.core.bus import reacts_to


@reacts_to(WidgetAdded)
def make_its_owner_an_operator(event: WidgetAdded) -> None:
    """A widget has a default human agent from its first moment."""
    actions.make_owner(widget_id=event.widget_id, user=User.objects.get(pk=event.owner_id))
