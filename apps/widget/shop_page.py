"""The page of a made-up shop with a widget, under a strict Content-Security-Policy."""

from csp.decorators import csp_update
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.widget.querysets.public_config import embed_of
from apps.widget.rules.snippet import stub_source

# The pages of made-up shops: nothing inline, nothing from elsewhere.
strict_policy = csp_update(
    {
        "script-src": [settings.PUBLIC_URL, stub_source()],
        "img-src": [settings.PUBLIC_URL, "https:", "data:"],
        "connect-src": [settings.PUBLIC_URL, settings.REALTIME_URL],
    }
)


def shop_page(request: HttpRequest, widget: Widget, **context: object) -> HttpResponse:
    """The made-up shop with that widget."""
    agent = Agent.objects.for_widget(widget.pk).people().order_by("id").first()
    context |= {
        "snippet": embed_of(widget.guid)["snippet"],
        "public_url": settings.PUBLIC_URL,
        "guid": widget.guid,
        "agent_id": agent.pk if agent else "",
    }
    return render(request, "widget/demo.html", context)
