"""Proofs of work of new visitors (ALTCHA): a challenge, and whether a proof answers one of ours. Pure but for chance.

A challenge is signed and not stored; a proof counts once, for one widget, until it expires. It costs a browser a
moment, and a program that makes visitors by the thousand a processor; people solve no puzzle.
"""

import base64
import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, cast

import orjson
from altcha import v1 as altcha

ALGORITHM: Final = "SHA-256"
# Half as many hashes on average: some tenths of a second of a phone.
MAX_NUMBER = 100_000
VALID_FOR = timedelta(minutes=10)
MAX_PROOF = 1000
_MEMBERS = {"algorithm": str, "challenge": str, "number": int, "salt": str, "signature": str}


@dataclass(frozen=True, slots=True)
class Proved:
    """A proof that answers a challenge of ours: what tells it from all others, and when it expires."""

    digest: bytes
    expires_at: datetime


def floods_after(calls_a_minute: int) -> int:
    """New visitors of an address at a widget within a minute, after which it proves work whatever the widget asks."""
    return max(30, calls_a_minute // 4)


def new_challenge(key: str, now: datetime) -> dict[str, Any]:
    """A challenge in ALTCHA's form, which `proved` accepts the answer of until it expires."""
    made = altcha.create_challenge(
        altcha.ChallengeOptions(algorithm=ALGORITHM, max_number=MAX_NUMBER, hmac_key=key, expires=now + VALID_FOR)
    )
    return {
        "algorithm": made.algorithm,
        "challenge": made.challenge,
        "maxnumber": MAX_NUMBER,
        "salt": made.salt,
        "signature": made.signature,
    }


def proved(proof: str, key: str, now: datetime) -> Proved | None:
    """The proof, if it answers a challenge that was signed with the key and has not expired; else None."""
    try:
        payload = orjson.loads(base64.b64decode(proof, validate=True))
    except ValueError:
        return None
    if not isinstance(payload, dict) or set(payload) - {"took"} != set(_MEMBERS):
        return None
    if any(type(payload[name]) is not kind for name, kind in _MEMBERS.items()) or payload["algorithm"] != ALGORITHM:
        return None
    answer = cast("altcha.PayloadType", payload)
    try:
        is_ours, _ = altcha.verify_solution(answer, key, check_expires=False)
        expires = altcha.extract_params(answer).get("expires", [])
        expires_at = datetime.fromtimestamp(int(expires[0]), UTC) if len(expires) == 1 else now
    except (ValueError, OverflowError, OSError):
        return None
    if not is_ours or expires_at <= now:
        return None
    return Proved(hashlib.sha256(payload["challenge"].encode()).digest(), expires_at)
