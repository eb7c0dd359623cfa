"""A small mail server on loopback that speaks SMTP (RFC 5321), as far as one mail needs it."""

import socketserver
import threading
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from typing import Any, Self


@dataclass
class MailServer:
    """Takes mail; `received` are recipient and mail of each. `replies` replaces the reply to a command (`RCPT`; `DOT`
    is the end of a mail). `senders` are the envelopes'.

    `silent` takes connections and never says a word.
    """

    replies: dict[str, str] = field(default_factory=dict)
    silent: bool = False
    received: list[tuple[str, Any]] = field(default_factory=list)
    senders: list[str] = field(default_factory=list)
    connections: int = 0

    def __enter__(self) -> Self:
        self._ended = threading.Event()
        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[socketserver.StreamRequestHandler]:
        mail_server = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                mail_server.connections += 1
                if mail_server.silent:
                    mail_server._ended.wait(30)
                    return
                self._say("220 mail.test")
                while line := self.rfile.readline():
                    if not self._obey(line.decode().strip()):
                        return

            def _obey(self, line: str) -> bool:
                command = line[:4].upper()
                if command == "MAIL":
                    mail_server.senders.append(line.partition("<")[2].partition(">")[0])
                if command == "RCPT":
                    self.recipient = line.partition("<")[2].partition(">")[0]
                reply = mail_server.replies.get(command) or {"DATA": "354 go on", "QUIT": "221 bye"}.get(command)
                self._say(reply or "250 ok")
                if command == "DATA" and reply == "354 go on":
                    self._take()
                return command != "QUIT"

            def _take(self) -> None:
                lines = []
                while (line := self.rfile.readline()) != b".\r\n":
                    lines.append(line.removeprefix(b"."))
                mail = message_from_bytes(b"".join(lines), policy=policy.default)
                mail_server.received.append((self.recipient, mail))
                self._say(mail_server.replies.get("DOT") or "250 taken")

            def _say(self, line: str) -> None:
                self.wfile.write(line.encode() + b"\r\n")

        return Handler
