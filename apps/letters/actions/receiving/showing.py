"""A letter as operators look at it: whole, its markup without anything that runs or is fetched."""

from typing import Any

import nh3

from apps.core.errors import NOT_FOUND
from apps.core.files import signed_addresses, storage
from apps.letters.models import InLetter
from apps.letters.rules.reading.headers import decoded
from apps.letters.rules.reading.letters import read_letter
from apps.letters.rules.reading.limits import MAX_LETTER_BYTES, NotReadable

PURPOSE = "letter"
MAX_SHOWN = 500_000
_TAGS = frozenset(
    [
        "a",
        "abbr",
        "b",
        "blockquote",
        "br",
        "center",
        "code",
        "dd",
        "div",
        "dl",
        "dt",
        "em",
        "font",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "i",
        "li",
        "ol",
        "p",
        "pre",
        "s",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "u",
        "ul",
    ]
)
_ATTRIBUTES = {"a": {"href"}, "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"}, "*": {"dir", "align"}}


def letter_of_message(*, widget_id: int, message_id: int) -> dict[str, Any]:
    """The letter that a message came by. Raises NOT_FOUND (404) for any other message."""
    row = InLetter.objects.for_widget(widget_id).filter(message_id=message_id).exclude(raw_key="").first()
    if row is None:
        raise NOT_FOUND()
    return shown(row)


def shown(row: InLetter) -> dict[str, Any]:
    """A stored letter in the members of the console's answer. Raises NOT_FOUND (404) where it is gone."""
    try:
        letter = read_letter(raw_of(row))
    except (NotReadable, storage.StorageFailed):
        raise NOT_FOUND() from None
    return {
        "from": decoded(letter.first("from"))[:1000],
        "to": [one.address for one in letter.addresses("to")[:100]],
        "cc": [one.address for one in letter.addresses("cc")[:100]],
        "subject": letter.subject,
        "at": row.received_at,
        "proof": row.proof or "none",
        "text": (letter.plain or "")[:MAX_SHOWN],
        "html": clean(letter.html[:MAX_SHOWN]) if letter.html else None,
        "files": [{"name": file.name, "size": file.size, "content_type": file.content_type} for file in letter.files],
        "raw": raw_address(row),
    }


def clean(html: str) -> str:
    """Markup without scripts, styles, pictures and forms: nothing of it runs, and nothing is fetched."""
    return nh3.clean(
        html,
        tags=set(_TAGS),
        attributes={name: set(found) for name, found in _ATTRIBUTES.items()},
        url_schemes={"http", "https", "mailto", "tel"},
        link_rel="noopener noreferrer nofollow",
        strip_comments=True,
    )


def raw_of(row: InLetter) -> bytes:
    """The letter as it came."""
    return b"".join(storage.chunks_of(row.raw_key, most=MAX_LETTER_BYTES))


def raw_address(row: InLetter) -> str:
    """The signed address of the letter as it came."""
    return f"/letters/raw/{signed_addresses.sign(PURPOSE, row.pk, widget_id=row.widget_id or 0)}"
