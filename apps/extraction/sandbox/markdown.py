"""Pages as Markdown: headings, lists, tables, links and pictures of a page's content, and nothing that runs."""

import re
from collections.abc import Iterator
from typing import Any

from apps.extraction.sandbox.encodings import decode
from apps.extraction.sandbox.formats import declared_charset
from apps.extraction.sandbox.refusals import DocumentRefused

MAX_CHARACTERS, MAX_DEPTH, MAX_ADDRESS, MAX_TITLE = 1_000_000, 200, 2_000, 300
_LEFT_OUT = {
    *("script", "style", "noscript", "template", "head", "svg", "math", "iframe", "object", "embed", "audio", "video"),
    *("canvas", "select", "option", "button", "input", "textarea", "datalist", "map"),
}
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_INLINE = {
    *("a", "abbr", "b", "bdi", "bdo", "br", "cite", "code", "del", "dfn", "em", "font", "i", "img", "ins", "kbd"),
    *("label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"),
}
_STRONG, _STRESSED, _CODE = {"b", "strong"}, {"em", "i"}, {"code", "kbd", "samp", "tt"}
_SPACES = re.compile(r"[ \t\r\n\f]+")
_MARKS = re.compile(r"([\\`*\[\]<])")
_AT_THE_BEGINNING = re.compile(r"(#{1,6}(?=\s|$)|[>+~=-]|\d{1,9}(?=[.)]))")
_FOLLOWED = re.compile(r"https?:|mailto:|tel:|[^:/?#]*(?:[/?#]|$)", re.IGNORECASE)
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}")
_BLANK_LINES = re.compile(r"\n{3,}")


def read(content: bytes, *, charset: str) -> dict[str, Any]:
    """The title, the content and the language of a page. Raises DocumentRefused for a page without a text."""
    from apps.extraction.sandbox.markup import visible_tree, without_surroundings

    if b"\0" in content and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DocumentRefused("unreadable", "binary")
    text = decode(content, declared=charset or declared_charset(content))
    if not text.strip():
        raise DocumentRefused("no_text")
    tree = visible_tree(text)
    said = _LANGUAGE.match(tree.get("lang") or "")
    titled = " ".join((tree.findtext(".//title") or "").split())
    body = _content(without_surroundings(tree))
    heading = next(iter(body.iter("h1")), None)
    title = "" if heading is None else " ".join(heading.text_content().split())
    if heading is not None and title:
        heading.drop_tree()
    markdown = _markdown(body)
    if not markdown:
        raise DocumentRefused("no_text")
    return {"title": (title or titled)[:MAX_TITLE], "markdown": markdown, "lang": said[0].lower() if said else ""}


def part(content: bytes) -> dict[str, Any]:
    """The content of a part of a page. Raises DocumentRefused."""
    from apps.extraction.sandbox.markup import visible_tree

    text = content.decode()
    return {"markdown": _markdown(visible_tree(f"<html><body>{text}</body></html>")) if text.strip() else ""}


def _content(tree: Any) -> Any:
    """The element that a page says its content is, else its body."""
    for path in (".//article", ".//main", ".//*[@role='main']"):
        found = tree.findall(path)
        if len(found) == 1 and found[0].text_content().strip():
            return found[0]
    body = tree.find(".//body")
    return tree if body is None else body


def _markdown(tree: Any) -> str:
    text = _BLANK_LINES.sub("\n\n", "\n\n".join(_blocks(tree, 0))).strip("\n")
    if len(text) > MAX_CHARACTERS:
        raise DocumentRefused("too_much_text")
    return text


def _blocks(element: Any, depth: int) -> Iterator[str]:
    """The blocks of an element's content; text beside block elements is a paragraph."""
    if depth > MAX_DEPTH:
        return
    held: list[str] = [_escaped(element.text)]
    for child in element:
        if not isinstance(child.tag, str) or child.tag in _LEFT_OUT:
            held.append(_escaped(child.tail))
        elif child.tag in _INLINE and not _has_blocks(child):
            held += [_inline(child, depth + 1), _escaped(child.tail)]
        else:
            yield from _paragraph(held)
            yield from _block(child, depth + 1)
            held = [_escaped(child.tail)]
    yield from _paragraph(held)


def _paragraph(held: list[str]) -> Iterator[str]:
    text = _lines("".join(held))
    if text:
        yield _AT_THE_BEGINNING.sub(r"\\\1", text, count=1) if _AT_THE_BEGINNING.match(text) else text


def _lines(text: str) -> str:
    """Inline text with one space for each run of them; a break of the page stays one."""
    return "\\\n".join(filter(None, (_SPACES.sub(" ", line).strip() for line in text.split("\v"))))


def _has_blocks(element: Any) -> bool:
    """Whether an inline element is wrapped around blocks."""
    return any(isinstance(each.tag, str) and each.tag not in _INLINE | _LEFT_OUT for each in element.iterdescendants())


def _block(element: Any, depth: int) -> Iterator[str]:
    tag = element.tag
    if tag in _HEADINGS:
        text = _SPACES.sub(" ", _inline_content(element, depth).replace("\v", " ")).strip()
        if text:
            yield f"{'#' * _HEADINGS[tag]} {text}"
    elif tag in ("ul", "ol", "menu", "dir"):
        yield from _list(element, depth)
    elif tag == "pre":
        yield _fenced("".join(element.itertext()))
    elif tag == "blockquote":
        inner = "\n\n".join(_blocks(element, depth))
        if inner:
            yield "\n".join(f"> {line}".rstrip() for line in inner.split("\n"))
    elif tag == "table":
        yield from _table(element, depth)
    elif tag == "hr":
        yield "---"
    else:
        yield from _blocks(element, depth)


def _list(element: Any, depth: int) -> Iterator[str]:
    lines, number = [], 0
    for child in element:
        if not isinstance(child.tag, str) or child.tag in _LEFT_OUT:
            continue
        number += 1
        mark = f"{number}. " if element.tag == "ol" else "- "
        inner = (
            "\n\n".join(_blocks(child, depth)) if child.tag not in ("ul", "ol") else "\n".join(_list(child, depth + 1))
        )
        if not inner:
            continue
        first, *others = re.sub(r"\n\n(?=- |\d+\. )", "\n", inner).split("\n")
        lines.append("\n".join([mark + first, *(f"{' ' * len(mark)}{line}".rstrip() for line in others)]))
    if lines:
        yield "\n".join(lines)


def _fenced(text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text.strip(chr(10))}\n{fence}"


def _table(element: Any, depth: int) -> Iterator[str]:
    """A table of data; one of a single column, or with blocks in its cells, as its cells alone."""
    rows = [
        [cell for cell in row if isinstance(cell.tag, str) and cell.tag in ("td", "th")] for row in element.iter("tr")
    ]
    rows = [row for row in rows if row]
    width = max(map(len, rows), default=0)
    if width < 2 or next(element.iterdescendants("table", "ul", "ol", "pre", *_HEADINGS), None) is not None:
        yield from _blocks(element, depth)
        return
    texts = [[_cell(cell, depth) for cell in row] + [""] * (width - len(row)) for row in rows]
    head, *others = texts
    yield "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * width, *others))


def _cell(cell: Any, depth: int) -> str:
    return _SPACES.sub(" ", _inline_content(cell, depth).replace("\v", " ")).strip().replace("|", "\\|")


def _inline_content(element: Any, depth: int) -> str:
    if depth > MAX_DEPTH:
        return ""
    found = [_escaped(element.text)]
    for child in element:
        if isinstance(child.tag, str) and child.tag not in _LEFT_OUT:
            found.append(_inline(child, depth + 1))
            if child.tag not in _INLINE:
                found.append(" ")
        found.append(_escaped(child.tail))
    return "".join(found)


def _inline(element: Any, depth: int) -> str:
    tag = element.tag
    if tag == "br":
        return "\v"
    if tag == "img":
        source = _address(element.get("src") or element.get("data-src"))
        words = _escaped(" ".join((element.get("alt") or "").split()))
        return f"![{words}]({source})" if source else words
    if tag in _CODE:
        return _code("".join(element.itertext()))
    inner = _inline_content(element, depth)
    words = inner.strip()
    if not words:
        return inner
    if tag == "a" and (address := _address(element.get("href"))) and not address.startswith("#"):
        made = f"[{words}]({address})"
    elif tag in _STRONG and "**" not in words:
        made = f"**{words}**"
    elif tag in _STRESSED and "*" not in words:
        made = f"*{words}*"
    else:
        return inner
    return made if len(words) == len(inner) else inner.replace(words, made, 1)


def _code(text: str) -> str:
    text = _SPACES.sub(" ", text).strip()
    if not text:
        return ""
    mark = "``" if "`" in text else "`"
    return f"{mark} {text} {mark}" if "`" in text else f"{mark}{text}{mark}"


def _address(address: str | None) -> str:
    """An address that a text may have; "" for one that would run, or is too long."""
    address = (address or "").strip()
    if not address or len(address) > MAX_ADDRESS or not address.isprintable() or not _FOLLOWED.match(address):
        return ""
    return address.replace(" ", "%20").replace("(", "%28").replace(")", "%29").replace("<", "%3C").replace(">", "%3E")


def _escaped(text: str | None) -> str:
    return _MARKS.sub(r"\\\1", (text or "").replace("\v", " ").replace("\0", ""))
