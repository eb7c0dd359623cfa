"""One tenant with as many chats and messages as asked for, written by COPY: `python -m bench.data CHATS MESSAGES`.

Prints `Facts` as JSON. Called again with larger numbers, it adds older chats to the same tenant, so that the newest
page of the chat list holds the same rows at every size. Needs a migrated database in DATABASE_URL.
"""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from config.environment import PROJECT_ROOT

EMAIL = "bench@parley.example"
# Chats long enough for a page of 100 messages; the other messages are spread evenly.
LONG_CHATS, LONG_TALK = 50, 150
BETWEEN_CHATS = timedelta(seconds=20)
BETWEEN_MESSAGES = timedelta(milliseconds=100)
BLOCK_ROWS = 5_000
TARGETS = 500
SUBSCRIPTIONS = 25

CONTACT_COLUMNS = "id, widget_id, guid, name, email, created_at, updated_at"
CHAT_COLUMNS = """id, widget_id, contact_id, channel, status, agent_id, handling, accepted_agent_id, accepted_type,
    accepted_at, handled_agent_id, handled_type, handled_at, has_client_messages, last_message_at, last_message_id,
    expired_at, created_at"""
MESSAGE_COLUMNS = "id, chat_id, widget_id, type, body, sender_kind, agent_id, sender_name, created_at"

NAMES = ("Иван Петров", "Jane O'Neill", "Ольга Сидорова", "Max Mustermann", "Ζωή Παππά", "Анна Ким", "Peter Novák")
TEXTS = (
    "Здравствуйте! Сколько стоит букет из 25 роз?",
    "Добрый день! От 4 500 ₽, доставим сегодня до вечера.",
    "Hi, is anybody there? I would like to change the address of my order, it was placed this morning.",
    "One moment please, I am looking it up.",
    "Скажите, а можно оплатить картой при получении, если заказ оформляла не я, а моя сестра из другого города?",
    "Да.",
    "Thank you! That is all I wanted to know.",
    "Номер заказа 100% верный, проверил дважды: A_1042-77",
)


@dataclass(frozen=True, slots=True)
class Size:
    """How much a tenant holds."""

    chats: int
    messages: int

    def __str__(self) -> str:
        return f"{self.chats:,} chats, {self.messages:,} messages"


@dataclass(frozen=True, slots=True)
class Facts:
    """What a benchmark needs to know of the data: a token with every scope, chats to read and chats to write into."""

    token: str
    widget_id: int
    long_chat_ids: list[int]
    active_chat_ids: list[int]


def fill(size: Size, environ: Mapping[str, str]) -> Facts:
    """Brings the tenant in the database of that environment to a size, in a process of its own."""
    command = [sys.executable, "-m", "bench.data", str(size.chats), str(size.messages)]
    done = subprocess.run(command, cwd=PROJECT_ROOT, env=dict(environ), check=True, stdout=subprocess.PIPE)
    return Facts(**json.loads(done.stdout))


def talk_lengths(size: Size) -> Callable[[int], int]:
    """How many messages each chat of a tenant of that size has, by its number from 0."""
    long_chats = min(LONG_CHATS, size.messages // (2 * LONG_TALK), max(1, size.chats // 2))
    others = max(1, size.chats - long_chats)
    each, more = divmod(size.messages - long_chats * LONG_TALK, others)
    return lambda number: LONG_TALK if number < long_chats else each + (number - long_chats < more)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    facts = _fill(Size(int(sys.argv[1]), int(sys.argv[2])))
    print(json.dumps(asdict(facts)))


def _fill(size: Size) -> Facts:
    from django.db import connection, transaction

    from apps.accounts import actions
    from apps.accounts.models import Account, Widget
    from apps.agents.models import Agent
    from apps.chats.models import Chat
    from apps.core import plugins

    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
    with transaction.atomic(), connection.cursor() as cursor:
        # The rows are consistent by construction; checking ten million references is not what is measured.
        cursor.execute("SET LOCAL session_replication_role = replica")
        account, _ = Account.objects.get_or_create(email=EMAIL)
        widget, _ = Widget.objects.get_or_create(account=account, name="bench", defaults={"api_enabled": True})
        agent, _ = Agent.objects.get_or_create(widget=widget, name="Alice", surname="Bench")
        _copy_chats(cursor, widget.pk, agent.pk, size)
        _subscribe(widget.pk)
        scopes = [scope.name for scope in plugins.scopes().values() if not scope.reserved]
        token = actions.issue_token(widget=widget, scopes=scopes, name="bench").plain_text
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE, PARALLEL 0)")
    newest = Chat.objects.filter(widget=widget).order_by("-created_at")
    ids = list(newest.values_list("pk", flat=True)[:LONG_CHATS])
    length = talk_lengths(size)
    long_chats = sum(1 for number in range(min(LONG_CHATS, size.chats)) if length(number) == LONG_TALK)
    active = newest.filter(status="active").exclude(pk__in=ids[:long_chats]).values_list("pk", flat=True)[:TARGETS]
    return Facts(token, widget.pk, ids[: max(1, long_chats)], list(active))


def _subscribe(widget_id: int) -> None:
    """Webhook subscriptions, more than a page of them; the first is told of every message."""
    from apps.webhooks.actions.subscriptions import create_subscription
    from apps.webhooks.models import Subscription

    if Subscription.objects.of(widget_id).exists():
        return
    for number in range(SUBSCRIPTIONS):
        url = f"https://receiver{number}.example/parley"
        events = ["chat.closed"] if number else ["message.created", "chat.closed"]
        create_subscription(widget_id=widget_id, url=url, target=url, events=events)


def _copy_chats(cursor: Any, widget_id: int, agent_id: int, size: Size) -> None:
    """Adds what the tenant lacks of its chats, with their contacts and messages."""
    cursor.execute("SELECT count(*), coalesce(min(created_at), now()) FROM chats_chat")
    present, oldest = cursor.fetchone()
    first_ids = {}
    for table in ("chats_contact", "chats_chat", "chats_message"):
        cursor.execute(f"SELECT coalesce(max(id), 0) + 1 FROM {table}")
        first_ids[table] = cursor.fetchone()[0]
    rows = _Rows(widget_id, agent_id, size, present=present, oldest=oldest, first_ids=first_ids)
    tables = {
        "chats_contact": (CONTACT_COLUMNS, rows.contacts()),
        "chats_chat": (CHAT_COLUMNS, rows.chats()),
        "chats_message": (MESSAGE_COLUMNS, rows.messages()),
    }
    for table, (columns, lines) in tables.items():
        with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
            for block in _blocks(lines):
                copy.write(block)
        cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}")


def _blocks(lines: Iterator[str]) -> Iterator[str]:
    block: list[str] = []
    for line in lines:
        block.append(line)
        if len(block) == BLOCK_ROWS:
            yield "".join(block)
            block = []
    yield "".join(block)


class _Rows:
    """The lines of COPY's text format, table by table. The same numbers give the same rows."""

    def __init__(
        self,
        widget_id: int,
        agent_id: int,
        size: Size,
        *,
        present: int,
        oldest: datetime,
        first_ids: Mapping[str, int],
    ) -> None:
        self._widget_id, self._agent_id = widget_id, agent_id
        self._numbers = range(present, size.chats)
        self._length = talk_lengths(size)
        self._present, self._oldest, self._first_ids = present, oldest, first_ids

    def _began_at(self, number: int) -> datetime:
        return self._oldest - BETWEEN_CHATS * (number - self._present + 1)

    def _id(self, table: str, number: int) -> int:
        return self._first_ids[table] + number - self._present

    def contacts(self) -> Iterator[str]:
        for number in self._numbers:
            at = self._began_at(number).isoformat()
            name = NAMES[number % len(NAMES)]
            yield (
                f"{self._id('chats_contact', number)}\t{self._widget_id}\t{number:032x}\t{name}\t"
                f"visitor{number}@mail.example\t{at}\t{at}\n"
            )

    def chats(self) -> Iterator[str]:
        """Nine in ten have expired, one in twenty is spam; all were answered by the agent."""
        message_id = self._first_ids["chats_message"] - 1
        for number in self._numbers:
            began_at, length = self._began_at(number), self._length(number)
            message_id += length
            status = "spam" if number % 20 == 7 else "active" if number % 20 == 3 else "expired"
            answered_at = (began_at + BETWEEN_MESSAGES).isoformat()
            last_at = (began_at + BETWEEN_MESSAGES * max(0, length - 1)).isoformat()
            last = f"{last_at}\t{message_id}" if length else "\\N\t\\N"
            expired_at = last_at if status == "expired" else "\\N"
            answer = f"{self._agent_id}\thuman\t{answered_at}"
            yield (
                f"{self._id('chats_chat', number)}\t{self._widget_id}\t{self._id('chats_contact', number)}\twidget\t"
                f"{status}\t{self._agent_id}\thuman\t{answer}\t{answer}\tt\t{last}\t{expired_at}\t"
                f"{began_at.isoformat()}\n"
            )

    def messages(self) -> Iterator[str]:
        """The visitor and the agent in turn."""
        choose = random.Random(self._present).choice
        message_id = self._first_ids["chats_message"]
        for number in self._numbers:
            chat_id, at = self._id("chats_chat", number), self._began_at(number)
            senders = (f"client\t\\N\t{NAMES[number % len(NAMES)]}", f"agent\t{self._agent_id}\tAlice Bench")
            for position in range(self._length(number)):
                sender = senders[position % 2]
                yield f"{message_id}\t{chat_id}\t{self._widget_id}\ttext\t{choose(TEXTS)}\t{sender}\t{at.isoformat()}\n"
                message_id += 1
                at += BETWEEN_MESSAGES


if __name__ == "__main__":
    main()
