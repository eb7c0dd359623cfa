"""What a message of a messenger becomes besides a plain one: an album, an edit, a deletion, an unknown kind."""

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import File, Message
from apps.core.observability import metrics
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.messengers.actions import inbound
from apps.messengers.actions.retention import forget_old_updates
from apps.messengers.adapters.tg.adapter import Telegram
from apps.messengers.models import Connection, Inbound, InboundJob, OutboundMessage
from apps.messengers.rules.delivery import Abilities, FileKind, kinds_for, parts_of
from apps.messengers.rules.inbound import InboundContent, InboundEvent, InboundMessage, moment
from tests.client import ApiClient
from tests.factories.files import FileFactory
from tests.messengers.payloads import TEXTS
from tests.messengers.test_hooks import connected, work
from tests.messengers.test_outbox import delivery, say, send, wrote
from tests.uploads import png

SAID = TEXTS["tg"][0]["message"]


def come(connection: Connection, *arrivals: InboundMessage) -> None:
    inbound.keep(connection, arrivals)


def let_albums_be_whole() -> None:
    """The albums' quiet time passes."""
    Inbound.objects.update(received_at=F("received_at") - timedelta(seconds=inbound.ALBUM_QUIET_S))
    InboundJob.objects.filter(due_at__isnull=False).update(due_at=F("due_at") - timedelta(seconds=2))


def photo(vendors: Vendors, number: int, **more: Any) -> Mapping[str, Any]:
    vendors.files[f"photos/p{number}"] = png()
    picture = {**SAID, "message_id": number, "photo": [{"file_id": f"p{number}"}], **more}
    del picture["text"]
    return picture


def test_what_was_sent_as_one_album_is_one_message(api: ApiClient, shop: Widget, vendors: Vendors) -> None:
    connection = connected(shop, "tg")
    parts = [photo(vendors, number) for number in (7, 8, 9)]
    parts[1] = {**parts[1], "caption": "Три розы"}
    come(connection, *(InboundMessage("42", str(part["message_id"]), part, album="a1") for part in parts[:2]))
    work()
    assert not Message.objects.exists()
    come(connection, InboundMessage("42", "9", parts[2], album="a1"))
    let_albums_be_whole()
    work()
    message = Message.objects.get()
    assert (message.type, message.body) == ("image", "Три розы")
    (shown,) = api.get(f"/chats/{message.chat_id}/messages").json()["data"]
    assert [file["id"] for file in shown["files"]] == list(File.objects.order_by("id").values_list("pk", flat=True))
    assert shown["file"]["id"] == shown["files"][0]["id"]
    assert all(file["url"].startswith("https://chat.example.com/files/") for file in shown["files"])
    assert File.objects.filter(is_sent=True).count() == 3
    assert not Inbound.objects.filter(handled_at=None).exists()


def test_an_album_that_comes_again_is_still_one(shop: Widget, vendors: Vendors) -> None:
    connection = connected(shop, "tg")
    album = [InboundMessage("42", str(number), photo(vendors, number), album="a1") for number in (7, 8)]
    for _ in range(2):
        come(connection, *album)
        let_albums_be_whole()
        work()
    assert Message.objects.count() == 1
    assert File.objects.count() == 2


class Edits(Telegram):
    """Reads the recorded parts as edits and deletions have them."""

    def content(self, part: Mapping[str, Any]) -> InboundContent:
        return InboundContent(text=part.get("text", ""), at=moment(part.get("edit_date")))


@pytest.fixture
def written(shop: Widget, vendors: Vendors, monkeypatch: pytest.MonkeyPatch) -> Connection:
    """A bot to which a customer has written "Привет", the message 7."""
    connection = connected(shop, "tg")
    come(connection, InboundMessage("42", "7", SAID))
    work()
    monkeypatch.setattr(inbound, "adapter_of", lambda _: Edits())
    return connection


def test_an_edit_is_shown_at_the_message_that_it_changes(api: ApiClient, written: Connection) -> None:
    edit = {"text": "Привет!!", "edit_date": 1_700_000_100}
    come(written, InboundMessage("42", "7~1", edit, event=InboundEvent.EDITED, changes="7"))
    older = {"text": "Прив", "edit_date": 1_700_000_050}
    come(written, InboundMessage("42", "7~0", older, event=InboundEvent.EDITED, changes="7"))
    work()
    message = Message.objects.get()
    (shown,) = api.get(f"/chats/{message.chat_id}/messages").json()["data"]
    assert (shown["body"], shown["edited_at"]) == ("Привет!!", "2023-11-14T22:15:00.000000Z")
    assert shown["deleted_at"] is None


def test_a_deletion_is_shown_and_the_words_stay_for_operators(api: ApiClient, written: Connection) -> None:
    version = Message.objects.get().chat.version
    come(written, InboundMessage("42", "7~d", {"edit_date": 1_700_000_100}, event=InboundEvent.DELETED, changes="7"))
    work()
    message = Message.objects.get()
    assert message.chat.version == version + 1
    (shown,) = api.get(f"/chats/{message.chat_id}/messages").json()["data"]
    assert (shown["body"], shown["deleted_at"]) == ("Привет", "2023-11-14T22:15:00.000000Z")


def test_a_change_of_a_message_that_is_not_here_changes_nothing(written: Connection) -> None:
    come(written, InboundMessage("42", "9~1", {"text": "?"}, event=InboundEvent.EDITED, changes="9"))
    come(written, InboundMessage("43", "7~1", {"text": "?"}, event=InboundEvent.EDITED, changes="7"))
    work()
    assert [message.body for message in Message.objects.all()] == ["Привет"]
    assert not Inbound.objects.filter(handled_at=None).exists()


def test_a_kind_that_is_not_known_is_kept_counted_and_shown_as_such(
    api: ApiClient, shop: Widget, vendors: Vendors, caplog: pytest.LogCaptureFixture
) -> None:
    counted = metrics.MESSENGER_UNKNOWN.labels("tg")._value.get()
    part = {**SAID, "hologram": {"x": 1}}
    del part["text"]
    connection = connected(shop, "tg")
    come(connection, InboundMessage("42", "7", part))
    work()
    message = Message.objects.get()
    (shown,) = api.get(f"/chats/{message.chat_id}/messages").json()["data"]
    assert (shown["type"], shown["unsupported"]["provider"]) == ("text", "tg")
    assert shown["unsupported"]["kind"] in shown["body"]
    assert metrics.MESSENGER_UNKNOWN.labels("tg")._value.get() == counted + 1
    assert "unknown kind" in caplog.text
    Inbound.objects.update(received_at=F("received_at") - timedelta(days=2))
    forget_old_updates()
    assert json.loads(Inbound.objects.get().part or "")["hologram"] == {"x": 1}


# --- Out --------------------------------------------------------------------------------------------------------------

PHOTO = FileKind("image", frozenset({"image/png"}), max_bytes=1_000, max_caption=10, max_sides=100, max_ratio=4)
ANY = FileKind("file", max_bytes=5_000)
CAN = Abilities(files=(PHOTO, ANY))


@pytest.mark.parametrize(
    ("type_", "size", "content_type", "sides", "names"),
    [
        ("image", 1_000, "image/png", (50, 50), ["image", "file"]),
        ("image", 1_000, "image/png", None, ["image", "file"]),
        ("image", 1_001, "image/png", (50, 50), ["file"]),
        ("image", 1_000, "image/webp", (50, 50), ["file"]),
        ("image", 1_000, "image/png", (51, 50), ["file"]),
        ("image", 1_000, "image/png", (81, 20), ["file"]),
        ("image", 1_000, "image/png", (0, 20), ["image", "file"]),
        ("image", 5_001, "image/png", (50, 50), []),
        ("file", 1_000, "image/png", (50, 50), ["file"]),
        ("file", 5_001, "application/pdf", None, []),
    ],
)
def test_a_file_goes_by_its_type_size_and_sides(
    type_: str, size: int, content_type: str, sides: tuple[int, int] | None, names: Sequence[str]
) -> None:
    file = {"id": 1, "name": "a", "size": size, "content_type": content_type}
    assert [kind.name for kind in kinds_for(type_, file, CAN, sides)] == names


@pytest.mark.parametrize(
    ("body", "kind", "texts"),
    [("0123456789", PHOTO, ["0123456789"]), ("01234567890", PHOTO, ["", "01234567890"]), ("Прайс", ANY, ["", "Прайс"])],
)
def test_a_caption_that_does_not_fit_follows_as_a_text(body: str, kind: FileKind, texts: Sequence[str]) -> None:
    details = {"file": {"id": 1, "name": "a.png", "size": 5, "content_type": "image/png"}}
    assert [part.text for part in parts_of("image", body, details, CAN, "https://x.example/f", kind)] == texts


def test_a_picture_too_long_for_a_photo_goes_as_a_file_and_the_operator_sees_it(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors
) -> None:
    wrote(shop, "tg", vendors)
    file = FileFactory.create(widget=shop, content=png(width=30, height=900), name="long.png")
    message = say(api, alice, "Схема", type="image", file={"id": file.pk})
    send()
    assert vendors.asked_of("tg", "/sendDocument")
    assert not vendors.asked_of("tg", "/sendPhoto")
    assert delivery(message)["sent_as"] == "file"


def test_a_file_too_large_for_the_messenger_goes_as_a_link(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Telegram, "can", Abilities(files=(FileKind("file", max_bytes=1),)))
    wrote(shop, "tg", vendors)
    file = FileFactory.create(widget=shop, name="price.pdf")
    message = say(api, alice, "Прайс", type="file", file={"id": file.pk})
    send()
    (asked,) = vendors.asked_of("tg", "/sendMessage")
    assert asked.body["text"].startswith("Прайс\nprice.pdf: https://chat.example.com/files/")
    assert delivery(message)["sent_as"] == "link"


def test_a_picture_that_the_messenger_refuses_goes_as_the_next_best(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors, monkeypatch: pytest.MonkeyPatch
) -> None:
    from apps.messengers.adapters.client import File as WireFile
    from apps.messengers.adapters.client import ProviderCallFailed, ProviderClient
    from apps.messengers.rules.delivery import Failure, FailureCode, MessagePart

    whole = Telegram.send

    async def send_strictly(
        self: Telegram, client: ProviderClient, to: str, part: MessagePart, key: int, file: WireFile | None
    ) -> str:
        if part.is_image:
            raise ProviderCallFailed(Failure(FailureCode.WRONG_KIND, "PHOTO_INVALID_DIMENSIONS"))
        return await whole(self, client, to, part, key, file)

    monkeypatch.setattr(Telegram, "send", send_strictly)
    wrote(shop, "tg", vendors)
    file = FileFactory.create(widget=shop, content=png(), name="a.png")
    message = say(api, alice, "Роза", type="image", file={"id": file.pk})
    send()
    assert OutboundMessage.objects.get().refused_kinds == ["image"]
    assert delivery(message) == {"state": "sent", "code": None, "detail": None, "attempts": 1, "sent_as": "file"}
