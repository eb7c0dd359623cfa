"""Avito: the messenger of its cabinets, https://developers.avito.ru/api-catalog/messenger/documentation, with tokens of
https://developers.avito.ru/api-catalog/auth/documentation. Its signature has no published algorithm: the key in the
path is the proof. Avito does not pass on the content of files, videos and calls in the app."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from apps.messengers.adapters.adapter import Adapter, ProviderAccount, RegisteredHook, WebhookRequest
from apps.messengers.adapters.av.about import ABOUT
from apps.messengers.adapters.client import (
    Credentials,
    File,
    ProviderCallFailed,
    ProviderClient,
    ProviderResponse,
    uploading,
)
from apps.messengers.rules.delivery import Abilities, Failure, FailureCode, FileKind, MessagePart
from apps.messengers.rules.inbound import (
    Attachment,
    InboundContent,
    InboundEvent,
    InboundMessage,
    advertised,
    identifier,
    linked,
    member,
    moment,
    objects,
    plain,
    point,
    quoted,
    with_lines,
)
from apps.messengers.rules.kinds import Kind, Outcome

PAYMENT_REQUIRED, FORBIDDEN = 402, 403
_VOICE = "voice:"  # a voice message is asked for by its id
_KNOWN = frozenset({"text", "image", "link", "item", "location", "call", "voice"})
# Avito takes JPEG, HEIC, GIF, BMP and PNG of up to 24 MB and 75 megapixels.
_PHOTOS = frozenset({"image/jpeg", "image/png", "image/gif", "image/bmp", "image/heic"})


class Avito(Adapter):
    code, about, base, fields = "av", ABOUT, "https://api.avito.ru", ()
    keeps_addresses = True
    vendor_fields = ("client_id", "client_secret")
    can = Abilities(longest=1000, files=(FileKind("image", _PHOTOS),))
    reads = {
        **dict.fromkeys(Kind, Outcome.NEVER),
        **dict.fromkeys((Kind.IMAGE, Kind.VOICE, Kind.LOCATION), Outcome.MESSAGE),
        **dict.fromkeys((Kind.TEXT, Kind.LINK, Kind.REPLY, Kind.ORDER, Kind.CALL), Outcome.WORDS),
        **dict.fromkeys((Kind.FILE, Kind.VIDEO), Outcome.UNKNOWN),
        Kind.DELETION: Outcome.CHANGE,
        Kind.SERVICE: Outcome.NOTHING,
        Kind.UNKNOWN: Outcome.UNKNOWN,
    }
    forbidden = FailureCode.BLOCKED

    async def call(self, client: ProviderClient, method: str, path: str, **more: Any) -> dict[str, Any]:
        """A call of the API."""
        headers = {"Authorization": f"Bearer {client.credentials.token}"}
        return (await client.ask(method, path, headers=headers, **more)).json

    async def tokens(self, client: ProviderClient, **grant: str) -> dict[str, Any]:
        """Access and refresh token for a code, or for a refresh token."""
        form = {"client_id": client.credentials.client_id, "client_secret": client.credentials.client_secret, **grant}
        return (await client.ask("POST", "/token", form=form)).json

    async def probe(self, client: ProviderClient) -> ProviderAccount:
        me = await self.call(client, "GET", "/core/v1/accounts/self")
        return ProviderAccount(identifier(me.get("id")), plain(me.get("name")))

    async def register(self, client: ProviderClient, address: str, secret: str) -> RegisteredHook:
        await self.call(client, "POST", "/messenger/v3/webhook", json={"url": address})
        return RegisteredHook()

    async def unregister(self, client: ProviderClient) -> None:
        await self.call(client, "POST", "/messenger/v1/webhook/unsubscribe", json={"url": client.credentials.callback})

    async def health(self, client: ProviderClient, address: str) -> bool:
        await self.probe(client)
        listed = objects((await self.call(client, "POST", "/messenger/v1/subscriptions")).get("subscriptions"))
        return address in [one.get("url") for one in listed]

    def verify(self, request: WebhookRequest) -> bool:
        return True

    def messages(self, document: Mapping[str, Any], credentials: Credentials) -> Sequence[InboundMessage]:
        value = member(document, "payload", "value")
        chat, number = identifier(member(value, "chat_id")), identifier(member(value, "id"))
        writer, owner = identifier(member(value, "author_id")), identifier(member(value, "user_id"))
        # Avito itself writes as 0 or 1.
        is_ours = writer in ("", "0", "1", owner, credentials.account) or member(value, "type") == "system"
        if member(document, "payload", "type") != "message" or not chat or not number or is_ours:
            return ()
        if member(value, "type") == "deleted":
            gone = InboundMessage(chat, f"{number}~deleted", value or {}, event=InboundEvent.DELETED, changes=number)
            return (gone,)
        return (InboundMessage(chat, number, value or {}),)

    def content(self, part: Mapping[str, Any]) -> InboundContent:
        content, kind, files = part.get("content") or {}, plain(part.get("type")), []
        sizes = member(content, "image", "sizes")
        if isinstance(sizes, Mapping) and sizes:
            largest = max(sizes, key=_area)
            files.append(Attachment("photo.jpg", plain(sizes[largest]), is_image=True))
        if voice := identifier(member(content, "voice", "voice_id")):
            files.append(Attachment("voice.mp4", f"{_VOICE}{voice}"))
        answered = member(part, "quote", "content")
        return InboundContent(
            text=quoted(_words(content), _words(answered)) if answered else _words(content),
            unknown=kind if kind and kind not in _KNOWN else "",
            at=moment(part.get("created")),
            attachments=files,
            place=point(member(content, "location", "lat"), member(content, "location", "lon")),
            user_id=identifier(part.get("author_id")),
            extra={"chat": identifier(part.get("chat_id"))},
        )

    async def profile(self, client: ProviderClient, content: InboundContent) -> InboundContent:
        chat = await self.call(
            client, "GET", f"/messenger/v2/accounts/{client.credentials.account}/chats/{content.extra.get('chat', '')}"
        )
        people = {identifier(one.get("id")): plain(one.get("name")) for one in objects(chat.get("users"))}
        names = {"title": "title", "url": "url", "price": "price_string"}
        facts = {name: plain(member(chat, "context", "value", theirs)) for name, theirs in names.items()}
        return replace(content, name=people.get(content.user_id, ""), attributes=advertised(**facts))

    async def file_address(self, client: ProviderClient, attachment: Attachment) -> tuple[str, Mapping[str, str]]:
        if not attachment.reference.startswith(_VOICE):
            return attachment.reference, {}
        voice = attachment.reference.removeprefix(_VOICE)
        path = f"/messenger/v1/accounts/{client.credentials.account}/getVoiceFiles"
        found = plain(member(await self.call(client, "GET", path, query={"voice_ids": voice}), "voices_urls", voice))
        if not found:
            raise ProviderCallFailed(Failure(FailureCode.NO_FILE, "The voice message is not available."))
        return found, {}

    async def send(self, client: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        account = f"/messenger/v1/accounts/{client.credentials.account}"
        if file is None:
            message = {"type": "text", "message": {"text": part.text}}
            return identifier(
                (await self.call(client, "POST", f"{account}/chats/{to}/messages", json=message)).get("id")
            )
        with uploading():
            uploaded = await self.call(client, "POST", f"{account}/uploadImages", files={"uploadfile[]": file})
        image = {"image_id": next(iter(uploaded), "")}
        if not image["image_id"]:
            raise ProviderCallFailed(Failure(FailureCode.WRONG_KIND, "Avito did not take the picture."))
        return identifier(
            (await self.call(client, "POST", f"{account}/chats/{to}/messages/image", json=image)).get("id")
        )

    def failure(self, response: ProviderResponse) -> Failure | None:
        """Avito's two refusals: 402 `purchasingError`, since only some of its subscriptions have the messenger's API;
        403 `forbiddenError` of a chat that may not be written to, or of a token.
        """
        words = self.words(response)
        if response.status == PAYMENT_REQUIRED:
            return Failure(FailureCode.NOT_PAID, words)
        if response.status == FORBIDDEN and "token" in words.lower():
            return Failure(FailureCode.CREDENTIAL_REJECTED, words)
        return None

    def words(self, response: ProviderResponse) -> str:
        found = (plain(member(response.json, name, "message")) for name in ("error", "result"))
        return next(filter(None, found), "") or super().words(response)


def _words(content: Any) -> str:
    """The text of a message's content, with a line for what is no text."""
    item, link, place = (member(content, name) for name in ("item", "link", "location"))
    lines = [
        linked(plain(member(link, "preview", "title")), plain(member(link, "url"))),
        linked(_offered(item), plain(member(item, "item_url"))),
        plain(member(place, "title")) or plain(member(place, "text")),
        "[пропущенный звонок]" if member(content, "call", "status") == "missed" else "",
    ]
    text = plain(member(content, "text")) or plain(member(link, "text"))
    return with_lines(text, [line for line in lines if line])


def _offered(item: Any) -> str:
    return ", ".join(filter(None, (plain(member(item, "title")), plain(member(item, "price_string")))))


def _area(size: str) -> int:
    """The area of a picture's size, such as `640x480`."""
    width, _, height = str(size).partition("x")
    return int(width) * int(height) if width.isdigit() and height.isdigit() else 0


ADAPTER = Avito()
