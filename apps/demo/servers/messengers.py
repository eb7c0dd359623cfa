"""All vendors of messengers on one port, each below its code (`/tg`, `/vk`, …): small, but with their rules.

A second webhook replaces the first, getUpdates conflicts with one, … `manage.py play_vendors` runs it for trying things
out; the tests tell it what people write and how to misbehave.
"""

import hashlib
import hmac
import json
import re
import time
from typing import Any

from apps.demo.servers.vendors import Answer, PlayedCall, PlayedMessengers


class Vendors(PlayedMessengers):
    """Every vendor at once, each below its code."""

    # --- Telegram -------------------------------------------------------------------------------------------------

    def write(self, token: str, text: str, *, chat: int = 42, **more: Any) -> dict[str, Any]:
        """Sends a person's message to a bot; the update waits to be fetched."""
        number = self.next_id()
        person = {"id": chat, "is_bot": False, "first_name": "Анна", "last_name": "Иванова", "username": "anna"}
        message = {"message_id": number, "date": 1, "chat": {"id": chat, "type": "private"}, "from": person}
        update = {"update_id": number, "message": {**message, **({"text": text} if text else {}), **more}}
        with self._lock:
            self.updates[token].append(update)
        return update

    def _tg(self, asked: PlayedCall) -> Answer:
        if found := re.fullmatch(r"/say/([^/]+)", asked.path):
            return _ok(self.write(found[1], str(asked.body.get("text", ""))))
        if found := re.fullmatch(r"/file/bot([^/]+)/(.+)", asked.path):
            file = self.files.get(found[2])
            return (200, file) if file is not None else (404, {"ok": False, "error_code": 404})
        found = re.fullmatch(r"/bot([^/]+)/(\w+)", asked.path)
        token, method = (found[1], found[2]) if found else ("", "")
        if token in self.rejected or ":" not in token:
            return 401, {"ok": False, "error_code": 401, "description": "Unauthorized"}
        hook, body = self.hooks.get(("tg", token)), asked.body
        if method == "getMe":
            bot = int(token.partition(":")[0])
            return _ok({"id": bot, "is_bot": True, "first_name": f"Bot {bot}", "username": f"bot{bot}_bot"})
        if method == "setWebhook":
            if not str(body.get("url", "")).startswith("https://"):
                return _tg_refuses(400, "Bad Request: bad webhook: An HTTPS URL must be provided for webhook")
            self.hooks["tg", token] = body
            return _ok(True)
        if method == "deleteWebhook":
            self.hooks.pop(("tg", token), None)
            return _ok(True)
        if method == "getWebhookInfo":
            return _ok({"url": (hook or {}).get("url", ""), "pending_update_count": 0})
        if method == "getUpdates":
            return self._tg_updates(token, hook, body)
        if method == "getFile":
            return _ok({"file_id": body.get("file_id"), "file_path": f"photos/{body.get('file_id')}"})
        if method.startswith("send"):
            return _ok({"message_id": self.next_id(), "chat": {"id": body.get("chat_id")}, "date": 1})
        return _tg_refuses(404, "Not Found")

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

    # --- VK -------------------------------------------------------------------------------------------------------

    def _vk(self, asked: PlayedCall) -> Answer:
        if asked.path.startswith("/upload/"):
            return 200, {"photo": "[]", "server": 1, "hash": "h", "file": "f"}
        method, form = asked.path.removeprefix("/method/"), asked.body
        token, group = str(form.get("access_token", "")), str(form.get("group_id", ""))
        if token in self.rejected:
            return _vk_refuses(5, "User authorization failed: invalid access_token.")
        key = ("vk", group)
        if method == "groups.getById":
            number = int(group) if group.isdigit() else sum(group.encode()) + 1
            if number == 404:
                return _vk_refuses(100, "One of the parameters specified was missing or invalid: group_id")
            named = {"id": number, "name": f"Group {number}", "screen_name": f"club{number}"}
            return 200, {"response": {"groups": [named]}}
        if method == "groups.getCallbackConfirmationCode":
            return 200, {"response": {"code": f"code{group}"}}
        if method == "groups.getCallbackServers":
            server = self.hooks.get(key)
            items = [{"id": server["server_id"], "url": server["url"]}] if server else []
            return 200, {"response": {"count": len(items), "items": items}}
        if method in ("groups.addCallbackServer", "groups.editCallbackServer"):
            number = int(form.get("server_id") or self.next_id())
            self.hooks[key] = {**form, "server_id": number}
            self._call_back(form["url"], {"type": "confirmation", "group_id": int(group)})
            return 200, {"response": {"server_id": number} if method.endswith("addCallbackServer") else 1}
        if method == "groups.deleteCallbackServer":
            self.hooks.pop(key, None)
            return 200, {"response": 1}
        if method == "messages.send":
            with self._lock:  # the same random_id is the same message
                once = (str(form.get("peer_id")), str(form.get("random_id")))
                number = self._said.setdefault(once, self.next_id())
            return 200, {"response": number}
        if method == "users.get":
            number = int(form.get("user_ids", "0"))
            return 200, {"response": [{"id": number, "first_name": "Анна", "last_name": "Иванова"}]}
        if method.endswith("getMessagesUploadServer"):
            return 200, {"response": {"upload_url": f"{self.base('vk')}/upload/1"}}
        if method == "photos.saveMessagesPhoto":
            return 200, {"response": [{"id": 7, "owner_id": -1}]}
        if method == "docs.save":
            return 200, {"response": {"type": "doc", "doc": {"id": 8, "owner_id": -1}}}
        return 200, {"response": 1}

    # --- Meta's -----------------------------------------------------------------------------------------------------

    def _wa(self, asked: PlayedCall) -> Answer:
        if _bearer(asked) in self.rejected:
            return _graph_refuses(401, 190, "Error validating access token")
        if asked.path.endswith("/messages"):
            return 200, {"messaging_product": "whatsapp", "messages": [{"id": f"wamid.{self.next_id()}"}]}
        if asked.path.endswith("/media"):
            return 200, {"id": str(self.next_id())}
        name = asked.path.rpartition("/")[2]
        if asked.path.startswith("/files/"):
            return 200, self.files.get(name, b"")
        return 200, {"id": name, "url": f"{self.base('wa')}/files/{name}"}

    def _fb(self, asked: PlayedCall) -> Answer:
        if _bearer(asked) in self.rejected:
            return _graph_refuses(401, 190, "Error validating access token")
        if asked.path.endswith("/me/messages"):
            return 200, {"recipient_id": "1", "message_id": f"m_{self.next_id()}"}
        if asked.path.startswith("/files/"):
            return 200, self.files.get(asked.path.rpartition("/")[2], b"")
        return 200, {"id": asked.path.strip("/"), "first_name": "Анна", "last_name": "Иванова"}

    # --- Viber, OK, MAX ---------------------------------------------------------------------------------------------

    def _vb(self, asked: PlayedCall) -> Answer:
        token = asked.headers.get("x-viber-auth-token", "")
        if asked.path.startswith("/files/"):
            return 200, self.files.get(asked.path.rpartition("/")[2], b"")
        if not token or token in self.rejected:
            return 200, {"status": 2, "status_message": "invalidAuthToken"}
        if asked.path == "/set_webhook":
            self.hooks["vb", token] = asked.body
            document = {"event": "webhook", "timestamp": 1, "message_token": self.next_id()}
            signed = hmac.new(token.encode(), json.dumps(document).encode(), hashlib.sha256).hexdigest()
            self._call_back(asked.body["url"], document, {"X-Viber-Content-Signature": signed})
            return 200, {"status": 0, "status_message": "ok", "event_types": asked.body.get("event_types", [])}
        if asked.path == "/get_account_info":
            hook = self.hooks.get(("vb", token), {}).get("url", "")
            return 200, {"status": 0, "status_message": "ok", "id": "pa:1", "name": "Shop", "uri": "s", "webhook": hook}
        return 200, {"status": 0, "status_message": "ok", "message_token": self.next_id()}

    def _ok(self, asked: PlayedCall) -> Answer:
        token = asked.query.get("access_token", "")
        if asked.path.startswith("/files/"):
            return 200, self.files.get(asked.path.rpartition("/")[2], b"")
        if not token or token in self.rejected:
            return 401, {"error_code": 103, "error_msg": "PARAM_SESSION_KEY : No session key"}
        if asked.path == "/graph/me/subscribe":
            self.hooks["ok", token] = asked.body
            return 200, {"success": True}
        return 200, {"success": True, "recipient_id": "user:1", "message_id": f"mid:{self.next_id()}"}

    def _mx(self, asked: PlayedCall) -> Answer:
        token = asked.headers.get("authorization", "")
        if asked.path.startswith("/files/"):
            return 200, self.files.get(asked.path.rpartition("/")[2], b"")
        if asked.path.startswith("/upload/"):
            is_image = asked.path.endswith("image")
            return 200, {"photos": {"1": {"token": "t1"}}} if is_image else {"token": "t1"}
        if not token or token in self.rejected:
            return 401, {"code": "verify.token", "message": "Invalid access_token"}
        if asked.path == "/subscriptions" and asked.method == "POST":
            self.hooks["mx", token] = asked.body
            return 200, {"success": True}
        if asked.path == "/subscriptions":
            hook = self.hooks.get(("mx", token))
            return 200, {"subscriptions": [{"url": hook["url"]}] if hook else []}
        if asked.path == "/me":
            return 200, {"user_id": 77, "name": "Shop", "username": "shop_bot", "is_bot": True}
        if asked.path == "/uploads":
            return 200, {"url": f"{self.base('mx')}/upload/{asked.query.get('type', '')}"}
        return 200, {"message": {"body": {"mid": f"mid.{self.next_id()}"}}}

    # --- Marketplaces and Apple -------------------------------------------------------------------------------------

    def _cian(self, asked: PlayedCall) -> Answer:
        if _bearer(asked) in self.rejected:
            return 401, {"message": "unauthorized"}
        if asked.path == "/v1/chats/webhook":
            if asked.method == "DELETE":
                self.hooks.pop(("cian", _bearer(asked)), None)
            else:
                self.hooks["cian", _bearer(asked)] = asked.body
            return 200, {}
        return 200, {"messageId": str(self.next_id())}

    def _ali(self, asked: PlayedCall) -> Answer:
        return 200, {"message_id": str(self.next_id())} if asked.path.endswith("/messages") else {}

    def _av(self, asked: PlayedCall) -> Answer:
        if asked.path == "/oauth":
            return 200, {}
        if asked.path == "/token":
            if asked.body.get("refresh_token") in self.rejected or asked.body.get("code") in self.rejected:
                return 400, {"error": "invalid_grant", "error_description": "The token is no longer good"}
            number = self.next_id()
            return 200, {"access_token": f"at-{number}", "refresh_token": f"rt-{number}", "expires_in": 86400}
        if _bearer(asked) in self.rejected:
            return 401, {"message": "access token expired"}
        if asked.path == "/core/v1/accounts/self":
            return 200, {"id": 555, "name": "Мебель"}
        if asked.path == "/messenger/v3/webhook":
            self.hooks["av", _bearer(asked)] = asked.body
            return 200, {"ok": True}
        if asked.path.endswith("/uploadImages"):
            return 200, {"img1": {"640x480": "https://img.example/1"}}
        if asked.path.startswith("/messenger/v2/"):
            return 200, {"id": "c", "users": [{"id": 9, "name": "Анна"}]}
        return 200, {"id": f"m{self.next_id()}"}

    def _apple(self, asked: PlayedCall) -> Answer:
        return (401, {}) if "/rejects/" in asked.path else (200, {})


def _ok(result: Any) -> Answer:
    return 200, {"ok": True, "result": result}


def _tg_refuses(code: int, words: str) -> Answer:
    return code, {"ok": False, "error_code": code, "description": words}


def _vk_refuses(code: int, words: str) -> Answer:
    return 200, {"error": {"error_code": code, "error_msg": words, "request_params": []}}


def _graph_refuses(status: int, code: int, words: str) -> Answer:
    return status, {"error": {"message": words, "type": "OAuthException", "code": code}}


def _bearer(asked: PlayedCall) -> str:
    return asked.headers.get("authorization", "").removeprefix("Bearer ")
