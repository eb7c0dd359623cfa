"""A letter's markup as operators look at it: nothing in it runs, and nothing is fetched. Run in the cage alone.

It is written anew from the tree: tags and attributes of a list, and text. Linear: depth, elements and length are
bounded, and deeper text keeps its words without its tags.
"""

import re
from html import escape
from typing import Any

from lxml import etree

from apps.letters.rules.reading.charsets import shown_text
from apps.letters.rules.reading.limits import MAX_SHOWN

MAX_DEPTH, MAX_ELEMENTS = 60, 20_000
_TAGS = frozenset(
    [
        *(
            "a",
            "abbr",
            "b",
            "blockquote",
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
        ),
        *(
            "h5",
            "h6",
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
        ),
        *("tfoot", "th", "thead", "tr", "u", "ul"),
    ]
)
_EMPTY = frozenset(["br", "hr"])
# Their content is nothing that is read.
_UNSEEN = frozenset(
    [
        *(
            "head",
            "style",
            "script",
            "title",
            "template",
            "noscript",
            "object",
            "embed",
            "iframe",
            "svg",
            "math",
            "textarea",
        ),
        *(
            "select",
            "option",
            "button",
            "audio",
            "video",
            "canvas",
            "applet",
            "xmp",
            "noembed",
            "noframes",
            "plaintext",
        ),
    ]
)
_ADDRESS = re.compile(r"(?:https?://|mailto:|tel:)[^\x00-\x20<>\"]{1,2000}", re.IGNORECASE)
_VALUES = {
    "dir": re.compile(r"ltr|rtl|auto", re.IGNORECASE),
    "align": re.compile(r"left|right|center|justify", re.IGNORECASE),
    "colspan": re.compile(r"\d{1,3}"),
    "rowspan": re.compile(r"\d{1,3}"),
}
_REL = "noopener noreferrer nofollow"


def shown_markup(root: Any) -> str:
    """The markup of a tree."""
    made = _Markup()
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if made.is_full:
            break
        if event == "start":
            made.open(element)
        else:
            made.close(element)
    return made.ended()


class _Markup:
    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._open: list[tuple[Any, str]] = []
        self._unseen: Any = None
        self._length = self._elements = 0

    @property
    def is_full(self) -> bool:
        return self._length >= MAX_SHOWN

    def open(self, element: Any) -> None:
        if self._unseen is not None:
            return
        name = element.tag
        if name in _UNSEEN:
            self._unseen = element
            return
        has_room = self._elements < MAX_ELEMENTS
        if name in _EMPTY and has_room:
            self._add(f"<{name}>")
        elif name in _TAGS and has_room and len(self._open) < MAX_DEPTH:
            self._open.append((element, name))
            self._add(f"<{name}{_attributes(name, element)}>")
        self._say(element.text)

    def close(self, element: Any) -> None:
        if self._open and self._open[-1][0] is element:
            self._add(f"</{self._open.pop()[1]}>")
        if element is self._unseen:
            self._unseen = None
        if self._unseen is None:
            self._say(element.tail)

    def ended(self) -> str:
        """The markup, with its open elements closed."""
        if self.is_full:
            self._pieces.append("…")
        return "".join([*self._pieces, *(f"</{name}>" for _, name in reversed(self._open))])

    def _add(self, tag: str) -> None:
        self._pieces.append(tag)
        self._length += len(tag)
        self._elements += 1

    def _say(self, text: str | None) -> None:
        if text:
            self._pieces.append(escape(shown_text(text[: max(0, MAX_SHOWN - self._length)]), quote=False))
            self._length += len(text)


def _attributes(name: str, element: Any) -> str:
    found = "".join(
        f' {attribute}="{value}"'
        for attribute, form in _VALUES.items()
        if (value := element.get(attribute, "")) and form.fullmatch(value) and _may_have(name, attribute)
    )
    if name != "a":
        return found
    address = element.get("href", "")[:2100].strip()
    link = f' href="{escape(address)}"' if _ADDRESS.fullmatch(address) else ""
    return f'{found}{link} rel="{_REL}"'


def _may_have(name: str, attribute: str) -> bool:
    return attribute in ("dir", "align") or name in ("td", "th")
