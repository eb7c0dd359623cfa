"""The base of all adapters: their data and methods."""

import hashlib
import hmac
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import orjson

from apps.messengers.adapters.client import Credentials, File, ProviderClient, ProviderResponse
from apps.messengers.rules.delivery import Abilities, Failure, FailureCode, MessagePart
from apps.messengers.rules.inbound import Attachment, InboundContent, InboundEvent, InboundMessage, Receipt
from apps.messengers.rules.kinds import Kind, Outcome

Registration = Literal["call", "unconfirmed", "manual"]


@dataclass(frozen=True, slots=True)
class ProviderAccount:
    """The account of a credential, as the provider says.

    `public_name` is what its address is made of, where it has one; `route` is how the provider's calls for the app name
    it (`Adapter.accounts`).
    """

    id: str
    name: str = ""
    public_name: str = ""
    route: str = ""


@dataclass(frozen=True, slots=True)
class RegisteredHook:
    """The result of a registration: our account there, and the id that a later removal needs."""

    account: ProviderAccount | None = None
    server_id: int | None = None


class WebhookRequest:
    """A request to a callback address, as its proof is looked for. Names of headers are in small letters."""

    def __init__(self, line: Credentials, headers: Mapping[str, str], raw: bytes) -> None:
        self.line, self.headers, self.raw = line, headers, raw

    @cached_property
    def document(self) -> dict[str, Any]:
        """The body's object. Raises ValueError for what is none."""
        document = orjson.loads(lenient(self.raw))
        if not isinstance(document, dict):
            raise ValueError("no object")  # noqa: TRY004 - as for what is no JSON
        return document

    def is_signed(self, given: str, key: str, prefix: str = "") -> bool:
        """Whether that is the HMAC of the body by the key, in hexadecimal; never without a key."""
        right = prefix + hmac.new(key.encode(), self.raw, hashlib.sha256).hexdigest()
        return bool(key) and same(given, right)


def same(given: str, right: str) -> bool:
    """Whether two texts are one, in constant time. Nothing is the same as an empty one."""
    return bool(right) and hmac.compare_digest(given.encode("utf-8", "replace"), right.encode("utf-8", "replace"))


def lenient(raw: bytes) -> bytes:
    """JSON as providers may write it: bytes that are no UTF-8, and halves of surrogate pairs, become U+FFFD."""
    import re

    raw = raw.decode("utf-8", "replace").encode()
    paired = rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    lone = rb"(\\\\)|(" + paired + rb")|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
    return re.sub(lone, lambda found: found[0] if found[1] or found[2] else rb"\ufffd", raw)


class Adapter:
    """A messenger. Data first; of the methods a messenger has those that it needs.

    fields: what PUT takes. base: where it is called unless the vendor settings say otherwise.
    registration: by a call; by one that says nothing ("unconfirmed"); or by hand.
    has_secret: it is told a secret at each registration, which its calls then carry.
    keeps_addresses: it calls each address that it was told of, until it is told to stop (`unregister`).
    proof_in_body: what proves a call stands in its body.
    by_app: it calls one address for all accounts of the installation's app there (`accounts`).
    has_global_ids: its messages' ids are unique everywhere, and not only in their conversation.
    can: what it takes. reads: what becomes of each kind that people send.
    """

    code: ClassVar[str]
    name: ClassVar[str]
    fields: ClassVar[tuple[str, ...]] = ("url", "token")
    base: ClassVar[str] = ""
    registration: ClassVar[Registration] = "call"
    has_secret: ClassVar[bool] = False
    keeps_addresses: ClassVar[bool] = False
    proof_in_body: ClassVar[bool] = False
    by_app: ClassVar[bool] = False
    has_global_ids: ClassVar[bool] = False
    can: ClassVar[Abilities] = Abilities()
    reads: ClassVar[Mapping[Kind, Outcome]] = {}
    forbidden: ClassVar[FailureCode] = FailureCode.REJECTED

    # --- Credentials ----------------------------------------------------------------------------------------------

    def probe(self, wire: ProviderClient) -> ProviderAccount | None:
        """Asks for the account of the credential.

        Raises Failed. None if the provider is not asked before the credential is stored.
        """
        return None

    def register(self, wire: ProviderClient, address: str, secret: str) -> RegisteredHook:
        """Has the provider call that address. Raises Failed."""
        raise NotImplementedError

    def subscribe(self, wire: ProviderClient) -> bool:
        """Has the provider deliver this account's updates to the app, whose address is entered by hand; returns whether
        there was something to do. Raises Failed.
        """
        return False

    def unregister(self, wire: ProviderClient) -> None:
        """Unregisters the callback address (`wire.line.callback`), if the provider can be told. Raises Failed."""

    def health(self, wire: ProviderClient, address: str) -> bool:
        """Asks whether credential and registration still hold, read-only; False where the registration is lost."""
        return True

    # --- What comes in --------------------------------------------------------------------------------------------

    def proves(self, hook: WebhookRequest) -> bool:
        """Whether a call to the callback address is the provider's; `False` unless there is a proof."""
        return False

    def answer(self, hook: WebhookRequest) -> str | Mapping[str, Any] | None:
        """A text, or a document, that the provider waits for instead of the usual answer; None for the usual one."""
        return None

    def accounts(self, document: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
        """An update for several accounts of the app, as an update for each, by the account's id."""
        return {}

    def is_for(self, part: Mapping[str, Any], line: Credentials) -> bool:
        """Whether a message was written to this connection's account."""
        return True

    def arrivals(self, document: Mapping[str, Any], line: Credentials) -> Sequence[InboundMessage]:
        """The messages from people in an update; nothing else of it."""
        return ()

    def receipts(self, document: Mapping[str, Any]) -> Sequence[Receipt]:
        """The receipts of an update."""
        return ()

    def said(self, part: Mapping[str, Any]) -> InboundContent:
        """The content of a message."""
        return InboundContent()

    def greet(self, wire: ProviderClient, to: str, event: InboundEvent, said: InboundContent) -> None:
        """Answers who begins a conversation without a word, or adds the bot to a group. Raises Failed."""

    def start_link(self, public_name: str, token: str) -> str | None:
        """The link that begins a conversation with that account and hands it a token (letters, digits, `_`, `-`; at
        most 64); None where links carry nothing.
        """
        return None

    def welcome(self, wire: ProviderClient, to: str, said: InboundContent) -> None:
        """Tells who came from the site that the conversation goes on here. Raises Failed."""

    def profile(self, wire: ProviderClient, said: InboundContent) -> InboundContent:
        """The first message of a writer with what the provider tells of them: their name, `attributes`. May raise
        Failed.
        """
        return said

    def file_address(self, wire: ProviderClient, attachment: Attachment) -> tuple[str, Mapping[str, str]]:
        """The address of a file, with the headers of the request. Raises Failed."""
        return attachment.reference, {}

    def decoder(self, attachment: Attachment) -> Callable[[bytes], bytes] | None:
        """How the bytes of a file that comes encrypted are read, in the order in which they come; None for others."""
        return None

    # --- What goes out --------------------------------------------------------------------------------------------

    def send(self, wire: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        """Sends one part; returns what the provider calls it. `key` is the same for the same part. Raises Failed."""
        raise NotImplementedError

    def edit(self, wire: ProviderClient, to: str, external_id: str, part: MessagePart) -> None:
        """Gives a part that was sent the text of this one; what has it already is done. Raises Failed.

        For messengers whose `can` says `takes_changes`; so is `delete`.
        """
        raise NotImplementedError

    def delete(self, wire: ProviderClient, to: str, external_id: str) -> None:
        """Deletes a part that was sent, for both sides; what is not there any more is done. Raises Failed."""
        raise NotImplementedError

    def failure(self, reply: ProviderResponse) -> Failure | None:
        """The failure in an answer, by the provider's own codes; None leaves it to the status."""
        return None

    def judge(self, reply: ProviderResponse) -> Failure | None:
        """The failure that an answer means, None for a success."""
        if failure := self.failure(reply):
            return failure
        detail = self.words(reply)
        if reply.status == 429:
            return Failure(FailureCode.SLOW_DOWN, detail, seconds(reply.headers.get("Retry-After")))
        if reply.status >= 500 or 300 <= reply.status < 400:
            return Failure(FailureCode.UNAVAILABLE, detail or f"The provider answered {reply.status}.")
        code = {401: FailureCode.CREDENTIAL_REJECTED, 403: self.forbidden, 404: FailureCode.NO_RECIPIENT}.get(
            reply.status
        )
        if reply.status >= 400:
            return Failure(code or FailureCode.REJECTED, detail or f"The provider answered {reply.status}.")
        if "_" in reply.json or (reply.body.strip() and not reply.json and reply.body.strip() != b"{}"):
            return Failure(FailureCode.UNAVAILABLE, "The provider's answer could not be read.")
        return None

    def words(self, reply: ProviderResponse) -> str:
        """The provider's own words for a failure."""
        document = reply.json
        for name in ("description", "message", "error_msg", "status_message"):
            if isinstance(document.get(name), str):
                return str(document[name])
        return ""


def seconds(text: str | None) -> float | None:
    """The seconds of a `Retry-After`; None for what is no number."""
    try:
        return float(text) if text else None
    except ValueError:
        return None
