"""A Valkey that a test puts into the odd states that real servers get into, and out of them again.

What a lone server can't be made to do (load for long, be one of a cluster, break off) is done by another one at its
address, which knows one answer.
"""

import shutil
import signal
import socket
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import redis as redis_library

from launcher.processes import wait_until
from launcher.servers import EmbeddedServers, ValkeyServer
from tests.waits import AT_MOST_S


class OddValkey:
    """A server, and its operator's own connection, which no state keeps out."""

    def __init__(self, valkey: ValkeyServer) -> None:
        self.url, self._valkey = valkey.url, valkey
        self.password = str(urlsplit(valkey.url).password)
        self._peer: Peer | None = None
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
        self.operator.client_kill_filter(_type="pubsub")
        self.operator.client_kill_filter(_type="normal", skipme=True)

    def occupy(self) -> None:
        """Puts something of another type, without an expiry, under every key there is and under the queue's."""
        for key in {*self.operator.keys(), "celery"}:
            kind = self.operator.type(key)
            self.operator.delete(key)
            self.operator.rpush(key, "odd") if kind == "string" else self.operator.set(key, "odd")

    def fill_disk(self) -> None:
        """Lets it fail to save its data, after which it takes no writes, on the connections that there are."""
        (self._valkey.folder / "dump.rdb" / "in the way").mkdir(parents=True)
        self.operator.config_set("save", "3600 1000000")
        self._save("err")

    def free_disk(self) -> None:
        shutil.rmtree(self._valkey.folder / "dump.rdb")
        self._save("ok")
        self.operator.config_set("save", "")

    def _save(self, status: str) -> None:
        self.operator.bgsave()
        assert wait_until(
            lambda: self.operator.info("persistence")["rdb_last_bgsave_status"] == status, seconds=AT_MOST_S
        ), f"saving did not end: {status}"

    def give_way(self, answer: bytes, *, cut: bool = False) -> None:
        """Lets another server take its place."""
        self.kill()
        self._peer = Peer(self._port, answer, cut=cut)

    def return_(self) -> None:
        assert self._peer is not None
        self._peer.end()
        self._peer = None
        self.start()

    @property
    def _port(self) -> int:
        port = urlsplit(self.url).port
        assert port is not None
        return port

    @contextmanager
    def in_state(self, name: str) -> Iterator[None]:
        """One of STATES or ANY_PEER, for as long as the block takes."""
        state = (STATES | ANY_PEER)[name]
        state.begin(self)
        try:
            yield
        finally:
            state.end(self)

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


class Peer(socketserver.ThreadingTCPServer):
    """A server with one answer to every command; without one it is silent, and does not hang up when it ends, as if
    the network had gone. One that cuts hangs up after it.
    """

    allow_reuse_address, daemon_threads, block_on_close = True, True, False

    def __init__(self, port: int, answer: bytes, *, cut: bool) -> None:
        self.answer, self.cut = answer, cut
        self._callers: list[socket.socket] = []
        super().__init__(("127.0.0.1", port), PeerHandler)
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def get_request(self) -> tuple[socket.socket, object]:
        caller, address = super().get_request()
        self._callers.append(caller)
        return caller, address

    def end(self) -> None:
        self.shutdown()
        self.server_close()
        for caller in self._callers if self.answer else ():
            with suppress(OSError):
                caller.shutdown(socket.SHUT_RDWR)


class PeerHandler(socketserver.BaseRequestHandler):
    server: Peer

    def handle(self) -> None:
        with suppress(OSError):
            while received := self.request.recv(65536):
                commands = received.startswith(b"*") + received.count(b"\r\n*")
                self.request.sendall(self.server.answer * commands)
                if self.server.cut:
                    return


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


def _replaced(answer: bytes, *, cut: bool = False) -> State:
    return State(lambda valkey: valkey.give_way(answer, cut=cut), OddValkey.return_, slow=not answer and not cut)


STATES = {
    "killed": State(OddValkey.kill, OddValkey.start),
    "frozen": State(OddValkey.freeze, OddValkey.thaw, slow=True),
    "full": _told("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"),
    "with a full disk": State(OddValkey.fill_disk, OddValkey.free_disk),
    "with every place taken": _told("CONFIG SET maxclients 1", "CONFIG SET maxclients 1000"),
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
    "loading": _replaced(b"-LOADING Redis is loading the dataset in memory\r\n"),
    "busy": _replaced(b"-BUSY Redis is busy running a script. You can only call SCRIPT KILL.\r\n"),
    "one of a cluster": _replaced(b"-MOVED 3999 127.0.0.1:1\r\n"),
    "of a cluster that is down": _replaced(b"-CLUSTERDOWN The cluster is down\r\n"),
    "knowing only errors": _replaced(b"-ERR unknown\r\n"),
    "breaking off": _replaced(b"$100\r\nthe first half", cut=True),
    "hanging up": _replaced(b"", cut=True),
    "speaking something else": _replaced(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
    "silent": _replaced(b""),
}

# No Redis at all: whatever the answer is meant to be. Celery ends by it, and is started again.
ANY_PEER = {"agreeing to everything": _replaced(b"+OK\r\n"), "counting": _replaced(b":1\r\n")}


@contextmanager
def odd_valkey() -> Iterator[OddValkey]:
    """A server of its own, in order at first."""
    with (
        TemporaryDirectory(prefix="parley-home-") as home,
        EmbeddedServers(Path(home), durable=False, postgres=False) as servers,
    ):
        yield OddValkey(servers.valkey)
