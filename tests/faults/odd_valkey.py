"""A Valkey that a test puts into the odd states that real servers get into, and out of them again."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import redis as redis_library

from launcher.servers import EmbeddedServers, ValkeyServer


class OddValkey:
    """A server, and its operator's own connection, which no state keeps out."""

    def __init__(self, valkey: ValkeyServer) -> None:
        self.url, self._valkey = valkey.url, valkey
        self.password = str(urlsplit(valkey.url).password)
        self._introduce_operator()

    def _introduce_operator(self) -> None:
        with redis_library.Redis.from_url(self.url) as everybody:
            everybody.execute_command("ACL", "SETUSER", "operator", "on", "nopass", "~*", "&*", "+@all")
            port = everybody.connection_pool.connection_kwargs["port"]
        self.operator = redis_library.Redis(port=port, username="operator", password="any", decode_responses=True)

    def tell(self, *commands: str) -> None:
        """Runs commands as the operator; everybody else then connects anew."""
        for command in commands:
            self.operator.execute_command(*command.split())
        self.operator.client_kill_filter(_type="normal", skipme=True)

    def occupy(self) -> None:
        """Puts something of another type, without an expiry, under every key there is and under the queue's."""
        for key in {*self.operator.keys(), "celery"}:
            kind = self.operator.type(key)
            self.operator.delete(key)
            self.operator.rpush(key, "odd") if kind == "string" else self.operator.set(key, "odd")

    @contextmanager
    def in_state(self, name: str) -> Iterator[None]:
        """One of STATES, for as long as the block takes."""
        STATES[name].begin(self)
        try:
            yield
        finally:
            STATES[name].end(self)

    def freeze(self) -> None:
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        self._valkey.kill()

    def start(self) -> None:
        self._valkey.start()
        self._introduce_operator()

    def _signal(self, number: signal.Signals) -> None:
        assert self._valkey.process is not None
        self._valkey.process.send_signal(number)


@dataclass(frozen=True, slots=True)
class State:
    """How a server gets into a state, and out of it. One that is `slow` keeps callers waiting until they give up."""

    begin: Callable[[OddValkey], None]
    end: Callable[[OddValkey], None]
    slow: bool = False


def _told(begin: str, end: str) -> State:
    return State(
        lambda valkey: valkey.tell(begin.format(password=valkey.password)),
        lambda valkey: valkey.tell(end.format(password=valkey.password)),
    )


STATES = {
    "killed": State(OddValkey.kill, OddValkey.start),
    "frozen": State(OddValkey.freeze, OddValkey.thaw, slow=True),
    "full": _told("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"),
    "a replica": _told("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"),
    "a replica that must not answer": State(
        lambda valkey: valkey.tell("CONFIG SET replica-serve-stale-data no", "REPLICAOF 127.0.0.1 1"),
        lambda valkey: valkey.tell("REPLICAOF NO ONE", "CONFIG SET replica-serve-stale-data yes"),
    ),
    "without the replicas it needs": _told("CONFIG SET min-replicas-to-write 1", "CONFIG SET min-replicas-to-write 0"),
    "behind another password": _told(
        "ACL SETUSER default resetpass >another", "ACL SETUSER default resetpass >{password}"
    ),
    "permitting nothing": _told("ACL SETUSER default -@all", "ACL SETUSER default +@all"),
    "permitting no writes": _told("ACL SETUSER default -@write", "ACL SETUSER default +@all"),
    "permitting no scripts": _told("ACL SETUSER default -@scripting", "ACL SETUSER default +@all"),
    "permitting no keys": _told("ACL SETUSER default resetkeys", "ACL SETUSER default allkeys"),
    "permitting no channels": _told("ACL SETUSER default resetchannels", "ACL SETUSER default allchannels"),
    "keeping something else": State(OddValkey.occupy, lambda valkey: valkey.tell("FLUSHALL")),
}


@contextmanager
def odd_valkey() -> Iterator[OddValkey]:
    """A server of its own, in order at first."""
    with (
        TemporaryDirectory(prefix="parley-home-") as home,
        EmbeddedServers(Path(home), durable=False, postgres=False) as servers,
    ):
        yield OddValkey(servers.valkey)
