"""Avito: the messenger of its cabinets, https://developers.avito.ru/api-catalog/messenger/documentation, with tokens of
https://developers.avito.ru/api-catalog/auth/documentation. Its signature has no published algorithm: the key in the
path is the proof."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.messengers.adapters.adapter import Adapter, ProviderAccount, RegisteredHook, WebhookRequest
from apps.messengers.adapters.client import Credentials, File, ProviderClient
from apps.messengers.rules.delivery import Abilities, MessagePart
from apps.messengers.rules.inbound import Attachment, InboundContent, InboundMessage, identifier, member, objects, plain


class Avito(Adapter):
    code, name, base, fields = "av", "Avito", "https://api.avito.ru", ()
    can = Abilities(longest=1000, uploads=frozenset({"image"}))

    def call(self, wire: ProviderClient, method: str, path: str, **more: Any) -> dict[str, Any]:
        """A call of the API."""
        return wire.ask(method, path, headers={"Authorization": f"Bearer {wire.line.token}"}, **more).json

    def tokens(self, wire: ProviderClient, **grant: str) -> dict[str, Any]:
        """Access and refresh token for a code, or for a refresh token."""
        form = {"client_id": wire.line.client_id, "client_secret": wire.line.client_secret, **grant}
        return wire.ask("POST", "/token", form=form).json

    def probe(self, wire: ProviderClient) -> ProviderAccount:
        me = self.call(wire, "GET", "/core/v1/accounts/self")
        return ProviderAccount(identifier(me.get("id")), plain(me.get("name")))

    def register(self, wire: ProviderClient, address: str, secret: str) -> RegisteredHook:
        self.call(wire, "POST", "/messenger/v3/webhook", json={"url": address})
        return RegisteredHook()

    def health(self, wire: ProviderClient, address: str) -> bool:
        self.probe(wire)
        return True

    def proves(self, hook: WebhookRequest) -> bool:
        return True

    def arrivals(self, document: Mapping[str, Any], line: Credentials) -> Sequence[InboundMessage]:
        value = member(document, "payload", "value")
        chat, number = identifier(member(value, "chat_id")), identifier(member(value, "id"))
        writer, owner = identifier(member(value, "author_id")), identifier(member(value, "user_id"))
        is_ours = not writer or writer == owner or writer == line.account
        if member(document, "payload", "type") != "message" or not chat or not number or is_ours:
            return ()
        return (InboundMessage(chat, number, value or {}),)

    def said(self, part: Mapping[str, Any]) -> InboundContent:
        content = part.get("content") or {}
        sizes, place, files = member(content, "image", "sizes"), None, []
        if isinstance(sizes, Mapping) and sizes:
            largest = max(sizes, key=_area)
            files.append(Attachment("photo.jpg", plain(sizes[largest]), is_image=True))
        lat, lng = member(content, "location", "lat"), member(content, "location", "lon")
        if isinstance(lat, int | float) and isinstance(lng, int | float):
            place = (float(lat), float(lng))
        text = plain(member(content, "text")) or plain(member(content, "link", "text"))
        user_id, where = identifier(part.get("author_id")), {"chat": identifier(part.get("chat_id"))}
        return InboundContent(text=text, attachments=files, place=place, user_id=user_id, extra=where)

    def profile(self, wire: ProviderClient, said: InboundContent) -> str:
        chat = self.call(wire, "GET", f"/messenger/v2/accounts/{wire.line.account}/chats/{said.extra.get('chat', '')}")
        people = {identifier(one.get("id")): plain(one.get("name")) for one in objects(chat.get("users"))}
        return people.get(said.user_id, "")

    def send(self, wire: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        account = f"/messenger/v1/accounts/{wire.line.account}"
        if file is None:
            message = {"type": "text", "message": {"text": part.text}}
            return identifier(self.call(wire, "POST", f"{account}/chats/{to}/messages", json=message).get("id"))
        uploaded = self.call(wire, "POST", f"{account}/uploadImages", files={"uploadfile[]": file})
        image = {"image_id": next(iter(uploaded), "")}
        return identifier(self.call(wire, "POST", f"{account}/chats/{to}/messages/image", json=image).get("id"))


def _area(size: str) -> int:
    """The area of a picture's size, such as `640x480`."""
    width, _, height = str(size).partition("x")
    return int(width) * int(height) if width.isdigit() and height.isdigit() else 0
