"""Cian, AliExpress and Avito.

Cian as four public programs call it (CS-Cart's cp_conversations, cassoft's cian_messager for Bitrix24, …); Avito by its
OpenAPI document, as avito-python-sdk was made of it. AliExpress is as assumed: no document names its calls.
"""

from io import BytesIO
from typing import Any

from PIL import Image

from apps.demo.servers.vendors import Answer, PlayedCall, PlayedMessengers, bearer

_CIAN_TYPES = frozenset(
    {
        *("offersMessagesIncoming", "newbuildingMessagesIncoming", "agentMessagesIncoming"),
        *("inquiryOffersMessagesIncoming", "chatsReadability"),
    }
)
MAX_AVITO_TEXT = 1000


class PlayedMarketplaces(PlayedMessengers):
    """The vendor's side."""

    def _cian(self, call: PlayedCall) -> Answer:
        if not bearer(call) or bearer(call) in self.rejected:
            return 401, {"message": "unauthorized"}
        hooks = self.hooks.setdefault(("cian", bearer(call)), {"by_url": {}})["by_url"]
        called = (call.method, call.path)
        if called in (("POST", "/v3/subscribe-webhooks"), ("POST", "/v2/subscribe-webhooks")):
            return self._cian_subscribe(call, hooks)
        if called == ("POST", "/v2/unsubscribe-webhooks"):
            if not call.body.get("webhookTypes"):
                return _cian_refuses("webhookTypes is required")
            hooks.pop(call.body.get("url"), None)
            return 200, {"operationId": f"op{self.next_id()}", "result": []}
        if called == ("GET", "/v1/get-webhooks-subscriptions"):
            listed = [{"url": url, "webhookTypes": types, "active": True} for url, types in hooks.items()]
            return 200, {"result": {"webhooks": listed}}
        if called == ("GET", "/v1/get-chat"):
            people = [{"userId": 7, "role": "responder", "name": "Агент"}]
            people.append({"userId": 42, "role": "initiator", "name": "Анна Иванова"})
            return 200, {"result": {"chat": {"chatId": int(call.query["chatId"]), "users": people}}}
        if called == ("POST", "/v1/send-message"):
            if type(call.body.get("chatId")) is not int:
                return _cian_refuses("chatId must be an integer")
            if not str(call.body.get("content", {}).get("text", "")).strip():
                return _cian_refuses("content.text is empty")
            return 200, {"operationId": f"op{self.next_id()}", "result": {"messageId": str(self.next_id())}}
        return 404, {"message": "Not Found"}

    def _cian_subscribe(self, call: PlayedCall, hooks: dict[str, Any]) -> Answer:
        types = call.body.get("webhookTypes")
        if not str(call.body.get("url", "")).startswith("https://"):
            return _cian_refuses("url must be https")
        if not isinstance(types, list) or not types or not set(types) <= _CIAN_TYPES:
            return _cian_refuses("webhookTypes")
        hooks[call.body["url"]] = types
        return 200, {"operationId": f"op{self.next_id()}", "result": []}

    def _ali(self, call: PlayedCall) -> Answer:
        return 200, {"message_id": str(self.next_id())} if call.path.endswith("/messages") else {}

    def _av(self, call: PlayedCall) -> Answer:
        if call.path == "/oauth":
            return 200, {}
        if call.path.startswith("/files/"):
            return 200, self.files.get(call.path.rpartition("/")[2], b"")
        if call.path == "/token":
            if call.body.get("refresh_token") in self.rejected or call.body.get("code") in self.rejected:
                return 400, {"error": "invalid_grant", "error_description": "The token is no longer good"}
            number = self.next_id()
            return 200, {"access_token": f"at-{number}", "refresh_token": f"rt-{number}", "expires_in": 86400}
        if not bearer(call) or bearer(call) in self.rejected:
            return 401, {"message": "access token expired"}
        # Tokens come and go: addresses are the application's.
        hooks = self.hooks.setdefault(("av", "urls"), {"urls": []})
        if call.path == "/core/v1/accounts/self":
            return 200, {"id": 555, "name": "Мебель"}
        if call.path == "/messenger/v3/webhook":
            self.hooks["av", bearer(call)] = call.body
            hooks["urls"].append(call.body["url"])
            return 200, {"ok": True}
        if call.path == "/messenger/v1/webhook/unsubscribe":
            hooks["urls"] = [url for url in hooks["urls"] if url != call.body["url"]]
            return 200, {"ok": True}
        if (call.method, call.path) == ("POST", "/messenger/v1/subscriptions"):
            return 200, {"subscriptions": [{"url": url, "version": "3"} for url in hooks["urls"]]}
        return self._av_chat(call)

    def _av_chat(self, call: PlayedCall) -> Answer:
        if call.path.endswith("/uploadImages"):
            if not _is_picture(call.file("uploadfile[]")):
                return 400, {"error": {"code": 400, "message": "unsupported image"}}
            number = f"img{self.next_id()}"
            self.files[number] = call.raw
            return 200, {number: {"640x480": "https://img.example/1"}}
        if call.path.endswith("/getVoiceFiles"):
            voices = call.query.get("voice_ids", "").split(",")
            return 200, {"voices_urls": {voice: f"{self.base('av')}/files/{voice}" for voice in voices}}
        if call.path.startswith("/messenger/v2/"):
            about = {"id": 1, "title": "Диван угловой", "url": "https://avito.ru/1", "price_string": "15 000 ₽"}
            context = {"type": "item", "value": about}
            return 200, {"id": "c", "users": [{"id": 9, "name": "Анна"}], "context": context}
        if call.path.endswith("/messages/image"):
            if call.body.get("image_id") not in self.files:
                return 400, {"error": {"code": 400, "message": "unknown image_id"}}
            return 200, {"id": f"m{self.next_id()}", "type": "image"}
        if call.path.endswith("/messages"):
            text = str(call.body.get("message", {}).get("text", ""))
            if call.body.get("type") != "text" or not text.strip() or len(text) > MAX_AVITO_TEXT:
                return 400, {"error": {"code": 400, "message": "bad text"}}
            return 200, {"id": f"m{self.next_id()}", "type": "text"}
        return 404, {"error": {"code": 404, "message": "not found"}}


def _is_picture(file: bytes | None) -> bool:
    """Whether Avito takes bytes as a picture: JPEG, HEIC, GIF, BMP and PNG, 24 MB and 75 megapixels at most."""
    try:
        with Image.open(BytesIO(file or b"")) as picture:
            width, height = picture.size
            is_known = picture.format in ("JPEG", "PNG", "GIF", "BMP")
    except OSError:
        return False
    return is_known and len(file or b"") <= 24 * 2**20 and width * height <= 75_000_000


def _cian_refuses(words: str) -> Answer:
    return 400, {"result": {"message": words, "errors": [{"code": "invalid", "key": "body", "message": words}]}}
