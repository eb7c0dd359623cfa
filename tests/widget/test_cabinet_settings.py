"""The cabinet's page of a widget's settings."""

from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.widget.models import WidgetSettings
from apps.widget.querysets.settings import settings_of
from tests.cast import Rival, signed_in

pytestmark = pytest.mark.django_db


def page_of(widget: Widget) -> str:
    return f"/admin/widget/widgetlook/{widget.pk}/change/"


def shown(browser: Client, widget: Widget) -> dict[str, Any]:
    """What the page's form would send as it stands."""
    form = browser.get(page_of(widget)).context["adminform"].form
    sent = {name: form[name].value() for name in form.fields}
    return {name: "" if value is None else value for name, value in sent.items()}


@pytest.fixture
def cabinet(olga: Agent) -> Client:
    assert olga.user is not None
    return signed_in(olga.user)


def test_what_is_saved_is_stored_and_nothing_else(cabinet: Client, shop: Widget) -> None:
    sent = shown(cabinet, shop) | {"widget_position": "left", "widget_show_files": "false", "widget_name": "Leaf"}
    assert cabinet.post(page_of(shop), sent).status_code == 302
    stored = WidgetSettings.objects.get(pk=shop.pk).stored
    assert stored == {"widget_position": "left", "widget_show_files": False, "widget_name": "Leaf"}
    assert cabinet.post(page_of(shop), shown(cabinet, shop) | {"widget_name": ""}).status_code == 302
    assert settings_of(shop.pk).values["widget_name"] is None


def test_refusals_stand_at_their_fields(cabinet: Client, shop: Widget) -> None:
    sent = shown(cabinet, shop) | {"widget_fallback_language": "de", "widget_accent_color": "red"}
    for name in ("widget_accent_color", "widget_fallback_language"):
        response = cabinet.post(page_of(shop), sent)
        assert response.status_code == 200
        assert name in response.context["adminform"].form.errors
        sent["widget_accent_color"] = ""
    assert settings_of(shop.pk).stored == {}


def test_another_accounts_widget_is_404(cabinet: Client, rival: Rival) -> None:
    assert cabinet.get(page_of(rival.widget)).status_code == 404
