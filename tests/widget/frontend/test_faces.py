"""Faces without a picture, and pictures in the log, as they are drawn."""

from collections.abc import Callable
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import FilePayload, Page, expect

from apps.widget.rules.skins import SKINS, contrast, themes
from tests.widget.frontend.chat import open_chat
from tests.widget.frontend.server import StandIn
from tests.widget.frontend.test_look import DESK, PHONE, box_of, color_of, talk

pytestmark = pytest.mark.e2e
Visit = Callable[..., Page]


def encoded(image: Image.Image) -> bytes:
    kept = BytesIO()
    image.save(kept, "PNG")
    return kept.getvalue()


def test_a_face_without_a_picture_has_a_tint_of_its_person(visit: Visit, server: StandIn) -> None:
    page = visit(**DESK)
    log = talk(page, server)
    for name in ("Anna", "Boris", "Anna"):
        server.says(f"I am {name}", sender={"kind": "agent", "agent_id": 8, "name": name})
    expect(log.get_by_text("I am Anna")).to_have_count(2)
    faces = log.locator(".row.theirs:not(:first-child) .face")
    expect(faces).to_have_count(3)
    anna, boris, again = (color_of(face, "backgroundColor") for face in faces.all())
    assert anna == again
    assert anna != boris


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_letters_of_a_face_are_read_on_every_tint_of_every_skin(visit: Visit, server: StandIn, scheme: str) -> None:
    pale = {}
    for skin in SKINS:
        server.settings |= {"theme": themes(skin.id, None), "widget_color_scheme": scheme}
        page = visit(**DESK)
        face = open_chat(page).locator(".face").first
        for hue in range(0, 360, 60):
            face.evaluate("(face, hue) => face.style.setProperty('--tint', hue)", hue)
            ratio = contrast(color_of(face, "color"), color_of(face, "backgroundColor"))
            if ratio < 4.5:
                pale[skin.id, hue] = ratio
        page.close()
    assert pale == {}


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_the_frame_of_a_picture_is_4_px_on_all_sides(visit: Visit, server: StandIn, screen: dict[str, object]) -> None:
    page = visit(**screen)
    log = talk(page, server)
    wide = encoded(Image.new("RGB", (900, 600), "white"))
    picture = FilePayload(name="wide.png", mimeType="image/png", buffer=wide)
    page.locator(".composer [type=file]").set_input_files(picture)
    image = log.locator("img.image")
    expect(image).to_be_visible()
    page.wait_for_function("image => image.complete && image.naturalWidth === 900", arg=image.element_handle())
    inner, outer = box_of(image), box_of(log.locator(".bubble.image"))
    right = outer["x"] + outer["width"] - inner["x"] - inner["width"]
    assert inner["x"] - outer["x"] == pytest.approx(4, abs=0.1)
    assert right == pytest.approx(4, abs=0.1)
    assert inner["width"] <= 272
