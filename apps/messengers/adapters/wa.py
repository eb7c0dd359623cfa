"""WhatsApp: the Cloud API, https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages and
https://developers.facebook.com/docs/whatsapp/cloud-api/webhooks/components."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.messengers.adapters.client import Credentials, File, ProviderClient
from apps.messengers.adapters.graph import Graph, code_of
from apps.messengers.rules.delivery import Abilities, FailureCode, MessagePart
from apps.messengers.rules.inbound import (
    Attachment,
    InboundContent,
    InboundMessage,
    Receipt,
    identifier,
    member,
    objects,
    plain,
)

_FILES = ("image", "document", "audio", "video", "voice")
_STATES = {"delivered": "delivered", "read": "read", "failed": "failed"}


class WhatsApp(Graph):
    code, name = "wa", "WhatsApp"
    fields = ("url", "token", "sid")
    can = Abilities(longest_caption=1024, uploads=frozenset({"image", "file"}), has_places=True)

    def arrivals(self, document: Mapping[str, Any], line: Credentials) -> Sequence[InboundMessage]:
        found = []
        for value in _values(document):
            if identifier(member(value, "metadata", "phone_number_id")) not in ("", line.sid):
                continue
            names = {
                identifier(one.get("wa_id")): plain(member(one, "profile", "name"))
                for one in objects(value.get("contacts"))
            }
            for message in objects(value.get("messages")):
                writer, number = identifier(message.get("from")), identifier(message.get("id"))
                if writer and number and message.get("type") not in ("reaction", "system"):
                    found.append(InboundMessage(writer, number, {**message, "_name": names.get(writer, "")}))
        return found

    def receipts(self, document: Mapping[str, Any]) -> Sequence[Receipt]:
        found = []
        for value in _values(document):
            for status in objects(value.get("statuses")):
                state = _STATES.get(plain(status.get("status")))
                if state is None:
                    continue
                errors = objects(status.get("errors"))
                code = (code_of(errors[0]) or FailureCode.REJECTED) if errors else FailureCode.REJECTED
                detail = plain(errors[0].get("title")) if errors else ""
                is_failed = state == "failed"
                ids = (identifier(status.get("id")),)
                found.append(Receipt(state, ids, code=code if is_failed else None, detail=detail if is_failed else ""))
        return found

    def said(self, part: Mapping[str, Any]) -> InboundContent:
        kind, writer = plain(part.get("type")), identifier(part.get("from"))
        about = part.get(kind) if isinstance(part.get(kind), Mapping) else {}
        text = plain(member(part, "text", "body")) or plain(member(about, "caption"))
        text = (
            text or plain(member(part, "button", "text")) or plain(member(part, "interactive", "button_reply", "title"))
        )
        files = []
        if kind in _FILES:
            name = plain(member(about, "filename")) or f"{kind}.{_ending(about)}"
            files.append(Attachment(name, plain(member(about, "id")), is_image=kind == "image"))
        lat, lng = member(about, "latitude"), member(about, "longitude")
        is_place = isinstance(lat, int | float) and isinstance(lng, int | float)
        for person in objects(part.get("contacts")):
            phones = objects(person.get("phones"))
            text = (
                f"{plain(member(person, 'name', 'formatted_name'))}: {plain(phones[0].get('phone')) if phones else ''}"
            )
        return InboundContent(
            text=text,
            attachments=files,
            place=(float(lat), float(lng)) if is_place else None,
            sticker={"id": identifier(member(about, "id"))} if kind == "sticker" else None,
            user_id=writer,
            name=plain(part.get("_name")),
            phone=f"+{writer}" if writer.isdigit() else "",
        )

    def file_address(self, wire: ProviderClient, attachment: Attachment) -> tuple[str, Mapping[str, str]]:
        address = plain(self.call(wire, "GET", f"/{attachment.reference}").get("url"))
        return address, {"Authorization": f"Bearer {wire.line.token}"}

    def health(self, wire: ProviderClient, address: str) -> bool:
        self.call(wire, "GET", f"/{wire.line.sid}")
        return True

    def send(self, wire: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        message: dict[str, Any] = {"messaging_product": "whatsapp", "recipient_type": "individual", "to": to}
        if part.place:
            message |= {"type": "location", "location": {"latitude": part.place[0], "longitude": part.place[1]}}
        elif file is not None:
            form = {"messaging_product": "whatsapp", "type": file[2]}
            uploaded = self.call(wire, "POST", f"/{wire.line.sid}/media", form=form, files={"file": file})
            kind = "image" if part.is_image else "document"
            about = {"id": identifier(uploaded.get("id"))} | ({"caption": part.text} if part.text else {})
            message |= {"type": kind, kind: about if part.is_image else {**about, "filename": file[0]}}
        else:
            message |= {"type": "text", "text": {"body": part.text, "preview_url": False}}
        answer = self.call(wire, "POST", f"/{wire.line.sid}/messages", json=message)
        sent = objects(answer.get("messages"))
        return identifier(sent[0].get("id")) if sent else ""


def _values(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    changes = [change for entry in objects(document.get("entry")) for change in objects(entry.get("changes"))]
    return [value for change in changes if isinstance(value := change.get("value"), Mapping)]


def _ending(about: Any) -> str:
    return plain(member(about, "mime_type")).partition(";")[0].rpartition("/")[2] or "bin"
