"""Skins, icons, the script tag and the purge (specification, Endpoints, "Widget settings")."""

from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from PIL import Image

from apps.accounts.models import AuditEntry, Widget
from apps.accounts.questions import Entitlements
from apps.core.errors import NOT_FOUND
from apps.core.problems import Problem
from apps.widget.actions.icons import delete_icon
from apps.widget.errors import WIDGET_ICON_IN_USE
from apps.widget.models import Icon, WidgetSettings
from apps.widget.rules import icons, skins
from apps.widget.rules.snippet import STUB, stub_source
from tests.client import ApiClient, assert_problem, client
from tests.uploads import FORM, form, part, picture
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db

ICONS = "/api/v1/widget/icons"


def uploaded(api: ApiClient, content: bytes) -> Any:
    return api.post(ICONS, data=form(part(content, filename="icon")), content_type=FORM)


class TestSkins:
    def test_premium_ones_come_with_a_plan(self, api: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
        found = api.get("/api/v1/widget/skins").json()
        assert found["next_cursor"] is None
        assert [skin["id"] for skin in found["data"]] == [skin.id for skin in skins.SKINS]
        assert all(skin["available"] for skin in found["data"])
        unpaid = Entitlements(paid=False, ad_slots=0)
        monkeypatch.setattr("apps.widget.api.appearance.entitlements_of", lambda widget_id: unpaid)
        for skin in api.get("/api/v1/widget/skins").json()["data"]:
            assert skin["available"] is not skin["premium"]

    @pytest.mark.parametrize("skin", skins.SKINS, ids=lambda skin: skin.id)
    def test_everything_can_be_read(self, skin: skins.Skin) -> None:
        for theme in (skin.light, skin.dark):
            for ink, behind in skins.PAIRS:
                assert skins.contrast(theme[ink], theme[behind]) >= skins.LEAST_CONTRAST, (ink, behind)

    @pytest.mark.parametrize("accent", ["#000000", "#ffffff", "#2f6b3c", "#777777", "#ff0000", "#ffff00", "#767676"])
    def test_the_ink_on_an_accent_can_be_read(self, accent: str) -> None:
        theme = skins.themes("classic", accent.upper())["dark"]
        assert theme["accent"] == accent
        assert skins.contrast(theme["accent_text"], accent) >= skins.LEAST_CONTRAST


class TestPresets:
    def test_each_has_its_drawing(self, api: ApiClient) -> None:
        found = api.get(ICONS).json()
        assert (found["next_cursor"], [each["id"] for each in found["data"]]) == (None, list(icons.PRESETS))
        folder = Path(icons.__file__).parents[1] / "static" / "widget" / "icons"
        assert {path.stem: path.read_text() for path in folder.iterdir()} == {
            id_: icons.svg(id_) for id_ in icons.PRESETS
        }
        for each in found["data"]:
            assert urlsplit(each["url"]).path == f"/static/widget/icons/{each['id']}.svg"


class TestUpload:
    def test_a_png_is_written_anew_without_metadata(self, api: ApiClient) -> None:
        from PIL.PngImagePlugin import PngInfo

        told = PngInfo()
        told.add_text("Author", "Ivan")
        response = uploaded(api, picture("PNG", side=48, pnginfo=told))
        assert response.status_code == 201, response.content
        icon = response.json()["data"]
        row = Icon.objects.get()
        assert icon["id"] == f"custom:{row.pk}"
        assert (icon["animated"], icon["width"], icon["height"], icon["content_type"]) == (False, 48, 48, "image/png")
        assert icon["url"] == icon["still_url"]
        served = client().get(urlsplit(icon["url"]).path)
        assert served.status_code == 200
        assert (served["Content-Type"], served["X-Content-Type-Options"]) == ("image/png", "nosniff")
        assert served["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert "immutable" in served["Cache-Control"]
        assert len(served.content) == icon["size"]
        assert b"Ivan" not in served.content

    @pytest.mark.parametrize("format_", ["WEBP", "GIF"])
    def test_an_animation_has_its_first_frame_besides(self, api: ApiClient, format_: str) -> None:
        icon = uploaded(api, picture(format_, frames=4)).json()["data"]
        assert (icon["animated"], icon["content_type"]) == (True, f"image/{format_.lower()}")
        moving = client().get(urlsplit(icon["url"]).path)
        assert getattr(Image.open(BytesIO(moving.content)), "n_frames", 1) == 4
        still = client().get(urlsplit(icon["still_url"]).path)
        assert still["Content-Type"] == "image/png"
        assert Image.open(BytesIO(still.content)).size == (32, 32)

    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"GIF89a",
            b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            picture("JPEG"),
            picture("WEBP"),
            picture("GIF"),
            picture("PNG", frames=3),
            picture("PNG")[:-20],
            picture("GIF", frames=3)[:90],
            picture("PNG", side=15),
            picture("PNG", side=1025),
            picture("GIF", side=16, frames=121),
            picture("GIF", side=1024, frames=24),
        ],
        ids=[
            *("empty", "cut off", "svg", "jpeg", "static webp", "static gif", "apng", "cut png", "cut gif"),
            *("small", "large", "frames", "pixels"),
        ],
    )
    def test_what_is_no_icon_is_refused_on_the_file(self, api: ApiClient, content: bytes) -> None:
        response = uploaded(api, content)
        assert_problem(response, 422, "invalid_input")
        assert set(response.json()["errors"]) == {"file"}
        assert not Icon.objects.exists()

    def test_more_than_512_kb_is_refused(self, api: ApiClient) -> None:
        response = uploaded(api, picture("PNG") + b"\0" * icons.MAX_BYTES)
        assert set(response.json()["errors"]) == {"file"}

    def test_the_101st_is_refused(self, api: ApiClient, shop: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(icons, "MOST_ICONS", 1)
        assert uploaded(api, picture("PNG")).status_code == 201
        assert_problem(uploaded(api, picture("PNG")), 409, "widget_icons_full")
        assert Icon.objects.for_widget(shop.pk).count() == 1

    def test_an_unknown_address_is_404(self, api: ApiClient) -> None:
        icon = uploaded(api, picture("PNG")).json()["data"]
        path = urlsplit(icon["url"]).path
        other = path[:-1] + ("0" if path[-1] != "0" else "1")
        assert_problem(client().get(other), 404, "not_found")
        assert_problem(client().post(path), 405, "method_not_allowed")

    def test_one_that_a_setting_names_cannot_be_deleted(self, api: ApiClient, shop: Widget) -> None:
        icon_id = int(uploaded(api, picture("PNG")).json()["data"]["id"].removeprefix("custom:"))
        profiles = {"mobile": {"icon_preset": f"custom:{icon_id}"}}
        assert api.patch("/api/v1/widget/settings", json={"device_profiles": profiles}).status_code == 200
        with pytest.raises(Problem) as refusal:
            delete_icon(widget_id=shop.pk, icon_id=icon_id)
        assert refusal.value.type == WIDGET_ICON_IN_USE
        api.patch("/api/v1/widget/settings", json={"device_profiles": None})
        delete_icon(widget_id=shop.pk, icon_id=icon_id)
        with pytest.raises(Problem) as refusal:
            delete_icon(widget_id=shop.pk, icon_id=icon_id)
        assert refusal.value.type == NOT_FOUND


def test_the_script_tag_is_what_a_page_needs(api: ApiClient, shop: Widget) -> None:
    data = api.get("/api/v1/widget/embed").json()["data"]
    address = f"http://localhost:8000/widget/{shop.guid}/embed.js"
    assert data["script_tag"] == f'<script async src="{address}"></script>'
    assert data["snippet"] == f"<script>{STUB}</script>\n{data['script_tag']}"
    assert data["snippet_hash"] == stub_source()
    assert data["script_url"] == address
    assert set(data["csp"]) == {"script-src", "connect-src", "img-src"}
    assert data["csp"]["script-src"] == ["http://localhost:8000"]


class TestPurge:
    def test_browsers_read_the_config_again_after_a_purge(self, api: ApiClient, visitor: VisitorClient) -> None:
        before = visitor.get("config")
        assert visitor.get("config", If_None_Match=before["ETag"]).status_code == 304
        response = api.post("/api/v1/widget/cache/purge")
        assert response.status_code == 200
        assert list(response.json()["data"]) == ["purged_at"]
        after = visitor.get("config", If_None_Match=before["ETag"])
        assert (after.status_code, after.json()) == (200, before.json())
        assert AuditEntry.objects.filter(content_type__model="widgetsettings").exists()

    def test_the_seventh_purge_of_a_minute_is_429(self, api: ApiClient, shop: Widget) -> None:
        for _ in range(6):
            assert api.post("/api/v1/widget/cache/purge").status_code == 200
        last = WidgetSettings.objects.get(pk=shop.pk).purged_at
        response = api.post("/api/v1/widget/cache/purge")
        assert_problem(response, 429, "purged_too_often")
        assert 1 <= int(response["Retry-After"]) <= 60
        assert WidgetSettings.objects.get(pk=shop.pk).purged_at == last
