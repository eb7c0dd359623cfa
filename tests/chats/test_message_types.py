"""Messages of every type through POST /api/v1/chats/{id}/messages (specification, "Message", keyboard rules)."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat
from apps.core.bus import DomainEvent
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import FileFactory
from tests.rows import snapshot
from tests.uploads import png

BUTTON = {"label": "Catalogue", "url": "https://shop.example/spring?a=1#top"}


@pytest.fixture
def send(api: ApiClient, chat: Chat, alice: Agent) -> Any:
    """Sends a message into Ivan's chat as Alice."""
    return lambda **body: api.post(f"/chats/{chat.pk}/messages", json={"agent_id": alice.pk, **body})


@pytest.fixture
def read(api: ApiClient, chat: Chat) -> Any:
    """The newest message, as the list shows it."""
    return lambda: api.get(f"/chats/{chat.pk}/messages").json()["data"][0]


@pytest.fixture
def assert_refused(send: Any, happened: list[DomainEvent]) -> Any:
    """Asserts that a message is 422 at those places, and that nothing came of it."""

    def check(errors: Any, **body: Any) -> None:
        before = snapshot()
        assert_problem(send(**body), 422, "invalid_input", errors=errors)
        assert (snapshot(), happened) == (before, [])

    return check


class TestFiles:
    @pytest.mark.parametrize("type_", ["image", "file"])
    def test_a_file_is_read_with_its_name_and_address(self, send: Any, read: Any, shop: Widget, type_: str) -> None:
        file = FileFactory.create(widget=shop, name="роза.png", content=png())
        assert send(type=type_, file={"id": file.pk}, body="Look").status_code == 202
        message = read()
        assert (message["type"], message["body"], message["name"]) == (type_, "Look", "роза.png")
        assert message["file"] == {"id": file.pk, "name": "роза.png", "size": len(png()), "content_type": "image/png"}
        assert b"".join(Client().get(message["url"])) == png()

    def test_a_file_needs_no_text(self, send: Any, read: Any, shop: Widget) -> None:
        assert send(type="file", file={"id": FileFactory.create(widget=shop).pk}).status_code == 202
        assert read()["body"] == ""

    @pytest.mark.parametrize("type_", ["image", "file"])
    def test_anothers_file_is_404_like_one_that_never_was(
        self, send: Any, rival: Rival, happened: list[DomainEvent], type_: str
    ) -> None:
        foreign = FileFactory.create(widget=rival.widget, content=png())
        before = snapshot()
        one, other = send(type=type_, file={"id": foreign.pk}), send(type=type_, file={"id": 999_999_999})
        assert_problem(one, 404, "not_found")
        assert one.content == other.content
        assert (snapshot(), happened) == (before, [])

    def test_an_image_must_be_a_picture(self, assert_refused: Any, shop: Widget) -> None:
        page = FileFactory.create(widget=shop, name="a.png", content=b"<html></html>")
        assert_refused(["file"], type="image", file={"id": page.pk})

    @pytest.mark.parametrize(
        ("file", "path"),
        [
            (1, "file"),
            ("1", "file"),
            (None, "file"),
            ({}, "file.id"),
            ({"id": "1"}, "file.id"),
            ({"id": 0}, "file.id"),
            ({"id": 1, "name": "a"}, "file.name"),
        ],
    )
    def test_a_reference_is_an_id(self, assert_refused: Any, file: Any, path: str) -> None:
        assert_refused([path], type="file", file=file)

    def test_it_costs_no_statement_more(self, send: Any, api: ApiClient, chat: Chat, shop: Widget) -> None:
        file = FileFactory.create(widget=shop, content=png())
        for _ in range(2):
            send(type="image", file={"id": file.pk})
        with CaptureQueriesContext(connection) as posting:
            assert send(type="image", file={"id": file.pk}).status_code == 202
        with CaptureQueriesContext(connection) as listing:
            api.get(f"/chats/{chat.pk}/messages")
        assert (len(posting), len(listing)) == (2, 1)


class TestLocationsAndStickers:
    @pytest.mark.parametrize(("lat", "lng"), [(55.7558, 37.6173), (90, 180), (-90, -180), (0, 0)])
    def test_a_place_is_read_as_it_was_sent(self, send: Any, read: Any, lat: float, lng: float) -> None:
        assert send(type="location", coords={"lat": lat, "lng": lng}).status_code == 202
        assert (read()["type"], read()["coords"]) == ("location", {"lat": lat, "lng": lng})

    def test_a_place_is_read_in_the_longer_words_too(self, send: Any, read: Any) -> None:
        assert send(type="location", coords={"latitude": -1.5, "longitude": 2}).status_code == 202
        assert read()["coords"] == {"lat": -1.5, "lng": 2}

    @pytest.mark.parametrize(
        ("coords", "errors"),
        [
            ({"lat": 90.0001, "lng": 0}, ["coords.lat"]),
            ({"lat": -90.0001, "lng": 180.0001}, ["coords.lat", "coords.lng"]),
            ({"lat": "55.7", "lng": 0}, ["coords.lat"]),
            ({"lat": True, "lng": 0}, ["coords.lat"]),
            ({"lat": 1}, ["coords.lng"]),
            ({"latitude": 1}, ["coords.longitude"]),
            ({}, ["coords.lat", "coords.lng"]),
            ({"latitude": 91, "longitude": 0}, ["coords.latitude"]),
            ({"lat": 1, "lng": 1, "latitude": 1}, ["coords.latitude"]),
            ({"lat": 1, "longitude": 1}, ["coords.longitude"]),
            ({"lat": 1, "lng": 1, "zoom": 3}, ["coords.zoom"]),
            ([1, 1], ["coords"]),
        ],
    )
    def test_no_place_on_earth_is_422(self, assert_refused: Any, coords: Any, errors: list[str]) -> None:
        assert_refused(errors, type="location", coords=coords)

    @pytest.mark.parametrize("sticker", [{"id": "thanks"}, {"id": "x" * 64, "url": "https://cdn.example/a.webp"}])
    def test_a_sticker_is_read_as_it_was_sent(self, send: Any, read: Any, sticker: dict[str, str]) -> None:
        assert send(type="sticker", sticker=sticker).status_code == 202
        assert (read()["type"], read()["sticker"]) == ("sticker", sticker)

    @pytest.mark.parametrize(
        ("sticker", "errors"),
        [
            ({}, ["sticker.id"]),
            ({"id": ""}, ["sticker.id"]),
            ({"id": "x" * 65}, ["sticker.id"]),
            ({"id": 7}, ["sticker.id"]),
            ({"id": "a", "url": "http://cdn.example/a.webp"}, ["sticker.url"]),
            ({"id": "a", "pack": "b"}, ["sticker.pack"]),
        ],
    )
    def test_a_bad_sticker_is_422_by_name(self, assert_refused: Any, sticker: Any, errors: list[str]) -> None:
        assert_refused(errors, type="sticker", sticker=sticker)


class TestKeyboards:
    def keyboard(self, *buttons: Any) -> dict[str, Any]:
        return {"type": "keyboard", "body": "Choose:", "keyboard": {"buttons": list(buttons)}}

    def test_a_keyboard_is_read_with_its_buttons(self, send: Any, read: Any) -> None:
        assert send(**self.keyboard(BUTTON, {**BUTTON, "style": "secondary"})).status_code == 202
        message = read()
        assert (message["type"], message["body"]) == ("keyboard", "Choose:")
        assert message["keyboard"] == {"buttons": [BUTTON | {"style": "primary"}, BUTTON | {"style": "secondary"}]}

    def test_seven_buttons_are_the_most(self, send: Any, assert_refused: Any) -> None:
        assert_refused(["keyboard.buttons"], **self.keyboard(*[BUTTON] * 8))
        assert send(**self.keyboard(*[BUTTON] * 7)).status_code == 202

    def test_no_button_is_422(self, assert_refused: Any) -> None:
        assert_refused(["keyboard.buttons"], **self.keyboard())

    @pytest.mark.parametrize("keyboard", [None, [], {}, {"buttons": None}, {"buttons": BUTTON}, {"buttons": "x"}])
    def test_what_is_no_keyboard_is_422(self, send: Any, keyboard: Any) -> None:
        before = snapshot()
        problem = assert_problem(send(type="keyboard", body="a", keyboard=keyboard), 422, "invalid_input")
        assert all(path in ("keyboard", "keyboard.buttons") for path in problem["errors"])
        assert snapshot() == before

    @pytest.mark.parametrize("body", [{}, {"body": ""}, {"body": " \n"}])
    def test_the_text_is_required(self, assert_refused: Any, body: dict[str, str]) -> None:
        message = self.keyboard(BUTTON)
        del message["body"]
        assert_refused(["body"], **{**message, **body})

    @pytest.mark.parametrize("label", ["x", "x" * 64, "Ж" * 64])
    def test_a_label_has_1_to_64_characters(self, send: Any, label: str) -> None:
        assert send(**self.keyboard({**BUTTON, "label": label})).status_code == 202

    @pytest.mark.parametrize(
        ("change", "path"),
        [
            ({"label": ""}, "label"),
            ({"label": "  "}, "label"),
            ({"label": "x" * 65}, "label"),
            ({"label": None}, "label"),
            ({"label": 5}, "label"),
            ({"style": "danger"}, "style"),
            ({"style": None}, "style"),
            ({"action": "buy"}, "action"),
        ],
    )
    def test_one_bad_button_refuses_the_message_and_is_named_by_its_index(
        self, assert_refused: Any, change: dict[str, Any], path: str
    ) -> None:
        assert_refused([f"keyboard.buttons.1.{path}"], **self.keyboard(BUTTON, {**BUTTON, **change}, BUTTON))

    def test_each_bad_button_is_named(self, assert_refused: Any) -> None:
        buttons = [{"label": "a"}, BUTTON, {"label": "", "url": "http://shop.example/"}]
        paths = ["keyboard.buttons.0.url", "keyboard.buttons.2.label", "keyboard.buttons.2.url"]
        assert_refused(paths, **self.keyboard(*buttons))

    @pytest.mark.parametrize(
        "url",
        [
            "https://shop.example",
            "HTTPS://shop.example/",
            "https://shop.example:8443/a?b=c&d=%20#e",
            "https://пример.рф/путь",
            "https://[2001:db8::1]/",
            "https://shop.example/?q=a@b.example",
        ],
    )
    def test_an_absolute_https_url_is_good(self, send: Any, url: str) -> None:
        assert send(**self.keyboard({**BUTTON, "url": url})).status_code == 202

    @pytest.mark.parametrize(
        "url",
        [
            "",
            "http://shop.example/",
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "data:text/html,<script>alert(1)</script>",
            "ftp://shop.example/",
            "mailto:a@shop.example",
            "tel:+79011234567",
            "/catalogue",
            "catalogue",
            "//shop.example/",
            "https:shop.example",
            "https:/shop.example",
            "https://",
            "https:///path",
            "https://?q",
            "https://user@shop.example/",
            "https://user:password@shop.example/",
            "https://@shop.example/",
            "https://shop.example\\@evil.example/",
            "https://shop .example/",
            " https://shop.example/",
            "https://shop.example/\n",
            "https://shop.example/\u202e",
            "https://shop..example/",
            "https://shop.example:0/",
            "https://shop.example:65536/",
            "https://shop.example:port/",
            "https://<script>/",
            "https://shop.example/" + "x" * 2048,
        ],
    )
    def test_any_other_url_is_422_at_its_button(self, assert_refused: Any, url: str) -> None:
        assert_refused(["keyboard.buttons.0.url"], **self.keyboard({**BUTTON, "url": url}))


class TestMembersOfTypes:
    MEMBERS = {
        "file": {"id": 1},
        "coords": {"lat": 1, "lng": 1},
        "sticker": {"id": "a"},
        "keyboard": {"buttons": [BUTTON]},
    }
    OWN = {
        "text": (),
        "image": ("file",),
        "file": ("file",),
        "location": ("coords",),
        "sticker": ("sticker",),
        "keyboard": ("keyboard",),
    }

    @pytest.mark.parametrize("type_", OWN)
    def test_what_belongs_to_another_type_is_422_by_name(self, assert_refused: Any, type_: str) -> None:
        others = [name for name in self.MEMBERS if name not in self.OWN[type_]]
        assert_refused(others, type=type_, body="Hello", **self.MEMBERS)

    @pytest.mark.parametrize("type_", [type_ for type_, own in OWN.items() if own])
    def test_what_the_type_needs_is_422_when_it_is_missing(self, assert_refused: Any, type_: str) -> None:
        assert_refused(list(self.OWN[type_]), type=type_, body="Hello")

    @pytest.mark.parametrize("type_", OWN)
    def test_markdown_and_origin_go_with_every_type(self, send: Any, read: Any, shop: Widget, type_: str) -> None:
        members = {**self.MEMBERS, "file": {"id": FileFactory.create(widget=shop, content=png()).pk}}
        own = {name: members[name] for name in self.OWN[type_]}
        assert send(type=type_, body="Hi", markdown="**Hi**", origin="crm", **own).status_code == 202
        message = read()
        assert (message["body"], message["markdown"], message["origin"]) == ("Hi", "**Hi**", "crm")
        absent = {"file", "coords", "sticker", "keyboard"} - own.keys()
        assert {name: message[name] for name in absent} == dict.fromkeys(absent)
