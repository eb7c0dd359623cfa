"""A real HTTP and websocket server that speaks the visitor's side of the widget, for the front end's own tests.

It keeps one widget's conversations in memory. The page it embeds in is served under another host name, so that every
call of the widget is a cross-origin one.
"""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType, web
from django.template.loader import render_to_string

from apps.chats.rules.languages import NAMES, direction_of
from apps.widget.rules.fields import SERVED
from apps.widget.rules.icons import PATHS
from apps.widget.rules.languages import CLOSED
from apps.widget.rules.skins import themes
from apps.widget.rules.snippet import snippet
from config.static import as_served

WIDGET, CHATS = (Path(__file__).parents[3] / "apps" / app for app in ("widget", "chats"))
GUID = "0f7c1f0e5d2f4d0b9a54c8b0d2b9a111"
CORS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers": "authorization, content-type",
    "Access-Control-Allow-Methods": "DELETE, GET, POST, PUT",
}
PAGE = "<!doctype html><html lang=en><title>Shop</title><h1>Shop</h1><button>Page button</button>{host}{script}"
# Libraries of pages, as npm has them.
HOSTS = Path(__file__).parent / "hosts" / "node_modules"


def loader(config: dict[str, Any]) -> str:
    """The loader as the product renders it, from its template."""
    template = (WIDGET / "templates/widget/loader.js").read_text()
    source = template.split("{% autoescape off %}", 1)[1].split("{% endautoescape %}", 1)[0]
    return source.replace("{{ config_json }}", json.dumps(config))


@web.middleware
async def preflight(request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> Any:
    return web.Response(headers=CORS) if request.method == "OPTIONS" else await handler(request)


class StandIn:
    """One widget's server, in a thread of its own; its attributes are the weather that a test makes.

    At first there is no visitor, and everything works.
    """

    def __init__(self, guid: str = GUID) -> None:
        self.guid = guid
        self._loop = asyncio.new_event_loop()
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        switches = {each.name: each.default for each in SERVED}
        self.settings: dict[str, Any] = {
            **switches,
            "widget_name": "Teapot & Co",
            "widget_signature": "Tea experts",
            "widget_greeting": "Hello! How can we help?",
            "language": "en",
            "languages": [{"code": code, "name": name} for code, name in NAMES.items()],
            "theme": themes("classic", None),
            "icon": {"path": PATHS["chat"], "url": None, "still_url": None},
            "device_profiles": None,
            "operators_display_mode": "faces_and_names",
            "departments": [],
            "api_enabled": True,
            "identity": False,
            "online": True,
            "operators": [{"name": "Anna", "avatar_url": None}, {"name": "Boris", "avatar_url": None}],
            "features": {"rating": True, "offline_form": True, "files": True},
        }
        self.present: list[dict[str, Any]] = self.settings["operators"][:]  # who is there to answer
        self.messages: dict[str, list[dict[str, Any]]] = {}
        self.steps: list[dict[str, Any]] = []
        self.stored: dict[tuple[str, str], dict[str, Any]] = {}
        self.sockets: dict[web.WebSocketResponse, str] = {}
        self.calls: list[tuple[str, Any]] = []
        self.frames: list[dict[str, Any]] = []
        self.sent: list[dict[str, Any]] = []  # each message as it came, again with each try, by socket or HTTP
        self.sockets_blocked = False
        self.acks_held = False
        self.refuse_after = self.refuse_messages = 0
        self.answers_lost = 0
        self.visitor_blocked = False
        self.challenge: dict[str, Any] | None = None  # what a new visitor proves
        self.letters: dict[str, Any] | None = None  # what a session is told of letters
        self.renews_at_proof = False
        self.letters_of: dict[str, str] = {}  # the visitor whom a letter's token opens
        self.files: dict[int, tuple[dict[str, Any], bytes]] = {}
        self.refuse_files = 0
        self.uploads_open = threading.Event()
        self.uploads_open.set()
        self.overlap = 0
        self.invitations: list[dict[str, Any]] = []  # live ones; the config names them where there are any
        self.never_on: list[str] = []
        self.per_visit, self.gap_s = 1, 0
        self.refusals: dict[int, str] = {}  # why an invitation is not shown, by its id
        self.signals: list[dict[str, Any]] = []
        self.questions: list[dict[str, Any]] = []  # what a beginning is refused without, also where no config asks it
        self.known_answers: list[str] = []
        self.articles: list[dict[str, Any]] = []  # in the order of the list; the config has a help where there are any
        self.csp = ""
        self.snippet = ""  # in place of the script tag
        self.document = ""  # in place of the page
        self.host = ""  # what else the page has, before it
        self.lang_tag = ""
        self._ids = count(1)

    def start(self) -> None:
        self._thread.start()
        self._started.wait(10)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    @property
    def base(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def page(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def run(self, work: Callable[[], Awaitable[Any]]) -> Any:
        """Does `work` in the server's thread and gives its result."""
        return asyncio.run_coroutine_threadsafe(work(), self._loop).result(30)

    # What an operator, or fate, does.

    def says(self, body: str = "", token: str | None = None, **fields: Any) -> dict[str, Any]:
        """An operator's message to the visitor, broadcast like any other."""
        token = token or next(iter(self.messages))

        async def work() -> dict[str, Any]:
            sender = {"kind": "agent", "agent_id": 7, "name": "Anna"}
            message = self._message(token, **{"body": body, "sender": sender, **fields})
            await self._broadcast(token, "message.created", message)
            return message

        return self.run(work)

    def sends(self, name: str, content: bytes, content_type: str) -> dict[str, Any]:
        """An operator's picture or file to the visitor."""
        file = self._keep(name, content, content_type)
        type_ = "image" if content_type.startswith("image/") else "file"
        return self.says("", type=type_, file=file, name=name, url=self._address(file))

    def push(self, frame_type: str, data: dict[str, Any]) -> None:
        """A frame to everybody, as soon as somebody is there."""

        async def work() -> None:
            while not self.sockets:
                await asyncio.sleep(0.01)
            for token in set(self.sockets.values()):
                await self._broadcast(token, frame_type, data)

        self.run(work)

    def hang_up(self, code: int = 1012) -> None:
        """Closes every socket."""

        async def work() -> None:
            for socket in list(self.sockets):
                await socket.close(code=code)

        self.run(work)

    def forget_visitors(self) -> None:
        self.messages.clear()
        self.stored.clear()

    def invite(self, **members: Any) -> int:
        """Makes an invitation live; gives its id."""
        texts = {"text": "Can we help you choose?", "buttons": [], "from": self._from()}
        row = {"id": next(self._ids), "rule": {}, "priority": 50, "goal": None, "name": "Help", **texts, **members}
        row["per_visitor"] = {"times": 1, "days": 30}
        self.invitations.append(row)
        self.settings["invitations"] = True
        return int(row["id"])

    def _from(self) -> dict[str, Any]:
        return {"name": self.settings["widget_name"], "avatar_url": None, "ai": False}

    def asks(self, *questions: dict[str, Any], intro: str | None = None) -> None:
        """Asks these before a chat."""
        empty: dict[str, Any] = {"kind": "text", "help": None, "required": False, "when": None, "options": []}
        self.questions = [{**empty, "label": each["key"].title(), **each} for each in questions]
        self.settings["questions"] = {"intro": intro, "questions": self.questions}

    def writes(self, title: str, markdown: str = "Text.", mode: str = "suggest", **members: Any) -> int:
        """Publishes an article; gives its id."""
        row = {"id": next(self._ids), "lang": "en", "title": title, "summary": None, "url": None, **members}
        self.articles.append(
            {**row, "markdown": markdown, "languages": [row["lang"]], "updated_at": "2026-01-01T00:00:00Z"}
        )
        self.settings["help"] = {"mode": mode, "url": None}
        return int(row["id"])

    # The server.

    def _keep(self, name: str, content: bytes, content_type: str) -> dict[str, Any]:
        file = {"id": next(self._ids), "name": name, "size": len(content), "content_type": content_type}
        self.files[file["id"]] = (file, content)
        return file

    def _address(self, file: dict[str, Any] | None) -> str | None:
        return file and f"{self.base}/files/{file['id']}"

    def _message(self, token: str, **fields: Any) -> dict[str, Any]:
        empty = (
            "body",
            "markdown",
            "file",
            "name",
            "url",
            "coords",
            "sticker",
            "keyboard",
            "origin",
            "sender",
            "agent_id",
        )
        now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
        message = dict.fromkeys(empty) | {"id": next(self._ids), "chat_id": 1, "type": "text", "created_at": now}
        message |= {"seen_at": None, "files": [], "sources": [], **fields}
        message["ai"] = (message["sender"] or {}).get("kind") in ("ai", "external_operator")
        self.messages[token].append(message)
        return message

    async def _broadcast(self, token: str, frame_type: str, data: dict[str, Any]) -> None:
        for socket, owner in list(self.sockets.items()):
            if owner == token:
                await socket.send_json({"type": frame_type, "data": data})

    async def _post_message(self, token: str, data: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        key = (token, data["client_id"])
        if key in self.stored:
            return 200, self.stored[key]
        sender = {"kind": "client", "agent_id": None, "name": None}
        file = self.files[data["file_id"]][0] if "file_id" in data else None
        content = {"type": data["type"], "body": data["body"], "file": file, "url": self._address(file)}
        message = self.stored[key] = self._message(token, **content, sender=sender)
        await self._broadcast(token, "message.created", message)
        return 201, message

    async def _invitations(self, request: web.Request) -> web.Response:
        self.calls.append(("invitations", dict(request.query)))
        names = ("id", "rule", "priority", "per_visitor", "goal")
        names += ("name",) if "preview" in request.query else ()
        rows = [{name: row[name] for name in names} for row in self.invitations]
        data = {"invitations": rows, "never_on": self.never_on, "per_visit": self.per_visit, "gap_s": self.gap_s}
        return web.json_response({"data": data}, headers=CORS)

    async def _offers(self, request: web.Request) -> web.Response:
        data = await request.json()
        id_ = int(request.match_info["id"])
        self.calls.append(("offers", {"id": id_, "token": request.headers.get("Authorization"), **data}))
        (row,) = [row for row in self.invitations if row["id"] == id_]
        reason = self.refusals.get(id_)
        shown = (
            dict.fromkeys(("text", "buttons", "from")) if reason else {n: row[n] for n in ("text", "buttons", "from")}
        )
        offer_id = None if reason not in (None, "holdout") or data.get("preview") else f"offer-{next(self._ids)}"
        answer = {"offer_id": offer_id, "show": not reason, "reason": reason, **shown}
        return web.json_response({"data": answer}, headers=CORS)

    async def _signals(self, request: web.Request) -> web.Response:
        data = json.loads(await request.text())
        self.signals += [{"key": data["key"], "type": request.content_type, **each} for each in data["signals"]]
        return web.Response(status=204, headers=CORS)

    async def _articles(self, request: web.Request) -> web.Response:
        self.calls.append(("articles", {**request.query, "method": request.method}))
        found = self.articles[:5]
        if request.method == "POST":
            asked = await request.json()
            self.calls.append(("searches", asked))
            words = asked["q"].lower().split()
            found = [each for each in self.articles if any(word in each["title"].lower() for word in words)]
            found = found[: asked["limit"]]
        rows = [{name: each[name] for name in ("id", "lang", "title", "summary", "url")} for each in found]
        return web.json_response({"data": rows}, headers=CORS)

    async def _article(self, request: web.Request) -> web.Response:
        id_, call = int(request.match_info["id"]), request.match_info.get("call", "article")
        found = [each for each in self.articles if each["id"] == id_]
        if not found:
            return web.json_response({"code": "not_found"}, status=404, headers=CORS)
        if request.method == "GET":
            self.calls.append((call, {"id": id_, **request.query}))
            return web.json_response({"data": found[0]}, headers=CORS)
        token = request.headers.get("Authorization")
        self.calls.append((call, {"id": id_, "token": token, **await request.json()}))
        return web.Response(status=204, headers=CORS)

    async def _feedback(self, request: web.Request) -> web.Response:
        self.calls.append(("feedback", {"message_id": int(request.match_info["id"]), **await request.json()}))
        return web.Response(status=204, headers=CORS)

    async def _sessions(self, request: web.Request) -> web.Response:
        data = await request.json()
        self.calls.append(("sessions", data))
        if len(data["page_url"]) > 2000 or data.get("phone") == "n/a":
            refused = {"code": "invalid_input", "errors": {"phone": ["Not a phone number."]}}
            return web.json_response(refused, status=422, headers=CORS)
        if self.visitor_blocked:
            return web.json_response({"code": "visitor_blocked"}, status=403, headers=CORS)
        if self.challenge and not data.get("proof"):
            return web.json_response({"code": "proof_required"}, status=403, headers=CORS)
        token = data.get("visitor_token")
        if letter := data.get("letter"):
            if letter not in self.letters_of:
                return web.json_response({"code": "letter_over"}, status=410, headers=CORS)
            token = self.letters_of[letter]
        if token and token not in self.messages:
            return web.json_response({"code": "invalid_token"}, status=401, headers=CORS)
        known = token is not None
        if self.renews_at_proof and data.get("identity_hmac") and known and not token.endswith("-proved"):
            self.messages[f"{token}-proved"] = self.messages.pop(token)
            await self._end(token)
            token = f"{token}-proved"
        token = token or f"visitor-{len(self.calls)}"
        self.messages.setdefault(token, [])
        answer = {
            "visitor_token": token,
            "contact_id": f"of {token.removesuffix('-proved')}",
            "chat_id": None,
            "online": self.settings["online"],
            "present": self.present,
            "messages": self.messages[token][-100:],
            "steps": self.steps,
            "letters": self.letters,
            **({"known_answers": self.known_answers} if "questions" in self.settings else {}),
            "realtime_url": f"ws://localhost:{self.port}",
        }
        return web.json_response({"data": answer}, status=200 if known else 201, headers=CORS)

    async def _end_session(self, request: web.Request) -> web.Response:
        token = request.headers.get("Authorization", "").removeprefix("Visitor ")
        self.calls.append(("ended", token))
        self.messages.pop(token, None)
        await self._end(token)
        return web.Response(status=204, headers=CORS)

    async def _end(self, token: str) -> None:
        for socket in [each for each, owner in self.sockets.items() if owner == token]:
            await socket.close(code=1008)

    async def _challenge(self, request: web.Request) -> web.Response:
        return web.json_response({"data": self.challenge}, headers=CORS)

    async def _visitor(self, request: web.Request) -> web.Response:
        token = request.headers.get("Authorization", "").removeprefix("Visitor ")
        if token not in self.messages:
            return web.json_response({"code": "unauthorized"}, status=401, headers=CORS)
        call = request.match_info["call"]
        if request.method == "GET":
            limit, found = int(request.query["limit"]), self.messages[token]
            self.calls.append((call, dict(request.query)))
            if before := request.query.get("before_id"):
                page = [each for each in found if each["id"] < int(before)][-limit:]
            else:
                page = [each for each in found if each["id"] > int(request.query["after_id"])][:limit]
            return web.json_response({"data": page}, headers=CORS)
        if request.method == "DELETE":
            self.calls.append((call, None))
            return web.Response(status=204, headers=CORS)
        if call == "files":
            return await self._upload(request)
        data = await request.json()
        self.calls.append((call, data))
        if self.answers_lost:
            self.answers_lost -= 1
            return web.Response(status=504, headers=CORS)
        if self.visitor_blocked:
            return web.json_response({"code": "visitor_blocked"}, status=403, headers=CORS)
        if call == "continue":
            return web.json_response({"data": {"url": f"{self.page}?start=token"}}, status=201, headers=CORS)
        if call == "address":
            if data["email"] and not data["email"].endswith(".test"):
                refused = {"code": "invalid_email", "errors": {"email": ["This is no e-mail address."]}}
                return web.json_response(refused, status=422, headers=CORS)
            state = "will" if data["email"] else "none"
            self.letters = {"mode": "on", "address": data["email"], "state": state}
            return web.json_response({"data": {"letters": self.letters}}, headers=CORS)
        if call == "messages":
            self.sent.append(data)
        if call != "messages":
            return web.json_response({"data": {}}, status=201, headers=CORS)
        if self.refuse_after:
            self.refuse_after -= 1
        elif self.refuse_messages:
            self.refuse_messages -= 1
            return web.json_response({"code": "validation_failed"}, status=422, headers=CORS)
        if lacking := self._lacking(token, data):
            refused = {"code": "answers_required", "errors": {f"answers.{key}": ["Required."] for key in lacking}}
            return web.json_response(refused, status=422, headers=CORS)
        status, message = await self._post_message(token, data)
        return web.json_response({"data": message}, status=status, headers=CORS)

    def _lacking(self, token: str, data: dict[str, Any]) -> list[str]:
        """The required answers that a first message lacks."""
        asked = [] if self.messages[token] else self.questions
        answers = data.get("answers") or {}
        return [each["key"] for each in asked if each["required"] and not each["when"] and each["key"] not in answers]

    async def _upload(self, request: web.Request) -> web.Response:
        sent = (await request.post())["file"]
        assert isinstance(sent, web.FileField)
        self.calls.append(("files", sent.filename))
        while not self.uploads_open.is_set():
            await asyncio.sleep(0.01)
        if self.refuse_files:
            return web.json_response({"code": "refused"}, status=self.refuse_files, headers=CORS)
        content = sent.file.read()
        content_type = "image/png" if content.startswith(b"\x89PNG") else "application/octet-stream"
        file = self._keep(sent.filename, content, content_type)
        return web.json_response({"data": {**file, "url": self._address(file)}}, status=201, headers=CORS)

    async def _file(self, request: web.Request) -> web.Response:
        file, content = self.files[int(request.match_info["id"])]
        return web.Response(body=content, content_type=file["content_type"])

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        if self.sockets_blocked:
            return web.Response(status=403)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        hello = json.loads((await socket.receive()).data)
        token = hello["token"]
        if hello["type"] != "auth" or token not in self.messages:
            await socket.close(code=1008)
            return socket
        await socket.send_json({"type": "ready", "data": {"online": self.settings["online"], "present": self.present}})
        for message in self.messages[token]:
            if message["id"] > hello["after_id"] - self.overlap:
                await socket.send_json({"type": "message.created", "data": message})
        self.sockets[socket] = token
        async for frame in socket:
            if frame.type is WSMsgType.TEXT:
                await self._frame(socket, token, json.loads(frame.data))
        self.sockets.pop(socket, None)
        return socket

    async def _frame(self, socket: web.WebSocketResponse, token: str, frame: dict[str, Any]) -> None:
        self.frames.append(frame)
        if frame["type"] == "ping":
            await socket.send_json({"type": "pong"})
        if frame["type"] != "message.send":
            return
        data = frame["data"]
        self.sent.append(data)
        if self.refuse_messages or self.visitor_blocked or self._lacking(token, data):
            await socket.send_json({"type": "error", "data": {"code": "validation_failed"}})
            return
        _, message = await self._post_message(token, data)
        if not self.acks_held:
            await socket.send_json({"type": "ack", "data": {"client_id": data["client_id"], "message": message}})

    async def _page(self, _request: web.Request) -> web.Response:
        tag = f'<script async src="{self.base}/widget/{self.guid}/embed.js"{self.lang_tag}></script>'
        script = self.snippet or tag
        headers = {"Content-Security-Policy": self.csp} if self.csp else {}
        text = self.document or PAGE.format(host=self.host, script=script)
        return web.Response(text=text, content_type="text/html", headers=headers)

    async def _demo(self, _request: web.Request) -> web.Response:
        lines = snippet(f"{self.base}/widget/{self.guid}/embed.js")
        context = {"snippet": lines, "public_url": self.base, "guid": self.guid, "agent_id": "7"}
        source = render_to_string("widget/demo.html", context)
        source = source.replace('"/static/', f'"{self.base}/static/')
        headers = {"Content-Security-Policy": self.csp} if self.csp else {}
        return web.Response(text=source, content_type="text/html", headers=headers)

    async def _embed(self, _request: web.Request) -> web.Response:
        module_url = f"{self.base}/static/widget/launcher.js"
        body = loader({"guid": self.guid, "base_url": self.base, "module_url": module_url})
        return web.Response(text=body, content_type="application/javascript", headers=CORS)

    async def _config(self, request: web.Request) -> web.Response:
        wished = request.query["lang"]
        self.calls.append(("config", dict(request.query)))
        language = wished if wished in NAMES else self.settings["language"]
        in_language = {
            "language": language,
            "direction": direction_of(language),
            "texts": CLOSED[language],
            "texts_url": f"{self.base}/static/widget/languages/{language}.js",
        }
        return web.json_response({"data": {**self.settings, **in_language}}, headers=CORS)

    async def _static(self, request: web.Request) -> web.StreamResponse:
        """A static file as the service has it: a module of the widget without its remarks."""
        name = request.match_info["path"]
        path = (CHATS if name.startswith("chats/") else WIDGET) / "static" / name
        if path.suffix == ".js" and not name.startswith("demo/") and path.is_file():
            return web.Response(body=as_served(path.read_bytes()), content_type="text/javascript", headers=CORS)
        return web.FileResponse(path, headers=CORS)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        app = web.Application(middlewares=[preflight], client_max_size=16 * 1024 * 1024)
        app.add_routes(
            [
                web.get("/", self._page),
                web.get("/demo/", self._demo),
                web.get(f"/widget/{self.guid}/embed.js", self._embed),
                web.get(f"/widget/{self.guid}/config", self._config),
                web.post(f"/widget/{self.guid}/sessions", self._sessions),
                web.delete(f"/widget/{self.guid}/sessions", self._end_session),
                web.get(f"/widget/{self.guid}/challenge", self._challenge),
                web.get(f"/widget/{self.guid}/invitations", self._invitations),
                web.post(f"/widget/{self.guid}/invitations/{{id:[0-9]+}}/offers", self._offers),
                web.post(f"/widget/{self.guid}/signals", self._signals),
                web.get(f"/widget/{self.guid}/articles", self._articles),
                web.post(f"/widget/{self.guid}/articles/search", self._articles),
                web.get(f"/widget/{self.guid}/articles/{{id:[0-9]+}}", self._article),
                web.post(f"/widget/{self.guid}/articles/{{id:[0-9]+}}/{{call:reads}}", self._article),
                web.put(f"/widget/{self.guid}/articles/{{id:[0-9]+}}/{{call:feedback}}", self._article),
                web.route("*", f"/widget/{self.guid}/{{call:[a-z-]+}}", self._visitor),
                web.put(f"/widget/{self.guid}/{{call:address}}", self._visitor),
                web.put(f"/widget/{self.guid}/messages/{{id:[0-9]+}}/feedback", self._feedback),
                web.get("/files/{id:[0-9]+}", self._file),
                web.get(f"/ws/visitor/{self.guid}", self._socket),
                web.static("/hosts", HOSTS, follow_symlinks=True) if HOSTS.is_dir() else web.get("/hosts", self._page),
                web.get("/static/{path:(?:widget|chats|demo)/[a-z./-]+}", self._static),
            ]
        )
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        self._loop.run_until_complete(runner.setup())
        site = web.TCPSite(runner, "localhost", 0)
        self._loop.run_until_complete(site.start())
        self.port = runner.addresses[0][1]
        self._started.set()
        self._loop.run_forever()
        self._loop.run_until_complete(runner.cleanup())
        self._loop.close()
