"""MAX: the bot API, https://dev.max.ru/docs-api (subscriptions, messages, uploads). Its certificates are of a root that
SSL_CERT_FILE must name."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.messengers.adapters.adapter import Adapter, ProviderAccount, RegisteredHook, WebhookRequest, same
from apps.messengers.adapters.client import Credentials, File, ProviderCallFailed, ProviderClient, ProviderResponse
from apps.messengers.rules.delivery import Abilities, Failure, FailureCode, MessagePart
from apps.messengers.rules.inbound import Attachment, InboundContent, InboundMessage, identifier, member, objects, plain

_NOT_READY = "attachment.not.ready"


class Max(Adapter):
    code, name, base = "mx", "MAX", "https://platform-api2.max.ru"
    has_secret = True
    can = Abilities(longest=4000, longest_caption=4000, uploads=frozenset({"image", "file"}), has_places=True)
    forbidden = FailureCode.BLOCKED

    def call(self, wire: ProviderClient, method: str, path: str, **more: Any) -> dict[str, Any]:
        """A call of the API."""
        return wire.ask(method, path, headers={"Authorization": wire.line.token}, **more).json

    def register(self, wire: ProviderClient, address: str, secret: str) -> RegisteredHook:
        wanted = {"url": address, "update_types": ["message_created"], "secret": secret}
        if self.call(wire, "POST", "/subscriptions", json=wanted).get("success") is not True:
            raise ProviderCallFailed(Failure(FailureCode.REJECTED, "MAX did not confirm the subscription."))
        try:
            me = self.call(wire, "GET", "/me")
        except ProviderCallFailed:
            return RegisteredHook()
        name = plain(me.get("name") or me.get("first_name"))
        return RegisteredHook(ProviderAccount(identifier(me.get("user_id")), name, plain(me.get("username"))))

    def health(self, wire: ProviderClient, address: str) -> bool:
        listed = objects(self.call(wire, "GET", "/subscriptions").get("subscriptions"))
        return address in [one.get("url") for one in listed]

    def proves(self, hook: WebhookRequest) -> bool:
        return same(hook.headers.get("x-max-bot-api-secret", ""), hook.line.secret)

    def arrivals(self, document: Mapping[str, Any], line: Credentials) -> Sequence[InboundMessage]:
        message = document.get("message")
        chat, number = identifier(member(message, "recipient", "chat_id")), identifier(member(message, "body", "mid"))
        is_dialog = member(message, "recipient", "chat_type") in (None, "dialog")
        is_bot = member(message, "sender", "is_bot")
        if document.get("update_type") != "message_created" or not chat or not number or not is_dialog or is_bot:
            return ()
        return (InboundMessage(chat, number, message or {}),)

    def said(self, part: Mapping[str, Any]) -> InboundContent:
        body, sender = part.get("body") or {}, part.get("sender") or {}
        text, files, place, sticker, own_phone = plain(member(body, "text")), [], None, None, ""
        for given in objects(member(body, "attachments")):
            kind, payload = plain(given.get("type")), given.get("payload")
            lat, lng = given.get("latitude"), given.get("longitude")
            if kind in ("image", "video", "audio", "file"):
                name = plain(given.get("filename")) or {"image": "photo.jpg", "video": "video.mp4"}.get(kind, kind)
                files.append(Attachment(name, plain(member(payload, "url")), is_image=kind == "image"))
            elif kind == "location" and isinstance(lat, int | float) and isinstance(lng, int | float):
                place = (float(lat), float(lng))
            elif kind == "sticker":
                sticker = {"id": identifier(member(payload, "code")), "url": plain(member(payload, "url"))}
            elif kind == "contact":
                phone = _phone(plain(member(payload, "vcf_info")))
                text = f"{plain(member(payload, 'max_info', 'name'))}: {phone}"
                is_own = member(payload, "max_info", "user_id") == member(sender, "user_id") is not None
                own_phone = phone if is_own else ""
        names = (plain(member(sender, "first_name")), plain(member(sender, "last_name")))
        return InboundContent(
            text=text,
            attachments=files,
            place=place,
            sticker=sticker,
            user_id=identifier(member(sender, "user_id")),
            username=plain(member(sender, "username")),
            name=plain(member(sender, "name")) or " ".join(filter(None, names)),
            own_phone=own_phone,
        )

    def send(self, wire: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        message: dict[str, Any] = {"text": part.text} if part.text else {}
        if part.place:
            where = {"type": "location", "latitude": part.place[0], "longitude": part.place[1]}
            message["attachments"] = [where]
        elif file is not None:
            kind = "image" if part.is_image else "file"
            message["attachments"] = [{"type": kind, "payload": {"token": self._uploaded(wire, kind, file)}}]
        answer = self.call(wire, "POST", "/messages", query={"chat_id": to}, json=message)
        return identifier(member(answer, "message", "body", "mid"))

    def _uploaded(self, wire: ProviderClient, kind: str, file: File) -> str:
        server = plain(self.call(wire, "POST", "/uploads", query={"type": kind}).get("url"))
        answer = wire.ask("POST", server, files={"data": file}).json
        photos = answer.get("photos")
        first = next(iter(photos.values()), {}) if isinstance(photos, dict) else answer
        return plain(member(first, "token"))

    def failure(self, reply: ProviderResponse) -> Failure | None:
        if reply.json.get("code") == _NOT_READY:
            return Failure(FailureCode.UNAVAILABLE, self.words(reply))
        return None


def _phone(card: str) -> str:
    """The number in a vCard."""
    for line in card.splitlines():
        if line.upper().startswith("TEL"):
            return line.rpartition(":")[2].strip()
    return ""
