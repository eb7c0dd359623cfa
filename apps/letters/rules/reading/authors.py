"""The writer of a letter: the service itself, a form or a group that the owner named, a machine, or a person. Pure.

One table, asked from the top: the first sign that holds decides. An address alone makes nothing ours but at the very
mailbox that it is of, and what the owner named is never a machine.
"""

from collections.abc import Callable, Collection
from enum import StrEnum
from typing import NamedTuple

from apps.letters.rules.addresses import read_address, read_message_id
from apps.letters.rules.reading.headers import NamedAddress, addresses
from apps.letters.rules.reading.letters import Letter
from apps.letters.rules.reading.machines import SeenLetter, has_machine_sign


class LetterAuthor(StrEnum):
    """The kinds of writers."""

    OURS = "ours"
    FORM = "form"
    GROUP = "group"
    MACHINE = "machine"
    PERSON = "person"


class KnownWriters(NamedTuple):
    """The facts of the place where the letter came in: the installation's mark, its reply addresses and its sender; the
    address of the mailbox; the senders that the owner named.
    """

    origin: str = ""
    reply_pattern: str = ""
    sender: str = ""
    mailbox: str = ""
    named: Collection[str] = ()


AuthorSign = Callable[[SeenLetter, KnownWriters], bool]


def _has_mark(seen: SeenLetter, known: KnownWriters) -> bool:
    letter = seen.letter
    if known.origin and letter.first("x-parley-origin") == known.origin:
        return True
    if read_message_id(f"<{letter.message_id}>") is not None:
        return True
    return any(read_address(known.reply_pattern, one.address) for one in letter.from_)


def _is_named(seen: SeenLetter, known: KnownWriters) -> bool:
    return any(one.address in known.named for one in seen.letter.from_)


def _is_named_group(seen: SeenLetter, known: KnownWriters) -> bool:
    return bool(known.named) and bool(set(groups_of(seen.letter)) & set(known.named))


def _is_of_mailbox(seen: SeenLetter, known: KnownWriters) -> bool:
    own = {known.sender, known.mailbox} - {""}
    return any(one.address in own for one in seen.letter.from_)


def _is_machine(seen: SeenLetter, known: KnownWriters) -> bool:
    return has_machine_sign(seen._replace(by_group=_is_named_group(seen, known)))


# In the order in which they are asked: the writer, the fields that say so, the question.
AUTHORS: tuple[tuple[LetterAuthor, str, AuthorSign], ...] = (
    (LetterAuthor.OURS, "X-Parley-Origin, Message-ID, From: a reply address", _has_mark),
    (LetterAuthor.FORM, "From: a sender that the owner named", _is_named),
    (LetterAuthor.OURS, "From: this mailbox, the installation's sender", _is_of_mailbox),
    (LetterAuthor.MACHINE, "the signs of machines", _is_machine),
    (
        LetterAuthor.GROUP,
        "List-Id, List-Post, Mailing-list, X-BeenThere, Sender: a named group",
        _is_named_group,
    ),
)


def author_of(seen: SeenLetter, known: KnownWriters) -> LetterAuthor:
    """The writer of the letter."""
    return next((author for author, _, holds in AUTHORS if holds(seen, known)), LetterAuthor.PERSON)


def groups_of(letter: Letter) -> list[str]:
    """The addresses of the groups that it came by, as their programs write them."""
    found = [one.address for name in ("x-beenthere", "sender", "list-post") for one in letter.addresses(name)]
    found = [*found, *(one.address.removeprefix("mailto:") for one in letter.addresses("list-post"))]
    for value in letter.all("list-post"):
        found += [one.address for one in addresses(value.replace("mailto:", ""))]
    for value in letter.all("mailing-list"):
        found += [word.strip(";,<>").lower() for word in value.split() if "@" in word]
    for value in letter.all("list-id"):
        local, _, domain = value.rpartition("<")[2].partition(">")[0].strip().lower().partition(".")
        found += [f"{local}@{domain}"] if local and domain else []
    return found


# Where groups say who wrote: their From may be the group's own.
ORIGINAL = ("x-original-sender", "x-original-from")


def writer_behind(letter: Letter, names: Collection[str], own: Collection[str]) -> NamedAddress | None:
    """The person for whom a form or a group writes, by the first of those fields that has an address which is none of
    our own; None where there is none.
    """
    return next((one for name in names for one in letter.addresses(name) if one.address not in own), None)
