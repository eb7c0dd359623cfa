"""The writer's own words of a letter: what is quoted is cut, then signatures. Linear in the text.

First that fits: what a program marked in its markup; our marker line; an intro or a header block; the last run of
quoted lines. Own words below a quoted line: all stays, quoted lines with `>`. Nothing left: all stays.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from apps.letters.rules.reading.intros import (
    MOST_LINES,
    has_sender_or_moment,
    header_block_at,
    intro_at,
    is_forwarded,
    is_intro,
    is_marker,
    is_original_rule,
    is_rule,
    label_of,
    may_be_intro,
)
from apps.letters.rules.reading.limits import MAX_BODY
from apps.letters.rules.reading.lines import LetterLine, Mark
from apps.letters.rules.reading.signatures import is_closing, is_delimiter, is_of_program

MOST_OF_SIGNATURE = 12  # lines


@dataclass(frozen=True, slots=True)
class OwnText:
    """A letter's words as its message shows them. is_cut: something was taken away. is_shortened: by its length."""

    text: str
    is_cut: bool = False
    is_shortened: bool = False


def has_known_quote(lines: Sequence[LetterLine]) -> bool:
    """Whether a program marked what it quoted."""
    return any(line.mark is Mark.QUOTED and not line.is_blank for line in lines)


def own_text(lines: Sequence[LetterLine]) -> OwnText:
    """The writer's words of those lines, 10,000 characters at most, then `…`."""
    lines = _with_set_off(lines)
    marked = _marked(lines)
    own = [line for line in marked if line.mark is Mark.OWN]
    if not _words(own):
        # A letter that is nothing but a signature and a quotation, or a quotation alone.
        text, is_cut = _joined([replace(line, mark=Mark.OWN) for line in lines]), False
        return _shortened(text, is_cut)
    if _has_words_below(marked):
        kept = [line for line in marked if line.mark is not Mark.SIGNATURE]
        return _shortened(_joined(kept), len(kept) < len(marked))
    text = _joined(own)
    return _shortened(text, text != _joined([replace(line, mark=Mark.OWN) for line in lines]))


def _marked(lines: list[LetterLine]) -> list[LetterLine]:
    """The lines, each with what it is."""
    begins = _beginning(lines)
    if begins is not None:
        lines = [*_above(lines, begins), *_quoted_from(lines, begins)]
    return _with_signatures(lines)


def _beginning(lines: Sequence[LetterLine]) -> int | None:
    """The index of the first quoted line; None where nothing is quoted."""
    texts = [line.text for line in lines]
    if has_known_quote(lines):
        begins = next(at for at, line in enumerate(lines) if line.mark is Mark.QUOTED and not line.is_blank)
        return None if _passes_on(lines, begins) else begins
    marker = next((at for at, text in enumerate(texts) if is_marker(text)), None)
    if marker is not None:
        return marker
    for at, text in enumerate(texts):
        if not text.strip():
            continue
        if is_forwarded(text):
            return None
        if text.startswith(">"):
            # Quoted lines that have words below are answered one by one, whatever is above them.
            continue
        if is_original_rule(text) or header_block_at(texts, at) or intro_at(texts, at):
            return at
    return _last_run(texts)


def _passes_on(lines: Sequence[LetterLine], begins: int) -> bool:
    """Whether what is marked as quoted is a letter that is passed on."""
    around = [line.text for line in lines[max(0, begins - 3) : begins + 3] if not line.is_blank]
    return any(is_forwarded(text) for text in around)


def _last_run(texts: Sequence[str]) -> int | None:
    """The start of the last run of lines that begin with `>`; blank lines are in it."""
    begins = None
    for at in range(len(texts) - 1, -1, -1):
        if texts[at].startswith(">"):
            begins = at
        elif begins is not None and texts[at].strip():
            break
    return begins


def _above(lines: Sequence[LetterLine], begins: int) -> list[LetterLine]:
    """The lines above what is quoted, without the intro that belongs to it."""
    end = begins
    while end > 0:
        text = lines[end - 1].text
        if not text.strip() or is_rule(text) or is_original_rule(text) or (lines[end - 1].text.startswith(">")):
            end -= 1
        elif (count := _intro_above(lines, end)) or (count := _labels_above(lines, end)):
            end -= count
        else:
            break
    if not _words([line for line in lines[:end] if line.mark is Mark.OWN]):
        end = begins
    return [*lines[:end], *(replace(line, mark=Mark.QUOTED) for line in lines[end:begins])]


def _intro_above(lines: Sequence[LetterLine], end: int) -> int:
    """How many lines directly above are an intro; 0 for none. A known one first, however it was cut in lines."""
    joined: list[str] = []
    for count in range(1, min(MOST_LINES, end) + 1):
        text = lines[end - count].text
        if not text.strip():
            break
        joined.append(f"{text} {joined[-1]}" if joined else text)
    known = next((count for count, text in enumerate(joined, start=1) if is_intro(text)), 0)
    return known or next((count for count, text in enumerate(joined, start=1) if may_be_intro(text)), 0)


def _labels_above(lines: Sequence[LetterLine], end: int) -> int:
    """How many lines directly above are header lines of a quoted letter, as a phone's Yandex has them (`Кому: …;`)."""
    count = 0
    while count < end and label_of(lines[end - count - 1].text) in ("to", "cc", "subject", "from", "sent"):
        count += 1
    is_told = any(has_sender_or_moment(line.text) for line in lines[end - count : end])
    return count if count >= 2 and is_told else 0


def _quoted_from(lines: Sequence[LetterLine], begins: int) -> list[LetterLine]:
    """The lines from there on: quoted, but for those that are the writer's own again."""
    rest = list(lines[begins:])
    if has_known_quote(rest):
        # Markup tells both.
        return [replace(line, mark=Mark.QUOTED) if line.mark is Mark.QUOTED or line.is_blank else line for line in rest]
    signs = [line.text.startswith(">") for line in rest]
    first_signs = next((at for at, is_sign in enumerate(signs) if is_sign), None)
    if first_signs is None or any(not line.is_blank for line in rest[_heads(rest) : first_signs]):
        return [replace(line, mark=Mark.QUOTED) for line in rest]
    return [
        replace(line, mark=Mark.QUOTED) if at < first_signs or signs[at] or line.is_blank else line
        for at, line in enumerate(rest)
    ]


def _heads(rest: Sequence[LetterLine]) -> int:
    """How many lines at the beginning of what is quoted are our marker, an intro or a rule."""
    texts = [line.text for line in rest]
    at = 0
    while at < len(texts):
        if not texts[at].strip() or is_marker(texts[at]) or is_rule(texts[at]) or is_original_rule(texts[at]):
            at += 1
        elif count := intro_at(texts, at):
            at += count
        else:
            break
    return at


def _with_set_off(lines: Sequence[LetterLine]) -> list[LetterLine]:
    """The lines of plain quotation boxes, which anybody may use to set a text off: quoted below an intro only."""
    found: list[LetterLine] = []
    for is_set_off, group in groupby(lines, key=lambda line: line.mark is Mark.SET_OFF):
        run = list(group)
        if is_set_off:
            is_quoted = (
                bool(_intro_above(found, len(_trimmed(found))))
                or any(may_be_intro(line.text) for line in [line for line in run if not line.is_blank][:1])
                or any(is_marker(line.text) for line in run)
            )
            run = [replace(line, mark=Mark.QUOTED if is_quoted else Mark.OWN) for line in run]
        found += run
    return found


def _trimmed(lines: Sequence[LetterLine]) -> Sequence[LetterLine]:
    end = len(lines)
    while end and lines[end - 1].is_blank:
        end -= 1
    return lines[:end]


def _with_signatures(lines: list[LetterLine]) -> list[LetterLine]:
    """The lines, with those of signatures marked: above what is quoted, and below it."""
    marked: list[LetterLine] = []
    for _, group in groupby(lines, key=lambda line: line.mark is Mark.QUOTED):
        run = list(group)
        marked += run if run[0].mark is Mark.QUOTED else _run_with_signature(run, is_below=bool(marked))
    return marked


def _run_with_signature(run: list[LetterLine], *, is_below: bool) -> list[LetterLine]:
    end = len(run)
    delimiter = next((at for at in range(len(run)) if is_delimiter(run[at].text)), None)
    if delimiter is not None and len([line for line in run[delimiter:] if not line.is_blank]) <= MOST_OF_SIGNATURE:
        end = delimiter
    while end and (run[end - 1].is_blank or is_of_program(run[end - 1].text)):
        end -= 1
    if is_below:
        closing = next((at for at in range(end) if not run[at].is_blank), None)
        if closing is not None and is_closing(run[closing].text) and end - closing <= MOST_OF_SIGNATURE:
            end = closing
    return [*run[:end], *(replace(line, mark=Mark.SIGNATURE) for line in run[end:])]


def _words(lines: Sequence[LetterLine]) -> bool:
    return any(not line.is_blank for line in lines)


def _has_words_below(lines: Sequence[LetterLine]) -> bool:
    """Whether the writer's words stand below a quoted line."""
    quoted = next((at for at, line in enumerate(lines) if line.mark is Mark.QUOTED and not line.is_blank), None)
    if quoted is None:
        return False
    return any(line.mark is Mark.OWN and not line.is_blank and not is_rule(line.text) for line in lines[quoted:])


def _joined(lines: Sequence[LetterLine]) -> str:
    """The lines as a text: quoted ones with `>`, three blank lines as one."""
    shown: list[str] = []
    for line in lines:
        text = line.text.rstrip()
        if line.mark is Mark.QUOTED and text and not text.startswith(">"):
            text = f"> {text}"
        if text or (shown and shown[-1]):
            shown.append(text)
    return "\n".join(shown).strip("\n").strip()


def _shortened(text: str, is_cut: bool) -> OwnText:
    if len(text) <= MAX_BODY:
        return OwnText(text, is_cut)
    return OwnText(text[: MAX_BODY - 1].rstrip() + "…", True, True)
