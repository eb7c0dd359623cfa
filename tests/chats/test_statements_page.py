"""docs/statements.md: what posting a message asks of PostgreSQL, as a page that is written by posting some.

`PARLEY_WRITE_DOCS=1 make test ARGS=tests/chats/test_statements_page.py` writes the page anew.
"""

import os
import re
import textwrap
from collections.abc import Callable
from threading import Thread
from typing import Any, NamedTuple

import pytest
from django.db import connection

from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.models import Chat
from config.environment import PROJECT_ROOT
from tests.client import ApiClient
from tests.factories import ContactFactory
from tests.factories.webhooks import SubscriptionFactory

PAGE = PROJECT_ROOT / "docs" / "statements.md"
HEAD = """\
# The statements that posting a message runs

Written by `PARLEY_WRITE_DOCS=1 make test ARGS=tests/chats/test_statements_page.py`, which posts messages and notes what
reaches the database. Without the variable the same test fails when this page is out of date. `%(name)s` is a parameter.
A statement is a transaction of its own unless it says otherwise. The token of the API's calls is remembered by then.
"""
TEXT = {"type": "text", "body": "Здравствуйте"}
# Bytes of a statement that psycopg keeps as it was parsed (MAX_CACHED_STATEMENT_LENGTH); longer ones are parsed anew.
PARSED_ONCE = 4096


class Statement(NamedTuple):
    sql: str
    in_transaction: bool


def statements_of(work: Callable[[], Any], before_writing: Callable[[], Any] | None = None) -> list[Statement]:
    """The statements that it runs, in order; `before_writing` is called once, before its first write of a message."""
    found: list[Statement] = []
    meanwhile = [before_writing] if before_writing else []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if meanwhile and "INSERT INTO chats_message" in sql:
            meanwhile.pop()()
        assert len(sql.encode()) <= PARSED_ONCE, f"a statement of {len(sql.encode())} bytes"
        found.append(Statement(layout(sql), connection.in_atomic_block))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        work()
    return found


def layout(sql: str) -> str:
    """As it stands in the source, without what is left over where parts were put together; a clause a line at least."""
    if "\n" not in sql.strip():
        return re.sub(r" (FROM|WHERE|(?:LEFT OUTER |INNER )?JOIN|ORDER BY|LIMIT|RETURNING) ", r"\n\1 ", sql.strip())
    lines = [re.sub(r"(?<=\S) {2,}", " ", line.rstrip()) for line in textwrap.dedent(sql).strip().splitlines()]
    return "\n".join(line for line in lines if line)


def heading(sql: str) -> str:
    """Which tables it writes and which it reads besides, in the order in which they are named."""
    written = tables(sql, "INSERT INTO", "UPDATE", "DELETE FROM")
    read = [name for name in tables(sql, "FROM", "JOIN") if name not in written]
    said = [f"{verb} {', '.join(names)}" for verb, names in (("writes", written), ("reads", read)) if names]
    return "; ".join(said) or "asks PostgreSQL itself"


def tables(sql: str, *before: str) -> list[str]:
    """What is named after one of these words, but for the names that the statement's own WITH gives."""
    named = re.findall(rf"\b(?:{'|'.join(before)})\s+\"?([a-z]+_[a-z]+)\b", sql)
    own = set(re.findall(r"(\w+)(?: \([^()]*\))? AS (?:(?:NOT )?MATERIALIZED )?\(", sql))
    return [name for name in dict.fromkeys(named) if name not in own]


def section(title: str, statements: list[Statement], shown: dict[str, str]) -> list[str]:
    """The statements under a heading each; what stands above already is named by its number."""
    number = title.partition(".")[0]
    lines = ["", f"## {title}"]
    for place, statement in enumerate(statements, 1):
        name = f"{number}.{place}"
        lines += ["", f"### {name} {heading(statement.sql)}", ""]
        if statement.in_transaction:
            lines += ["In a transaction.", ""]
        if statement.sql in shown:
            lines.append(f"The same as {shown[statement.sql]}.")
        else:
            lines += ["```sql", statement.sql, "```"]
            shown[statement.sql] = name
    return lines


def the_visitor_writes(chat: Chat) -> None:
    """In a connection of their own, to the end."""

    def run() -> None:
        try:
            actions.post_client_message(contact=chat.contact, content=TEXT)
        finally:
            connection.close()

    thread = Thread(target=run)
    thread.start()
    thread.join()


@pytest.fixture
def page(chat: Chat, alice: Agent, api: ApiClient) -> str:
    SubscriptionFactory.create(widget=chat.widget)
    newcomer = ContactFactory.create(widget=chat.widget)

    def answer() -> None:
        posted = api.post(f"/chats/{chat.pk}/messages", json={**TEXT, "agent_id": alice.pk})
        assert posted.status_code == 202, posted.content

    def write() -> None:
        actions.post_client_message(contact=newcomer, content=TEXT)

    api.get("/chats")  # the token is known from here on
    scenes = {
        "1. An operator's message through the API, the first answer: it changes the chat": statements_of(answer),
        "2. An operator's next message through the API": statements_of(answer),
        "3. A visitor's first message: it makes the chat": statements_of(write),
        "4. A visitor's next message": statements_of(write),
        "5. An operator's message, when the visitor writes between its reading and writing": statements_of(
            answer, before_writing=lambda: the_visitor_writes(chat)
        ),
    }
    shown: dict[str, str] = {}
    lines = [line for title, statements in scenes.items() for line in section(title, statements, shown)]
    return HEAD + "\n".join(lines) + "\n"


@pytest.mark.django_db(transaction=True)
def test_the_page_is_what_posting_runs(page: str) -> None:
    if os.environ.get("PARLEY_WRITE_DOCS"):
        PAGE.write_text(page, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page
