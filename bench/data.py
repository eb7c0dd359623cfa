"""One tenant with as many chats and messages as asked for, written by COPY: `python -m bench.data CHATS MESSAGES`.

Prints `Facts` as JSON. Called again with larger numbers, it adds older chats to the same tenant, so that the newest
page of the chat list holds the same rows at every size. With `--neighbours`, other tenants hold as much again. Needs a
migrated database in DATABASE_URL.
"""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from functools import cache
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
NEIGHBOURS = 9
# Talks long before all others, each on a channel of its own: as long as a transcript may be, and a tenth of it.
TRANSCRIPT_MESSAGES, SHORT_TRANSCRIPT_MESSAGES = 50_000, 5_000
USED_KEYS = 20_000

TABLES = ("chats_contact", "chats_chat", "chats_message")
# For building an index anew.
INDEX_MEMORY = "512MB"

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


# Words as a language has them: few are common, most are rare. Made of syllables, the same in every run.
SYLLABLES = "ба ве ги до жу за ки ле мо ну па ре си то фа ха це чо ши эр ют як бри кра сто пле".split()  # noqa: SIM905
VOCABULARY = 20_000
WORDS_A_MESSAGE = 5
# How often the rarest word stands among all that is said; with more, the proportions are nearer to 1 / rank.
RAREST = 5
# What the first message of a chat says if so many are newer. A search must pass by all of those, and begins to find in
# the middle of a block of the index, in which nearly all old chats say it.
ONLY_OLD = {"винтаж": 6_000, "ёъ": 250_000}
# Every other chat is on each of these channels; what the first message of all on the first one says, and no other.
CHANNELS = ("widget", "wa")
ONLY_THERE = "корзин"


@cache
def vocabulary() -> list[str]:
    """The words, the most common first."""
    chosen = random.Random(7)
    return ["".join(chosen.choices(SYLLABLES, k=chosen.randint(2, 5))) for _ in range(VOCABULARY)]


@cache  # a million entries, and each tenant speaks
def speech() -> list[str]:
    """Each word as often as it is said, in proportion, so that choosing one is cheap."""
    return [word for rank, word in enumerate(vocabulary(), start=1) for _ in range(RAREST * VOCABULARY // rank)]


# The searches of `searches` that are usual: for what somebody says.
USUAL = ("two letters, common", "common", "now and then", "seldom", "rare", "what one channel alone says")


def searches() -> dict[str, dict[str, str]]:
    """The searches, from a term of every second chat to an absent one, and their filters."""
    words = vocabulary()
    rare, absent = words[VOCABULARY - 1], "Сколько стоит букет из 26 роз?"
    return {
        "two letters, common": {"q": "ро"},
        "common": {"q": "Роз"},
        "now and then": {"q": words[200]},
        "seldom": {"q": words[2_000]},
        "rare": {"q": rare},
        "common words, seldom together": {"q": f"{words[3]} {words[5]} {words[4]}"},
        "two letters, absent": {"q": "ъы"},
        "absent": {"q": absent},
        **{f"{word}, said by all chats but {newer:,}": {"q": word} for word, newer in ONLY_OLD.items()},
        "rare, in spam": {"q": rare, "status": "spam"},
        "absent, in active chats": {"q": absent, "status": "active"},
        "two letters, absent, in active chats": {"q": "ъы", "status": "active"},
        "what one channel alone says": {"q": ONLY_THERE, "channel": CHANNELS[0]},
        "what one channel alone says, on the other": {"q": ONLY_THERE, "channel": CHANNELS[1]},
    }


@dataclass(frozen=True, slots=True)
class Size:
    """How much a tenant holds."""

    chats: int
    messages: int

    def __str__(self) -> str:
        return f"{self.chats:,} chats, {self.messages:,} messages"


@dataclass(frozen=True, slots=True)
class Visitor:
    """A person who writes at a widget, and has a chat there."""

    guid: str
    token: str
    chat_id: int


@dataclass(frozen=True, slots=True)
class Facts:
    """The data of a benchmark: a token with every scope, chats to read, and chats of each channel to write into;
    visitors of the same widget and of one whose AI is on, once they have come.
    """

    token: str
    widget_id: int
    widget_guid: str
    long_chat_ids: list[int]
    widget_chat_ids: list[int]
    messenger_chat_ids: list[int]
    transcript_chat_id: int
    short_transcript_chat_id: int
    visitors: list[Visitor] = field(default_factory=list)
    ai_visitors: list[Visitor] = field(default_factory=list)


def fill(size: Size, environ: Mapping[str, str], *, neighbours: bool = False) -> Facts:
    """Brings the tenant in the database of that environment to a size, in a process of its own."""
    command = [sys.executable, "-m", "bench.data", str(size.chats), str(size.messages)]
    command += ["--neighbours"] if neighbours else []
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
    facts = _fill(Size(int(sys.argv[1]), int(sys.argv[2])), neighbours="--neighbours" in sys.argv)
    print(json.dumps(asdict(facts)))


def _fill(size: Size, *, neighbours: bool) -> Facts:
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
        tenants = [(widget, size)]
        for number in range(NEIGHBOURS if neighbours else 0):
            other, _ = Widget.objects.get_or_create(account=account, name=f"neighbour {number}")
            tenants.append((other, Size(size.chats // NEIGHBOURS, size.messages // NEIGHBOURS)))
        with _without_indexes(cursor):
            for tenant, its_size in tenants:
                agent, _ = Agent.objects.get_or_create(widget=tenant, name="Alice", surname="Bench")
                _copy_chats(cursor, tenant.pk, agent.pk, its_size)
            transcript_chat_id = _long_talk(cursor, widget.pk, "tg", TRANSCRIPT_MESSAGES)
            short_transcript_chat_id = _long_talk(cursor, widget.pk, "vk", SHORT_TRANSCRIPT_MESSAGES)
        _subscribe(widget.pk)
        scopes = [scope.name for scope in plugins.scopes().values() if not scope.reserved]
        token = actions.issue_token(widget=widget, scopes=scopes, name="bench")
        _use_keys(cursor, widget.pk)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE, PARALLEL 0)")
        cursor.execute("CHECKPOINT")
    _tally()
    _fill_index()
    newest = Chat.objects.filter(widget=widget, channel__in=CHANNELS).order_by("-created_at")
    ids = list(newest.values_list("pk", flat=True)[:LONG_CHATS])
    length = talk_lengths(size)
    long_chats = sum(1 for number in range(min(LONG_CHATS, size.chats)) if length(number) == LONG_TALK)
    active = newest.filter(status="active").exclude(pk__in=ids[:long_chats])
    by_channel = [list(active.filter(channel=channel).values_list("pk", flat=True)[:TARGETS]) for channel in CHANNELS]
    _connect(widget.pk, by_channel[1])
    return Facts(
        token.plain_text,
        widget.pk,
        widget.guid,
        ids[: max(1, long_chats)],
        *by_channel,
        transcript_chat_id,
        short_transcript_chat_id,
    )


def _tally() -> None:
    """Counts what is over, as the periodic job will have in a live service; no trigger heard of what was copied."""
    from django.db import connection

    from apps.chats.actions import keep_tallies

    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM chats_tallyprogress")
        for _ in range(2):
            keep_tallies()
        cursor.execute("ANALYZE chats_chattally, chats_messagetally, chats_responsetally")


def _fill_index() -> None:
    """Fills the index of searches, as the migration does in a live service: built at the end, like all others."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_indexdef(to_regclass('chats_searchedmessage_found'))")
        definition = cursor.fetchone()[0]
        if definition is None:  # of a checkout beside, whose messages have it themselves
            return
        cursor.execute("DROP INDEX chats_searchedmessage_found")
        cursor.execute("DELETE FROM chats_searchprogress")
        cursor.execute(
            """
            INSERT INTO chats_searchedmessage (message_id, widget_id, chat_id, body)
            SELECT id, widget_id, chat_id, left(body, 10000) FROM chats_message WHERE NOT is_internal AND body <> ''
            ORDER BY id ON CONFLICT DO NOTHING"""
        )
        cursor.execute(
            """
            INSERT INTO chats_searchprogress (id, settled_id, filled_from)
            SELECT 1, pg_sequence_last_value('chats_message_id_seq'), 0"""
        )
        cursor.execute(f"SET maintenance_work_mem = '{INDEX_MEMORY}'")
        cursor.execute(definition)
        cursor.execute("VACUUM (ANALYZE) chats_searchedmessage")


@contextmanager
def _without_indexes(cursor: Any) -> Iterator[None]:
    """Leaves out what indexes the tables have, save the unique ones, while rows are copied, and builds them again.

    Entry by entry they take several times as long.
    """
    cursor.execute(
        """
        SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
        WHERE indrelid = ANY (%s::regclass[]) AND NOT indisunique ORDER BY indexrelid""",
        [list(TABLES)],
    )
    indexes = cursor.fetchall()
    for name, _ in indexes:
        cursor.execute(f"DROP INDEX {name}")
    yield
    cursor.execute(f"SET LOCAL maintenance_work_mem = '{INDEX_MEMORY}'")
    for _, definition in indexes:
        cursor.execute(definition)


def _long_talk(cursor: Any, widget_id: int, channel: str, messages: int) -> int:
    """A chat older than all others, the tenant's only one on its channel, with that many messages."""
    cursor.execute("SELECT id FROM chats_chat WHERE widget_id = %s AND channel = %s", [widget_id, channel])
    if found := cursor.fetchone():
        return int(found[0])
    cursor.execute(
        """
        WITH contact AS (
            INSERT INTO chats_contact (widget_id, guid, name)
            VALUES (%(widget_id)s, md5(%(channel)s || %(widget_id)s), 'Иван') RETURNING id
        )
        INSERT INTO chats_chat (widget_id, contact_id, channel, status, created_at)
        SELECT %(widget_id)s, id, %(channel)s, 'spam', '2001-01-01' FROM contact RETURNING id""",
        {"widget_id": widget_id, "channel": channel},
    )
    chat_id = int(cursor.fetchone()[0])
    cursor.execute(
        """
        INSERT INTO chats_message (chat_id, widget_id, type, body, sender_kind, sender_name, created_at)
        SELECT %(chat_id)s, %(widget_id)s, 'text', 'Здравствуйте! Где мой заказ номер ' || n || '?', 'client', 'Иван',
               timestamptz '2001-01-01' + n * interval '1 second'
        FROM generate_series(1, %(messages)s) n""",
        {"chat_id": chat_id, "widget_id": widget_id, "messages": messages},
    )
    return chat_id


def _subscribe(widget_id: int) -> None:
    """Webhook subscriptions, more than a page of them; the first is told of every message."""
    from apps.webhooks.actions.subscriptions import create_subscription
    from apps.webhooks.models import Subscription

    if Subscription.objects.for_widget(widget_id).exists():
        return
    for number in range(SUBSCRIPTIONS):
        url = f"https://receiver{number}.example/parley"
        events = ["chat.closed"] if number else ["message.created", "chat.closed"]
        create_subscription(widget_id=widget_id, url=url, target=url, events=events)


def _connect(widget_id: int, chat_ids: list[int]) -> None:
    """WhatsApp is connected, and whose chats these are writes by it, so that what is posted there is queued."""
    from apps.chats.models import Chat
    from apps.messengers.models import Connection, Peer

    code = CHANNELS[1]
    Connection.objects.get_or_create(
        widget_id=widget_id, provider=code, defaults={"account_id": "1", "account_name": "bench"}
    )
    contacts = Chat.objects.for_widget(widget_id).filter(pk__in=chat_ids).values_list("contact_id", flat=True)
    peers = [Peer(widget_id=widget_id, channel=code, conversation=str(pk), contact_id=pk) for pk in contacts]
    Peer.objects.bulk_create(peers, ignore_conflicts=True)


def _use_keys(cursor: Any, widget_id: int) -> None:
    """Idempotency keys of the last hours, as a live service has: for an empty table the planner plans otherwise."""
    cursor.execute(
        "INSERT INTO core_idempotencykey (widget_id, key) SELECT %s, 'used ' || n FROM generate_series(1, %s) n",
        [widget_id, USED_KEYS],
    )


def _copy_chats(cursor: Any, widget_id: int, agent_id: int, size: Size) -> None:
    """Adds what the tenant lacks of its chats, with their contacts and messages."""
    cursor.execute(
        """
        SELECT count(*), coalesce(min(created_at), now()) FROM chats_chat
        WHERE widget_id = %s AND channel = ANY (%s)""",
        [widget_id, list(CHANNELS)],
    )
    present, oldest = cursor.fetchone()
    first_ids = {}
    for table in TABLES:
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
                f"{self._id('chats_contact', number)}\t{self._widget_id}\t{self._widget_id:08x}{number:024x}\t{name}\t"
                f"visitor{number}@mail.example\t{at}\t{at}\n"
            )

    def chats(self) -> Iterator[str]:
        """One in twenty is spam, two are active, one of each channel; the others have expired. All were answered."""
        message_id = self._first_ids["chats_message"] - 1
        for number in self._numbers:
            began_at, length = self._began_at(number), self._length(number)
            message_id += length
            status = {7: "spam", 3: "active", 10: "active"}.get(number % 20, "expired")
            answered_at = (began_at + BETWEEN_MESSAGES).isoformat()
            last_at = (began_at + BETWEEN_MESSAGES * max(0, length - 1)).isoformat()
            last = f"{last_at}\t{message_id}" if length else "\\N\t\\N"
            expired_at = last_at if status == "expired" else "\\N"
            answer = f"{self._agent_id}\thuman\t{answered_at}"
            channel = CHANNELS[number % len(CHANNELS)]
            yield (
                f"{self._id('chats_chat', number)}\t{self._widget_id}\t{self._id('chats_contact', number)}\t"
                f"{channel}\t{status}\t{self._agent_id}\thuman\t{answer}\t{answer}\tt\t{last}\t"
                f"{expired_at}\t{began_at.isoformat()}\n"
            )

    def messages(self) -> Iterator[str]:
        """The visitor and the agent in turn."""
        chosen = random.Random(self._present)
        choose, choices, words = chosen.choice, chosen.choices, speech()
        message_id = self._first_ids["chats_message"]
        for number in self._numbers:
            chat_id, at = self._id("chats_chat", number), self._began_at(number)
            once = "".join(f" {word}" for word, newer in ONLY_OLD.items() if number >= newer)
            once += "" if number % len(CHANNELS) else f" {ONLY_THERE}"
            senders = (f"client\t\\N\t{NAMES[number % len(NAMES)]}", f"agent\t{self._agent_id}\tAlice Bench")
            for position in range(self._length(number)):
                sender = senders[position % 2]
                text = f"{choose(TEXTS)} {' '.join(choices(words, k=WORDS_A_MESSAGE))}{once}"
                once = ""
                yield f"{message_id}\t{chat_id}\t{self._widget_id}\ttext\t{text}\t{sender}\t{at.isoformat()}\n"
                message_id += 1
                at += BETWEEN_MESSAGES


if __name__ == "__main__":
    main()
