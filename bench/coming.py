"""Visitors who come over HTTP and begin a chat each, as a page has them do; some to a widget whose AI is on."""

import json
import subprocess
import sys
import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import psycopg

from bench.data import Facts, Visitor
from bench.web import WebServer
from config.environment import PROJECT_ROOT

VISITORS = 64
_GUID = "SELECT guid FROM accounts_widget WHERE id = %s"


def with_visitors(facts: Facts, web: WebServer, environ: Mapping[str, str]) -> Facts:
    """The facts with visitors of the tenant's widget, and of another one, where nobody answers though AI is on: what is
    measured is posting.
    """
    set_up = [sys.executable, "-m", "bench.visitors", "set-up", "http://127.0.0.1:1", "1"]
    done = subprocess.run(set_up, cwd=PROJECT_ROOT, env=dict(environ), check=True, stdout=subprocess.PIPE)
    (widget_id,) = json.loads(done.stdout.splitlines()[-1])
    with psycopg.connect(environ["DATABASE_URL"]) as connection:
        row = connection.execute(_GUID, [widget_id]).fetchone()
    if row is None:
        raise RuntimeError("there is no widget whose AI is on")
    return replace(facts, visitors=come(web, facts.widget_guid), ai_visitors=come(web, row[0]))


def come(web: WebServer, guid: str, number: int = VISITORS) -> list[Visitor]:
    """So many visitors of a widget. Raises RuntimeError for one who is refused."""
    return [_come(web, guid, number) for number in range(number)]


def _come(web: WebServer, guid: str, number: int) -> Visitor:
    session = _ask(web, f"/widget/{guid}/sessions", {}, {"name": f"Visitor {number}"})
    token = session["visitor_token"]
    first = {"client_id": uuid.uuid4().hex, "type": "text", "body": "Здравствуйте!"}
    message = _ask(web, f"/widget/{guid}/messages", {"Authorization": f"Visitor {token}"}, first)
    return Visitor(guid, token, message["chat_id"])


def _ask(web: WebServer, path: str, headers: Mapping[str, str], body: Mapping[str, str]) -> dict[str, Any]:
    sent = {"Content-Type": "application/json", **headers}
    status, answer = web.answer("POST", path, sent, json.dumps(body).encode())
    if status not in (200, 201):
        raise RuntimeError(f"{path} was answered {status}: {answer[:300]!r}")
    data: dict[str, Any] = json.loads(answer)["data"]
    return data
