"""An article's Markdown as text: the pieces that AI is given, and the words that searches read. Pure, and linear."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from markdown_it.token import Token

from apps.documentation.rules.markdown import parsed
from apps.extraction.cutting import TextBlock, cleaned, cut

# A text's beginning, which snippets of searches are cut out of.
MAX_EXCERPT = 4_000
# Numbers and codes are looked for in so many characters, words in so many bytes: a vector of words has a limit.
MOST_MARKED, MOST_SEARCHED = 8_000, 300_000
_BREAKS = ("softbreak", "hardbreak")


class ArticlePieces(NamedTuple):
    """Its chunks, each with its title (the article's and the headings above, joined by ` › `), and its whole text."""

    chunks: list[tuple[str, str]]
    text: str


def pieces_of(title: str, body: str) -> ArticlePieces:
    """The pieces of an article, cut as those of documents are. Pictures are known by their descriptions, links by their
    words. A body of which nothing is seen has none.
    """
    blocks = list(cleaned(_blocks(parsed(body))))
    return ArticlePieces(cut(blocks, title=title), "\n".join(block.text for block in blocks))


def _blocks(tokens: Sequence[Token]) -> Iterator[TextBlock]:
    level, items = 0, 0
    rows: list[list[str]] = []
    in_table = False
    for token in tokens:
        if token.type == "heading_open":
            level = int(token.tag[1])
        elif token.type in ("list_item_open", "list_item_close"):
            items += token.nesting
        elif token.type == "table_open":
            in_table, rows = True, []
        elif token.type == "tr_open":
            rows.append([])
        elif token.type == "table_close":
            in_table = False
            yield from _lines(rows)
        elif token.type in ("fence", "code_block"):
            yield TextBlock("code", token.content)
        elif token.type == "inline":
            text = _words(token.children or ())
            if in_table:
                rows[-1].append(" ".join(text.split()))
            elif level:
                yield TextBlock("heading", " ".join(text.split()), level)
                level = 0
            else:
                yield TextBlock("line", f"- {text}") if items else TextBlock("text", text)


def _lines(rows: Sequence[Sequence[str]]) -> Iterator[TextBlock]:
    """The rows of a table, a line each: `header: value; …`, as of documents."""
    header, *others = rows
    if not others:
        yield TextBlock("line", "; ".join(filter(None, header)))
    for row in others:
        cells = ((name, cell) for name, cell in zip(header, row, strict=False) if cell)
        yield TextBlock("line", "; ".join(f"{name}: {cell}" if name else cell for name, cell in cells))


def _words(tokens: Sequence[Token]) -> str:
    """The words of a line; of a picture its description."""
    return "".join("\n" if token.type in _BREAKS else token.content for token in tokens)


def searched_part(text: str) -> str:
    """The beginning of a text that searches read: all of it but for the longest."""
    content = text.strip().encode()
    return content.decode() if len(content) <= MOST_SEARCHED else content[:MOST_SEARCHED].decode(errors="ignore")


def languages_given(lang: str, published: Collection[str], *, default: str, spoken: Collection[str]) -> list[str]:
    """The languages of the visitors to whom AI gives a text: its own; of one in the default language all in which the
    article is not published, too.
    """
    return sorted(code for code in spoken if code == lang or (lang == default and code not in published))
