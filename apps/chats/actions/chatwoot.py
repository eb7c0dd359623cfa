"""Turns an export of Chatwoot into an export of a widget, which `import_widget` reads: the pattern for other importers.

`contacts.csv` is the file of Chatwoot's page of contacts; `conversations.jsonl` has a conversation a line, as its API
answers one (`meta.sender`, `status`), with its `messages`. Read are `id`, `content`, `message_type`, `private`,
`created_at` (seconds), `sender` and `attachments` of a message. `agents.json` is the API's list of agents: a message's
sender has no e-mail address there. All conversations of a contact are one chat, as here.
Sorted rows are kept in a file in the meantime, so memory does not grow with the export.
"""

import csv
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO

import orjson
from django.utils import timezone

from apps.accounts.actions.export_folder import ImportFailed
from apps.accounts.actions.exports import COMPLETE, MANIFEST, file_of, manifest_of
from apps.accounts.actions.import_fields import refusal_by
from apps.accounts.models import Account, User, Widget
from apps.accounts.rules import OWNER
from apps.chats.rules import Handling, OperatorType, SenderKind, Status
from apps.chats.rules.contacts import MAX_ATTRIBUTE_NAME, MAX_ATTRIBUTE_VALUE, MAX_ATTRIBUTES, MAX_NAME
from apps.chats.rules.messages import MAX_BODY_LENGTH
from apps.chats.serializers.requests import ContactEmail, ContactPhone
from apps.core.parsing.names import one_line

CONTACTS, CONVERSATIONS, AGENTS, CONVERTED = "contacts.csv", "conversations.jsonl", "agents.json", "parley"
_TABLES = ("agents", "contacts", "chats", "messages")
_INCOMING, _OUTGOING, _ACTIVITY = 0, 1, 2
_CHECKS = {"email": refusal_by(ContactEmail()), "phone": refusal_by(ContactPhone())}
_KNOWN = ("id", "name", "email", "phone_number")
_OWNER_NUMBER = 0x7FFFFFFF  # no user of Chatwoot's has it
_SCHEMA = """
CREATE TABLE contact (id INTEGER PRIMARY KEY, row BLOB);
CREATE TABLE message (contact INTEGER, at INTEGER, id INTEGER, is_open INTEGER, row BLOB, UNIQUE (contact, at, id));
"""

Row = dict[str, Any]


def convert_chatwoot(*, account: Account, directory: Path, name: str) -> Path:
    """The folder of the export that was made of Chatwoot's: once, however often it is asked for.

    Raises ImportFailed.
    """
    made = directory / CONVERTED
    if (made / COMPLETE).exists():
        return made
    try:
        shutil.rmtree(made, ignore_errors=True)
        (made / "files").mkdir(parents=True)
        with closing(sqlite3.connect(made / "sorted.db")) as found:
            found.executescript(_SCHEMA)
            agents = _read(directory, found)
            _write(made, found, [*_owner(account, agents), *agents.values()])
        (made / "sorted.db").unlink()
        widget = Widget(name=name, created_at=timezone.now(), seats=max(len(agents) + 1, 3))
        (made / MANIFEST).write_bytes(orjson.dumps(manifest_of(widget, list(_TABLES))))
        (made / COMPLETE).write_bytes(b"{}")
    except OSError as error:
        raise ImportFailed(f"Chatwoot's export cannot be read: {error}") from None
    except (ValueError, LookupError, TypeError, AttributeError, csv.Error, sqlite3.Error) as error:
        raise ImportFailed(f"this is not what Chatwoot exports: {error!r}") from None
    return made


def _read(directory: Path, found: sqlite3.Connection) -> dict[int, Row]:
    """Puts contacts and messages into the file that sorts them, and answers who wrote as an operator."""
    agents: dict[int, Row] = {}
    known = _known_agents(directory)
    with (directory / CONTACTS).open(newline="", encoding="utf-8-sig") as file:
        for row in csv.DictReader(file):
            _keep_contact(found, {name: _unquoted(value or "") for name, value in row.items() if name})
    with (directory / CONVERSATIONS).open("rb") as lines:
        for line in filter(bytes.strip, lines):
            conversation = orjson.loads(line)
            contact = conversation["meta"]["sender"]
            _keep_contact(found, {name: str(contact.get(name) or "") for name in _KNOWN})
            is_open = conversation.get("status") in ("open", "pending")
            for message in conversation["messages"]:
                sender = message.get("sender") or {}
                if message["message_type"] == _OUTGOING and sender.get("type") == "user":
                    about = {**sender, **known.get(sender["id"], {})}
                    agents[sender["id"]] = _agent(sender["id"], about.get("name"), about.get("email"))
                values = (contact["id"], message["created_at"], message["id"], is_open, orjson.dumps(message))
                found.execute("INSERT OR IGNORE INTO message VALUES (?, ?, ?, ?, ?)", values)
    found.commit()
    return agents


def _known_agents(directory: Path) -> dict[int, Row]:
    """Chatwoot's agents by their numbers, as the file has them; none without it."""
    file = directory / AGENTS
    listed = orjson.loads(file.read_bytes()) if file.exists() else []
    return {agent["id"]: {name: agent[name] for name in ("name", "email") if agent.get(name)} for agent in listed}


def _keep_contact(found: sqlite3.Connection, said: dict[str, str]) -> None:
    """The first that is said of a contact counts: the file has more than a conversation.

    A text that is no address or number here is kept as an attribute.
    """
    others = {name: value for name, value in said.items() if name not in _KNOWN and value}
    contact = {"id": int(said["id"]), "name": one_line(said.get("name", ""))[:MAX_NAME]}
    for name, source in (("email", "email"), ("phone", "phone_number")):
        value = said.get(source, "")
        is_good = not value or _CHECKS[name](value) is None
        contact[name] = value if is_good else ""
        others |= {} if is_good else {source: value}
    named = {name[:MAX_ATTRIBUTE_NAME]: value[:MAX_ATTRIBUTE_VALUE] for name, value in others.items()}
    contact["attributes"] = dict(list(named.items())[:MAX_ATTRIBUTES])
    found.execute("INSERT OR IGNORE INTO contact VALUES (?, ?)", (contact["id"], orjson.dumps(contact)))


def _unquoted(value: str) -> str:
    """Chatwoot puts an apostrophe before what a spreadsheet would take for a formula, such as +7."""
    return value[1:] if value[:1] == "'" and value[1:2] in tuple("=+-@") else value


def _agent(number: int, name: Any, email: Any, role: str = "operator") -> Row:
    address = str(email or "")
    return {
        "id": number,
        "name": one_line(str(name or address))[:MAX_NAME],
        "email": address,
        "user_email": address,
        "role": role,
    }


def _owner(account: Account, agents: dict[int, Row]) -> Iterator[Row]:
    """A widget has an owner: one of the account's, who may have written themselves."""
    owner = User.objects.filter(account=account, role=OWNER, is_active=True).order_by("pk").first()
    if owner is None:
        return
    for agent in agents.values():
        if agent["user_email"].lower() == owner.email.lower():
            agent["role"] = "owner"
            return
    yield _agent(_OWNER_NUMBER, owner.name or owner.email, owner.email, "owner")


def _write(made: Path, found: sqlite3.Connection, agents: list[Row]) -> None:
    with ExitStack() as stack:
        files = {name: stack.enter_context((made / file_of(name)).open("wb")) for name in _TABLES}
        for agent in agents:
            _line(files["agents"], agent)
        for (contact,) in found.execute("SELECT row FROM contact ORDER BY id"):
            files["contacts"].write(contact + b"\n")
        number = 0
        said = found.execute("SELECT contact, is_open, row FROM message ORDER BY contact, at, id")
        for contact_id, rows in groupby(said, key=lambda row: row[0]):
            chat = _Chat(contact_id)
            for _, is_open, message in rows:
                row = _message(orjson.loads(message))
                if row is None:
                    continue
                number += 1
                row |= {"id": number, "chat_id": contact_id}
                chat.add(row, is_open=bool(is_open))
                _line(files["messages"], row)
            _line(files["chats"], chat.row)


def _message(said: Row) -> Row | None:
    """A message as it is here; None for Chatwoot's own activity lines and for empty messages.

    Files are named by address.
    """
    attached = [each["data_url"] for each in said.get("attachments") or [] if each.get("data_url")]
    body = "\n".join(filter(None, [said.get("content") or "", *attached]))
    if said["message_type"] == _ACTIVITY or not body:
        return None
    sender = said.get("sender") or {}
    kind, agent = SenderKind.SYSTEM, None
    if said["message_type"] == _INCOMING:
        kind = SenderKind.CLIENT
    elif said["message_type"] == _OUTGOING and sender.get("type") == "user":
        kind, agent = SenderKind.AGENT, sender["id"]
    at = datetime.fromtimestamp(said["created_at"], UTC)
    return {
        "body": body.replace("\0", "")[:MAX_BODY_LENGTH],
        "sender_kind": kind,
        "agent_id": agent,
        "sender_name": one_line(str(sender.get("name") or ""))[:511],
        "is_internal": bool(said.get("private")),
        "created_at": at,
        "seen_at": at,
    }


class _Chat:
    """A contact's one chat, as it is after their messages."""

    def __init__(self, contact_id: int) -> None:
        self.row: Row = {"id": contact_id, "contact_id": contact_id, "status": Status.EXPIRED}

    def add(self, message: Row, *, is_open: bool) -> None:
        at, row = message["created_at"], self.row
        row.setdefault("created_at", at)
        row["status"], row["expired_at"] = (Status.ACTIVE, None) if is_open else (Status.EXPIRED, at)
        if message["is_internal"]:
            return
        row |= {"last_message_id": message["id"], "last_message_at": at}
        if message["sender_kind"] == SenderKind.CLIENT:
            row["has_client_messages"] = True
        elif message["sender_kind"] == SenderKind.AGENT:
            by = message["agent_id"]
            row |= {"agent_id": by, "handling": Handling.HUMAN, "handled_agent_id": by}
            row |= {"handled_type": OperatorType.HUMAN, "handled_at": row.get("handled_at", at)}
            row.setdefault("accepted_agent_id", by)
            row.setdefault("accepted_type", OperatorType.HUMAN)
            row.setdefault("accepted_at", at)


def _line(file: BinaryIO, row: Row) -> None:
    file.write(orjson.dumps(row) + b"\n")
