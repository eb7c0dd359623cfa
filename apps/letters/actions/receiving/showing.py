"""A letter as operators look at it: whole, its markup without anything that runs or is fetched.

It was made when the letter came. A letter from before has none: the cage makes it at each look, so that nothing of a
stranger's is parsed in this process.
"""

from typing import Any

from apps.core.errors import NOT_FOUND
from apps.core.files import signed_addresses, storage
from apps.letters.actions.receiving.markup import read_whole
from apps.letters.models import InLetter
from apps.letters.rules.reading.limits import MAX_LETTER_BYTES

PURPOSE = "letter"


def letter_of_message(*, widget_id: int, message_id: int) -> dict[str, Any]:
    """The letter that a message came by. Raises NOT_FOUND (404) for any other message."""
    row = InLetter.objects.for_widget(widget_id).filter(message_id=message_id).exclude(raw_key="").first()
    if row is None:
        raise NOT_FOUND()
    return shown(row)


def shown(row: InLetter) -> dict[str, Any]:
    """A stored letter in the members of the console's answer. Raises NOT_FOUND (404) where it is gone."""
    members = row.shown if row.shown is not None else _made_now(row)
    if members is None:
        raise NOT_FOUND()
    return {**members, "at": row.received_at, "proof": row.proof or "none", "raw": raw_address(row)}


def _made_now(row: InLetter) -> dict[str, Any] | None:
    try:
        return read_whole(raw_of(row))
    except storage.StorageFailed:
        return None


def raw_of(row: InLetter) -> bytes:
    """The letter as it came."""
    return b"".join(storage.chunks_of(row.raw_key, most=MAX_LETTER_BYTES))


def raw_address(row: InLetter) -> str:
    """The signed address of the letter as it came."""
    return f"/letters/raw/{signed_addresses.sign(PURPOSE, row.pk, widget_id=row.widget_id or 0)}"
