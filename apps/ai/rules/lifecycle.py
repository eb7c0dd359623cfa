"""The lifecycle of an external operator: one table of states and actions (docs/guides/external-operators.md). Pure.

A rotation is no state that has to be ended: whether one is under way follows from when it began, when its overlap ends,
and what is still to be delivered.
"""

import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Literal, NamedTuple

MAX_NAME, MAX_URL, MAX_REASON = 64, 2048, 500
DEFAULT_REPLY_TIMEOUT_S, MIN_REPLY_TIMEOUT_S, MAX_REPLY_TIMEOUT_S = 120, 5, 300
DEFAULT_OVERLAP_S, MAX_OVERLAP_S = 3_600, 86_400
MAX_BEARER = 1024
SECRET_PREFIX = "eosec_"  # noqa: S105 - what a secret begins with


class OperatorStanding(StrEnum):
    """The state of an operator when no rotation is under way."""

    DRAFT = "draft"
    ACTIVE = "active"
    PAUSED = "paused"
    KILLED = "killed"
    REVOKED = "revoked"


ROTATING = "rotating"
STATES = (*(one.value for one in OperatorStanding), ROTATING)


class Action(StrEnum):
    ACTIVATE = "activate"
    PAUSE = "pause"
    ROTATE = "rotate"
    KILL = "kill"
    REVOKE = "revoke"


class Fallback(StrEnum):
    """The outcome of a turn that is not answered."""

    HANDOFF = "handoff"
    MODEL = "model"


class Refusal(StrEnum):
    """Why a move is refused."""

    INVALID = "invalid_transition"
    NOT_VERIFIED = "operator_not_verified"
    ROTATING = "rotation_under_way"


_S, _A = OperatorStanding, Action
_NO = Refusal.INVALID
# Where each action leads from each state; of a rotating one the state that it rests in is not asked.
TABLE: Mapping[str, Mapping[Action, OperatorStanding | Refusal]] = {
    _S.DRAFT: {
        _A.ACTIVATE: _S.ACTIVE,
        _A.PAUSE: _NO,
        _A.ROTATE: _S.DRAFT,
        _A.KILL: _S.KILLED,
        _A.REVOKE: _S.REVOKED,
    },
    _S.ACTIVE: {
        _A.ACTIVATE: _S.ACTIVE,
        _A.PAUSE: _S.PAUSED,
        _A.ROTATE: _S.ACTIVE,
        _A.KILL: _S.KILLED,
        _A.REVOKE: _S.REVOKED,
    },
    _S.PAUSED: {
        _A.ACTIVATE: _S.ACTIVE,
        _A.PAUSE: _S.PAUSED,
        _A.ROTATE: _S.PAUSED,
        _A.KILL: _S.KILLED,
        _A.REVOKE: _S.REVOKED,
    },
    ROTATING: {
        _A.ACTIVATE: _NO,
        _A.PAUSE: _NO,
        _A.ROTATE: Refusal.ROTATING,
        _A.KILL: _S.KILLED,
        _A.REVOKE: _S.REVOKED,
    },
    _S.KILLED: {
        _A.ACTIVATE: _S.ACTIVE,
        _A.PAUSE: _NO,
        _A.ROTATE: _S.KILLED,
        _A.KILL: _S.KILLED,
        _A.REVOKE: _S.REVOKED,
    },
    _S.REVOKED: {
        _A.ACTIVATE: _NO,
        _A.PAUSE: _NO,
        _A.ROTATE: _NO,
        _A.KILL: _NO,
        _A.REVOKE: _S.REVOKED,
    },
}
# A rotation of these has an overlap: somebody may be spoken to meanwhile.
_OVERLAPS = (OperatorStanding.ACTIVE, OperatorStanding.PAUSED)
# What the operator's agent row is then.
AGENT_STATUS: Mapping[str, str] = {
    _S.DRAFT: "relaxation",
    _S.ACTIVE: "active",
    _S.PAUSED: "relaxation",
    _S.KILLED: "banned",
    _S.REVOKED: "banned",
}


class Rotation(NamedTuple):
    """A rotation that has begun. `old_undelivered`: events that wait still and are signed by the old secret."""

    started_at: datetime
    overlap_ends_at: datetime
    old_undelivered: int

    def phase(self, now: datetime) -> Literal["overlap", "draining"] | None:
        """None: it is over."""
        if now < self.overlap_ends_at:
            return "overlap"
        return "draining" if self.old_undelivered else None


def state_of(standing: str, rotation: Rotation | None, now: datetime) -> str:
    """The state of an operator that rests in `standing`."""
    return ROTATING if rotation is not None and rotation.phase(now) else standing


@dataclass(frozen=True, slots=True)
class OperatorTransition:
    """The effect of a move on an operator.

    `secret`: whether it stays, is replaced at once, or the old one counts on.
    """

    standing: OperatorStanding
    secret: Literal["stays", "replaced", "overlaps", "erased"]
    ends_rotation: bool = False


def move(
    state: str, action: Action, *, verified: bool, overlap_s: int, undelivered: int
) -> OperatorTransition | Refusal | None:
    """The effect of the action in that state; None without one."""
    to = TABLE[state][action]
    if isinstance(to, Refusal):
        return to
    if action is Action.ROTATE:
        at_once = to not in _OVERLAPS or (overlap_s == 0 and undelivered == 0)
        return OperatorTransition(to, "replaced" if at_once else "overlaps")
    if to == state:
        return None
    if action is Action.ACTIVATE and not verified:
        return Refusal.NOT_VERIFIED
    ends = action in (Action.KILL, Action.REVOKE)
    return OperatorTransition(to, "erased" if action is Action.REVOKE else "stays", ends_rotation=ends)


def new_secret() -> str:
    return SECRET_PREFIX + secrets.token_urlsafe(32)


def new_challenge() -> str:
    return secrets.token_urlsafe(32)


def proof_of(secret: str, challenge: str) -> str:
    """The answer to a challenge of an endpoint that knows the operator's secret."""
    return f"sha256=v1:{hmac.new(secret.encode(), challenge.encode(), sha256).hexdigest()}"


def proof_refusal(answer: object, challenge: str, keys: Sequence[str]) -> Literal["no_echo", "no_proof"] | None:
    """Why the answer to a test proves nothing; None: it has the challenge, and a proof by one of the secrets.

    An echo alone comes from any server that reads what it is sent.
    """
    if not isinstance(answer, dict) or answer.get("challenge") != challenge:
        return "no_echo"
    proof = answer.get("proof")
    if not isinstance(proof, str) or not proof.isascii():
        return "no_proof"
    return None if any(hmac.compare_digest(proof_of(key, challenge), proof) for key in keys) else "no_proof"
