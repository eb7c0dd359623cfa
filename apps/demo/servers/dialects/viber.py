"""Viber: https://creators.viber.com/docs/bots-api/data-models/message and …/errors."""

import hashlib
import hmac
import json
import re
from typing import Any
from urllib.parse import urlsplit

from apps.demo.servers.vendors import Answer, PlayedCall, PlayedMessengers

_OPTIONAL = {"delivered", "seen", "failed", "subscribed", "unsubscribed", "conversation_started", "message"}
_PICTURE = re.compile(r"[^/]+\.(jpe?g|png|gif)", re.IGNORECASE)
# Some of …/docs/api/rest-bot-api/#forbidden-file-formats, and one that no page names.
_FORBIDDEN = {"action", "apk", "app", "bat", "bin", "cmd", "com", "exe", "msi", "ps1", "vbs", "wsf", "xyz"}
# What a message of a type needs, https://creators.viber.com/docs/bots-api/data-models/message.
_NEEDED = {
    "text": ("text",),
    "picture": ("text", "media"),
    "video": ("media", "size"),
    "file": ("media", "size", "file_name"),
    "location": ("location",),
    "contact": ("contact",),
    "url": ("media",),
    "sticker": ("sticker_id",),
}


def _refused(body: dict[str, Any]) -> str:
    """The error of a message; empty for one that is sent."""
    kind, media = body.get("type"), str(body.get("media", ""))
    last = urlsplit(media).path.rpartition("/")[2]
    if not body.get("receiver") or kind not in _NEEDED or any(name not in body for name in _NEEDED[str(kind)]):
        return "missingData"
    if not 0 < len(body.get("sender", {}).get("name", "")) <= 28:
        return "sender.name"
    if len(json.dumps(body, ensure_ascii=False).encode()) > 30 * 1024:
        return "the message is larger than 30 KB"
    if kind == "picture" and (not _PICTURE.fullmatch(last) or len(body["text"]) > 768):
        return "a picture ends with .jpeg, .png or .gif, and has 768 characters beside it at most"
    if kind == "video" and (not last.endswith(".mp4") or body["size"] > 26 * 1024 * 1024):
        return "a video ends with .mp4, and has 26 MB at most"
    if kind == "file" and (body["size"] > 50 * 1024 * 1024 or not 0 < len(body["file_name"]) <= 256):
        return "a file has 50 MB at most"
    if kind == "file" and body["file_name"].lower().rpartition(".")[2] in _FORBIDDEN:
        return "badData: the file's format is forbidden"
    if kind == "text" and not 0 < len(body["text"]) <= 7000:
        return "a text has 7000 characters at most"
    return ""


class PlayedViber(PlayedMessengers):
    """The vendor's side."""

    def _vb(self, call: PlayedCall) -> Answer:
        token = call.headers.get("x-viber-auth-token", "")
        if call.path.startswith("/files/"):
            return 200, self.files.get(call.path.rpartition("/")[2], b"")
        if not token or token in self.rejected:
            return 200, {"status": 2, "status_message": "invalidAuthToken"}
        if call.path == "/set_webhook":
            return self._set_webhook(token, call.body)
        if call.path == "/get_account_info":
            hook = self.hooks.get(("vb", token), {})
            about = {"id": "pa:1", "name": "Shop", "uri": "s", "webhook": hook.get("url", "")}
            return 200, {"status": 0, "status_message": "ok", **about, "event_types": hook.get("event_types", [])}
        if call.path != "/send_message":
            return 404, {}
        if refused := _refused(call.body):
            return 200, {"status": 3, "status_message": refused}
        return 200, {"status": 0, "status_message": "ok", "message_token": self.next_id()}

    def _set_webhook(self, token: str, body: dict[str, Any]) -> Answer:
        if not body.get("url"):
            self.hooks.pop(("vb", token), None)
            return 200, {"status": 0, "status_message": "ok"}
        if not body["url"].startswith("https://") or not set(body.get("event_types", [])) <= _OPTIONAL:
            return 200, {"status": 1, "status_message": "invalidUrl"}
        self.hooks["vb", token] = body
        document = {"event": "webhook", "timestamp": 1, "message_token": self.next_id()}
        signed = hmac.new(token.encode(), json.dumps(document).encode(), hashlib.sha256).hexdigest()
        self._call_back(body["url"], document, {"X-Viber-Content-Signature": signed})
        return 200, {"status": 0, "status_message": "ok", "event_types": body.get("event_types", [])}
