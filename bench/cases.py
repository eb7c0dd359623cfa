"""The measured requests of each case, and whether product and reference answer them alike."""

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bench.data import Facts, Visitor
from bench.load import KEY_LENGTH, KEY_MARK
from bench.web import WebServer

TEXT = "Здравствуйте! Заказ собран, курьер будет у вас с 14 до 16 часов. Anything else?"


@dataclass(frozen=True, slots=True)
class Request:
    """One request of a case, without the headers that all have: the API's, unless a visitor's token is given."""

    path: str
    method: str = "GET"
    body: bytes | None = None
    visitor: str = ""

    def headers(self, token: str, key: str) -> dict[str, str]:
        """`key` is the idempotency key, for a write by the API."""
        common = {"Authorization": f"Visitor {self.visitor}" if self.visitor else f"Bearer {token}", "Accept": "*/*"}
        if self.body is None:
            return common
        common["Content-Type"] = "application/json"
        return common if self.visitor else {**common, "X-Service-Idempotency-Key": key}

    def content(self, key: str) -> bytes | None:
        """The body, where a visitor's message has the key as its own."""
        return self.body and self.body.replace(KEY_MARK.encode(), key.encode())

    def text(self, token: str, port: int) -> str:
        """The whole request as HTTP/1.1 text, with a mark where each sending has a new key."""
        body = (self.body or b"").decode()
        lines = [f"{self.method} {self.path} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
        lines += [f"{name}: {value}" for name, value in self.headers(token, KEY_MARK).items()]
        if self.body is not None:
            lines.append(f"Content-Length: {len(self.content(KEY_LENGTH * '0') or b'')}")
        return "\r\n".join([*lines, "", body])


@dataclass(frozen=True, slots=True)
class Case:
    """A kind of request; `goal` is how many times the reference's CPU the product may use for it."""

    name: str
    title: str
    goal: float
    goal_name: str
    status: int
    requests: Callable[[Facts], list[Request]]
    visits: bool = False  # whether visitors make the requests


def _message_lists(limit: int) -> Callable[[Facts], list[Request]]:
    return lambda facts: [Request(f"/api/v1/chats/{id_}/messages?limit={limit}") for id_ in facts.long_chat_ids]


def _posts(chat_ids: Callable[[Facts], list[int]]) -> Callable[[Facts], list[Request]]:
    body = json.dumps({"type": "text", "body": TEXT}, ensure_ascii=False).encode()
    return lambda facts: [Request(f"/api/v1/chats/{id_}/messages", "POST", body) for id_ in chat_ids(facts)]


def _visitors_posts(visitors: Callable[[Facts], list[Visitor]]) -> Callable[[Facts], list[Request]]:
    body = json.dumps({"client_id": KEY_MARK, "type": "text", "body": TEXT}, ensure_ascii=False).encode()
    return lambda facts: [
        Request(f"/widget/{visitor.guid}/messages", "POST", body, visitor.token) for visitor in visitors(facts)
    ]


CASES = (
    Case("chats", "chats list, limit 20", 2.2, "P1", 200, lambda facts: [Request("/api/v1/chats?limit=20")]),
    Case("messages", "messages list, limit 20", 2.2, "P1", 200, _message_lists(20)),
    Case("messages-100", "messages list, limit 100", 2.2, "P1", 200, _message_lists(100)),
    Case(
        "subscriptions",
        "webhook subscriptions list, limit 20",
        5.0,
        "P1",
        200,
        lambda facts: [Request("/api/v1/webhook-subscriptions?limit=20")],
    ),
    Case("post", "post into a widget's chat", 3.0, "P2", 202, _posts(lambda facts: facts.widget_chat_ids)),
    Case("post-messenger", "post into a messenger's", 3.5, "P2", 202, _posts(lambda facts: facts.messenger_chat_ids)),
    Case("post-visitor", "post by a visitor", 3.5, "P2", 201, _visitors_posts(lambda facts: facts.visitors), True),
    Case("post-visitor-ai", "the same, AI on", 4.0, "P2", 201, _visitors_posts(lambda facts: facts.ai_visitors), True),
)


class DifferentAnswers(Exception):
    """Product and reference do not answer a request alike, so comparing their speed would say nothing."""


def require_same_answers(case: Case, facts: Facts, product: WebServer, reference: WebServer) -> int:
    """Asks both the first requests of a case; returns how many. Raises DifferentAnswers."""
    asked = case.requests(facts)[:5]
    for request in asked:
        answers = []
        for server in (product, reference):
            key = uuid.uuid4().hex
            headers = request.headers(facts.token, key)
            answers.append(server.answer(request.method, request.path, headers, request.content(key)))
        compare(request, case.status, answers[0], answers[1])
    return len(asked)


def compare(request: Request, status: int, product: tuple[int, bytes], reference: tuple[int, bytes]) -> None:
    """Raises DifferentAnswers unless both have the status and the same body; a new message's id may differ."""
    if not product[0] == reference[0] == status:
        raise DifferentAnswers(f"{request.method} {request.path}: {product} is not {reference} with status {status}")
    bodies: list[Any] = [json.loads(answer[1]) for answer in (product, reference)]
    if request.method == "POST":
        bodies = [_without_new_id(body) for body in bodies]
        same = bodies[0] == bodies[1]
    else:
        same = product[1] == reference[1] and bool(bodies[0]["data"])
    if not same:
        raise DifferentAnswers(f"{request.method} {request.path}: {product[1]!r} is not {reference[1]!r}")


def _without_new_id(body: dict[str, Any]) -> dict[str, Any]:
    """The body of a posted message, with the type of what is new in each: its id, and the time of a whole one."""
    data = body["data"]
    new = {name: type(data[name]).__name__ for name in ("message_id", "id", "created_at") if name in data}
    return {**body, "data": {**data, **new}}
