"""Pictures between a visitor's browser and the customer's system, through the real servers."""

import uuid
from typing import Any

import pytest
import requests
from playwright.sync_api import FilePayload, Page, Response, expect

from tests.run.service import Service
from tests.uploads import png

pytestmark = pytest.mark.e2e


def test_pictures_go_both_ways_and_the_modules_come_compressed(running_service: Service, page: Page) -> None:
    widget = running_service.demo["accounts"][0]["widgets"][0]
    modules: list[Response] = []
    page.on("response", lambda response: "/static/widget/" in response.url and modules.append(response))

    def api(method: str, path: str, **options: Any) -> Any:
        headers = {"Authorization": f"Bearer {widget['tokens']['all']}", "X-Service-Idempotency-Key": uuid.uuid4().hex}
        url = f"{running_service.url}/api/v1{path}"
        response = requests.request(method, url, headers=headers, timeout=30, **options)
        assert response.ok, response.text
        return response.json()["data"]

    page.goto(f"{running_service.url}/demo/")
    page.get_by_role("button", name="Open chat").click()
    log = page.get_by_role("log")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Attach a file").click()
    chooser.value.set_files(FilePayload(name="жестянка.png", mimeType="image/png", buffer=png(40, 30)))
    assert_drawn(page, "жестянка.png")

    chat_id = page.locator("[data-chat-id]").first.text_content()
    (sent,) = api("GET", f"/chats/{chat_id}/messages")
    assert (sent["type"], sent["name"]) == ("image", "жестянка.png")
    assert requests.get(sent["url"], timeout=30).content == png(40, 30)

    file = api("POST", "/files", files={"file": ("tin.png", png(20, 20))})
    answer = {"type": "image", "file": {"id": file["id"]}, "agent_id": widget["agents"][0]["id"]}
    api("POST", f"/chats/{chat_id}/messages", json=answer)
    assert_drawn(page, "tin.png")
    page.reload()  # the chat was open, and is again
    expect(log.get_by_role("img")).to_have_count(2)

    names = {response.url.rpartition("/")[2].partition(".")[0] for response in modules}
    assert names >= {"launcher", "chat", "connection", "styles", "files", "en"}
    for response in modules:
        assert response.header_value("content-encoding") == "br"
        assert "immutable" in (response.header_value("cache-control") or "")
    for path, coding in ((f"/widget/{widget['guid']}/embed.js", "br"), ("/api/schema", "gzip")):
        for method in ("GET", "HEAD"):
            accepted = {"Accept-Encoding": "gzip, deflate, br"}
            answer = requests.request(method, running_service.url + path, headers=accepted, timeout=30)
            assert answer.headers["Content-Encoding"] == coding
            assert bool(answer.text) is (method == "GET")


def assert_drawn(page: Page, name: str) -> None:
    """The picture has arrived, not only its frame."""
    picture = page.get_by_role("log").get_by_role("img", name=name)
    expect(picture).to_be_visible()
    picture.evaluate("(image) => image.decode()")
