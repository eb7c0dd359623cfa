"""The embed code on the cabinet's page of a widget."""

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext

from apps.accounts.models import Widget
from apps.core.cabinet import Dashboard, Fact
from apps.widget.rules.snippet import snippet


def facts(widget_id: int) -> list[Fact]:
    """The snippet: with it, and nothing else, a page has the widget."""
    guid = Widget.objects.values_list("guid", flat=True).get(pk=widget_id)
    address = settings.PUBLIC_URL + reverse("widget-loader", args=[guid])
    return [
        Fact(
            label=gettext("Script tag"),
            value=snippet(address),
            note=gettext("Put it on every page that shall have the widget, before </body>."),
            is_code=True,
        )
    ]


DASHBOARD = Dashboard(facts=facts)
