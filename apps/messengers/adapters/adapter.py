"""The base of all adapters: their data and methods."""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import orjson

from apps.messengers.adapters.client import Credentials, File, ProviderClient, ProviderResponse
from apps.messengers.rules.delivery import Abilities, Failure, FailureCode, MessagePart
from apps.messengers.rules.inbound import Attachment, InboundContent, InboundMessage, Receipt

Registration = Literal["call", "unconfirmed", "manual"]


@dataclass(frozen=True, slots=True)
class ProviderAccount:
    """The account of a credential, as the provider says.

    `public_name` is what its address is made of, where it has one.
    """

    id: str
    name: str = ""
    public_name: str = ""


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
    proof_in_body: what proves a call stands in its body.
    """

    code: ClassVar[str]
    name: ClassVar[str]
    fields: ClassVar[tuple[str, ...]] = ("url", "token")
    base: ClassVar[str] = ""
    registration: ClassVar[Registration] = "call"
    has_secret: ClassVar[bool] = False
    proof_in_body: ClassVar[bool] = False
    can: ClassVar[Abilities] = Abilities()
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

    def unregister(self, wire: ProviderClient) -> None:
        """Unregisters the callback address, if the provider can be told. Raises Failed."""

    def health(self, wire: ProviderClient, address: str) -> bool:
        """Asks whether credential and registration still hold, read-only; False where the registration is lost."""
        return True

    # --- What comes in --------------------------------------------------------------------------------------------

    def proves(self, hook: WebhookRequest) -> bool:
        """Whether a call to the callback address is the provider's; `False` unless there is a proof."""
        return False

    def answer(self, hook: WebhookRequest) -> str | None:
        """A text that the provider waits for instead of the usual answer; None for the usual one."""
        return None

    def arrivals(self, document: Mapping[str, Any], line: Credentials) -> Sequence[InboundMessage]:
        """The messages from people in an update; nothing else of it."""
        return ()

    def receipts(self, document: Mapping[str, Any]) -> Sequence[Receipt]:
        """The receipts of an update."""
        return ()

    def said(self, part: Mapping[str, Any]) -> InboundContent:
        """The content of a message."""
        return InboundContent()

    def profile(self, wire: ProviderClient, said: InboundContent) -> str:
        """The writer's name, where it is asked for; none where that fails. May raise Failed."""
        return said.name

    def file_address(self, wire: ProviderClient, attachment: Attachment) -> tuple[str, Mapping[str, str]]:
        """The address of a file, with the headers of the request. Raises Failed."""
        return attachment.reference, {}

    # --- What goes out --------------------------------------------------------------------------------------------

    def send(self, wire: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        """Sends one part; returns what the provider calls it. `key` is the same for the same part. Raises Failed."""
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
