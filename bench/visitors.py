"""Visitors whom an AI operator answers, in a process: `python -m bench.visitors WHAT …` on the DATABASE_URL.

`set-up VENDOR_URL WIDGETS` makes widgets whose AI is on, and prints their ids. `talk WIDGET_IDS BURSTS A_SECOND` has
new visitors write that many questions, waits until each is answered, and prints milliseconds from question to answer,
and how many calls of a vendor were under way at once. `post WIDGET_ID MESSAGES` has one visitor write, and prints what
one message costs this process in CPU milliseconds. `bare VENDOR_URL REPLIES` is the reference of a reply: it reads a
chat, asks the same vendor through the same SDK, and stores one row; it prints CPU milliseconds a reply.
"""

import asyncio
import json
import os
import sys
import time
from typing import Any

import django
import psycopg

QUESTION = "Сколько стоит букет из 25 роз, и когда его привезут?"
WAIT_S = 120.0
MODEL = "m-1"


def set_up(vendor_url: str, widgets: int) -> list[int]:
    from apps.accounts.models import Account, Widget
    from apps.ai.actions.assistants import create_assistant
    from apps.ai.actions.credentials import create_credential
    from apps.ai.actions.operators import create_operator
    from apps.ai.actions.settings import change_settings
    from apps.ai.rules.actors import SYSTEM

    account, _ = Account.objects.get_or_create(email="bench@parley.example", defaults={"name": "Bench"})
    made = []
    for number in range(widgets):
        widget = Widget.objects.create(account=account, name=f"Bench {number}")
        fields: dict[str, Any] = {"base_url": f"{vendor_url}/v1", "target": f"{vendor_url}/v1", "model": MODEL}
        create_credential(widget_id=widget.pk, provider="openai_compatible", api_key="k", **fields)
        assistant = create_assistant(widget_id=widget.pk, actor=SYSTEM, name="Flora", persona="You sell flowers.")
        create_operator(widget_id=widget.pk, assistant_id=assistant.pk)
        change_settings(widget_id=widget.pk, changes={"enabled": True})
        made.append(widget.pk)
    return made


def talk(widget_ids: list[int], bursts: int, a_second: float) -> dict[str, Any]:
    from apps.ai.models import Usage
    from apps.chats.models import Message

    newest = Message.objects.order_by("-id").values_list("id", flat=True).first() or 0
    first_use = Usage.objects.order_by("-id").values_list("id", flat=True).first() or 0
    asked = {}
    began = time.monotonic()
    for number in range(bursts):
        time.sleep(max(0.0, began + number / a_second - time.monotonic()))
        message = _post(_visitor(widget_ids[number % len(widget_ids)]))
        asked[message["chat_id"]] = message["id"]
    deadline = time.monotonic() + WAIT_S
    answers = Message.objects.filter(chat_id__in=asked, id__gt=newest, sender_kind="ai")
    while answers.count() < bursts:
        if time.monotonic() > deadline:
            raise RuntimeError(f"{answers.count()} of {bursts} were answered")
        time.sleep(0.2)
    times = dict(Message.objects.filter(id__in=asked.values()).values_list("chat_id", "created_at"))
    waited = sorted(
        (at - times[chat]).total_seconds() * 1000 for chat, at in answers.values_list("chat_id", "created_at")
    )
    uses = list(Usage.objects.filter(id__gt=first_use).values_list("at", "latency_ms"))
    spans = [(at.timestamp(), at.timestamp() + ms / 1000) for at, ms in uses]
    at_once = max(sum(start <= moment < end for start, end in spans) for moment, _ in spans)
    return {"waited_ms": waited, "at_once": at_once}


def post(widget_id: int, messages: int) -> float:
    contact = _visitor(widget_id)
    for _ in range(20):
        _post(contact)
    began = time.process_time()
    for _ in range(messages):
        _post(contact)
    return (time.process_time() - began) / messages * 1000


def _visitor(widget_id: int) -> Any:
    from apps.chats.actions import create_contact

    return create_contact(widget_id=widget_id, about={})


def _post(contact: Any) -> dict[str, Any]:
    from apps.chats.actions import post_client_message

    return post_client_message(contact=contact, content={"type": "text", "body": QUESTION}).message


_READ = "SELECT sender_kind, body FROM chats_message WHERE chat_id = %s ORDER BY id DESC LIMIT 40"
_STORE = """
INSERT INTO chats_message (chat_id, widget_id, type, body, sender_kind, created_at)
SELECT id, widget_id, 'text', %s, 'ai', now() FROM chats_chat WHERE id = %s"""


async def bare(vendor_url: str, replies: int) -> float:
    from openai import AsyncOpenAI

    client = AsyncOpenAI(api_key="k", base_url=f"{vendor_url}/v1", max_retries=0)
    connection = await psycopg.AsyncConnection.connect(os.environ["DATABASE_URL"], autocommit=True)
    rows = await (await connection.execute("SELECT id FROM chats_chat ORDER BY id LIMIT %s", [replies])).fetchall()
    chats = [row[0] for row in rows] * (1 + replies // max(1, len(rows)))

    async def reply(chat_id: int) -> None:
        said = await (await connection.execute(_READ, [chat_id])).fetchall()
        messages: Any = [
            {"role": "user" if kind == "client" else "assistant", "content": body} for kind, body in said[::-1]
        ]
        answer = await client.chat.completions.create(model=MODEL, messages=messages, max_tokens=1000)
        await connection.execute(_STORE, [answer.choices[0].message.content, chat_id])

    for chat_id in chats[:5]:
        await reply(chat_id)
    began = time.process_time()
    for chat_id in chats[:replies]:
        await reply(chat_id)
    return (time.process_time() - began) / replies * 1000


def main(what: str, *options: str) -> Any:
    if what == "bare":
        return asyncio.run(bare(options[0], int(options[1])))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    if what == "set-up":
        return set_up(options[0], int(options[1]))
    if what == "talk":
        return talk([int(one) for one in options[0].split(",")], int(options[1]), float(options[2]))
    return post(int(options[0]), int(options[1]))


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
