"""Telegram: the Bot API, https://core.telegram.org/bots/api (setWebhook, getUpdates, Message, sendMessage)."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.messengers.adapters.adapter import Adapter, ProviderAccount, RegisteredHook, WebhookRequest, same
from apps.messengers.adapters.client import Credentials, File, ProviderClient, ProviderResponse
from apps.messengers.rules.delivery import Abilities, Failure, FailureCode, MessagePart, utf16_length
from apps.messengers.rules.inbound import Attachment, InboundContent, InboundMessage, identifier, member, objects, plain

WANTED = ["message"]
_FILES = ("document", "voice", "video", "audio", "animation", "video_note")


class Telegram(Adapter):
    CONFLICT = 409

    code, name, base = "tg", "Telegram", "https://api.telegram.org"
    has_secret = True
    can = Abilities(
        length=utf16_length,
        longest_caption=1024,
        uploads=frozenset({"image", "file"}),
        has_places=True,
        has_buttons=True,
    )
    forbidden = FailureCode.BLOCKED

    def call(self, wire: ProviderClient, method: str, **more: Any) -> Any:
        """A method of the Bot API; its result."""
        return wire.ask("POST", f"/bot{wire.line.token}/{method}", **more).json.get("result")

    def probe(self, wire: ProviderClient) -> ProviderAccount:
        me = self.call(wire, "getMe")
        username = plain(member(me, "username"))
        return ProviderAccount(identifier(member(me, "id")), plain(member(me, "first_name")) or username, username)

    def register(self, wire: ProviderClient, address: str, secret: str) -> RegisteredHook:
        wanted = {"url": address, "secret_token": secret, "allowed_updates": WANTED}
        self.call(wire, "setWebhook", json=wanted)
        return RegisteredHook()

    def unregister(self, wire: ProviderClient) -> None:
        self.call(wire, "deleteWebhook", json={"drop_pending_updates": False})

    def health(self, wire: ProviderClient, address: str) -> bool:
        self.probe(wire)
        return not address or member(self.call(wire, "getWebhookInfo"), "url") == address

    def updates(self, wire: ProviderClient, offset: int, timeout_s: int) -> list[Mapping[str, Any]]:
        """The updates from an offset on, as soon as there are some."""
        wanted = {"offset": offset, "timeout": timeout_s, "limit": 100, "allowed_updates": WANTED}
        return objects(self.call(wire, "getUpdates", json=wanted))

    def proves(self, hook: WebhookRequest) -> bool:
        return same(hook.headers.get("x-telegram-bot-api-secret-token", ""), hook.line.secret)

    def arrivals(self, document: Mapping[str, Any], line: Credentials) -> Sequence[InboundMessage]:
        message = document.get("message")
        chat, number = identifier(member(message, "chat", "id")), identifier(member(message, "message_id"))
        is_private = member(message, "chat", "type") in (None, "private")
        if not (isinstance(message, Mapping) and chat and number and is_private) or member(message, "from", "is_bot"):
            return ()
        return (InboundMessage(chat, number, message),)

    def said(self, part: Mapping[str, Any]) -> InboundContent:
        writer = member(part, "from") or member(part, "chat") or {}
        place, contact, sticker = part.get("location"), part.get("contact"), part.get("sticker")
        names = (plain(member(writer, "first_name")), plain(member(writer, "last_name")))
        text, own_phone = plain(part.get("text") or part.get("caption")), ""
        if isinstance(contact, Mapping):
            named = " ".join(filter(None, (plain(contact.get("first_name")), plain(contact.get("last_name")))))
            text = f"{named}: {plain(contact.get('phone_number'))}"
            is_own = contact.get("user_id") is not None and contact.get("user_id") == member(writer, "id")
            own_phone = plain(contact.get("phone_number")) if is_own else ""
        emoji = plain(member(sticker, "emoji"))
        return InboundContent(
            text=text or emoji,
            attachments=_attachments(part),
            place=_place(place),
            sticker={"id": identifier(member(sticker, "file_unique_id"))} if isinstance(sticker, Mapping) else None,
            user_id=identifier(member(writer, "id")),
            username=plain(member(writer, "username")),
            name=" ".join(filter(None, names)),
            own_phone=own_phone,
        )

    def file_address(self, wire: ProviderClient, attachment: Attachment) -> tuple[str, Mapping[str, str]]:
        path = plain(member(self.call(wire, "getFile", json={"file_id": attachment.reference}), "file_path"))
        return f"{wire.line.base}/file/bot{wire.line.token}/{path}", {}

    def send(self, wire: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        if part.place:
            where = {"chat_id": to, "latitude": part.place[0], "longitude": part.place[1]}
            return _id(self.call(wire, "sendLocation", json=where))
        if file is not None:
            kind = "photo" if part.is_image else "document"
            form = {"chat_id": to, **({"caption": part.text} if part.text else {})}
            return _id(self.call(wire, f"send{kind.title()}", form=form, files={kind: file}))
        message: dict[str, Any] = {"chat_id": to, "text": part.text}
        if part.buttons:
            rows = [[{"text": button["label"], "url": button["url"]}] for button in part.buttons]
            message["reply_markup"] = {"inline_keyboard": rows}
        return _id(self.call(wire, "sendMessage", json=message))

    def failure(self, reply: ProviderResponse) -> Failure | None:
        description = self.words(reply)
        if reply.status == 429:
            after = member(reply.json, "parameters", "retry_after")
            return Failure(FailureCode.SLOW_DOWN, description, float(after) if isinstance(after, int) else None)
        if reply.status == self.CONFLICT:
            return Failure(FailureCode.REJECTED, description, number=reply.status)
        if reply.status == 400 and "chat not found" in description:
            return Failure(FailureCode.NO_RECIPIENT, description)
        if reply.status == 200 and reply.json.get("ok") is not True:
            return Failure(FailureCode.UNAVAILABLE, description or "The provider's answer could not be read.")
        return None


def _id(message: Any) -> str:
    return identifier(member(message, "message_id"))


def _place(place: Any) -> tuple[float, float] | None:
    lat, lng = member(place, "latitude"), member(place, "longitude")
    is_place = isinstance(lat, int | float) and isinstance(lng, int | float) and abs(lat) <= 90 and abs(lng) <= 180
    return (float(lat), float(lng)) if is_place else None


def _attachments(part: Mapping[str, Any]) -> list[Attachment]:
    photos = objects(part.get("photo"))
    if photos:
        largest = photos[-1]
        return [Attachment("photo.jpg", plain(largest.get("file_id")), is_image=True, size=_size(largest))]
    found: list[Attachment] = []
    for kind in _FILES:
        file = part.get(kind)
        if isinstance(file, Mapping) and not found:
            name = plain(file.get("file_name")) or f"{kind}.{_ENDINGS.get(kind, 'bin')}"
            found.append(Attachment(name, plain(file.get("file_id")), size=_size(file)))
    return found


_ENDINGS = {"voice": "ogg", "video": "mp4", "audio": "mp3", "animation": "mp4", "video_note": "mp4"}


def _size(file: Mapping[str, Any]) -> int | None:
    size = file.get("file_size")
    return size if isinstance(size, int) else None
