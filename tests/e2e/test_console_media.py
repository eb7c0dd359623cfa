"""An operator hears a voice message and sees a video where they stand; a real browser plays what is served."""

import io
import wave

import pytest
from playwright.sync_api import expect

from tests.e2e.console import Open, Shop
from tests.uploads import png

pytestmark = pytest.mark.e2e

SECONDS = 2
VIDEO = b"\x00\x00\x00\x20ftypisom\x00\x00\x02\x00isomiso2avc1mp41" + bytes(200)
# As it is stored of a message of a kind that is not known, and of one that went as a file.
MARKED = """
from apps.chats.models import Message
said = Message.objects.unscoped("a test")
said.filter(body="Unknown").update(details={"unsupported": {"provider": "tg", "kind": "story"}})
sent = {"state": "sent", "code": None, "detail": None, "attempts": 1, "sent_as": "file", "at": "2026-01-01T00:00:00Z"}
said.filter(body="Here it is").update(delivery=sent)
"""


def sound() -> bytes:
    kept = io.BytesIO()
    with wave.open(kept, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8_000)
        file.writeframes(bytes(2 * 8_000 * SECONDS))
    return kept.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1440, 900), (390, 844)], ids=["desktop", "phone"])
def test_voice_and_videos_are_played_in_the_thread(shop: Shop, open_desk: Open, size: tuple[int, int]) -> None:
    name = f"Melody {size[0]}"
    visitor = shop.visitor(name=name).says("Listen, please")
    visitor.sends_file("voice.wav", sound())
    visitor.sends_file("note.mp4", VIDEO)
    visitor.sends_file("rose.png", png())
    visitor.says("Unknown")
    shop.answers(visitor, "Here it is")
    shop.service.manage("shell", "--no-imports", "-c", MARKED)
    desk = open_desk(viewport={"width": size[0], "height": size[1]}, color_scheme="light")
    desk.row(name).click()
    audio = desk.page.locator("audio")
    expect(audio).to_be_visible()
    playing = (
        "node => new Promise(done => { node.onplaying = () => done(node.duration); node.muted = true; node.play() })"
    )
    assert audio.evaluate(playing) == pytest.approx(SECONDS, abs=0.1)
    audio.evaluate("node => { node.pause(); node.currentTime = 1 }")
    expect(desk.page.locator("video")).to_be_visible()
    expect(desk.page.get_by_text("Sent as a file: the messenger did not take it as a picture.")).to_be_visible()
    expect(desk.page.locator(".bubble.unknown")).to_contain_text("Unknown")
    desk.check(f"media-{size[0]}")
