"""The demo page."""

from csp.decorators import csp_update
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.accounts.models import Widget
from apps.agents.models import Agent


@csp_update(
    {
        "script-src": [settings.PUBLIC_URL],
        "img-src": [settings.PUBLIC_URL, "https:", "data:"],
        "connect-src": [settings.PUBLIC_URL, settings.REALTIME_URL],
    }
)
@require_safe
def demo_page(request: HttpRequest) -> HttpResponse:
    """A made-up shop with the installation's first widget, under a strict Content-Security-Policy."""
    widget = Widget.objects.order_by("id").first()
    if widget is None:
        raise Http404
    agent = Agent.objects.of(widget.pk).people().order_by("id").first()
    context = {"public_url": settings.PUBLIC_URL, "guid": widget.guid, "agent_id": agent.pk if agent else ""}
    return render(request, "widget/demo.html", context)
