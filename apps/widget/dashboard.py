"""The embed code on the cabinet's page of a widget."""

from django.urls import reverse
from django.utils.translation import gettext

from apps.accounts.models import Widget
from apps.cabinet.first_steps import FirstStep, FirstSteps
from apps.core.cabinet import Dashboard, Fact
from apps.widget.models import VisitorSession
from apps.widget.querysets.public_config import embed_of
from apps.widget.querysets.settings import found_on


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


def first_steps(widget_id: int) -> list[FirstStep]:
    return [
        FirstStep(
            title=gettext("Put the widget on your website"),
            note=gettext("Two lines for every page, with hints for WordPress, Tilda, Bitrix, Shopify and others."),
            button=gettext("Show the lines"),
            address=reverse("admin:widget_widgetlook_embed", args=[widget_id]),
            is_done=bool(found_on(widget_id)) or VisitorSession.objects.for_widget(widget_id).on_websites().exists(),
        )
    ]


FIRST_STEPS = FirstSteps(order=10, steps=first_steps)
