"""A widget with an inbox, its operators, and visitors who write: `python -m bench.operators`, on the DATABASE_URL.

Says "ready" when all is imported, then answers each line that it is told (JSON, `do` is a function's name) with a line,
and ends when its input does.
"""

import json
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from typing import Any

OPERATORS = 50
# Visitors who write at once, each with a connection to the database.
WRITERS = 4
EMAIL = "console@parley.example"

# A closed chat every 20 seconds back from the oldest one that there is, each with a question and an answer.
_CHATS = """
WITH contact AS (
    INSERT INTO chats_contact (widget_id, guid, name, email)
    SELECT %(widget_id)s, md5(%(widget_id)s || ':' || n), 'Иван Петров ' || n, 'visitor' || n || '@mail.example'
    FROM generate_series(%(present)s + 1, %(chats)s) n
    RETURNING id, substring(email from '[0-9]+')::int AS n
), chat AS (
    INSERT INTO chats_chat (
        widget_id, contact_id, channel, status, agent_id, has_client_messages, created_at, last_message_at, expired_at)
    SELECT %(widget_id)s, id, 'widget', 'expired', %(first_agent_id)s + n %% 50, true, at, at, at
    FROM contact, LATERAL (SELECT now() - n * interval '20 seconds' AS at)
    RETURNING id, agent_id, created_at, contact_id
)
INSERT INTO chats_message (chat_id, widget_id, type, body, sender_kind, agent_id, created_at)
SELECT chat.id, %(widget_id)s, 'text', said.body, said.kind, CASE said.kind WHEN 'agent' THEN chat.agent_id END,
       chat.created_at
FROM chat, LATERAL (VALUES
    (1, 'client', 'Здравствуйте! Где мой заказ номер ' || chat.id || '?'),
    (2, 'agent', 'Добрый день! Курьер уже в пути, будет до вечера.')) said (position, kind, body)
ORDER BY chat.id, said.position"""
_LAST_MESSAGES = """
UPDATE chats_chat c SET last_message_id = m.id
FROM (SELECT chat_id, max(id) AS id FROM chats_message WHERE widget_id = %(widget_id)s GROUP BY chat_id) m
WHERE m.chat_id = c.id AND c.last_message_id IS NULL"""
_OPEN = """
UPDATE chats_chat SET status = 'active', expired_at = NULL WHERE status = 'expired' AND id IN (
    SELECT id FROM chats_chat WHERE widget_id = %(widget_id)s ORDER BY created_at DESC LIMIT %(open)s)"""


def fill(*, chats: int, open: int) -> dict[str, Any]:
    """Brings the widget to so many chats, the newest of them open. Says which are open."""
    from django.db import connection, transaction

    from apps.chats.models import Chat

    widget, agents = _people()
    names = {"widget_id": widget.pk, "first_agent_id": agents[0].pk, "chats": chats, "open": open}
    names["present"] = Chat.objects.for_widget(widget.pk).count()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        # The rows are consistent by construction.
        cursor.execute("SET LOCAL session_replication_role = replica")
        for statement in (_CHATS, _LAST_MESSAGES, _OPEN):
            cursor.execute(statement, names)
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("VACUUM (ANALYZE, PARALLEL 0)")
    opened = Chat.objects.for_widget(widget.pk).filter(status="active").order_by("-created_at")
    return {"open": list(opened.values_list("pk", flat=True))}


def route() -> dict[str, Any]:
    """From now on chats are offered; none has an owner, and everybody has room for all."""
    from apps.chats.models import Chat
    from apps.routing.actions.settings import change_routing

    widget, _ = _people()
    Chat.objects.for_widget(widget.pk).update(agent=None)
    change_routing(
        widget_id=widget.pk, department_id=None, changes={"mode": "routed", "capacity": 100, "accept_seconds": 600}
    )
    return {}


def tickets(*, count: int) -> dict[str, Any]:
    """Tickets for so many sockets, each operator's in turn."""
    from apps.console.actions.sign_in import issue_ticket

    _, agents = _people()
    keys = [_session(agent) for agent in agents]
    in_turn = islice(cycle(zip(agents, keys, strict=True)), count)
    return {"tickets": [issue_ticket(agent=agent, session_key=key) for agent, key in in_turn]}


def cookie() -> dict[str, Any]:
    """The cookie of an operator's browser."""
    from django.conf import settings

    _, agents = _people()
    return {"cookie": f"{settings.SESSION_COOKIE_NAME}={_session(agents[0])}"}


def write(*, chat_ids: list[int], rate: float, seconds: float) -> dict[str, Any]:
    """Lets the visitors of these chats write in turn, at an even rate. Says how many messages there were, and how many
    milliseconds each took.
    """
    from apps.chats.actions import post_client_message
    from apps.chats.models import Chat

    contacts = [chat.contact for chat in Chat.objects.filter(pk__in=chat_ids).select_related("contact")]
    began = time.monotonic()

    def say(number: int) -> float:
        time.sleep(max(0.0, began + number / rate - time.monotonic()))
        content = {"type": "text", "body": f"Вопрос номер {number}: сколько стоит доставка сегодня до вечера?"}
        asked_at = time.perf_counter()
        post_client_message(contact=contacts[number % len(contacts)], content=content)
        return (time.perf_counter() - asked_at) * 1000

    with ThreadPoolExecutor(WRITERS) as writers:
        took = list(writers.map(say, range(round(rate * seconds))))
    return {"took": took, "seconds": time.monotonic() - began}


def _people() -> tuple[Any, Sequence[Any]]:
    """The widget and its operators."""
    from apps.accounts.models import Account, User, Widget
    from apps.agents.models import Agent

    account, _ = Account.objects.get_or_create(email=EMAIL)
    widget, _ = Widget.objects.get_or_create(account=account, name="console")
    if not Agent.objects.for_widget(widget.pk).filter(user__isnull=False).exists():
        for number in range(OPERATORS):
            user = User.objects.create(email=f"operator{number}@parley.example", account=account)
            Agent.objects.create(widget=widget, user=user, name=f"Operator {number}", email=user.email)
    return widget, list(
        Agent.objects.for_widget(widget.pk).filter(user__isnull=False).select_related("user").order_by("id")
    )


def _session(agent: Any) -> str:
    """The key of a session that the operator's person is signed in with."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(agent.user_id)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = agent.user.get_session_auth_hash()
    session.save()
    return str(session.session_key)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    print("ready", flush=True)
    calls = {each.__name__: each for each in (fill, route, tickets, cookie, write)}
    for line in sys.stdin:
        told = json.loads(line)
        print(json.dumps(calls[told.pop("do")](**told)), flush=True)


if __name__ == "__main__":
    main()
