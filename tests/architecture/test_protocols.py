"""A protocol is spoken to hosts that users named through `egress` alone: nobody else opens a connection."""

import ast
import re
from textwrap import dedent

import pytest

from tests.architecture.source import calls, imports, name_of, source_files, tree_of

# Libraries that open connections by themselves, and calls that do.
CLIENTS = re.compile(
    r"(imaplib|smtplib|poplib|ftplib|nntplib|telnetlib|xmlrpc\.client|http\.client|urllib\.request|urllib3(?!\.(exceptions|encode_multipart_formdata)\b)|requests|httpx"
    r"|aiohttp|aiosmtplib|aioimaplib|paramiko|websockets?|pycurl)(\.|$)"
    r"|imap_tools\.(MailBox|MailBoxTls|MailBoxUnencrypted|MailBoxStartTls)$"
)
OPENINGS = re.compile(
    r"(^|\.)(create_connection|open_connection|getaddrinfo|gethostbyname|wrap_socket|urlopen|connect_ex|SMTP|SMTP_SSL"
    r"|IMAP4|IMAP4_SSL|HTTPConnection|HTTPSConnection|FTP|POP3)$|^socket\.socket$"
)
# Rooms whose hosts are the installation's own.
ALLOWED = {"apps/demo/servers/": "the demo's own servers, on this machine"}


def connections(tree: ast.AST) -> list[str]:
    """What opens a connection by itself."""
    opened = [name for name, _ in calls(tree) if OPENINGS.search(name)]
    return [name for name in imports(tree) if CLIENTS.match(name)] + opened


def test_egress_alone_opens_connections() -> None:
    files = [path for path in source_files("apps") if "egress" not in path.parts]
    assert len(files) > 500
    found = {name_of(path): names for path in files if (names := connections(tree_of(path)))}
    assert {name: names for name, names in found.items() if not name.startswith(tuple(ALLOWED))} == {}
    assert [room for room in ALLOWED if not any(name.startswith(room) for name in found)] == []


@pytest.mark.parametrize(
    "source",
    [
        "import imaplib",
        "from smtplib import SMTP",
        "import http.client",
        "import urllib.request",
        "from imap_tools import MailBox",
        """
        import socket
        socket.create_connection(("mail.test", 25))
        """,
        "asyncio.open_connection('mail.test', 25)",
        "context.wrap_socket(opened)",
    ],
)
def test_a_client_of_a_protocol_is_noticed(source: str) -> None:
    assert connections(ast.parse(dedent(source))) != []


@pytest.mark.parametrize(
    "source", ["from imap_tools import BaseMailBox", "from http import HTTPStatus", "import socket"]
)
def test_names_alone_open_nothing(source: str) -> None:
    assert connections(ast.parse(source)) == []
