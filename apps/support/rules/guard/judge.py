"""The guard itself: from a text to what may be sent, or to what stands in its way."""

from typing import NamedTuple

from apps.ai.rules.links import Kind, tokens, without
from apps.support.rules.guard.allow import Catalogue
from apps.support.rules.guard.normalise import normalised, refuse_unless_plain
from apps.support.rules.guard.views import View, decoded, folded

MAX_TOKENS = 100


class Offence(NamedTuple):
    """A link that is not the owner's: as it stands in the view that shows it."""

    token: str
    kind: Kind
    view: View


class LinksRefused(Exception):
    """The text has links that the owner did not allow; `offending` names each once, in the order of the text."""

    def __init__(self, offending: list[Offence]) -> None:
        super().__init__("The text has links outside the owner's catalogue.")
        self.offending = offending


class GuardFailed(Exception):
    """The text could not be judged: it has over a hundred links. Nothing is sent then."""


def checked(text: str, catalogue: Catalogue) -> str:
    """The text to be sent and stored. Raises TextRefused, LinksRefused, GuardFailed.

    In time that grows as the text does.
    """
    text = normalised(text)
    refuse_unless_plain(text)
    seen = tokens(text)
    count = len(seen)
    offending = [Offence(token.text, token.kind, "text") for token in seen if not catalogue.allows(token)]
    rest = without(text, seen, " ")
    views: tuple[View, ...] = ("folded", "decoded")
    for view in views:
        before, rest = rest, decoded(rest) if view == "decoded" else folded(rest)
        if rest == before and not seen:  # the same was looked at, and had nothing
            continue
        # What only a later view shows is allowed to nobody: a link of the owner's needs no disguise.
        seen = tokens(rest)
        count += len(seen)
        offending += [Offence(token.text, token.kind, view) for token in seen]
        rest = without(rest, seen, " ")
    if count > MAX_TOKENS:
        raise GuardFailed
    if offending:
        first: dict[str, Offence] = {}
        for offence in offending:
            first.setdefault(offence.token, offence)
        raise LinksRefused(list(first.values()))
    return text
