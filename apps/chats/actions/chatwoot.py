"""Turns an export of Chatwoot into an export of a widget, which `import_widget` reads: the pattern for other importers.

`contacts.csv` is the file of Chatwoot's page of contacts, also as a spreadsheet has saved it again (semicolons or tabs,
UTF-16, Windows-1251); `conversations.jsonl` has a conversation a line, as its API
answers one (`meta.sender`, `status`), with its `messages`. Read are `id`, `content`, `message_type`, `private`,
`created_at` (seconds), `sender`, `attachments` and `content_attributes` of a message: there a message is `deleted`, and
a survey has its answer (`submitted_values.csat_survey_response`). `agents.json` is the API's list of agents: the sender
of a message has no e-mail address there. All conversations of a contact are one chat, as here.
Sorted rows are kept in a file in the meantime, so memory does not grow with the export.
"""

import csv
import shutil
import sqlite3
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
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
from apps.chats.rules.ratings import HIGHEST_RATING, LOWEST_RATING
from apps.chats.serializers.requests import ContactEmail, ContactPhone
from apps.core.parsing.names import one_line

CONTACTS, CONVERSATIONS, AGENTS, CONVERTED = "contacts.csv", "conversations.jsonl", "agents.json", "parley"
_TABLES = ("agents", "contacts", "chats", "messages", "ratings")
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
    return made


# A value that is not as Chatwoot has it shows as one of these.
_ODD = (ValueError, LookupError, TypeError, AttributeError, csv.Error, sqlite3.Error)


def _refusal(place: str, error: Exception, help_: str) -> ImportFailed:
    """Why a line cannot be read, in words: the file, the line, the fault, and the expected form."""
    if isinstance(error, KeyError):
        why = f"{error.args[0]} is missing"
    elif isinstance(error, orjson.JSONDecodeError):
        why = f"this is no JSON ({error.msg})"
    else:
        why = "a value is of another kind than Chatwoot's"
    return ImportFailed(f"{place}: {why}. {help_}")


def _read(directory: Path, connection: sqlite3.Connection) -> dict[int, Row]:
    """Puts contacts and messages into the file that sorts them, and answers who wrote as an operator."""
    agents: dict[int, Row] = {}
    known = _known_agents(directory)
    _read_contacts(directory / CONTACTS, connection)
    with (directory / CONVERSATIONS).open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                agents |= _keep_conversation(connection, orjson.loads(line), known)
            except _ODD as error:
                raise _refusal(f"{CONVERSATIONS}, line {number}", error, _CONVERSATION) from None
    connection.commit()
    return agents


_CONVERSATION = "A line is a conversation as Chatwoot's API answers one, with its `messages`."


def _keep_conversation(connection: sqlite3.Connection, said: Row, known: dict[int, Row]) -> dict[int, Row]:
    """Keeps the contact and the messages of a conversation; the operators who wrote in it."""
    agents: dict[int, Row] = {}
    contact = said["meta"]["sender"]
    _keep_contact(connection, {name: str(contact.get(name) or "") for name in _KNOWN})
    is_open = said.get("status") in ("open", "pending")
    for message in said["messages"]:
        _message(message)  # refused here, where its line is known
        sender = message.get("sender") or {}
        if message["message_type"] == _OUTGOING and sender.get("type") == "user":
            about = {**sender, **known.get(sender["id"], {})}
            agents[sender["id"]] = _agent(sender["id"], about.get("name"), about.get("email"))
        values = (contact["id"], message["created_at"], message["id"], is_open, orjson.dumps(message))
        connection.execute("INSERT OR IGNORE INTO message VALUES (?, ?, ?, ?, ?)", values)
    return agents


def _read_contacts(path: Path, connection: sqlite3.Connection) -> None:
    help_ = "Export Chatwoot's page of contacts again, and leave the file as it is, or save it as CSV in UTF-8."
    encoding = _encoding_of(path)
    if encoding is None:
        raise ImportFailed(f"{CONTACTS}: its characters are of no encoding that is known here. {help_}")
    with path.open(newline="", encoding=encoding) as file:
        header = file.readline()
        delimiter = next((each for each in ",;\t" if "id" in _header(header, each)), None)
        if delimiter is None:
            raise ImportFailed(f"{CONTACTS}, line 1: there is no column `id`, as Chatwoot's file has. {help_}")
        rows = csv.DictReader(file, fieldnames=_header(header, delimiter), delimiter=delimiter)
        try:
            for row in rows:
                _keep_contact(connection, {name: _unquoted(value or "") for name, value in row.items() if name})
        except _ODD as error:
            raise _refusal(f"{CONTACTS}, line {rows.line_num + 1}", error, f"`id` is a number. {help_}") from None


def _header(line: str, delimiter: str) -> list[str]:
    return [name.strip() for name in next(csv.reader([line], delimiter=delimiter), [])]


def _encoding_of(path: Path) -> str | None:
    """The encoding in which all of a file can be read: by its byte order mark, else UTF-8, else Windows-1251."""
    with path.open("rb") as file:
        begins = file.read(2)
    for encoding in ("utf-16",) if begins in (BOM_UTF16_LE, BOM_UTF16_BE) else ("utf-8-sig", "cp1251"):
        with suppress(UnicodeError), path.open(encoding=encoding) as text:
            while text.read(1 << 20):
                pass
            return encoding
    return None


def _known_agents(directory: Path) -> dict[int, Row]:
    """Chatwoot's agents by their numbers, as the file has them; none without it."""
    file = directory / AGENTS
    try:
        listed = orjson.loads(file.read_bytes()) if file.exists() else []
        return {agent["id"]: {name: agent[name] for name in ("name", "email") if agent.get(name)} for agent in listed}
    except _ODD as error:
        raise _refusal(AGENTS, error, "It is the list that Chatwoot's API answers at `/agents`.") from None


def _keep_contact(connection: sqlite3.Connection, said: dict[str, str]) -> None:
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
    connection.execute("INSERT OR IGNORE INTO contact VALUES (?, ?)", (contact["id"], orjson.dumps(contact)))


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


def _write(made: Path, connection: sqlite3.Connection, agents: list[Row]) -> None:
    with ExitStack() as stack:
        files = {name: stack.enter_context((made / file_of(name)).open("wb")) for name in _TABLES}
        for agent in agents:
            _line(files["agents"], agent)
        for (contact,) in connection.execute("SELECT row FROM contact ORDER BY id"):
            files["contacts"].write(contact + b"\n")
        number = 0
        said = connection.execute("SELECT contact, is_open, row FROM message ORDER BY contact, at, id")
        for contact_id, rows in groupby(said, key=lambda row: row[0]):
            chat = _Chat(contact_id)
            for _, is_open, message in rows:
                chat.rate(orjson.loads(message))
                row = _message(orjson.loads(message))
                if row is None:
                    continue
                number += 1
                row |= {"id": number, "chat_id": contact_id}
                chat.add(row, is_open=bool(is_open))
                _line(files["messages"], row)
            _line(files["chats"], chat.row)
            if chat.rating:
                _line(files["ratings"], chat.rating)


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
    if _attributes(said).get("deleted"):
        sender = {}  # Chatwoot's own words stand in place of the person's
    elif said["message_type"] == _INCOMING:
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


def _attributes(said: Row) -> Row:
    found = said.get("content_attributes")
    return found if isinstance(found, dict) else {}


class _Chat:
    """A contact's one chat, as it is after their messages."""

    def __init__(self, contact_id: int) -> None:
        self.row: Row = {"id": contact_id, "contact_id": contact_id, "status": Status.EXPIRED}
        self.rating: Row | None = None

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

    def rate(self, said: Row) -> None:
        """Takes the answer of a survey as the chat's rating: the newest, as a later one replaces it here."""
        values = _attributes(said).get("submitted_values")
        survey = values.get("csat_survey_response") if isinstance(values, dict) else None
        if not isinstance(survey, dict) or survey.get("rating") not in range(LOWEST_RATING, HIGHEST_RATING + 1):
            return
        at, number = datetime.fromtimestamp(said["created_at"], UTC), self.row["id"]
        self.rating = {
            "id": number,
            "chat_id": number,
            "value": survey["rating"],
            "comment": str(survey.get("feedback_message") or "").replace("\0", "")[:MAX_BODY_LENGTH],
            "agent_id": self.row.get("handled_agent_id"),
            "created_at": at,
            "rated_at": at,
        }


def _line(file: BinaryIO, row: Row) -> None:
    file.write(orjson.dumps(row) + b"\n")
