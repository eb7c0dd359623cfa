"""The first steps of a widget, on the cabinet's front page until all are done or put away; each app tells its own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from apps.accounts import rules
from apps.accounts.actions.widgets import put_steps_away
from apps.accounts.models import User, Widget
from apps.accounts.querysets import seen_by
from apps.cabinet.tenant_admin import user_of
from apps.core import plugins


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstStep:
    """A thing to do, in the reader's language. `is_done` is looked up, never noted by hand."""

    title: str
    note: str
    button: str
    address: str
    is_done: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstSteps:
    """An app's steps by widget, declared in its `dashboard.py`.

    `order` is theirs among those of other apps, as a new owner does them.
    """

    order: int = 0
    steps: Callable[[int], Sequence[FirstStep]] = lambda _: ()


def first_steps(widget_id: int) -> list[FirstStep]:
    """The steps of a widget's owner; none once all of them are done."""
    everywhere = [each for of_app in plugins.declared("dashboard", FirstSteps).values() for each in of_app]
    steps = [step for each in sorted(everywhere, key=attrgetter("order")) for step in each.steps(widget_id)]
    return [] if all(step.is_done for step in steps) else steps


def may_put_away(user: User) -> bool:
    """Whether a person may end the list for everybody of the account: owners and managers do."""
    return not user.is_superuser and rules.reaches(user.role, rules.MANAGER)


@require_POST
def put_away(request: HttpRequest, widget_id: int) -> HttpResponse:
    """Puts a widget's list away, or brings it back at `back`, and leads to the front page.

    Another account's widget is 404; viewers are refused.
    """
    user = user_of(request)
    widget = seen_by(user, Widget.objects.filter(pk=widget_id), "account_id").first()
    if widget is None:
        raise Http404
    if not may_put_away(user):
        raise PermissionDenied
    put_steps_away(widget=widget, away="back" not in request.POST)
    return HttpResponseRedirect(f"{reverse('admin:index')}?widget={widget.pk}")
