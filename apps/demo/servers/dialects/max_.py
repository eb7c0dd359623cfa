"""MAX: https://dev.max.ru/docs-api, by its schema (github.com/max-messenger/max-bot-api-client-go, schema.yaml)."""

import re
from io import BytesIO
from typing import Any

from PIL import Image

from apps.demo.servers.vendors import Answer, PlayedCall, PlayedMessengers

MAX_TEXT = 4000
# Both of MAX's texts on the secret at once: the schema has `_` besides, the page has not.
_SECRET = re.compile(r"[A-Za-z0-9-]{5,256}")


class PlayedMax(PlayedMessengers):
    """The vendor's side."""

    def _mx(self, call: PlayedCall) -> Answer:
        token = call.headers.get("authorization", "")
        if call.path.startswith("/files/"):
            file = self.files.get(call.path.rpartition("/")[2])
            return (200, file) if file is not None else (404, {"code": "not.found", "message": "Not found"})
        if call.path.startswith("/upload/"):
            return self._mx_upload(call)
        if not token or token in self.rejected:
            return 401, {"code": "verify.token", "message": "Invalid access_token"}
        if call.path == "/subscriptions":
            return self._mx_subscriptions(call, self.hooks.setdefault(("mx", token), {"by_url": {}})["by_url"])
        if call.path == "/me":
            return 200, {"user_id": 77, "name": "Shop", "username": "shop_bot", "is_bot": True}
        if call.path == "/uploads":
            return 200, {"url": f"{self.base('mx')}/upload/{call.query.get('type', '')}"}
        if call.path.startswith("/videos/"):
            video = call.path.rpartition("/")[2]
            urls = {"mp4_720": None, "mp4_480": f"{self.base('mx')}/files/{video}.mp4"}
            return 200, {"token": video, "width": 640, "height": 480, "duration": 3, "urls": urls}
        return self._mx_message(call) if call.method == "POST" else self._mx_change(call)

    def _mx_subscriptions(self, call: PlayedCall, hooks: dict[str, Any]) -> Answer:
        if call.method == "POST":
            if not str(call.body.get("url", "")).startswith("https://"):
                return _refuses("proto.payload", "url must start with https://")
            if not _SECRET.fullmatch(str(call.body.get("secret", ""))):
                return _refuses("proto.payload", "secret")
            hooks[call.body["url"]] = call.body
            return 200, {"success": True}
        if call.method == "DELETE":
            if "url" not in call.query:
                return _refuses("proto.payload", "url is required")
            hooks.pop(call.query["url"], None)
            return 200, {"success": True}
        shown = ("url", "update_types")
        listed = [{name: one.get(name) for name in shown} for one in hooks.values()]
        return 200, {"subscriptions": [{**one, "time": 1, "version": None} for one in listed]}

    def _mx_upload(self, call: PlayedCall) -> Answer:
        kind, file, number = call.path.rpartition("/")[2], call.file("data"), self.next_id()
        if file is None:
            return _refuses("proto.payload", "data is required")
        if kind != "image":
            self.files[f"t{number}"] = file
            return 200, {"token": f"t{number}"}
        try:
            with Image.open(BytesIO(file)) as picture:
                is_taken = picture.format in ("JPEG", "PNG", "GIF", "TIFF", "BMP")
        except OSError:
            is_taken = False
        if not is_taken:
            return 200, {"photos": {}, "message": "the image can't be read"}
        self.files[f"t{number}"] = file
        return 200, {"photos": {"1": {"token": f"t{number}"}}}

    def _mx_message(self, call: PlayedCall) -> Answer:
        body = call.body
        given = body.get("attachments") or []
        if not (call.query.get("chat_id") or call.query.get("user_id")):
            return _refuses("proto.payload", "chat_id is required")
        if not body.get("text") and not given:
            return _refuses("proto.payload", "text is empty")
        if len(body.get("text") or "") > MAX_TEXT:
            return _refuses("proto.payload", "text is too long")
        tokens = [one["payload"]["token"] for one in given if "payload" in one]
        if any(token not in self.files for token in tokens):
            return _refuses("attachment.not.ready", "Key: errors.process.attachment.file.not.processed")
        number = f"mid.{self.next_id()}"
        self.keep("mx", number, body.get("text"))
        return 200, {"message": {"body": {"mid": number}}}

    def _mx_change(self, call: PlayedCall) -> Answer:
        """https://dev.max.ru/docs-api/methods/PUT/messages and …/DELETE/messages."""
        number = call.query.get("message_id", "")
        kept = self.kept.get(("mx", number))
        if not number:
            return _refuses("proto.payload", "message_id is required")
        if kept is None:
            return 404, {"code": "not.found", "message": f"Message {number} not found"}
        if call.method == "DELETE":
            self.forget("mx", number)
            return 200, {"success": True}
        if kept.is_old:
            return 200, {"success": False, "message": "The message is too old to be edited"}
        if len(call.body.get("text") or "") > MAX_TEXT:
            return _refuses("proto.payload", "text is too long")
        kept.text = str(call.body.get("text") or "")
        return 200, {"success": True}


def _refuses(code: str, words: str) -> Answer:
    return 400, {"code": code, "message": words}
