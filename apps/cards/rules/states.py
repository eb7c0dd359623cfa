"""The states of a chat's cards: what is asked for, what is kept, what is shown. Times are seconds since 1970."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypedDict

from apps.cards.rules.components import BadCard, read_components
from apps.cards.rules.settings import MAX_TTL_S

AGAIN_S = 30  # after a failure
KEPT_S = 24 * 3600 - 300  # a sweep every few minutes then ends within 24 hours
# A card whose time to live is shorter would be asked for again by whoever was just told of it.
MIN_FRESH_S = 2
MAX_MESSAGE = 300


class KeptCard(TypedDict):
    """A card as it is kept. Without `fetched_at` nothing of it was ever read."""

    components: list[dict[str, Any]]
    is_proved: bool
    fetched_at: float | None
    expires_at: float
    error: str | None
    failed_at: float | None


Kept = dict[str, KeptCard]


class CardsRead(NamedTuple):
    """The outcome of a call: the cards that were read, and why others were not, by key."""

    cards: dict[str, tuple[list[dict[str, Any]], int | None]]
    errors: dict[str, str]


def due_keys(keys: Collection[str], kept: Kept, *, is_proved: bool, now: float) -> list[str]:
    """The keys that the shop is to be asked for: never read, too old, read while something else was proved.

    One that failed is asked for again after AGAIN_S.
    """
    return [key for key in keys if _is_due(kept.get(key), is_proved=is_proved, now=now)]


def _is_due(card: KeptCard | None, *, is_proved: bool, now: float) -> bool:
    if card is None:
        return True
    if card["failed_at"] is not None:
        return now - card["failed_at"] >= AGAIN_S
    return not _is_fresh(card, now) or card["is_proved"] != is_proved


def _is_fresh(card: KeptCard, now: float) -> bool:
    fetched_at, expires_at = card["fetched_at"], card["expires_at"]
    if fetched_at is None or not expires_at:  # zero: it is asked for anew
        return False
    return now < max(expires_at, fetched_at + MIN_FRESH_S)


def asked_anew(card: KeptCard) -> KeptCard:
    """The card, to be asked for again whatever its age: "Try again"."""
    return {**card, "expires_at": 0, "failed_at": None}


def shown_card(card: KeptCard | None, *, is_proved: bool, now: float) -> dict[str, Any]:
    """The members that are shown of a card beside its key and title."""
    if card is None:
        return _shown("loading", [], is_proved, None, None)
    if card["error"] is not None and card["failed_at"] is not None:
        return _shown("failed", card["components"], card["is_proved"], card["fetched_at"], card["error"])
    if card["fetched_at"] is None:
        return _shown("loading", [], is_proved, None, None)
    state = "fresh" if _is_fresh(card, now) and card["is_proved"] == is_proved else "stale"
    return _shown(state, card["components"], card["is_proved"], card["fetched_at"], None)


def _shown(
    state: str, components: Sequence[dict[str, Any]], is_proved: bool, fetched_at: float | None, error: str | None
) -> dict[str, Any]:
    at = None if fetched_at is None else datetime.fromtimestamp(fetched_at, UTC)
    return {"state": state, "components": components, "is_proved": is_proved, "fetched_at": at, "error": error}


def read_answer(answer: Any, keys: Collection[str]) -> CardsRead:
    """The cards of an answer, of those keys; one that it leaves out is empty. The first of two cards of one key
    counts."""
    if not isinstance(answer, dict) or not isinstance(answer.get("cards"), list):
        return CardsRead({}, dict.fromkeys(keys, "cards"))
    read = CardsRead({}, {})
    for given in answer["cards"]:
        key = given.get("key") if isinstance(given, dict) else None
        if not isinstance(key, str) or key not in keys or key in read.cards or key in read.errors:
            continue
        try:
            read.cards[key] = _read_card(given)
        except BadCard as bad:
            read.errors[key] = bad.path
    for key in keys:
        if key not in read.errors:
            read.cards.setdefault(key, ([], None))
    return read


def _read_card(given: Mapping[str, Any]) -> tuple[list[dict[str, Any]], int | None]:
    ttl = given.get("ttl_seconds")
    if ttl is not None and (not isinstance(ttl, int) or isinstance(ttl, bool) or not 0 <= ttl <= MAX_TTL_S):
        raise BadCard("ttl_seconds")
    components = given.get("components")
    return ([] if components is None else read_components(components)), ttl


def after_call(kept: Kept, read: CardsRead, ttls: Mapping[str, int], *, is_proved: bool, now: float) -> Kept:
    """The kept cards after a call: those that were read, and the old contents of those that failed.

    Contents older than KEPT_S are forgotten.
    """
    after: Kept = {key: card for key, card in kept.items() if key in ttls}
    for key, (components, ttl) in read.cards.items():
        expires_at = now + (ttls[key] if ttl is None else ttl)
        after[key] = KeptCard(
            components=components,
            is_proved=is_proved,
            fetched_at=now,
            expires_at=expires_at,
            error=None,
            failed_at=None,
        )
    for key, error in read.errors.items():
        before = after.get(key) or KeptCard(
            components=[], is_proved=is_proved, fetched_at=None, expires_at=0, error=None, failed_at=None
        )
        after[key] = {**before, "error": error, "failed_at": now}
    return {key: card for key, card in after.items() if now - (card["fetched_at"] or now) < KEPT_S}


def oldest(kept: Kept, now: float) -> float:
    """The moment of the oldest contents."""
    return min((card["fetched_at"] or now for card in kept.values()), default=now)


def message_of(answer: Any) -> str:
    """The words of an answer to a button, in one line; "" without any."""
    said = answer.get("message") if isinstance(answer, dict) else None
    if not isinstance(said, str) or len(said) > MAX_MESSAGE:
        return ""
    return " ".join("".join(each if each.isprintable() else " " for each in said).split())
