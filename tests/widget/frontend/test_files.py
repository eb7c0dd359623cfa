"""Pictures and files in the chat, in a real browser: sent by button, drop and paste, and shown in both directions."""

import base64
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Locator, Page, Route, expect

from apps.chats.rules import MAX_FILE_BYTES
from apps.core.parsing.file_types import INLINE_IMAGES
from tests.uploads import png
from tests.widget.frontend.chat import bubbles, open_chat, until, write
from tests.widget.frontend.server import WIDGET, StandIn

pytestmark = pytest.mark.e2e
Visit = Callable[..., Page]
ROSE = FilePayload(name="роза.png", mimeType="image/png", buffer=png())
PRICES = FilePayload(name="prices.pdf", mimeType="application/pdf", buffer=b"%PDF" + bytes(3000))
# Gives the files, as [name, base64], to a node of the widget in an event of that type.
GIVE = """([selector, type, files, text]) => {
    const data = new DataTransfer();
    for (const [name, content] of files) {
        data.items.add(new File([Uint8Array.from(atob(content), (each) => each.charCodeAt())], name));
    }
    if (text) data.setData("text/plain", text);
    const node = document.querySelector("parley-widget").shadowRoot.querySelector(selector);
    const options = {bubbles: true, composed: true, cancelable: true};
    const event = type === "paste"
        ? new ClipboardEvent(type, {...options, clipboardData: data})
        : new DragEvent(type, {...options, dataTransfer: data});
    return node.dispatchEvent(event);
}"""


def attach(page: Page, *files: FilePayload) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Attach a file").click()
    chooser.value.set_files(list(files))


def give(page: Page, selector: str, event: str, *files: FilePayload, text: str = "") -> bool:
    """Whether the page's own way with the event is left to it."""
    sent = [[file["name"], base64.b64encode(file["buffer"]).decode()] for file in files]
    kept: bool = page.evaluate(GIVE, [selector, event, sent, text])
    return kept


def stored(server: StandIn) -> list[tuple[str, str]]:
    """The messages that the server has: their types, and their files' names or their texts."""
    messages = [message for each in server.messages.values() for message in each]
    return [(each["type"], each["file"]["name"] if each["file"] else each["body"]) for each in messages]


def uploads(server: StandIn) -> list[Any]:
    return [data for call, data in server.calls if call == "files"]


def assert_drawn(picture: Locator) -> None:
    """The picture has arrived, not only its frame."""
    expect(picture).to_be_visible()
    # In one call: another state of its message may bring another element.
    assert picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 0


def test_a_picture_is_sent_with_the_button_and_shown_as_a_picture(visit: Visit, server: StandIn) -> None:
    page = visit()
    log = open_chat(page)
    attach(page, ROSE)
    expect(log.get_by_text("Sent")).to_be_visible()
    assert stored(server) == [("image", "роза.png")]
    (content,) = [content for _, content in server.files.values()]
    assert content == png()
    assert_drawn(log.get_by_role("img", name="роза.png"))
    expect(log.get_by_role("link", name="роза.png")).to_have_attribute("href", re.compile("/files/"))
    expect(page.locator(".composer textarea")).to_be_focused()


def test_a_picture_is_a_target_of_44_pixels_while_it_loads_where_it_is_small_and_where_it_fails(
    visit: Visit, server: StandIn
) -> None:
    page = visit()
    held: list[Route] = []
    page.route("**/files/*", lambda route: held.append(route))
    log = open_chat(page)
    write(page, "Show me")
    expect(log.get_by_text("Sent")).to_be_visible()
    link = log.locator(".bubble.image a")

    def assert_target() -> None:
        box = link.bounding_box()
        assert box is not None
        assert (box["width"] >= 44, box["height"] >= 44) == (True, True), box

    server.sends("dot.png", png(), "image/png")
    until(page, lambda: len(held) == 1)
    expect(log.get_by_role("link", name="dot.png")).to_be_visible()
    assert_target()
    held[0].continue_()
    assert_drawn(log.get_by_role("img", name="dot.png"))
    assert_target()
    held.clear()
    page.reload()
    log = open_chat(page)
    until(page, lambda: len(held) == 1)
    held[0].abort()
    expect(link).to_have_class("tile")
    expect(log.get_by_role("link", name="dot.png")).to_be_visible()
    assert_target()


def test_any_other_file_is_a_link_with_its_name_and_size(visit: Visit, server: StandIn) -> None:
    page = visit()
    log = open_chat(page)
    attach(page, PRICES)
    expect(log.get_by_role("link", name="prices.pdf 3 KB")).to_have_attribute("href", re.compile("/files/"))
    assert stored(server) == [("file", "prices.pdf")]


def test_what_the_operator_sends_is_shown_and_survives_a_reload(visit: Visit, server: StandIn) -> None:
    page = visit()
    log = open_chat(page)
    write(page, "Show me")
    expect(log.get_by_text("Sent")).to_be_visible()
    server.sends("tulip.png", png(), "image/png")
    server.sends("terms.pdf", bytes(2048), "application/pdf")
    for _ in range(2):
        assert_drawn(log.get_by_role("img", name="tulip.png"))
        link = log.get_by_role("link", name="terms.pdf 2 KB")
        expect(link).to_have_attribute("target", "_blank")
        page.reload()
        log = open_chat(page)


def test_several_files_are_messages_in_the_order_chosen_and_hold_up_no_text(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    server.uploads_open.clear()
    attach(page, PRICES, ROSE)
    until(page, lambda: len(uploads(server)) == 1)
    write(page, "these two")
    until(page, lambda: stored(server) == [("text", "these two")])
    expect(page.locator(".sending")).to_have_count(2)
    server.uploads_open.set()
    expect(page.locator(".sending")).to_have_count(0)
    assert stored(server) == [("text", "these two"), ("file", "prices.pdf"), ("image", "роза.png")]


def test_an_upload_shows_how_far_it_is_and_can_be_cancelled(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    server.uploads_open.clear()
    attach(page, PRICES, ROSE)
    sending = page.locator(".sending")
    expect(sending.first).to_contain_text("Sending 100 %")
    sending.first.get_by_role("button", name="Cancel").click()
    expect(bubbles(page)).to_have_count(1)
    server.uploads_open.set()
    expect(page.get_by_text("Sent")).to_be_visible()
    assert stored(server) == [("image", "роза.png")]


def test_a_file_can_be_dropped_on_the_chat(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    expect(page.get_by_role("button", name="Attach a file")).to_be_visible()
    panel = page.locator(".panel")
    assert not give(page, ".log", "dragover", ROSE), "else the browser would open the file"
    expect(panel).to_have_class("panel drop")
    give(page, ".log", "dragleave", ROSE)
    expect(panel).to_have_class("panel")
    assert not give(page, ".log", "drop", ROSE)
    expect(page.get_by_text("Sent")).to_be_visible()
    assert stored(server) == [("image", "роза.png")]


def test_a_picture_can_be_pasted_and_a_text_stays_a_text(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    expect(page.get_by_role("button", name="Attach a file")).to_be_visible()
    give(page, ".composer textarea", "paste", ROSE, text="copied from a sheet")
    give(page, ".composer textarea", "paste", ROSE)
    expect(page.get_by_text("Sent")).to_be_visible()
    assert uploads(server) == ["роза.png"]


@pytest.mark.parametrize(
    ("language", "attach_name", "words"),
    [
        ("en", "Attach a file", "larger than 10 MB"),
        ("ru", "Прикрепить файл", "больше 10 МБ"),
        ("de", "Datei anhängen", "größer als 10 MB"),
        ("es", "Adjuntar un archivo", "supera los 10 MB"),
        ("el", "Επισύναψη αρχείου", "μεγαλύτερο από 10 MB"),
        ("ar", "إرفاق ملف", "أكبر من 10 ميغابايت"),
        ("zh", "添加文件", "超过 10 MB"),
    ],
)
def test_a_file_over_the_limit_is_refused_in_words_and_not_sent(
    visit: Visit, server: StandIn, tmp_path: Path, language: str, attach_name: str, words: str
) -> None:
    server.settings["language"] = language
    page = visit()
    open_chat(page)
    expect(page.get_by_role("button", name=attach_name)).to_be_visible()
    film, rose = tmp_path / "film.mp4", tmp_path / "роза.png"
    film.write_bytes(bytes(MAX_FILE_BYTES + 1))
    rose.write_bytes(ROSE["buffer"])
    page.locator("input[type=file]").set_input_files([film, rose])
    expect(page.get_by_role("alert")).to_contain_text(f"film.mp4: {words}")
    until(page, lambda: stored(server) == [("image", "роза.png")])
    assert uploads(server) == ["роза.png"]


def test_up_to_the_limit_it_is_sent(visit: Visit, server: StandIn, tmp_path: Path) -> None:
    page = visit()
    open_chat(page)
    film = tmp_path / "film.mp4"
    film.write_bytes(bytes(MAX_FILE_BYTES))
    page.locator("input[type=file]").set_input_files(film)
    expect(page.get_by_text("Sent")).to_be_visible()
    assert [file["size"] for file, _ in server.files.values()] == [MAX_FILE_BYTES]


def test_an_empty_file_is_refused_in_words(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    attach(page, FilePayload(name="empty.txt", mimeType="text/plain", buffer=b""))
    expect(page.get_by_role("alert")).to_have_text("empty.txt: can’t be read")
    assert uploads(server) == []
    attach(page, ROSE)
    expect(page.get_by_text("Sent")).to_be_visible()


def test_a_refused_file_holds_nothing_up_and_can_be_sent_again(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    server.refuse_files = 500
    attach(page, ROSE)
    write(page, "meanwhile")
    expect(page.get_by_text("Not sent")).to_be_visible()
    until(page, lambda: stored(server) == [("text", "meanwhile")])
    server.refuse_files = 0
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".failed")).to_have_count(0)
    until(page, lambda: stored(server) == [("text", "meanwhile"), ("image", "роза.png")])


def test_too_many_files_are_told_in_words(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    server.refuse_files = 429
    attach(page, ROSE)
    expect(page.get_by_role("alert")).to_contain_text("роза.png: too many files, try again later")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()


def test_the_first_file_may_be_chosen_offline(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    until(page, lambda: bool(server.sockets))
    page.context.set_offline(True)
    attach(page, ROSE)
    page.context.set_offline(False)
    until(page, lambda: stored(server) == [("image", "роза.png")])


def with_a_file_sent(visit: Visit, server: StandIn) -> Page:
    """What files need is there then."""
    page = visit()
    open_chat(page)
    until(page, lambda: bool(server.sockets))
    attach(page, PRICES)
    expect(page.get_by_text("Sent")).to_be_visible()
    return page


def test_a_file_chosen_offline_waits_and_is_sent(visit: Visit, server: StandIn) -> None:
    page = with_a_file_sent(visit, server)
    page.context.set_offline(True)
    attach(page, ROSE)
    write(page, "like this one")
    expect(page.locator(".sending")).to_have_count(2)
    page.context.set_offline(False)
    expect(page.locator(".sending")).to_have_count(0)
    assert sorted(stored(server)[1:]) == [("image", "роза.png"), ("text", "like this one")]


def test_a_file_that_fails_just_as_the_network_comes_back_is_sent_again(visit: Visit, server: StandIn) -> None:
    page, held = with_a_file_sent(visit, server), list[Route]()
    page.context.set_offline(True)
    page.route("**/files", lambda route: held.append(route), times=1)
    attach(page, ROSE)
    until(page, lambda: bool(held))
    page.context.set_offline(False)
    until(page, lambda: bool(page.evaluate("navigator.onLine")))
    held[0].abort("internetdisconnected")
    until(page, lambda: stored(server)[1:] == [("image", "роза.png")])
    expect(page.locator(".failed")).to_have_count(0)


def test_a_file_whose_confirmation_is_lost_is_neither_lost_nor_doubled(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    until(page, lambda: bool(server.sockets))
    server.acks_held = True
    attach(page, ROSE)
    until(page, lambda: stored(server) == [("image", "роза.png")])
    expect(bubbles(page)).to_have_count(1)
    server.hang_up()
    until(page, lambda: any(call == "messages" for call, _ in server.calls))
    server.acks_held = False
    expect(page.get_by_text("Sent")).to_be_visible()
    expect(bubbles(page)).to_have_count(1)
    assert len(uploads(server)) == 1


def test_another_tabs_file_does_not_stand_for_the_one_on_its_way(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    until(page, lambda: bool(server.sockets))
    server.uploads_open.clear()
    attach(page, ROSE)
    until(page, lambda: uploads(server) == ["роза.png"])
    other = {"id": 1000, "name": "other.pdf", "size": 1024, "content_type": "application/pdf"}
    server.says(
        "", type="file", file=other, name="other.pdf", sender={"kind": "client", "agent_id": None, "name": None}
    )
    expect(bubbles(page)).to_have_text(["other.pdf 1 KB", "роза.png 1 KB"])
    server.uploads_open.set()
    expect(page.locator(".sending")).to_have_count(0)


def test_an_uploaded_file_outlives_the_page(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    until(page, lambda: bool(server.sockets))
    server.acks_held = True
    server.refuse_messages = 1000
    attach(page, ROSE)
    expect(page.get_by_text("Not sent")).to_be_visible()
    server.refuse_messages, server.acks_held = 0, False
    page.reload()
    log = open_chat(page)
    assert_drawn(log.get_by_role("img", name="роза.png"))
    assert (stored(server), len(uploads(server))) == ([("image", "роза.png")], 1)


def test_a_new_visitor_uploads_what_the_old_one_did_not_send(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    until(page, lambda: bool(server.sockets))
    server.refuse_messages = 1000
    attach(page, ROSE)
    expect(page.get_by_text("Not sent")).to_be_visible()
    server.forget_visitors()
    server.hang_up(1008)
    server.refuse_messages = 0
    page.get_by_role("button", name="Try again").click()
    until(page, lambda: stored(server) == [("image", "роза.png")])
    assert len(uploads(server)) == 2, "a file belongs to who uploaded it"


def test_it_works_from_the_keyboard(visit: Visit, server: StandIn) -> None:
    page = visit()
    # Asked for only with the key, the browser may be too late to hand over its chooser instead of opening it.
    page.on("filechooser", lambda _: None)
    open_chat(page)
    expect(page.get_by_role("button", name="Attach a file")).to_be_visible()
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("button", name="Attach a file")).to_be_focused()
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    assert chooser.value.is_multiple()
    chooser.value.set_files([ROSE])
    expect(page.get_by_text("Sent")).to_be_visible()


def test_only_a_file_loads_what_files_need_and_only_where_there_are_files(visit: Visit, server: StandIn) -> None:
    server.settings["features"]["files"] = False
    page = visit()
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url.rpartition("/")[2]))
    open_chat(page)
    write(page, "no files here")
    expect(page.get_by_text("Sent")).to_be_visible()
    expect(page.get_by_role("button", name="Attach a file")).to_have_count(0)
    server.settings["features"]["files"] = True
    page.reload()
    open_chat(page)
    expect(page.get_by_role("button", name="Attach a file")).to_be_visible()
    assert "files.js" not in loaded
    attach(page, ROSE)
    attach(page, ROSE)
    until(page, lambda: len(uploads(server)) == 2)
    assert loaded.count("files.js") == 1


def test_a_hostile_name_is_inert(visit: Visit, server: StandIn) -> None:
    hostile = "<img src=x onerror='window.pwned=1'>.txt"
    page = visit()
    log = open_chat(page)
    attach(page, FilePayload(name=hostile, mimeType="text/plain", buffer=b""))
    expect(page.get_by_role("alert")).to_contain_text(hostile)
    attach(page, FilePayload(name=hostile, mimeType="text/plain", buffer=b"a"))
    expect(log.get_by_role("link", name=hostile)).to_be_visible()
    assert page.evaluate("window.pwned") is None


def test_the_page_and_the_server_agree_on_what_can_be_sent() -> None:
    source = (WIDGET / "static/widget/files.js").read_text()
    limit = re.search(r"MOST = ([\d *]+);", source)
    pictures = re.search(r"PICTURE = /\^image\\/\((.+?)\)\$/", source)
    assert limit is not None
    assert pictures is not None
    factors = [int(factor) for factor in limit[1].split("*")]
    assert factors[0] * factors[1] * factors[2] == MAX_FILE_BYTES
    assert {f"image/{kind}" for kind in pictures[1].split("|")} == INLINE_IMAGES
