"""An external operator's reply, and its effect (docs/guides/external-operators.md). Pure."""

import hmac
import re
import unicodedata
from hashlib import sha256
from typing import Literal, NamedTuple
from uuid import UUID

from apps.ai.rules.shown_answers import Decision

MARKER = "[KEY_TO_OPERATOR]"
MAX_CONTENT = 4_000
_MARKER_BEGINS = re.compile(r"\[\s*K\s*E\s*Y\s*_", re.IGNORECASE)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
# What is shaped like a secret of this service.
_SECRETS = re.compile(r"\bpt_[0-9A-Za-z]{46}\b|\beosec_[A-Za-z0-9_-]{43}|\bwhsec_[A-Za-z0-9_\-+/=]{16,}")
_SIGNATURE = re.compile(r"sha256=v1:[0-9a-f]{64}")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

ReplyOutcome = Literal["message", "handoff", "message_and_handoff"]
Reason = Literal["requested", "marker", "empty_content", "safety_floor"]
# The reason that people are shown of a text that a floor held back.
HELD_BACK = "held_back"


def content_refusal(content: str) -> str | None:
    """Why a content is none, or None when it is one."""
    if _CONTROLS.search(content):
        return "Control characters other than tabs and line breaks are not allowed."
    rest = content.replace(MARKER, "")
    begun = _MARKER_BEGINS.search(rest)
    if begun and "]" in rest[begun.end() :]:  # a pattern for both would look for the end from each beginning
        return f"The only marker is {MARKER}, written exactly so."
    return None


class ReplyText(NamedTuple):
    """The content of a reply: its text without the marker, and whether people are asked for."""

    text: str
    asked: Reason | None


def said(content: str | None, *, escalate: bool) -> ReplyText:
    text = (content or "").replace("\r\n", "\n")
    has_marker = MARKER in text
    text = text.replace(MARKER, "").strip()
    if not _is_visible(text):
        text = ""
    asked: Reason | None = "requested" if escalate else "marker" if has_marker else None
    return ReplyText(text, asked)


def _is_visible(text: str) -> bool:
    """Whether anything of it is seen: neither white space nor characters that have no shape."""
    return any(not character.isspace() and unicodedata.category(character) not in ("Cf", "Cc") for character in text)


def holds_secret(text: str) -> bool:
    return _SECRETS.search(text) is not None


class ReplyEffect(NamedTuple):
    """The effect of a reply. `decision` says what is shown (`outcomes`), `reason` why people are called, for people.

    is_held_back: the text is kept for people alone.
    """

    outcome: ReplyOutcome
    handoff_reason: Reason | None
    decision: Decision
    is_held_back: bool = False


def effect_of(text: ReplyText, *, social: bool, held_back: bool, may_hand_over: bool) -> ReplyEffect:
    """The table's line. A chat that is handed over already is not handed over again (`may_hand_over` is false)."""
    if held_back:
        return _held_back(text, may_hand_over=may_hand_over)
    if not may_hand_over:
        shown: Literal["text", "excuse"] = "text" if text.text else "excuse"
        return ReplyEffect("message", None, Decision(shown, "answer" if text.text else "empty_response"))
    if text.text and text.asked is None:
        return ReplyEffect("message", None, Decision("text", "answer"))
    if text.text:
        return ReplyEffect("message_and_handoff", text.asked, Decision("handover", "escalation_outcome", text.asked))
    if text.asked is not None:
        return ReplyEffect("handoff", text.asked, Decision("handover", "escalation_outcome", text.asked))
    if social:
        return ReplyEffect("message", None, Decision("social_reply", "social_reply"))
    return ReplyEffect("handoff", "empty_content", Decision("handover", "empty_response", "empty_content"))


def _held_back(text: ReplyText, *, may_hand_over: bool) -> ReplyEffect:
    if not may_hand_over:
        return ReplyEffect("message", None, Decision("excuse", "empty_response"), is_held_back=True)
    reason: Reason = text.asked or "safety_floor"
    return ReplyEffect("handoff", reason, Decision("handover", "escalation_outcome", HELD_BACK), is_held_back=True)


class Frame(NamedTuple):
    """The signed frame of a reply: who says it, and what proves that."""

    operator: UUID
    signature: str


def frame_of(operator: str | None, signature: str | None) -> Frame | Literal["malformed"] | None:
    """The frame of two headers; None where there is none."""
    if operator is None and signature is None:
        return None
    if not operator or not signature or not _SIGNATURE.fullmatch(signature) or not _UUID.fullmatch(operator):
        return "malformed"
    return Frame(UUID(operator), signature)


def proves(signature: str, secret: str, *, public_id: str, button_guid: str, body: bytes) -> bool:
    """Whether the signature is the secret's, over the frame and the raw body. In constant time."""
    signed = f"reply\n{public_id}\n{button_guid}\n".encode() + body
    expected = f"sha256=v1:{hmac.new(secret.encode(), signed, sha256).hexdigest()}"
    return hmac.compare_digest(expected, signature)
