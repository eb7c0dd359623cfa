"""The embed code on the cabinet's page of a widget."""

from django.utils.translation import gettext

from apps.accounts.models import Widget
from apps.core.cabinet import Dashboard, Fact
from apps.widget.querysets.public_config import embed_of


def facts(widget_id: int) -> list[Fact]:
    """The snippet: with it, and nothing else, a page has the widget."""
    guid = Widget.objects.values_list("guid", flat=True).get(pk=widget_id)
    return [
        Fact(
            label=gettext("Script tag"),
            value=str(embed_of(guid)["snippet"]),
            note=gettext("Put it on every page that shall have the widget, before </body>."),
            is_code=True,
        )
    ]


DASHBOARD = Dashboard(facts=facts)
