"""The whole letter as operators look at it. Made once when the letter comes; of letters from before, in the cage."""

import codecs
import email.generator  # noqa: F401 - a call in the cage can load nothing
from typing import Any

from apps.letters.rules.reading.charset_names import CHARSETS
from apps.letters.rules.reading.headers import decoded
from apps.letters.rules.reading.letters import Letter, read_letter
from apps.letters.rules.reading.limits import MAX_SHOWN


def shown_of(letter: Letter, markup: str | None) -> dict[str, Any]:
    """The members of a letter that the console shows; `markup` is the cleaned rest of its own."""
    return {
        "from": decoded(letter.first("from"))[:1000],
        "to": [one.address for one in letter.addresses("to")[:100]],
        "cc": [one.address for one in letter.addresses("cc")[:100]],
        "subject": letter.subject,
        "text": (letter.plain or "")[:MAX_SHOWN],
        "html": markup,
        "files": [
            {"name": file.name, "size": file.size, "content_type": file.content_type} for file in letter.files[:200]
        ],
    }


def read(content: bytes) -> dict[str, Any]:
    """The same of a letter's bytes. For the cage: its markup is read by a library in C."""
    from apps.letters.rules.reading.markup import read as read_markup

    letter = read_letter(content)
    markup = read_markup(letter.html.encode("utf-8", "ignore"))["shown"] if letter.html else None
    return shown_of(letter, markup)


def load_codecs() -> None:
    """Loads the codecs of every charset, before the cage forks."""
    for name in {codec for charset in CHARSETS for codec in (*charset.codecs, charset.windows)}:
        try:
            codecs.lookup(name)
        except LookupError:  # one of our own, or none
            continue
