"""Rolling restarts behind a real nginx, with the deployment guide's `upstream` lines: no call fails."""

import json
import threading
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
import requests
from django.conf import settings
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from apps.chats.models import Chat, Message
from tests.contract.web import WebProcess
from tests.e2e.nginx import NGINX, Nginx
from tests.factories import AgentFactory, ApiTokenFactory, ChatFactory, plain_text
from tests.faults.scale import SCALE
from tests.realtime.process import RealtimeProcess, database_url

pytestmark = [
    pytest.mark.faults,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(NGINX is None, reason="nginx is not here (`make test` installs it where it may)"),
]

CALLERS = 4


@pytest.fixture
def processes(transactional_db: None) -> Iterator[tuple[list[WebProcess], list[RealtimeProcess]]]:
    """Two of `web` and two of `realtime`."""
    environ = {
        "DATABASE_URL": database_url(),
        "REDIS_URL": settings.REDIS_URL,
        "API_RATE_LIMIT": "1000000",
        "TRUSTED_PROXIES": "1",
    }
    with ExitStack() as stack:
        webs = [stack.enter_context(WebProcess(**environ)) for _ in range(2)]
        yield webs, [stack.enter_context(RealtimeProcess(**environ)) for _ in range(2)]


class Callers:
    """Systems that read and write all the time, each call once."""

    def __init__(self, url: str, trusted: str, token: str, chat: Chat, agent_id: int) -> None:
        self.statuses: Counter[tuple[str, int]] = Counter()
        self._path, self._trusted, self._agent_id = f"{url}/api/v1/chats/{chat.pk}/messages", trusted, agent_id
        self._authorization = f"Bearer {token}"
        self._stopped = threading.Event()
        self._threads = [threading.Thread(target=self._call) for _ in range(CALLERS)]

    def __enter__(self) -> "Callers":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        for thread in self._threads:
            thread.join(60)

    def _call(self) -> None:
        with requests.Session() as session:
            session.verify, session.trust_env = self._trusted, False
            while not self._stopped.wait(0.02):  # else they alone keep a machine busy on which others start
                key = {"Authorization": self._authorization, "X-Service-Idempotency-Key": uuid.uuid4().hex}
                message = {"type": "text", "body": "Hello", "agent_id": self._agent_id}
                for method, body in (("GET", None), ("POST", message)):
                    answer = session.request(method, self._path, headers=key, json=body, timeout=30)
                    self.statuses[method, answer.status_code] += 1


@pytest.mark.slow
def test_no_call_fails_and_sockets_find_the_other_process(
    processes: tuple[list[WebProcess], list[RealtimeProcess]],
) -> None:
    webs, realtimes = processes
    agent = AgentFactory.create()
    chat = ChatFactory.create(contact__widget=agent.widget)
    token = plain_text(ApiTokenFactory.create(widget=agent.widget))
    ports = {8000: webs[0].port, 8010: webs[1].port, 8001: realtimes[0].port, 8011: realtimes[1].port}
    with Nginx(ports, upstreams=True) as nginx:

        def open_socket() -> ClientConnection:
            address = f"{nginx.realtime_url}/ws/visitor/{agent.widget.guid}"
            return connect(address, ssl=nginx.tls(), open_timeout=10, proxy=None)

        with Callers(nginx.url, str(nginx.trusted), token, chat, agent.pk) as callers:
            for restarted in ([*webs, *realtimes] * 5) if SCALE.is_long else [*webs, realtimes[0]]:
                restarted.stop()
                for _ in range(4):  # to whichever nginx thinks of first
                    with open_socket() as opened:
                        opened.send(json.dumps({"type": "auth", "token": "wrong"}))
                        with pytest.raises(ConnectionClosed) as closed:
                            opened.recv(10)
                    assert closed.value.rcvd is not None
                    assert closed.value.rcvd.code == 1008, "it was answered by a process that is there"
                restarted.start()
    assert callers.statuses.keys() == {("GET", 200), ("POST", 202)}, callers.statuses
    assert Message.objects.filter(chat=chat).count() == callers.statuses["POST", 202]
