"""The cabinet's page of a widget's settings."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.accounts.models import AuditEntry, User, Widget
from apps.agents.models import Agent
from apps.widget.models import Icon, WidgetSettings
from apps.widget.querysets.settings import settings_of
from tests.cast import Rival, signed_in
from tests.rows import snapshot
from tests.uploads import picture

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


def test_an_override_of_a_device_is_stored_and_taken_back(cabinet: Client, shop: Widget) -> None:
    path = "device_profiles.mobile.widget_position"
    sent = shown(cabinet, shop) | {path: "left", "device_profiles.enabled": "on"}
    assert cabinet.post(page_of(shop), sent).status_code == 302
    stored = WidgetSettings.objects.get(pk=shop.pk).stored
    assert stored == {"device_profiles": {"enabled": True, "mobile": {"widget_position": "left"}}}
    sent = shown(cabinet, shop)
    assert (sent[path], sent["device_profiles.enabled"]) == ("left", True)
    assert cabinet.post(page_of(shop), sent | {path: ""}).status_code == 302
    assert WidgetSettings.objects.get(pk=shop.pk).stored == {"device_profiles": {"enabled": True}}


def test_the_preview_is_what_would_be_served_and_stores_nothing(cabinet: Client, shop: Widget) -> None:
    sent = shown(cabinet, shop) | {"widget_name": "Leaf", "widget_accent_color": "#2f6b3c"}
    address = page_of(shop).replace("/change/", "/previewed/")
    served = cabinet.post(f"{address}?lang=ru", sent).json()["data"]
    assert (served["widget_name"], served["theme"]["light"]["accent"], served["language"]) == ("Leaf", "#2f6b3c", "ru")
    assert settings_of(shop.pk).stored == {}
    refused = cabinet.post(address, sent | {"widget_accent_color": "red"})
    assert (refused.status_code, "data" in refused.json()) == (200, True)  # it goes on showing what can be saved
    assert list(refused.json()["errors"]) == ["Accent colour"]
    assert cabinet.get(address).json()["data"]["widget_name"] == shop.name
    frame = cabinet.get(page_of(shop).replace("/change/", "/preview/"))
    assert "frame-ancestors 'self'" in frame["Content-Security-Policy"]
    assert frame["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-src 'self'" in cabinet.get(page_of(shop))["Content-Security-Policy"]


def page(cabinet: Client, widget: Widget, name: str, sent: dict[str, Any] | None = None, **options: Any) -> Any:
    """What a page beside the settings answers; `sent` is posted."""
    address = page_of(widget).replace("/change/", f"/{name}/")
    return cabinet.get(address) if sent is None else cabinet.post(address, sent, **options)


def test_own_translations_are_written_cell_by_cell(cabinet: Client, shop: Widget) -> None:
    assert cabinet.post(page_of(shop), shown(cabinet, shop) | {"widget_name": "Leaf"}).status_code == 302
    assert "your text" in page(cabinet, shop, "translations").content.decode()
    assert page(cabinet, shop, "translations", {"widget_name.ru": "Лист"}).status_code == 302
    assert settings_of(shop.pk).values["widget_text_translations"] == {"ru": {"widget_name": "Лист"}}
    assert "your translation" in page(cabinet, shop, "translations").content.decode()
    too_long = page(cabinet, shop, "translations", {"widget_name.ru": "x" * 81})
    assert too_long.context["form"].errors.keys() == {"widget_name.ru"}
    refused = page(cabinet, shop, "translations", {"regenerate": "widget_name.ru"}, follow=True)
    assert "Translation by AI is switched off in the settings." in refused.content.decode()
    assert page(cabinet, shop, "translations", {"widget_name.ru": ""}).status_code == 302
    assert settings_of(shop.pk).values["widget_text_translations"] == {}


HOSTILE = [
    *(("translations", {"regenerate": text}) for text in (".ru", "x" * 5_000, "", "widget_position.ru", "no_such.ru")),
    *(("icons", {"delete": text}) for text in ("9" * 5_000, "9" * 19, "²", "", "-1")),
]


@pytest.mark.parametrize(("name", "sent"), HOSTILE, ids=lambda value: str(value)[:40])
def test_fields_that_no_form_sends_are_404_and_change_nothing(
    cabinet: Client, shop: Widget, name: str, sent: dict[str, str]
) -> None:
    before = snapshot()
    assert page(cabinet, shop, name, sent).status_code == 404
    assert snapshot() == before


def test_a_language_that_no_form_sends_is_refused_in_words(cabinet: Client, shop: Widget) -> None:
    refused = page(cabinet, shop, "translations", {"regenerate": f"widget_name.{'x' * 5_000}"}, follow=True)
    assert refused.status_code == 200
    assert "not among the supported" in refused.content.decode()


@pytest.mark.parametrize(
    ("path", "statuses"),
    [
        ("kb/upload/states/?ids={}", (200, 400)),
        ("?widget={}", (404,)),  # as any widget that is not there
        ("chats/chat/?q={}", (200,)),
        ("support/ticket/?q={}", (200,)),
        ("support/supportaction/?q={}", (200,)),
        ("messengers/connection/add/?widget={}", (200, 302)),
    ],
)
def test_numbers_of_five_thousand_digits_break_no_page(
    cabinet: Client, shop: Widget, path: str, statuses: tuple[int, ...]
) -> None:
    """The page is there: with the widget's own number it answers. Else a page that is gone would pass any test."""
    assert cabinet.get(f"/admin/{path.format(shop.pk)}").status_code in (200, 302)
    assert cabinet.get(f"/admin/{path.format('9' * 5_000)}").status_code in statuses


def test_icons_are_added_and_deleted_unless_they_are_chosen(cabinet: Client, shop: Widget) -> None:
    assert page(cabinet, shop, "icons", {"file": SimpleUploadedFile("leaf.png", picture("PNG"))}).status_code == 302
    (icon,) = Icon.objects.for_widget(shop.pk)
    assert str(icon) in page(cabinet, shop, "icons").content.decode()
    sent = shown(cabinet, shop) | {"icon_preset": str(icon)}
    assert cabinet.post(page_of(shop), sent).status_code == 302
    page(cabinet, shop, "icons", {"delete": icon.pk})
    assert Icon.objects.count() == 1
    assert cabinet.post(page_of(shop), sent | {"icon_preset": ""}).status_code == 302
    page(cabinet, shop, "icons", {"delete": icon.pk})
    assert not Icon.objects.exists()
    refused = page(cabinet, shop, "icons", {"file": SimpleUploadedFile("leaf.png", b"<svg/>")})
    assert refused.status_code == 200
    assert not Icon.objects.exists()


def test_the_script_tag_its_policy_and_the_purge(cabinet: Client, shop: Widget) -> None:
    told = page(cabinet, shop, "embed").content.decode()
    assert f"/widget/{shop.guid}/embed.js" in told
    assert "connect-src" in told
    assert page(cabinet, shop, "embed", {}).status_code == 302
    assert settings_of(shop.pk).purged_at is not None


def test_an_identity_secret_is_shown_once_and_audited_without_itself(cabinet: Client, shop: Widget) -> None:
    made = page(cabinet, shop, "identity", {"renew": ""}, follow=True)
    secret = made.context["plain_text"]
    assert secret == WidgetSettings.objects.get(pk=shop.pk).identity_secret
    assert len(secret) == 48
    assert "no-store" in made["Cache-Control"]
    assert secret not in page(cabinet, shop, "identity").content.decode()
    page(cabinet, shop, "identity", {"renew": ""})
    assert "End the one before now" in page(cabinet, shop, "identity").content.decode()
    page(cabinet, shop, "identity", {"end": ""})
    row = WidgetSettings.objects.get(pk=shop.pk)
    assert (row.previous_identity_secret, row.previous_until) == (None, None)
    assert row.identity_secret != secret
    trail = [entry.changes for entry in AuditEntry.objects.all()]
    assert {"identity_secret": ["…", "replaced"]} in trail
    assert secret not in str(trail)


def test_a_viewer_reads_and_changes_nothing(cabinet: Client, shop: Widget, olga: Agent) -> None:
    User.objects.filter(pk=olga.user_id).update(role="viewer")
    browser = cabinet
    told = browser.get(page_of(shop)).content.decode()
    assert "Accent colour" in told
    for name in ("translations", "icons", "embed", "identity"):
        assert page(browser, shop, name).status_code == 200
        assert page(browser, shop, name, {"renew": "", "delete": "1"}).status_code == 403
    assert not WidgetSettings.objects.filter(identity_secret__isnull=False).exists()


def test_pages_of_another_accounts_widget_are_404(cabinet: Client, rival: Rival) -> None:
    for name in ("translations", "icons", "embed", "identity", "preview", "previewed"):
        assert page(cabinet, rival.widget, name).status_code == 404
