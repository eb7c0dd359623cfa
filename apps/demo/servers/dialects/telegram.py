"""Telegram: the Bot API, https://core.telegram.org/bots/api."""

import re
import time
from io import BytesIO
from typing import Any

from PIL import Image

from apps.demo.servers.vendors import Answer, PlayedCall, PlayedMessengers

MAX_DOWNLOAD, MAX_PHOTO, MAX_UPLOAD = 20 * 1024 * 1024, 10 * 1024 * 1024, 50 * 1024 * 1024
# https://core.telegram.org/bots/api#sendmessage and the methods after it: the member that holds the file.
_SENT = {"sendMessage": "", "sendLocation": "", "sendPhoto": "photo", "sendVideo": "video", "sendAudio": "audio"}
_SENT |= {"sendDocument": "document"}

_NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current content "
    "and reply markup of the message"
)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _refused(method: str, call: PlayedCall) -> str:
    """Telegram's words for a message that it does not take; empty for one that it does."""
    body = call.body
    if not body.get("chat_id"):
        return "chat_id is empty"
    if method == "sendMessage" and not str(body.get("text", "")).strip():
        return "message text is empty"
    if method == "sendMessage" and _units(str(body["text"])) > 4096:
        return "message is too long"
    if method == "sendLocation":
        return "" if "latitude" in body and "longitude" in body else "latitude is empty"
    if _units(str(body.get("caption", ""))) > 1024:
        return "message caption is too long"
    if not (name := _SENT[method]):
        return ""
    file = call.file(name)
    if not file:
        return f"there is no {name} in the request"
    if method == "sendPhoto":
        return _photo_refused(file)
    return "file is too big" if len(file) > MAX_UPLOAD else ""


def _photo_refused(file: bytes) -> str:
    """Why bytes are no photo: https://core.telegram.org/bots/api#sendphoto."""
    try:
        with Image.open(BytesIO(file)) as picture:
            width, height = picture.size
            if picture.format not in ("JPEG", "PNG", "WEBP", "GIF"):
                return "IMAGE_PROCESS_FAILED"
    except OSError:
        return "IMAGE_PROCESS_FAILED"
    if len(file) > MAX_PHOTO:
        return "file is too big"
    if width + height > 10_000 or max(width, height) > 20 * min(width, height):
        return "PHOTO_INVALID_DIMENSIONS"
    return ""


class PlayedTelegram(PlayedMessengers):
    """The vendor's side."""

    def write(self, token: str, text: str, *, chat: int = 42, **more: Any) -> dict[str, Any]:
        """Sends a person's message to a bot; the update waits to be fetched."""
        number = self.next_id()
        person = {"id": chat, "is_bot": False, "first_name": "Анна", "last_name": "Иванова", "username": "anna"}
        message = {"message_id": number, "date": 1, "chat": {"id": chat, "type": "private"}, "from": person}
        update = {"update_id": number, "message": {**message, **({"text": text} if text else {}), **more}}
        with self._lock:
            self.updates[token].append(update)
        return update

    def _tg(self, call: PlayedCall) -> Answer:
        if found := re.fullmatch(r"/say/([^/]+)", call.path):
            return _ok(self.write(found[1], str(call.body.get("text", ""))))
        if found := re.fullmatch(r"/file/bot([^/]+)/(.+)", call.path):
            file = self.files.get(found[2])
            return (200, file) if file is not None else (404, {"ok": False, "error_code": 404})
        found = re.fullmatch(r"/bot([^/]+)/(\w+)", call.path)
        token, method = (found[1], found[2]) if found else ("", "")
        if token in self.rejected or ":" not in token:
            return 401, {"ok": False, "error_code": 401, "description": "Unauthorized"}
        hook, body = self.hooks.get(("tg", token)), call.body
        if method == "getMe":
            bot = int(token.partition(":")[0])
            return _ok({"id": bot, "is_bot": True, "first_name": f"Bot {bot}", "username": f"bot{bot}_bot"})
        if method == "setWebhook":
            if not str(body.get("url", "")).startswith("https://"):
                return _tg_refuses(400, "Bad Request: bad webhook: An HTTPS URL must be provided for webhook")
            if not re.fullmatch(r"[A-Za-z0-9_-]{0,256}", str(body.get("secret_token", ""))):
                return _tg_refuses(400, "Bad Request: secret token contains unallowed characters")
            self.hooks["tg", token] = body
            return _ok(True)
        if method == "deleteWebhook":
            self.hooks.pop(("tg", token), None)
            return _ok(True)
        if method == "getWebhookInfo":
            told = {"url": (hook or {}).get("url", ""), "pending_update_count": 0}
            return _ok({**told, "allowed_updates": (hook or {}).get("allowed_updates", [])})
        if method == "getUpdates":
            return self._tg_updates(token, hook, body)
        if method == "getFile":
            if len(self.files.get(f"photos/{body.get('file_id')}", b"")) > MAX_DOWNLOAD:
                return _tg_refuses(400, "Bad Request: file is too big")
            return _ok({"file_id": body.get("file_id"), "file_path": f"photos/{body.get('file_id')}"})
        if method == "leaveChat":
            return _ok(True)
        if method in _SENT:
            if refused := _refused(method, call):
                return _tg_refuses(400, f"Bad Request: {refused}")
            number = self.next_id()
            self.keep("tg", number, body.get("text") or body.get("caption"))
            return _ok({"message_id": number, "chat": {"id": body.get("chat_id")}, "date": 1})
        if method in ("editMessageText", "deleteMessage"):
            return self._tg_change(method, body)
        return _tg_refuses(404, "Not Found")

    def _tg_change(self, method: str, body: dict[str, Any]) -> Answer:
        """https://core.telegram.org/bots/api#editmessagetext and #deletemessage; the words are those of its server,
        https://github.com/tdlib/telegram-bot-api (Client.cpp).
        """
        number = str(body.get("message_id", ""))
        kept, is_edit = self.kept.get(("tg", number)), method == "editMessageText"
        if kept is None:
            return _tg_refuses(400, f"Bad Request: message to {'edit' if is_edit else 'delete'} not found")
        if kept.is_old:
            words = "message can't be edited" if is_edit else "message can't be deleted for everyone"
            return _tg_refuses(400, f"Bad Request: {words}")
        if not is_edit:
            self.forget("tg", number)
            return _ok(True)
        text = str(body.get("text", ""))
        if not text.strip() or _units(text) > 4096:
            return _tg_refuses(400, f"Bad Request: {'MESSAGE_TOO_LONG' if text.strip() else 'message text is empty'}")
        if text == kept.text:
            return _tg_refuses(400, f"Bad Request: {_NOT_MODIFIED}")
        kept.text = text
        return _ok({"message_id": int(number), "chat": {"id": body.get("chat_id")}, "date": 1, "edit_date": 2})

    def _tg_updates(self, token: str, hook: Any, body: dict[str, Any]) -> Answer:
        if hook:
            words = "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook first"
            return _tg_refuses(409, words)
        until = time.monotonic() + min(float(body.get("timeout", 0)), 2.0)
        offset = int(body.get("offset", 0))
        while True:
            waiting = self.updates[token]
            with self._lock:
                waiting[:] = [one for one in waiting if one["update_id"] >= offset]
                found = waiting[:100]
            if found or time.monotonic() >= until:
                return _ok(found)
            time.sleep(0.02)


def _ok(result: Any) -> Answer:
    return 200, {"ok": True, "result": result}


def _tg_refuses(code: int, words: str) -> Answer:
    return code, {"ok": False, "error_code": code, "description": words}
