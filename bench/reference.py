"""The reference: the cost of a bare WSGI program that gives the same answers, under the same web server.

Token check, rate limit (GCRA) and idempotency claim are one Lua round trip to Redis; then comes one prepared statement
on a connection of the thread, and orjson. No framework, validation, problem types, metrics, logs or outbox: it is not
fit for production. It says how much of the product's CPU is the product's own.
"""

import base64
import hashlib
import hmac
import os
import re
import threading
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl

import orjson
import psycopg
import redis

from config.serving.threaded import ThreadedWSGI

RATE_LIMIT = int(os.environ.get("API_RATE_LIMIT", "600"))
WINDOW_MS = 60_000
OPTIONS = orjson.OPT_UTC_Z | orjson.OPT_NAIVE_UTC
TOKEN_KEY = "bench:token:"  # of the API's tokens: the widget; of visitors': the chat
HOOK_KEY = "bench:hook:"  # of Telegram's callback addresses: the widget and the secret

# KEYS: the token, its limit, the idempotency key. ARGV: limit, window in ms, 1 to claim the idempotency key.
# Answers: the token's widget (nil for an unknown token), 1 within the limit, 1 for a key not used before.
_ADMIT = """
local widget = redis.call('GET', KEYS[1])
if not widget then return {false, 0, 0} end
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local interval, window = ARGV[2] / ARGV[1], tonumber(ARGV[2])
local tat = math.max(tonumber(redis.call('GET', KEYS[2]) or now), now) + interval
if tat - now > window then return {widget, 0, 0} end
redis.call('SET', KEYS[2], string.format('%.3f', tat), 'PX', math.ceil(tat - now))
if ARGV[3] == '1' and not redis.call('SET', KEYS[3], '1', 'NX', 'PX', 86400000) then return {widget, 1, 0} end
return {widget, 1, 1}
"""

_CHATS = """
SELECT c.id, c.status, c.channel, c.agent_id, c.accepted_agent_id, c.accepted_type, c.accepted_at,
       c.handled_agent_id, c.handled_type, c.handled_at, c.handling, contact.guid, c.department_id, c.created_at,
       c.last_message_at, contact.name, last_message.id, last_message.type, left(last_message.body, 100),
       last_message.sender_kind, last_message.agent_id, last_message.sender_name, last_message.created_at,
       c.priority, c.invitation_id, c.invitation_name, c.answers
FROM chats_chat c JOIN chats_contact contact ON contact.id = c.contact_id
LEFT JOIN chats_message last_message ON last_message.id = c.last_message_id
WHERE c.widget_id = %s ORDER BY c.created_at DESC, c.id DESC LIMIT %s"""

_MESSAGES = """
SELECT id, chat_id, type, body, markdown, details, origin, sender_kind, agent_id, sender_name, created_at, seen_at,
       delivery
FROM chats_message WHERE chat_id = %s AND widget_id = %s ORDER BY created_at DESC, id DESC LIMIT %s"""

_SUBSCRIPTIONS = """
SELECT id, url, events,
       ARRAY(SELECT name FROM unnest(events) WITH ORDINALITY AS wanted (name, place)
             WHERE NOT EXISTS (SELECT FROM webhooks_eventswitch s WHERE s.name = wanted.name AND s.enabled)
             ORDER BY place),
       is_active, is_legacy_compat, created_at, updated_at
FROM webhooks_subscription WHERE widget_id = %s ORDER BY created_at DESC, id DESC LIMIT %s"""

_POST = """
WITH chat AS (
    SELECT c.id, c.widget_id, a.id AS agent_id, concat_ws(' ', a.name, nullif(a.surname, '')) AS sender_name
    FROM chats_chat c JOIN agents_agent a ON a.id = c.agent_id
    WHERE c.id = %s AND c.widget_id = %s AND c.status <> 'spam'
    FOR UPDATE OF c
), posted AS (
    INSERT INTO chats_message (chat_id, widget_id, type, body, sender_kind, agent_id, sender_name)
    SELECT id, widget_id, %s, %s, 'agent', agent_id, sender_name FROM chat
    RETURNING id, chat_id, created_at
), moved AS (
    UPDATE chats_chat c SET status = 'active', last_message_id = posted.id, last_message_at = posted.created_at,
                            version = c.version + 1
    FROM posted WHERE c.id = posted.chat_id
)
SELECT id, chat_id FROM posted"""

_VISITOR_POST = """
WITH chat AS (
    SELECT c.id, c.widget_id, contact.name FROM chats_chat c JOIN chats_contact contact ON contact.id = c.contact_id
    WHERE c.id = %s FOR UPDATE OF c
), posted AS (
    INSERT INTO chats_message (chat_id, widget_id, type, body, sender_kind, sender_name, client_id)
    SELECT id, widget_id, %s, %s, 'client', name, %s::uuid FROM chat
    ON CONFLICT DO NOTHING RETURNING *
), moved AS (
    UPDATE chats_chat c SET status = 'active', last_message_id = posted.id, last_message_at = posted.created_at,
                            version = c.version + 1
    FROM posted WHERE c.id = posted.chat_id
)
SELECT id, chat_id, type, body, markdown, details, origin, sender_kind, agent_id, sender_name, created_at, seen_at,
       delivery
FROM posted"""

_UPDATE = """
WITH chat AS (
    SELECT c.id, c.widget_id FROM messengers_peer p
    JOIN chats_chat c ON c.contact_id = p.contact_id AND c.channel = p.channel
    WHERE p.widget_id = %s AND p.channel = 'tg' AND p.account = '' AND p.conversation = %s
    FOR UPDATE OF c
), posted AS (
    INSERT INTO chats_message (chat_id, widget_id, type, body, sender_kind, client_id)
    SELECT id, widget_id, 'text', %s, 'client', %s FROM chat
    ON CONFLICT DO NOTHING RETURNING id, chat_id, created_at
), moved AS (
    UPDATE chats_chat c SET status = 'active', last_message_id = posted.id, last_message_at = posted.created_at,
                            version = c.version + 1
    FROM posted WHERE c.id = posted.chat_id
)
SELECT id FROM posted"""

_MESSAGES_PATH = re.compile(r"/api/v1/chats/(\d+)/messages")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CURSOR_KEY = hashlib.sha256(b"parley.core.paging" + os.environ.get("SECRET_KEY", "").encode()).digest()

_redis = redis.Redis.from_url(os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/0"))
_admit = _redis.register_script(_ADMIT)
_local = threading.local()

Environ = dict[str, Any]
StartResponse = Callable[[str, list[tuple[str, str]]], object]


class Refused(Exception):
    """The status line of a refusal."""


def application(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
    """The WSGI program: the chat list, a chat's messages, posting a message."""
    try:
        status, body = _answer(environ)
    except Refused as refusal:
        status, body = str(refusal), {"status": str(refusal)}
    encoded = orjson.dumps(body, option=OPTIONS)
    start_response(status, [("Content-Type", "application/json"), ("Content-Length", str(len(encoded)))])
    return [encoded]


# As the product is served.
served = ThreadedWSGI(application, int(os.environ.get("WEB_THREADS", "4")))


def _take_update(environ: Environ) -> dict[str, Any]:
    """Stores what Telegram posts, once. Raises Refused."""
    known = _redis.get(HOOK_KEY + environ["PATH_INFO"].rpartition("/")[2])
    widget_id, secret = orjson.loads(known) if known else (0, "")
    if not known or not hmac.compare_digest(environ.get("HTTP_X_TELEGRAM_BOT_API_SECRET_TOKEN", ""), secret):
        raise Refused("403 Forbidden")
    message = orjson.loads(environ["wsgi.input"].read())["message"]
    conversation = str(message["chat"]["id"])
    client_id = hashlib.md5(f"{conversation}:{message['message_id']}".encode(), usedforsecurity=False).hexdigest()
    _rows(_UPDATE, (widget_id, conversation, message["text"], client_id))
    return {"ok": True}


def _take_visitors_message(environ: Environ) -> dict[str, Any]:
    """Stores what a visitor writes, once. Raises Refused."""
    chat_id = _admitted(environ)
    message = orjson.loads(environ["wsgi.input"].read())
    rows = _rows(_VISITOR_POST, (chat_id, message["type"], message["body"], message["client_id"]))
    if not rows:
        raise Refused("409 Conflict")
    shown = show_message(rows[0])
    return {name: shown[name] for name in shown if name not in ("delivery", "translations")}


def _answer(environ: Environ) -> tuple[str, Any]:
    if environ["PATH_INFO"].startswith("/hooks/"):
        return "200 OK", _take_update(environ)
    path = environ["PATH_INFO"]
    if path.startswith("/widget/"):
        return "201 Created", {"data": _take_visitors_message(environ)}
    widget_id = _admitted(environ)
    if path == "/api/v1/chats":
        limit = _limit(environ)
        return "200 OK", _page(
            _rows(_CHATS, (widget_id, limit + 1)), limit, f"ChatViewSet.list:{widget_id}:", show_chat, 13
        )
    if path == "/api/v1/webhook-subscriptions":
        limit = _limit(environ)
        rows = _rows(_SUBSCRIPTIONS, (widget_id, limit + 1))
        return "200 OK", _page(rows, limit, f"SubscriptionViewSet.list:{widget_id}:", show_subscription, 6)
    match = _MESSAGES_PATH.fullmatch(path)
    if match is None:
        raise Refused("404 Not Found")
    chat_id = int(match[1])
    if environ["REQUEST_METHOD"] == "GET":
        limit = _limit(environ)
        rows = _rows(_MESSAGES, (chat_id, widget_id, limit + 1))
        return "200 OK", _page(rows, limit, f"MessageViewSet.list:{widget_id}:{chat_id}", show_message, 10)
    message = orjson.loads(environ["wsgi.input"].read())
    rows = _rows(_POST, (chat_id, widget_id, message["type"], message["body"]))
    if not rows:
        raise Refused("404 Not Found")
    return "202 Accepted", {"data": {"message_id": rows[0][0], "chat_id": rows[0][1]}}


def _admitted(environ: Environ) -> int:
    """The widget of the request's token, or the chat of a visitor's. Raises Refused."""
    kind, _, token = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    digest = hashlib.sha256(token.encode()).hexdigest()
    writes = environ["REQUEST_METHOD"] == "POST" and kind == "Bearer"  # a visitor's message has a key of its own
    key = environ.get("HTTP_X_SERVICE_IDEMPOTENCY_KEY", "")
    if writes and not key:
        raise Refused("400 Bad Request")
    widget_id, allowed, fresh = _admit(
        keys=[TOKEN_KEY + digest, f"bench:limit:{digest}", f"bench:key:{digest}:{key}"],
        args=[RATE_LIMIT, WINDOW_MS, int(writes)],
    )
    if widget_id is None:
        raise Refused("401 Unauthorized")
    if not allowed:
        raise Refused("429 Too Many Requests")
    if not fresh:
        raise Refused("409 Conflict")
    return int(widget_id)


def _limit(environ: Environ) -> int:
    return int(dict(parse_qsl(environ["QUERY_STRING"])).get("limit", 20))


def _rows(sql: str, parameters: tuple[Any, ...]) -> list[Sequence[Any]]:
    """All rows of one statement, prepared on this thread's connection."""
    connection: psycopg.Connection[Any] | None = getattr(_local, "connection", None)
    if connection is None:
        connection = psycopg.connect(os.environ["DATABASE_URL"], autocommit=True, options="-c timezone=UTC")
        _local.connection = connection
    return connection.execute(sql, parameters, prepare=True).fetchall()


def _page(
    rows: list[Sequence[Any]], limit: int, of_list: str, show: Callable[[Sequence[Any]], dict[str, Any]], at: int
) -> dict[str, Any]:
    """A page with its signed cursor; `at` is the column of the time that the list is sorted by."""
    cursor = None
    if len(rows) > limit:
        del rows[limit:]
        passed = rows[-1][at] - _EPOCH
        moment = (passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds
        payload = orjson.dumps([[moment], rows[-1][0]])
        signature = hmac.digest(_CURSOR_KEY, of_list.encode() + b"\0" + payload, "sha256")[:12]
        cursor = base64.urlsafe_b64encode(signature + payload).rstrip(b"=").decode()
    return {"data": [show(row) for row in rows], "next_cursor": cursor}


def show_chat(row: Sequence[Any]) -> dict[str, Any]:
    """A chat as the product shows it."""
    return {
        "id": row[0],
        "status": row[1],
        "channel": row[2],
        "agent_id": row[3],
        "accepted_by": row[5] and {"agent_id": row[4], "type": row[5], "at": row[6]},
        "handled_by": row[8] and {"agent_id": row[7], "type": row[8], "at": row[9]},
        "handling": row[10],
        "contact_id": row[11],
        "department_id": row[12],
        "priority": row[23],
        "invitation": row[24] and {"id": row[24], "name": row[25]},
        "created_at": row[13],
        "last_message_at": row[14],
        "contact": {"id": row[11], "name": row[15] or None},
        "last_message": row[16]
        and {
            "id": row[16],
            "type": row[17],
            "preview": row[18],
            "sender": {"kind": row[19], "agent_id": row[20], "name": row[21] or None},
            "created_at": row[22],
        },
        "answers": row[26] or {},
    }


def show_message(row: Sequence[Any]) -> dict[str, Any]:
    """A message as the product shows it."""
    extras = row[5] or {}
    translations = extras.get("translations") or []
    return {
        "id": row[0],
        "chat_id": row[1],
        "type": row[2],
        "body": row[3],
        "markdown": row[4],
        "file": extras.get("file"),
        "name": extras.get("name"),
        "url": extras.get("url"),
        "files": extras.get("files") or [],
        "coords": extras.get("coords"),
        "sticker": extras.get("sticker"),
        "keyboard": extras.get("keyboard"),
        "unsupported": extras.get("unsupported"),
        "edited_at": extras.get("edited_at"),
        "deleted_at": extras.get("deleted_at"),
        "origin": row[6],
        "sender": {"kind": extras.get("shown_as", row[7]), "agent_id": row[8], "name": row[9] or None},
        "ai": row[7] in ("ai", "external_operator") and not extras.get("by_person"),
        "sources": extras.get("sources") or [],
        "translated_from": next((each["lang"] for each in translations if each["is_source"]), None),
        "agent_id": row[8],
        "created_at": row[10],
        "seen_at": row[11],
        "delivery": row[12],
        "translations": [
            {"lang": each["lang"], "text": each["text"], "is_source": each["is_source"]}
            for each in translations
            if each["state"] == "done"
        ],
    }


def show_subscription(row: Sequence[Any]) -> dict[str, Any]:
    """A webhook subscription as the product shows it."""
    return {
        "id": row[0],
        "url": row[1],
        "events": row[2],
        "disabled_events": row[3],
        "is_active": row[4],
        "is_legacy_compat": row[5],
        "created_at": row[6],
        "updated_at": row[7],
    }
