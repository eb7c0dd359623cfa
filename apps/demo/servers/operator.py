"""A played external operator: a program on loopback that takes turns and answers them, for trying the way out."""

import hmac
import json
import threading
import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from apps.demo.servers.played import PlayedRequest, PlayedServer, Says

Turn = Mapping[str, Any]
SLOW_S = 10.0
BEHAVIOURS = ("echo", "faq", "slow", "silent", "escalate")
_FAQ = {"price": "Roses are 90 each.", "сколько": "По 90 рублей.", "deliver": "We deliver until 9 p.m."}


def content_of(turn: Turn, behaviour: str) -> str | None:
    """The answer to a turn; None: nothing, which hands over."""
    text = "\n".join(message["body"] for message in turn["messages"])
    if behaviour == "faq":
        return next((answer for word, answer in _FAQ.items() if word in text.lower()), None)
    return f"You said: {text}"


class PlayedOperator(PlayedServer):
    """Takes events, and answers turns as the behaviour says."""

    methods = ("POST",)

    def __init__(
        self, port: int, *, secret: str, token: str, behaviour: str, says: Callable[[str], object] = print
    ) -> None:
        super().__init__(port)
        self._secret, self._token, self._behaviour, self._says = secret, token, behaviour, says
        self._seen: set[str] = set()

    def hear(self, request: PlayedRequest) -> Says:
        sent = [request.headers.get(f"x-service-signature{end}", "") for end in ("", "-next")]
        status, answer = self.take(request.raw, sent)
        return Says(answer, status)

    def take(self, body: bytes, signatures: list[str]) -> tuple[int, bytes]:
        """The answer to an event; a turn is answered by a call of its own."""
        if not any(hmac.compare_digest(self._signature(body), one) for one in signatures):
            self._says("refused: the signature is not by this secret")
            return 401, b""
        event = json.loads(body)
        if event["type"] == "delivery.test":
            self._says("test: proved")
            challenge = event["data"]["challenge"]
            return 200, json.dumps({"challenge": challenge, "proof": self._signature(challenge.encode())}).encode()
        if event["type"] == "turn.created" and event["id"] not in self._seen:
            self._seen.add(event["id"])
            threading.Thread(target=self._answer, args=(event["data"],), daemon=True).start()
        else:
            self._says(f"{event['type']}: {event['data'].get('reason', 'seen already')}")
        return 200, b""

    def _answer(self, turn: Turn) -> None:
        if self._behaviour == "silent":
            self._says(f"turn {turn['causation_id']}: no answer")
            return
        if self._behaviour == "slow":
            time.sleep(SLOW_S)
        reply = {
            "room_id": turn["room_id"],
            "causation_id": turn["causation_id"],
            "content": content_of(turn, self._behaviour),
            "escalate": self._behaviour == "escalate",
        }
        body = json.dumps(reply).encode()
        frame = f"reply\n{turn['operator_public_id']}\n{turn['button_guid']}\n".encode()
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Content-Type": "application/json",
            "X-Service-Operator": turn["operator_public_id"],
            "X-Service-Signature": self._signature(frame + body),
        }
        try:
            with urlopen(Request(turn["reply_url"], body, headers), timeout=15) as answer:  # noqa: S310 - the service's
                self._says(f"turn {turn['causation_id']}: {answer.status} {answer.read().decode()}")
        except HTTPError as refused:
            self._says(f"turn {turn['causation_id']}: {refused.code} {refused.read().decode()}")
        except URLError as error:
            self._says(f"turn {turn['causation_id']}: {error.reason}")

    def _signature(self, body: bytes) -> str:
        return f"sha256=v1:{hmac.new(self._secret.encode(), body, sha256).hexdigest()}"
