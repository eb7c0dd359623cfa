"""WhatsApp and Messenger: Meta's Graph API.

Refused is what the pages of https://developers.facebook.com/documentation/business-messaging say: for WhatsApp those of
messages, media and business-scoped user ids; for Messenger the Send API's, and saving-assets.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from apps.demo.servers.vendors import Answer, PlayedCall, PlayedMessengers, bearer

_OFFICE = "application/vnd.openxmlformats-officedocument"
_DOCUMENTS = [f"application/{name}" for name in ("pdf", "msword", "vnd.ms-excel", "vnd.ms-powerpoint")]
_DOCUMENTS += [f"{_OFFICE}.{name}" for name in ("wordprocessingml.document", "spreadsheetml.sheet")]
_DOCUMENTS += [f"{_OFFICE}.presentationml.presentation", "text/plain"]
# The type of a message, the content types that it takes, and their largest size in MB.
_MEDIA: dict[str, tuple[Sequence[str], float]] = {
    "image": (("image/jpeg", "image/png"), 5),
    "video": (("video/mp4", "video/3gpp"), 16),
    "audio": (("audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg"), 16),
    "document": (_DOCUMENTS, 100),
    "sticker": (("image/webp",), 0.5),
}
_UPLOADED = sorted({type_ for types, _ in _MEDIA.values() for type_ in types})
_NUMBER, _USER = re.compile(r"\+?[0-9]{5,20}"), re.compile(r"[A-Z]{2}\.[A-Za-z0-9.]+")
# The id of the business account of each played number, and the page of each token.
ACCOUNT, PAGE = "102290129340398", "1"
_FIELDS = {"messages", "messaging_postbacks", "message_edits", "message_deliveries", "message_reads"}
_FIELDS |= {"message_reactions", "messaging_referrals", "messaging_optins", "message_echoes"}


class PlayedMeta(PlayedMessengers):
    """The vendor's side. `pages` has the page of a token, where it is not the usual one."""

    def __init__(self, port: int = 0) -> None:
        super().__init__(port)
        self.pages: dict[str, str] = {}
        self.subscribed: dict[tuple[str, str], list[str]] = {}  # by vendor and account: the fields
        self._media: dict[str, tuple[str, int]] = {}

    # --- WhatsApp --------------------------------------------------------------------------------------------------

    def _wa(self, call: PlayedCall) -> Answer:
        if call.path.startswith("/files/"):
            return 200, self.files.get(call.path.rpartition("/")[2], b"")
        if bearer(call) in self.rejected:
            return _refuses(401, 190, "Error validating access token")
        node, _, edge = call.path.strip("/").partition("/")
        if edge == "subscribed_apps":
            return self._wa_subscribed(call, node)
        if edge == "media":
            return self._wa_media(call)
        if edge == "messages":
            refused = self._wa_refused(call.body)
            return refused or (200, {"messaging_product": "whatsapp", "messages": [{"id": f"wamid.{self.next_id()}"}]})
        if not node.isdecimal():
            return _refuses(400, 100, f"Unsupported get request. Object with ID '{node}' does not exist", 33)
        health = {"entities": [{"entity_type": "PHONE_NUMBER", "id": node}, {"entity_type": "WABA", "id": ACCOUNT}]}
        about = {"id": node, "verified_name": "Shop", "display_phone_number": "+7 999 000-00-00"}
        fields = call.query.get("fields", "").split(",")
        told = {name: value for name, value in {**about, "health_status": health}.items() if name in fields}
        return 200, told or {"id": node, "url": f"{self.base('wa')}/files/{node}", "mime_type": "image/jpeg"}

    def _wa_subscribed(self, call: PlayedCall, account: str) -> Answer:
        if account != ACCOUNT:
            return _refuses(400, 100, "Unsupported request: no such business account", 33)
        if call.method == "POST":
            self.subscribed["wa", account] = ["messages"]
            return 200, {"success": True}
        app = {"whatsapp_business_api_data": {"id": "67890", "name": "Parley"}}
        return 200, {"data": [app] if ("wa", account) in self.subscribed else []}

    def _wa_media(self, call: PlayedCall) -> Answer:
        type_, file = call.body.get("type", ""), call.file("file")
        if call.body.get("messaging_product") != "whatsapp" or file is None:
            return _refuses(400, 100, "(#100) The parameter messaging_product is required.")
        if type_ not in _UPLOADED:
            words = f"(#100) Param file must be a file with one of the following types: {', '.join(_UPLOADED)}."
            return _refuses(400, 100, f"{words} Received file of type '{type_}'.")
        number = str(self.next_id())
        self._media[number] = (type_, len(file))
        return 200, {"id": number}

    def _wa_refused(self, body: dict[str, Any]) -> Answer | None:
        to, recipient, kind = body.get("to"), body.get("recipient"), body.get("type")
        if body.get("messaging_product") != "whatsapp":
            return _refuses(400, 100, "(#100) The parameter messaging_product is required.")
        if not (_NUMBER.fullmatch(str(to or "")) or (not to and _USER.fullmatch(str(recipient or "")))):
            return _refuses(400, 131009, "(#131009) Parameter value is not valid")
        about = body.get(str(kind))
        if not isinstance(about, dict):
            return _refuses(400, 131009, "(#131009) Parameter value is not valid")
        if kind == "text" and not 0 < len(about.get("body", "")) <= 4096:
            return _refuses(400, 100, "(#100) Param text['body'] must be at most 4096 characters long.")
        if kind in _MEDIA:
            types, largest = _MEDIA[str(kind)]
            type_, size = self._media.get(str(about.get("id")), ("", 0))
            if type_ not in types or size > largest * 1024 * 1024:
                return _refuses(400, 131053, "(#131053) Media upload error")
            if len(about.get("caption", "")) > (1024 if kind != "audio" else 0):
                return _refuses(400, 131009, "(#131009) Parameter value is not valid")
        return None

    # --- Messenger ------------------------------------------------------------------------------------------------

    def _fb(self, call: PlayedCall) -> Answer:
        if call.path.startswith("/files/"):
            return 200, self.files.get(call.path.rpartition("/")[2], b"")
        if bearer(call) in self.rejected:
            return _refuses(401, 190, "Error validating access token")
        page = self.pages.get(bearer(call), PAGE)
        if call.path == "/me":
            return 200, {"id": page, "name": "Shop"}
        if call.path == "/me/subscribed_apps":
            return self._fb_subscribed(call, page)
        if call.path == "/me/messages":
            return _fb_refused(call) or (200, {"recipient_id": "1", "message_id": f"m_{self.next_id()}"})
        return 200, {"id": call.path.strip("/"), "first_name": "Анна", "last_name": "Иванова"}

    def _fb_subscribed(self, call: PlayedCall, page: str) -> Answer:
        if call.method == "GET":
            fields = self.subscribed.get(("fb", page))
            return 200, {"data": [{"id": "67890", "name": "Parley", "subscribed_fields": fields}] if fields else []}
        fields = call.query.get("subscribed_fields", "").split(",")
        if not set(fields) <= _FIELDS:
            return _refuses(400, 100, "(#100) Param subscribed_fields must be one of the fields of a page")
        self.subscribed["fb", page] = fields
        return 200, {"success": True}


def _fb_refused(call: PlayedCall) -> Answer | None:
    body = call.body
    given = [body.get(name) for name in ("recipient", "message")]
    recipient, message = (json.loads(one) if isinstance(one, str) else one or {} for one in given)
    if not recipient.get("id"):
        return _refuses(400, 100, "(#100) The parameter recipient is required")
    if body.get("messaging_type") not in ("RESPONSE", "UPDATE", "MESSAGE_TAG"):
        return _refuses(400, 100, "(#100) Param messaging_type must be one of RESPONSE, UPDATE, MESSAGE_TAG")
    if "text" in message:
        is_good = 0 < len(message["text"]) <= 2000
        return None if is_good else _refuses(400, 100, "(#100) Length of param message[text] must be at most 2000")
    kind, file = message.get("attachment", {}).get("type"), call.file("filedata")
    if kind not in ("image", "video", "audio", "file") or not file:
        return _refuses(400, 100, "(#100) Upload attachment failure.", 2018047)
    sent = re.search(rb'name="filedata"[^\r]*\r\nContent-Type: ([^\r]+)', call.raw)
    type_ = sent[1].decode() if sent else ""
    if len(file) > 25 * 1024 * 1024 or (kind != "file" and not type_.startswith(f"{kind}/")):
        return _refuses(400, 100, "(#100) Upload attachment failure.", 2018047)
    if kind == "image" and type_ not in ("image/jpeg", "image/png", "image/gif"):
        return _refuses(400, 100, "(#100) Upload attachment failure.", 2018047)
    return None


def _refuses(status: int, code: int, words: str, below: int | None = None) -> Answer:
    more = {"error_subcode": below} if below else {}
    return status, {"error": {"message": words, "type": "OAuthException", "code": code, **more}}
