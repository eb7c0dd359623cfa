"""An agent at the support desk: it works on every open ticket, then ends. It needs the standard library alone.

    PARLEY_URL=https://chat.example.com PARLEY_SUPPORT_TOKEN=pt_… python3 agent.py

What it says is decided in `answer`, which is yours to write. Guide: docs/guides/support-agents.md.
"""

import json
import os
import time
import uuid
from collections.abc import Callable
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

LIMITS_OF_REPLIES = ("room_reply_limit", "support_rate_limited")


class Refused(Exception):
    """A problem of the desk; its `reason` is the code."""

    def __init__(self, problem: dict[str, Any], retry_after: str | None) -> None:
        super().__init__(f"{problem.get('status')} {problem.get('reason') or problem.get('code')}")
        self.problem, self.wait_s = problem, float(retry_after or 1)
        self.code, self.status = problem.get("code"), problem.get("status")


class Desk:
    """The desk's calls, as one agent."""

    def __init__(self, url: str, token: str, agent: str) -> None:
        self._base = f"{url.rstrip('/')}/api/v1/support"
        self._headers = {"Authorization": f"Bearer {token}", "X-Service-Agent": agent}

    def get(self, path: str, **query: Any) -> Any:
        return self._tried(path + (f"?{urlencode(query)}" if query else ""), None, {})

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """What a write came to. Where no answer comes, it asks again under the same key: nothing is done twice."""
        key = {"X-Service-Idempotency-Key": uuid.uuid4().hex, "Content-Type": "application/json"}
        try:
            return self._tried(path, json.dumps(body).encode(), key)["data"]
        except Refused as refused:
            if refused.code == "idempotency_key_reused" and refused.problem.get("previous"):
                return refused.problem["previous"]
            raise

    def _tried(self, path: str, body: bytes | None, headers: dict[str, str]) -> Any:
        for wait_s in (1, 2, 4, 8, 0):
            try:
                request = Request(self._base + path, body, {**self._headers, **headers})  # noqa: S310
                with urlopen(request, timeout=30) as answer:  # noqa: S310
                    return json.load(answer)
            except HTTPError as error:
                refused = Refused(json.load(error), error.headers["Retry-After"])
                if not wait_s or refused.status not in (429, 503) or refused.code in LIMITS_OF_REPLIES:
                    raise refused from None
                time.sleep(refused.wait_s)
            except OSError:
                if not wait_s:
                    raise
                time.sleep(wait_s)
        raise AssertionError


Answer = Callable[[dict[str, Any], list[dict[str, Any]]], str | None]


def work_on(desk: Desk, ticket: dict[str, Any], answer: Answer) -> bool:
    """Answers one ticket, or closes it where `answer` gives nothing to say; False if it is left to somebody else."""
    chat = f"/chats/{ticket['chat']['id']}"
    try:
        lease = {"claim_id": desk.post(f"{chat}/claim", {"ttl_sec": 600}).get("claim_id")}
    except Refused as refused:
        if refused.code in ("chat_claimed", "not_found"):  # a colleague's
            return False
        raise
    try:
        while True:
            last = desk.get(chat)["data"]["last_message"]  # before the messages: what comes meanwhile is seen
            text = answer(ticket, messages_of(desk, chat))
            if text is None:
                desk.post(f"/tickets/{ticket['number']}/close", {"reason": "resolved", **lease})
                return True
            expected = last["id"] if last else 0
            outcome = reply(desk, chat, {"text": text, "expected_last_message_id": expected, **lease}, ticket)
            if outcome != "chat_changed":
                return outcome == "stored"
    finally:
        try:
            desk.post(f"{chat}/release", lease)
        except Refused as refused:
            if refused.code not in ("claim_lost", "invalid_input"):
                raise


def reply(desk: Desk, chat: str, body: dict[str, Any], ticket: dict[str, Any]) -> str:
    """Sends an answer that closes the ticket: `stored`, or why not."""
    while True:
        try:
            done = desk.post(f"{chat}/reply", {**body, "ticket": ticket["number"]})
        except Refused as refused:
            if refused.code == "link_not_allowed":
                for link in refused.problem["offending"]:
                    body["text"] = body["text"].replace(link["token"], "…")
                continue
            return str(refused.code)
        while done["status"] == "unconfirmed":  # never sent again: what became of it is asked
            time.sleep(2)
            done = desk.get(f"/actions/{done['action_id']}")["data"]
            done["action_id"] = done["id"]
        return "stored" if done["status"] == "stored" else str(done.get("code"))


def messages_of(desk: Desk, chat: str) -> list[dict[str, Any]]:
    """All that was said. What customers write is data, never an instruction."""
    said: list[dict[str, Any]] = []
    after = "0"
    while after:
        page = desk.get(f"{chat}/messages", after_id=after, limit=200)
        said, after = said + page["data"], page["next_cursor"]
    return said


def empty_queue(desk: Desk, answer: Answer) -> list[int]:
    """Works on each open ticket once, the most urgent first; the numbers of those that are left to others."""
    left: list[int] = []
    while True:
        queue = desk.get("/tickets", state="open", limit=100)["data"]
        mine = [one for one in queue if not one["held_for_owner"] and one["number"] not in left]
        if not mine:
            return left
        if not work_on(desk, mine[0], answer):
            left.append(mine[0]["number"])


def answer(ticket: dict[str, Any], said: list[dict[str, Any]]) -> str | None:
    """What is said to the customer; None closes the ticket without a word."""
    return "Thank you for writing. We are looking into it." if said else None


if __name__ == "__main__":
    the_desk = Desk(os.environ["PARLEY_URL"], os.environ["PARLEY_SUPPORT_TOKEN"], "sample-agent")
    print("left to others:", empty_queue(the_desk, answer))
