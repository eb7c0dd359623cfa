"""Telegram: the Bot API, https://core.telegram.org/bots/api (setWebhook, getUpdates, Message, sendMessage,
editMessageText, deleteMessage: of what is not older than 48 hours), with the words of https://github.com/tdlib/telegram-bot-api.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from django.utils import translation
from django.utils.translation import gettext as _

from apps.messengers.adapters.adapter import Adapter, ProviderAccount, RegisteredHook, WebhookRequest, same
from apps.messengers.adapters.client import Credentials, File, ProviderClient, ProviderResponse, done_where
from apps.messengers.adapters.greetings import hello, nearest
from apps.messengers.adapters.tg_content import attachments_of, is_service, place_of, unknown_kind, words_of
from apps.messengers.rules.delivery import Abilities, Failure, FailureCode, FileKind, MessagePart
from apps.messengers.rules.inbound import (
    Attachment,
    InboundContent,
    InboundEvent,
    InboundMessage,
    identifier,
    member,
    moment,
    objects,
    plain,
)
from apps.messengers.rules.kinds import Kind, Outcome
from apps.messengers.rules.markup import utf16_length

WANTED = ["message", "edited_message", "my_chat_member"]
LONGEST_START = 64  # characters of a deep link's parameter
_PHOTOS = frozenset({"image/jpeg", "image/png", "image/webp"})
_VIDEOS, _SOUNDS = frozenset({"video/mp4"}), frozenset({"audio/mpeg", "audio/mp4"})
_MB = 1024 * 1024
# Telegram's words for a file that it takes in another way only.
_NOT_SO = ("PHOTO_", "IMAGE_PROCESS_FAILED", "VIDEO_", "wrong file identifier", "file is too big", "wrong type")
_NOT_THERE = ("chat not found", "PEER_ID_INVALID", "USER_ID_INVALID", "user is deactivated", "can't initiate")
_METHODS = {"image": "photo", "video": "video", "audio": "audio", "file": "document"}


class Telegram(Adapter):
    CONFLICT = 409

    code, name, base = "tg", "Telegram", "https://api.telegram.org"
    has_secret = True
    can = Abilities(
        length=utf16_length,
        files=(
            FileKind("image", _PHOTOS, max_bytes=10 * _MB, max_caption=1024, max_sides=10_000, max_ratio=20),
            FileKind("video", _VIDEOS, max_bytes=50 * _MB, max_caption=1024),
            FileKind("audio", _SOUNDS, max_bytes=50 * _MB, max_caption=1024),
            FileKind("file", max_bytes=50 * _MB, max_caption=1024),
        ),
        has_places=True,
        has_buttons=True,
        takes_changes=True,
    )
    reads = {
        **dict.fromkeys(Kind, Outcome.MESSAGE),
        **dict.fromkeys((Kind.TEXT, Kind.CONTACT, Kind.REPLY, Kind.FORWARD, Kind.LINK, Kind.POLL), Outcome.WORDS),
        **dict.fromkeys((Kind.BUTTON, Kind.ORDER), Outcome.WORDS),
        **dict.fromkeys((Kind.EDIT,), Outcome.CHANGE),
        **dict.fromkeys((Kind.REACTION, Kind.LIST, Kind.CALL, Kind.DELETION), Outcome.NEVER),
        Kind.SERVICE: Outcome.NOTHING,
        Kind.UNKNOWN: Outcome.UNKNOWN,
    }
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
        hook = self.call(wire, "getWebhookInfo") if address else {}
        wanted = member(hook, "allowed_updates")
        return not address or (member(hook, "url") == address and set(wanted or ()) == set(WANTED))

    def updates(self, wire: ProviderClient, offset: int, timeout_s: int) -> list[Mapping[str, Any]]:
        """The updates from an offset on, as soon as there are some."""
        wanted = {"offset": offset, "timeout": timeout_s, "limit": 100, "allowed_updates": WANTED}
        return objects(self.call(wire, "getUpdates", json=wanted))

    def proves(self, hook: WebhookRequest) -> bool:
        return same(hook.headers.get("x-telegram-bot-api-secret-token", ""), hook.line.secret)

    def arrivals(self, document: Mapping[str, Any], line: Credentials) -> Sequence[InboundMessage]:
        edited = document.get("edited_message")
        is_edit = isinstance(edited, Mapping)
        message: Any = edited if is_edit else document.get("message")
        if (added := document.get("my_chat_member")) is not None:
            return _added(added, line)
        chat, number = identifier(member(message, "chat", "id")), identifier(member(message, "message_id"))
        is_private = member(message, "chat", "type") in (None, "private")
        if not (isinstance(message, Mapping) and chat and number and is_private) or member(message, "from", "is_bot"):
            return ()
        if is_service(message):
            return ()
        bot = line.token.partition(":")[0]
        name = f"{bot}:{number}"
        if is_edit:
            when = identifier(message.get("edit_date"))
            return (InboundMessage(chat, f"{name}~{when}", message, event=InboundEvent.EDITED, changes=name),)
        if plain(message.get("text")).partition(" ")[0] == "/start":
            return (InboundMessage(chat, name, message, event=InboundEvent.STARTED),)
        return (InboundMessage(chat, name, message, album=identifier(message.get("media_group_id"))),)

    def said(self, part: Mapping[str, Any]) -> InboundContent:
        writer = member(part, "from") or member(part, "chat") or {}
        contact, sticker, text = part.get("contact"), part.get("sticker"), plain(part.get("text"))
        names = (plain(member(writer, "first_name")), plain(member(writer, "last_name")))
        is_own = member(contact, "user_id") is not None and member(contact, "user_id") == member(writer, "id")
        start = text.partition(" ")[2].strip() if text.partition(" ")[0] == "/start" else ""
        return InboundContent(
            text=words_of(part),
            unknown=unknown_kind(part),
            at=moment(part.get("edit_date") or part.get("date")),
            attachments=attachments_of(part),
            place=place_of(part),
            sticker={"id": identifier(member(sticker, "file_unique_id"))} if isinstance(sticker, Mapping) else None,
            user_id=identifier(member(writer, "id")),
            username=plain(member(writer, "username")),
            name=" ".join(filter(None, names)),
            language=plain(member(writer, "language_code")),
            own_phone=plain(member(contact, "phone_number")) if is_own else "",
            attributes={"tg_start": start[:LONGEST_START]} if start else {},
        )

    def greet(self, wire: ProviderClient, to: str, event: InboundEvent, said: InboundContent) -> None:
        words = hello(said.language)
        if event is InboundEvent.ADDED:
            with translation.override(nearest(said.language)):
                words = _("This bot answers in private chats only: please write to it there.")
        self.call(wire, "sendMessage", json={"chat_id": to, "text": words})
        if event is InboundEvent.ADDED:
            self.call(wire, "leaveChat", json={"chat_id": to})

    def start_link(self, public_name: str, token: str) -> str | None:
        return f"https://t.me/{public_name}?start={token}" if public_name else None

    def welcome(self, wire: ProviderClient, to: str, said: InboundContent) -> None:
        with translation.override(nearest(said.language)):
            words = _("Hello! We go on with our conversation here: just write.")
        self.call(wire, "sendMessage", json={"chat_id": to, "text": words})

    def file_address(self, wire: ProviderClient, attachment: Attachment) -> tuple[str, Mapping[str, str]]:
        path = plain(member(self.call(wire, "getFile", json={"file_id": attachment.reference}), "file_path"))
        return f"{wire.line.base}/file/bot{wire.line.token}/{path}", {}

    def send(self, wire: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        if part.place:
            where = {"chat_id": to, "latitude": part.place[0], "longitude": part.place[1]}
            return _id(self.call(wire, "sendLocation", json=where))
        if file is not None:
            method = _METHODS[part.kind.name if part.kind else "file"]
            form = {"chat_id": to, **({"caption": part.text} if part.text else {})}
            if part.marks:
                form["caption_entities"] = orjson.dumps(part.marks["entities"]).decode()
            return _id(self.call(wire, f"send{method.title()}", form=form, files={method: file}))
        message: dict[str, Any] = {"chat_id": to, "text": part.text, **part.marks}
        if part.buttons:
            rows = [[{"text": button["label"], "url": button["url"]}] for button in part.buttons]
            message["reply_markup"] = {"inline_keyboard": rows}
        return _id(self.call(wire, "sendMessage", json=message))

    def edit(self, wire: ProviderClient, to: str, external_id: str, part: MessagePart) -> None:
        edited = {"chat_id": to, "message_id": external_id, "text": part.text, **part.marks}
        with done_where("message is not modified"):
            self.call(wire, "editMessageText", json=edited)

    def delete(self, wire: ProviderClient, to: str, external_id: str) -> None:
        with done_where("message to delete not found"):
            self.call(wire, "deleteMessage", json={"chat_id": to, "message_id": external_id})

    def failure(self, reply: ProviderResponse) -> Failure | None:
        description = self.words(reply)
        if reply.status == 429:
            after = member(reply.json, "parameters", "retry_after")
            return Failure(FailureCode.SLOW_DOWN, description, float(after) if isinstance(after, int) else None)
        if reply.status == self.CONFLICT:
            return Failure(FailureCode.REJECTED, description, number=reply.status)
        if reply.status in (400, 403) and any(words in description for words in _NOT_THERE):
            return Failure(FailureCode.NO_RECIPIENT, description)
        if reply.status == 413 or (reply.status == 400 and any(words in description for words in _NOT_SO)):
            return Failure(FailureCode.WRONG_KIND, description)
        if reply.status == 200 and reply.json.get("ok") is not True:
            return Failure(FailureCode.UNAVAILABLE, description or "The provider's answer could not be read.")
        return None


def _id(message: Any) -> str:
    return identifier(member(message, "message_id"))


def _added(update: Any, line: Credentials) -> Sequence[InboundMessage]:
    """The bot was added to a group or a channel; what else becomes of it there is nothing."""
    chat, is_there = member(update, "chat", "id"), member(update, "new_chat_member", "status")
    if member(update, "chat", "type") in (None, "private") or is_there not in ("member", "administrator"):
        return ()
    name = f"{line.token.partition(':')[0]}:added:{identifier(member(update, 'date'))}"
    return (InboundMessage(identifier(chat), name, update, event=InboundEvent.ADDED),)
