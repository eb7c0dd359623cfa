"""The grammar of Authentication-Results (RFC 8601): words, quoted strings and comments, read once from left to right.

The sender chooses local parts, which may hold each sign of the grammar in quotes: nothing is looked
for in the text of a field, only in what the reader made of it.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

MAX_FIELD = 16_384


class TokenKind(StrEnum):
    """The kinds of what stands in a field; blanks and comments are one kind, as they separate alike."""

    ATOM = "atom"
    QUOTED = "quoted"
    EQUALS = "="
    SEMICOLON = ";"
    SPACE = "space"


class ResultToken(NamedTuple):
    """A piece of a field; `text` is without quotes and backslashes."""

    kind: TokenKind
    text: str


class Word(NamedTuple):
    """A value of the grammar; `domain` stands behind its last @ outside of quotes (the value itself without one)."""

    text: str
    domain: str


class Finding(NamedTuple):
    """A result of a method with its properties, as the field has them, in lower case."""

    method: str
    result: str
    properties: tuple[tuple[str, Word], ...]

    def of(self, name: str) -> Word | None:
        """The first property of that name."""
        return next((word for found, word in self.properties if found == name), None)


class Malformed(ValueError):
    """A quote or a comment that does not end, or a field that is too long to be judged whole."""


_BLANKS = " \t\r\n"
_ENDS = frozenset(_BLANKS + '"();=')


def tokens(value: str) -> Iterator[ResultToken]:
    """The pieces of a field, in order. Raises Malformed."""
    if len(value) > MAX_FIELD:
        raise Malformed
    at = 0
    while at < len(value):
        sign = value[at]
        if sign in _BLANKS:
            at += 1
            yield ResultToken(TokenKind.SPACE, " ")
        elif sign == "(":
            at = _comment_end(value, at)
            yield ResultToken(TokenKind.SPACE, " ")
        elif sign == '"':
            text, at = _quoted(value, at)
            yield ResultToken(TokenKind.QUOTED, text)
        elif sign in ";=":
            at += 1
            yield ResultToken(TokenKind(sign), sign)
        else:
            end = at + 1
            while end < len(value) and value[end] not in _ENDS:
                end += 1
            yield ResultToken(TokenKind.ATOM, value[at:end])
            at = end


def _comment_end(value: str, at: int) -> int:
    """The place behind a comment, which may hold others, and escaped parentheses. Raises Malformed."""
    depth = 0
    while at < len(value):
        sign = value[at]
        at += 2 if sign == "\\" else 1
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return at
    raise Malformed


def _quoted(value: str, at: int) -> tuple[str, int]:
    """The text of a quoted string, and the place behind it. Raises Malformed."""
    kept: list[str] = []
    at += 1
    while at < len(value):
        sign = value[at]
        if sign == '"':
            return "".join(kept), at + 1
        if sign == "\\":
            at += 1
            sign = value[at : at + 1]
        kept.append(sign)
        at += 1
    raise Malformed


def read_results(value: str) -> tuple[str, list[Finding]]:
    """The id of the server that wrote a field, in lower case, and what it found. Raises Malformed."""
    pieces: list[list[ResultToken]] = [[]]
    for token in tokens(value):
        if token.kind is TokenKind.SEMICOLON:
            pieces.append([])
        elif token.kind is not TokenKind.SPACE or pieces[-1][-1:] != [token]:
            pieces[-1].append(token)
    server = next(iter(_words(pieces[0])), [])
    return _word(server).text.lower(), [found for piece in pieces[1:] if (found := _finding(piece)) is not None]


def _words(piece: Sequence[ResultToken]) -> Iterator[list[ResultToken]]:
    """The runs of tokens between blanks and comments, which may stand around the first equals sign of a pair, too."""
    run: list[ResultToken] = []
    for place, token in enumerate(piece):
        if token.kind is not TokenKind.SPACE:
            run.append(token)
            continue
        is_around_equals = len(run) == 1 and any(one.kind is TokenKind.EQUALS for one in piece[place + 1 : place + 2])
        is_behind_equals = len(run) == 2 and run[-1].kind is TokenKind.EQUALS
        if run and not is_around_equals and not is_behind_equals:
            yield run
            run = []
    if run:
        yield run


def _word(run: Sequence[ResultToken]) -> Word:
    text = "".join(token.text for token in run)
    behind = ""
    has_at = False
    for token in run:
        if token.kind is TokenKind.ATOM and "@" in token.text:
            behind, has_at = token.text.rpartition("@")[2], True
        elif has_at:
            behind += token.text
    if not has_at:
        behind = text.rpartition("@")[2]
    return Word(text, behind.lower())


def _finding(piece: Sequence[ResultToken]) -> Finding | None:
    """A method and its result, which stand first, and the properties; None for `none`, and what is no result."""
    pairs: list[tuple[str, Word]] = []
    for run in _words(piece):
        is_pair = len(run) > 2 and run[0].kind is TokenKind.ATOM and run[1].kind is TokenKind.EQUALS
        if is_pair:
            pairs.append((run[0].text.lower(), _word(run[2:])))
        elif not pairs:
            return None
    if not pairs:
        return None
    (method, result), *properties = pairs
    return Finding(method.partition("/")[0], result.text.lower(), tuple(properties))
