"""The meaning of a vendor's refusal, whatever server wrote it: a pure function of its status, headers and body.

`{"error": {…}}`, `{"error": "text"}`, `{"message"}`, `{"detail"}`, lists of them, JSON within a text (a gateway's),
plain text and HTML are read alike. The recorded errors in tests/ai/test_failures.py name the sources of the tables.
"""

import json
import re
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from enum import StrEnum
from time import time
from typing import Any, Literal, NamedTuple

Reason = Literal[
    "timeout", "unreachable", "rejected_key", "rate_limited", "model_not_found", "bad_answer", "server_error"
]


class Cause(StrEnum):
    """The meaning of a failed call; each has its advice to the owner (`actions/advice.py`)."""

    WRONG_KEY = "wrong_key"
    NOT_ALLOWED = "not_allowed"
    NO_MONEY = "no_money"
    MODEL_GONE = "model_gone"
    WRONG_ADDRESS = "wrong_address"
    TOO_LONG = "too_long"
    SLOW_DOWN = "slow_down"
    OVERLOADED = "overloaded"
    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    REFUSED_REQUEST = "refused_request"
    FILTERED = "filtered"
    CUT_OFF = "cut_off"
    ONLY_THOUGHTS = "only_thoughts"
    NO_ANSWER = "no_answer"


LASTING = frozenset(
    {Cause.WRONG_KEY, Cause.NOT_ALLOWED, Cause.NO_MONEY, Cause.MODEL_GONE, Cause.WRONG_ADDRESS, Cause.ONLY_THOUGHTS}
)
"""The causes that stay until the owner does something: a second call would fail, too."""


class ProviderFailed(Exception):
    """A call that gave no good answer, whatever the SDK raised or returned.

    reason: for programs, in `provider_reason`; never the provider's words. cause: what it means for the owner.
    status: what the provider answered with, None if it did not.
    retry_after: seconds that the provider asks to wait, None without.
    unsupported: what the model does not take: a parameter, or `system` for a message of the system.
    too_long: the request is longer than the model's context.
    """

    def __init__(
        self,
        reason: Reason,
        *,
        cause: Cause | None = None,
        status: int | None = None,
        retry_after: float | None = None,
        unsupported: str | None = None,
        too_long: bool = False,
    ) -> None:
        super().__init__(reason)
        self.reason: Reason = reason
        self.cause = cause or CAUSES[reason]
        self.status = status
        self.retry_after = retry_after
        self.unsupported = unsupported
        self.too_long = too_long

    @property
    def may_pass(self) -> bool:
        """Whether the same call may succeed a moment later."""
        return self.cause not in LASTING


CAUSES: Mapping[str, Cause] = {
    "timeout": Cause.TIMEOUT,
    "unreachable": Cause.UNREACHABLE,
    "rejected_key": Cause.WRONG_KEY,
    "rate_limited": Cause.SLOW_DOWN,
    "model_not_found": Cause.MODEL_GONE,
    "bad_answer": Cause.NO_ANSWER,
    "server_error": Cause.OVERLOADED,
}

# As the vendors put it, in small letters.
_FILTERED = (
    "content_filter", "content management policy", "responsibleaipolicyviolation", "data_inspection_failed",
    "content_policy_violation", "input was flagged", "content exists risk", "moderation_blocked",
)  # fmt: skip
_NO_MONEY = (
    "insufficient_quota", "insufficient balance", "insufficient_balance", "insufficient credit", "insufficient_credit",
    "insufficient funds", "credit balance is too low", "billing_hard_limit", "billing_not_active",
    "check your billing", "payment required", "payment_required", "arrearage", "out of credits", "no credits",
    "more credits", "prepayment credits", "credits are depleted", "limit exhausted", "spending limit",
    "spend limit", "usage limits", "quota exhausted", "free tier is not available", "billing account",
)  # fmt: skip
_WRONG_KEY = (
    "api_key_invalid", "api key not valid", "invalid api key", "invalid_api_key", "incorrect api key",
    "invalid x-api-key", "api key not found", "api key expired", "api key is invalid", "unknown api key",
    "unauthenticated", "authentication_error", "authentication fails", "iam token", "token has expired",
    "invalid authentication", "no auth credentials", "user not found",
)  # fmt: skip
_MODEL_GONE = (
    "model_not_found", "model not found", "model_not_exist", "model not exist", "model does not exist",
    "no such model", "unknown model", "invalid model", "not a valid model id", "try pulling it first",
    "decommissioned", "no models loaded", "model_not_available", "is not found for api version",
    "failed to get model", "no endpoints found", "model is not available", "model unloaded",
    "was not found. to download", "failed to load model", "unable to load model", "模型不存在", "模型未找到",
)  # fmt: skip
_ABOUT_A_MODEL = re.compile(r"model[^\n]{0,120}(?:does not exist|doesn't exist|not found|not available|not supported)")
_TOO_LONG = (
    "context length", "context_length", "context window", "context size", "exceed_context", "prompt is too long",
    "prompt too long", "input is too long", "maximum number of tokens allowed", "maximum model length", "max_model_len",
    "n_ctx", "range of input length", "input tokens must be", "input token count", "too many tokens", "token limit",
    "tokens must be no more than", "reduce the length", "inputs tokens + max_new_tokens", "must have less than",
    "request too large", "payload too large", "maximum context", "larger than the max", "too large to process",
    "exceeds the limit of", "string_above_max_length", "number of tokens", "maximum prompt length", "tokens limit",
    "exceed context limit", "exceeds context limit", "超长", "输入过长",
)  # fmt: skip
_SLOW_DOWN = (
    "rate limit", "rate_limit", "ratelimit", "too many requests", "resource_exhausted", "slow_down", "slow down",
    "throttl", "limit_requests", "too many concurrent", "concurrency",
)  # fmt: skip
_OVERLOADED = ("overloaded", "loading model", "capacity", "try again later", "temporarily", "unavailable", "busy")
# A chat template that takes no message of the system counts it as a turn, which then do not alternate.
_NO_SYSTEM = (
    "system role", "role 'system'", "'system' role", "only user and assistant roles", "roles must alternate",
    "does not support 'system'", "system messages are not", "system message is not", "developer instruction is not",
    "role: system", "messages[0].role", "system instruction is not",
)  # fmt: skip

EXCHANGED = (
    *("max_completion_tokens", "max_tokens", "temperature", "dimensions", "encoding_format"),
    *("stream_options", "stream"),
)
_STATUSES_OF_FORM = (200, 400, 409, 413, 415, 422, 500, 501)
_WAIT = re.compile(r"(?:try again|retry|wait)[a-z ]{0,20}\s(?:(\d{1,4})m)?(\d{1,6}(?:\.\d{1,9})?)\s?(ms|s)\b")
_DELAY = re.compile(r"\d{1,6}(?:\.\d{1,9})?s")


class _Said(NamedTuple):
    """An error's words in small letters, the parameters that it names apart, and the seconds that it asks to wait."""

    words: str
    parameters: tuple[str, ...]
    delay: float | None


def failure_of(status: int, headers: Mapping[str, str], body: bytes) -> ProviderFailed:
    """The failure that a vendor's answer is, by its meaning."""
    said = _said(body)
    status = _own_status(status, body)
    cause = _cause_of(status, said)
    unsupported = None
    if status in _STATUSES_OF_FORM and cause in (Cause.REFUSED_REQUEST, Cause.OVERLOADED, Cause.NO_ANSWER):
        unsupported = _unsupported(status, said)
    wait_s = _retry_after(headers) or said.delay
    return ProviderFailed(
        _reason_of(status, cause),
        cause=Cause.REFUSED_REQUEST if unsupported else cause,
        status=status,
        retry_after=wait_s if cause is Cause.SLOW_DOWN else None,
        unsupported=unsupported,
        too_long=cause is Cause.TOO_LONG,
    )


def _cause_of(status: int, said: _Said) -> Cause:
    def says(*signs: str) -> bool:
        return any(sign in said.words for sign in signs)

    is_refusal = status in (200, 400, 403, 404, 422, 429)
    # Gemini's limits a minute speak of "your current quota … billing details", too, and say when they are over.
    is_limit = status == 429 and (says("resource_exhausted") or said.delay is not None)
    if status in (200, 400, 403, 422) and says(*_FILTERED):
        return Cause.FILTERED
    if status == 402 or (is_refusal and not is_limit and says(*_NO_MONEY)):
        return Cause.NO_MONEY
    if status == 401 or (status in (200, 400, 403) and says(*_WRONG_KEY)):
        return Cause.WRONG_KEY
    if status == 403:
        return Cause.NOT_ALLOWED
    if status in (200, 400, 413, 422, 500) and says(*_TOO_LONG) and not says("max_tokens is too large"):
        return Cause.TOO_LONG
    if status == 413:
        return Cause.TOO_LONG
    return _cause_of_the_rest(status, said, says=says)


def _cause_of_the_rest(status: int, said: _Said, *, says: Any) -> Cause:
    is_gone = says(*_MODEL_GONE) or bool(_ABOUT_A_MODEL.search(said.words))
    if status in (400, 422, 500) and _unsupported(status, said):
        return Cause.REFUSED_REQUEST
    if status == 404:
        is_about_a_model = is_gone or "model" in said.words
        return Cause.MODEL_GONE if is_about_a_model or not said.words else Cause.WRONG_ADDRESS
    if status in (200, 400, 422, 500, 503) and is_gone and not says("loading model"):
        return Cause.MODEL_GONE
    if status == 405 or says("<html", "<!doctype"):
        return Cause.OVERLOADED if status >= 500 else Cause.WRONG_ADDRESS
    if status == 429 or says(*_SLOW_DOWN):
        return Cause.SLOW_DOWN
    if status in (408, 504, 524):
        return Cause.TIMEOUT
    if status >= 500 or status == 498 or (status != 400 and says(*_OVERLOADED)):
        return Cause.OVERLOADED
    return Cause.REFUSED_REQUEST if 400 <= status < 500 else Cause.NO_ANSWER


def _reason_of(status: int, cause: Cause) -> Reason:
    if cause is Cause.NO_MONEY and status == 429:
        return "rate_limited"
    if cause in (Cause.WRONG_KEY, Cause.NOT_ALLOWED, Cause.NO_MONEY):
        return "rejected_key"
    if cause is Cause.MODEL_GONE or status == 404:
        return "model_not_found"
    if cause is Cause.SLOW_DOWN:
        return "rate_limited"
    if status >= 500 and cause is not Cause.TOO_LONG:
        return "server_error"
    if status == 408:
        return "timeout"
    return "bad_answer"


def _unsupported(status: int, said: _Said) -> str | None:
    """The setting that an error says the model does not take: by `param`, else the one that its words name first."""
    if any(sign in said.words for sign in _NO_SYSTEM):
        return "system"
    if status == 200:
        return None
    for name in said.parameters:
        if name in EXCHANGED:
            return name
    if status >= 500 and "support" not in said.words:
        return None
    places = {name: place for name in EXCHANGED if (place := said.words.find(name)) >= 0}
    return min(places, key=lambda name: (places[name], -len(name))) if places else None


def _own_status(status: int, body: bytes) -> int:
    """The status of an error within an answer that bears a success, as gateways send it."""
    if not 200 <= status < 300:
        return status
    document = _document(body)
    error = document.get("error") if isinstance(document, dict) else None
    for code in (error.get("code"), error.get("status")) if isinstance(error, dict) else ():
        if str(code).isdecimal() and len(str(code)) == 3 and str(code) >= "400":
            return int(str(code))
    return 200


def _retry_after(headers: Mapping[str, str]) -> float | None:
    for name, unit in (("Retry-After-Ms", 1000.0), ("Retry-After", 1.0)):
        value = headers.get(name)
        if not value:
            continue
        try:
            seconds = float(value) / unit
        except ValueError:
            try:
                seconds = parsedate_to_datetime(value).timestamp() - time()
            except (ValueError, TypeError):
                continue
        if 0 < seconds < 1e9:
            return seconds
    return None


_MOST_CHARACTERS, _MOST_DEPTH = 8_000, 8
# What the caller sent, and servers send back.
_ECHOES = frozenset({"input", "body", "request", "url", "ctx", "trace", "messages"})


def _said(body: bytes) -> _Said:
    document = _document(body)
    if document is None:
        return _Said(body[:_MOST_CHARACTERS].decode(errors="replace").lower(), (), None)
    words, parameters, delay, total = [], [], None, 0
    for name, text in _texts(document, 0):
        text = text[:_MOST_CHARACTERS].lower()
        if name in ("param", "loc", "parameter", "field"):
            parameters.append(text)
        if name == "retrydelay" and _DELAY.fullmatch(text):
            delay = float(text[:-1])
        words.append(text)
        total += len(text)
        if total > _MOST_CHARACTERS:
            break
    joined = "\n".join(words)
    if delay is None and (found := _WAIT.search(joined)):
        delay = int(found[1] or 0) * 60 + float(found[2]) / (1000 if found[3] == "ms" else 1)
    return _Said(joined, tuple(parameters), delay)


def _texts(found: Any, depth: int, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text within a document, with the name of its member; texts that are JSON themselves are gone into."""
    if depth > _MOST_DEPTH:
        return
    if isinstance(found, dict):
        for key, value in found.items():
            if str(key).lower() not in _ECHOES:
                yield from _texts(value, depth + 1, str(key).lower())
    elif isinstance(found, list):
        for value in found[:50]:
            yield from _texts(value, depth + 1, name)
    elif isinstance(found, str):
        inner = _document(found.encode(errors="replace")) if found.lstrip()[:1] in ("{", "[") else None
        if inner is None:
            yield name, found
        else:
            yield from _texts(inner, depth + 1, name)


def _document(body: bytes) -> Any:
    """The JSON of a body; None where it is none."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict | list) else None
