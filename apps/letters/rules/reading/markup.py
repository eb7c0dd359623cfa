"""The lines of a letter's markup, those that a mail program marked as quoted told apart.

Run in the cage alone (`apps.extraction.Cage`): it reads what strangers wrote with a library in C. The tree is walked
without recursion, each node once.
"""

import re
from typing import Any

from lxml import etree, html

from apps.letters.rules.reading.shown_markup import shown_markup

MAX_LINES, MAX_CHARACTERS = 20_000, 200_000
# Pictures that stand in the markup itself (`data:`).
MAX_DRAWN, MAX_DRAWN_CHARACTERS = 10, 600_000
_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
_PARAGRAPHS = frozenset(["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table"])
_UNSEEN = frozenset(
    [
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
        "link",
        "meta",
        "base",
    ]
)
_BLANKS = re.compile(r"[ \t\r\n\f]+")
# What programs call the box of what they quote; names get a prefix (`x_`) or a suffix when a letter is passed on.
_BOXES = (
    *("gmail_quote", "gmail_extra", "moz-cite-prefix", "moz-email-headers-table", "yahoo_quoted", "protonmail_quote"),
    *(
        "zmail_extra",
        "ik_mail_quote",
        "mail-quote-collapse",
        "tutanota_quote",
        "mail-editor-reference-message-container",
    ),
    *("mail-app-auto-quote", "composewebview_previouse_content", "olk_src_body_section", "isreplycontent"),
    *("reply139content", "js-helper js-readmsg-msg", "qt-reply", "yj6qo", "hubspot_quote", "fastmail-quoted"),
)
# Where everything behind is quoted.
_TO_THE_END = ("divrplyfwdmsg", "appendonsend", "orimsghtmlseperator", "origbody")
_SIGNATURES = (
    *(
        "gmail_signature",
        "moz-signature",
        "protonmail_signature_block",
        "data-signature-widget",
        "mail-app-auto-signature",
    ),
    *("ms-outlook-mobile-signature", "ydp-signature", "x_signature", "applemailsignature", "editorusersignature"),
)
_OF_OUTLOOK = re.compile(r"border-top: ?solid", re.IGNORECASE)
_OF_MAIL_RU = re.compile(r"border-left: ?1px solid #0857a6", re.IGNORECASE)
_OF_GMX = re.compile(r"border-left: ?2px solid #c3d9e5", re.IGNORECASE)
_HIDDEN = re.compile(r"display: ?none|mso-hide: ?all|visibility: ?hidden", re.IGNORECASE)


def read(content: bytes) -> dict[str, Any]:
    """A letter's markup, in UTF-8, as `lines` with their marks; the ids of pictures among the writer's `own` words and
    among those that are `quoted`, and those that stand `drawn` in it, in Base64; the `sizes` on the screen that it
    tells of pictures; and all of it as it is `shown`.
    """
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=False)
    try:
        root = html.document_fromstring(content, parser=parser)
    except etree.ParserError:  # blanks, or comments alone
        root = html.document_fromstring(b"<p></p>")
    walker = _Walker()
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if walker.is_full:
            break
        if event == "start":
            walker.open(element)
        else:
            walker.close(element)
    walker.end_line()
    return {
        "lines": walker.lines,
        "own": walker.pictures[False],
        "quoted": walker.pictures[True],
        "drawn": walker.drawn,
        "sizes": walker.sizes,
        "shown": shown_markup(root),
    }


class _Walker:
    def __init__(self) -> None:
        self.lines: list[list[str]] = []
        self.pictures: dict[bool, list[str]] = {False: [], True: []}
        self.drawn: list[str] = []
        self.sizes: dict[str, list[int]] = {}
        self._line: list[str] = []
        self._mark: str | None = None
        self._length = 0
        self._boxes: list[tuple[Any, str]] = []
        self._unseen: Any = None
        self._to_the_end = False
        self._in_pre = 0

    @property
    def is_full(self) -> bool:
        return self._length > MAX_CHARACTERS or len(self.lines) > MAX_LINES

    def open(self, element: Any) -> None:
        if self._unseen is not None:
            return
        name = element.tag
        if name in _UNSEEN or _HIDDEN.search(element.get("style", "")[:500]):
            self._unseen = element
            return
        if name in _BLOCKS:
            self.end_line()
        if name in _PARAGRAPHS and self.lines and self.lines[-1][0] and "mso" not in element.get("class", "").lower():
            self._blank()
        if mark := self._mark_of(element):
            self._boxes.append((element, mark))
        self._in_pre += name == "pre"
        if name == "br":
            self._say("")
            self.end_line(always=True)
        elif name == "hr":
            self._say("________________")
            self.end_line()
        elif name == "img":
            self._picture(element)
        elif name == "li":
            self._say("- ")
        self._say(element.text)

    def close(self, element: Any) -> None:
        if self._unseen is None:
            name = element.tag
            if name == "a":
                self._say_address(element)
            if name in _BLOCKS:
                self.end_line()
            if (
                name in _PARAGRAPHS
                and "mso" not in element.get("class", "").lower()
                and self.lines
                and self.lines[-1][0]
            ):
                self._blank()
            elif name in ("td", "th"):
                self._say(" ")
            self._in_pre -= name == "pre"
            if self._boxes and self._boxes[-1][0] is element:
                self._boxes.pop()
        if element is self._unseen:
            self._unseen = None
        if self._unseen is None:
            self._say(element.tail)

    def end_line(self, *, always: bool = False) -> None:
        text = "".join(self._line)
        if not self._in_pre:
            text = _BLANKS.sub(" ", text)
        is_kept_blank = always or "\xa0" in text
        text = text.replace("\xa0", " ")
        text = text if text.strip() == "--" else text.rstrip() if self._in_pre else text.strip()
        if text.strip() or (is_kept_blank and self._line):
            self.lines.append([text, self._mark or ""])
        self._line, self._mark = [], None

    def _blank(self) -> None:
        self.lines.append(["", self._now])

    @property
    def _now(self) -> str:
        return "q" if self._to_the_end else (self._boxes[-1][1] if self._boxes else "")

    def _say(self, text: str | None) -> None:
        if text is None:
            return
        if self._in_pre and "\n" in text:
            first, *others = text.split("\n")
            self._say(first)
            for line in others:
                self.end_line(always=True)
                self._say(line)
            return
        if self._mark is None and (text.strip() or not text):
            self._mark = self._now
        self._line.append(text)
        self._length += len(text)

    def _say_address(self, element: Any) -> None:
        """The address of a link behind its words, where they are no address themselves."""
        address = element.get("href", "")[:2000]
        words = "".join(self._line)[-2000:]
        if not address.startswith(("http://", "https://")) or self._now:
            return
        bare = address.partition("://")[2].rstrip("/").removeprefix("www.")
        if words.strip() and bare and bare not in words:
            self._say(f" ({address})")

    def _picture(self, element: Any) -> None:
        source = element.get("src", "")
        if source[:11].lower() == "data:image/" and self._now != "q" and len(self.drawn) < MAX_DRAWN:
            kind, mark, content = source[:MAX_DRAWN_CHARACTERS].partition(";base64,")
            if mark and len(kind) < 40:
                self.drawn.append(content)
                self.sizes[drawn_name(len(self.drawn))] = [_pixels(element, side) for side in ("width", "height")]
        source = source[:1000]
        if source.lower().startswith("cid:"):
            self.pictures[self._now == "q"].append(source[4:])
            self.sizes[source[4:]] = [_pixels(element, side) for side in ("width", "height")]

    def _mark_of(self, element: Any) -> str:
        """The mark that an element gives to its content; "" for nothing new. All inside a quotation is quoted."""
        if self._now == "q":
            return ""
        named = f"{element.get('class', '')} {element.get('id', '')}"[:500].lower()
        style = element.get("style", "")[:500]
        if any(one in named for one in _TO_THE_END) or (_OF_OUTLOOK.search(style) and _is_header_block(element)):
            self._to_the_end = True
            return ""
        if any(one in named for one in _SIGNATURES) or element.get("data-signature-widget"):
            return "s"
        if element.tag == "blockquote":
            is_told = element.get("type", "").lower() == "cite" or _OF_MAIL_RU.search(style)
            return "q" if is_told or any(one in named for one in _BOXES) else "b"
        is_box = any(one in named for one in _BOXES) or element.get("name", "").lower() == "quote"
        return "q" if is_box or (element.tag == "div" and _OF_GMX.search(style)) else ""


def drawn_name(number: int) -> str:
    """The id of a picture that stands in the markup, which has none."""
    return f"drawn-{number}"


def _pixels(element: Any, side: str) -> int:
    """How many pixels of the screen a side of a picture takes, as its style or its attribute tells; 0 for untold."""
    in_style = re.search(
        rf"(?<![\w-]){side}\s{{0,3}}:\s{{0,3}}(\d{{1,5}})(?:\.\d{{1,9}})?\s{{0,3}}px",
        element.get("style", "")[:500],
        re.IGNORECASE,
    )
    attribute = re.fullmatch(r"\s{0,3}(\d{1,5})(?:\.\d{1,9})?(?:px)?\s{0,3}", element.get(side, "")[:20], re.IGNORECASE)
    found = in_style or attribute
    return int(found[1]) if found else 0


def _is_header_block(element: Any) -> bool:
    """Whether what has a line above it are the headers of a quoted letter, and no part of a table of the writer's."""
    text: list[str] = []
    length = 0
    for piece in element.itertext():
        text.append(piece)
        length += len(piece)
        if length > 600:
            break
    return sum(text_.count(":") + text_.count("：") for text_ in text) >= 3
