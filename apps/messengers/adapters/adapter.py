"""The base of all adapters: their data and methods."""

import hashlib
import hmac
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Any, ClassVar, Literal

import orjson

from apps.messengers.adapters.about import About
from apps.messengers.adapters.client import Credentials, File, ProviderClient, ProviderResponse
from apps.messengers.rules.delivery import Abilities, Failure, FailureCode, MessagePart
from apps.messengers.rules.inbound import (
    DEEPEST,
    Attachment,
    InboundContent,
    InboundEvent,
    InboundMessage,
    Receipt,
    shallow,
)
from apps.messengers.rules.kinds import Kind, Outcome
from apps.messengers.rules.markup import PLAIN, Style
from apps.messengers.rules.providers import token_refusal, url_refusal

# The status by which a provider says that another fetches the same updates.
CONFLICT = 409

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

    def __init__(self, credentials: Credentials, headers: Mapping[str, str], raw: bytes) -> None:
        self.credentials, self.headers, self.raw = credentials, headers, raw

    @cached_property
    def document(self) -> dict[str, Any]:
        """The body's object. Raises ValueError for what is none."""
        document = orjson.loads(lenient(self.raw))
        if not isinstance(document, dict):
            raise ValueError("no object")  # noqa: TRY004 - as for what is no JSON
        is_shallow = self.raw.count(b"{") + self.raw.count(b"[") <= DEEPEST
        return document if is_shallow else shallow(document)

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

    fields: what PUT takes. optional: what it takes besides, or may lack of them.
    base: where it is called unless the vendor settings say otherwise.
    registration: by a call; by one that says nothing ("unconfirmed"); or by hand.
    has_secret: it is told a secret at each registration, which its calls then carry.
    keeps_addresses: it calls each address that it was told of, until it is told to stop (`unregister`).
    has_own_address: it is called at the connection's own url, which visitors are not shown.
    adds_path: its calls come to `/message` behind the callback address, and may be packed by gzip.
    is_pollable: its updates can be fetched, where it can't call us.
    vendor_fields: what the installation's settings of the vendor have besides the base.
    proof_in_body: what proves a call stands in its body.
    by_app: it calls one address for all accounts of the installation's app there (`accounts`).
    has_global_ids: its messages' ids are unique everywhere, and not only in their conversation.
    can: what it takes. reads: what becomes of each kind that people send.
    answers_within: how long after a visitor's last message it takes one to them; None: for ever.
    """

    code: ClassVar[str]
    about: ClassVar[About]
    fields: ClassVar[tuple[str, ...]] = ("url", "token")
    optional: ClassVar[tuple[str, ...]] = ()
    base: ClassVar[str] = ""
    registration: ClassVar[Registration] = "call"
    has_secret: ClassVar[bool] = False
    keeps_addresses: ClassVar[bool] = False
    proof_in_body: ClassVar[bool] = False
    by_app: ClassVar[bool] = False
    has_own_address: ClassVar[bool] = False
    adds_path: ClassVar[bool] = False
    is_pollable: ClassVar[bool] = False
    vendor_fields: ClassVar[tuple[str, ...]] = ()
    schemes: ClassVar[tuple[str, ...]] = ("https",)
    style: ClassVar[Style] = PLAIN
    has_global_ids: ClassVar[bool] = False
    answers_within: ClassVar[timedelta | None] = None
    can: ClassVar[Abilities] = Abilities()
    reads: ClassVar[Mapping[Kind, Outcome]] = {}
    forbidden: ClassVar[FailureCode] = FailureCode.REJECTED

    @property
    def name(self) -> str:
        """The whole name, in English."""
        return self.about.name

    @property
    def carries_chats(self) -> bool:
        """Whether a link to it can carry a visitor's chat over."""
        return type(self).start_link is not Adapter.start_link

    @property
    def called(self) -> str:
        """The name for visitors and operators."""
        return self.about.called or self.about.name

    # --- Credentials ----------------------------------------------------------------------------------------------

    def token_refusal(self, token: str) -> str | None:
        """Why that can't be the provider's token."""
        return token_refusal(token)

    def sid_refusal(self, sid: str) -> str | None:
        """Why that can't be the provider's second identifier."""
        return None

    def url_refusal(self, url: str) -> str | None:
        """Why visitors can't be shown that link."""
        return url_refusal(url, self.schemes)

    def owner_of(self, token: str) -> str:
        """The id of the account that a token is of, where the token says it and one widget alone may have it; else
        empty.
        """
        return ""

    def rejects(self, failure: Failure) -> bool:
        """Whether an answer to a check of the connection says that the credential is no one's."""
        return failure.code == FailureCode.CREDENTIAL_REJECTED

    def link(self, url: str, public_name: str, account: str) -> str | None:
        """The link for visitors: the url that was given, or one made of the provider's own name."""
        return url or None

    async def updates(self, client: ProviderClient, offset: int, timeout_s: int) -> list[Mapping[str, Any]]:
        """The updates from an offset on, as soon as there are some, for who is pollable. Raises ProviderCallFailed."""
        raise NotImplementedError

    async def probe(self, client: ProviderClient) -> ProviderAccount | None:
        """Asks for the account of the credential.

        Raises ProviderCallFailed. None if the provider is not asked before the credential is stored.
        """
        return None

    async def register(self, client: ProviderClient, address: str, secret: str) -> RegisteredHook:
        """Has the provider call that address. Raises ProviderCallFailed."""
        raise NotImplementedError

    async def subscribe(self, client: ProviderClient) -> bool:
        """Has the provider deliver this account's updates to the app, whose address is entered by hand; returns whether
        there was something to do. Raises ProviderCallFailed.
        """
        return False

    async def unregister(self, client: ProviderClient) -> None:
        """Unregisters the callback address (`credentials.callback`), where it can be told.

        Raises ProviderCallFailed.
        """

    async def health(self, client: ProviderClient, address: str) -> bool:
        """Asks whether credential and registration still hold, read-only; False where the registration is lost."""
        return True

    # --- What comes in --------------------------------------------------------------------------------------------

    def verify(self, request: WebhookRequest) -> bool:
        """Whether a call to the callback address is the provider's; `False` unless there is a proof."""
        return False

    def answer(self, request: WebhookRequest) -> str | Mapping[str, Any] | None:
        """A text, or a document, that the provider waits for instead of the usual answer; None for the usual one."""
        return None

    def accounts(self, document: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
        """An update for several accounts of the app, as an update for each, by the account's id."""
        return {}

    def is_for(self, part: Mapping[str, Any], credentials: Credentials) -> bool:
        """Whether a message was written to this connection's account."""
        return True

    def messages(self, document: Mapping[str, Any], credentials: Credentials) -> Sequence[InboundMessage]:
        """The messages from people in an update; nothing else of it."""
        return ()

    def receipts(self, document: Mapping[str, Any]) -> Sequence[Receipt]:
        """The receipts of an update."""
        return ()

    def content(self, part: Mapping[str, Any]) -> InboundContent:
        """The content of a message."""
        return InboundContent()

    async def greet(self, client: ProviderClient, to: str, event: InboundEvent, content: InboundContent) -> None:
        """Answers who begins a conversation without a word, or adds the bot to a group. Raises ProviderCallFailed."""

    def start_link(self, public_name: str, token: str) -> str | None:
        """The link that begins a conversation with that account and hands it a token (letters, digits, `_`, `-`; at
        most 64); None where links carry nothing.
        """
        return None

    async def welcome(self, client: ProviderClient, to: str, content: InboundContent) -> None:
        """Tells who came from the site that the conversation goes on here. Raises ProviderCallFailed."""

    async def profile(self, client: ProviderClient, content: InboundContent) -> InboundContent:
        """The first message of a writer with what the provider tells of them: their name, `attributes`. May raise
        Failed.
        """
        return content

    async def file_address(self, client: ProviderClient, attachment: Attachment) -> tuple[str, Mapping[str, str]]:
        """The address of a file, with the headers of the request. Raises ProviderCallFailed."""
        return attachment.reference, {}

    def decoder(self, attachment: Attachment) -> Callable[[bytes], bytes] | None:
        """How the bytes of a file that comes encrypted are read, in the order in which they come; None for others."""
        return None

    # --- What goes out --------------------------------------------------------------------------------------------

    async def send(self, client: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        """Sends one part; returns what the provider calls it. `key` is the same for the same part.

        Raises ProviderCallFailed.
        """
        raise NotImplementedError

    async def edit(self, client: ProviderClient, to: str, external_id: str, part: MessagePart) -> None:
        """Gives a part that was sent the text of this one; what has it already is done. Raises ProviderCallFailed.

        For messengers whose `can` says `takes_changes`; so is `delete`.
        """
        raise NotImplementedError

    async def delete(self, client: ProviderClient, to: str, external_id: str) -> None:
        """Deletes a part that was sent, for both sides; what is not there any more is done.

        Raises ProviderCallFailed.
        """
        raise NotImplementedError

    def failure(self, response: ProviderResponse) -> Failure | None:
        """The failure in an answer, by the provider's own codes; None leaves it to the status."""
        return None

    def judge(self, response: ProviderResponse) -> Failure | None:
        """The failure that an answer means, None for a success."""
        if failure := self.failure(response):
            return failure
        detail = self.words(response)
        if response.status == 429:
            return Failure(FailureCode.SLOW_DOWN, detail, seconds(response.headers.get("Retry-After")))
        if response.status >= 500 or 300 <= response.status < 400:
            return Failure(FailureCode.UNAVAILABLE, detail or f"The provider answered {response.status}.")
        code = {401: FailureCode.CREDENTIAL_REJECTED, 403: self.forbidden, 404: FailureCode.NO_RECIPIENT}.get(
            response.status
        )
        if response.status >= 400:
            return Failure(code or FailureCode.REJECTED, detail or f"The provider answered {response.status}.")
        if "_" in response.json or (response.body.strip() and not response.json and response.body.strip() != b"{}"):
            return Failure(FailureCode.UNAVAILABLE, "The provider's answer could not be read.")
        return None

    def words(self, response: ProviderResponse) -> str:
        """The provider's own words for a failure."""
        document = response.json
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
