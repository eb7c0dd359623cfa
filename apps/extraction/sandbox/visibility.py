"""The text that a reader of a document sees, for all formats: only that is knowledge.

Left out are hidden sheets, rows, columns and text, text of no size or outside the page, tracked deletions, comments,
and what is struck out. A text that a click opens (`<details>`, tabs that a style sheet closes) is seen. Raised text
stays apart from the number before it.
"""

import re
from collections.abc import Mapping
from typing import Any

STRUCK = {"del", "s", "strike"}
# Classes by which sites put text outside the page, for screen readers alone: it says what is seen again.
_OFF_PAGE_CLASSES = {
    *("sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "screen-reader-only", "sr_only"),
    *("element-invisible", "a11y-hidden", "assistive-text", "u-visually-hidden", "show-for-sr"),
}
_KOPECKS = re.compile(r"kop|cent|penn|fraction|decimal", re.IGNORECASE)
_STYLE = re.compile(r"([\w-]{1,40})\s*:\s*([^;{}]{1,300})")
_RULE = re.compile(r"([^{}@]{1,2000})\{([^{}]{0,4000})\}")
_SIMPLE = re.compile(r"(?:[a-z][a-z0-9]*)?([.#])([\w-]{1,80})")
_FAR = re.compile(r"-\s?\d{4,}(?:\.\d+)?px|-\s?\d{3,}(?:\.\d+)?(?:r?em|vw|%)")
_ZERO = re.compile(r"0(?:\.0+)?(?:px|r?em|pt|%|vw|vh)?")
_MONEY = re.compile(r"\s?(?:₽|€|\$|£|руб|р\b|р\.|rub|eur|usd|коп|/)", re.IGNORECASE)
_HIGH = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def declarations(style: str) -> dict[str, str]:
    """The declarations of a `style` attribute, in lower case."""
    return {
        name.lower(): " ".join(value.replace("!important", "").split()).lower()
        for name, value in _STYLE.findall(style[:4000])
    }


def is_styled_away(style: Mapping[str, str], *, in_sheet: bool = False) -> bool:
    """Whether text with these declarations can't be seen, or is struck out.

    In a style sheet, `display: none` and `opacity: 0` mostly wait for a click or for scrolling, and hide nothing.
    """
    if "line-through" in style.get("text-decoration", "") + style.get("text-decoration-line", ""):
        return True
    if style.get("visibility") in ("hidden", "collapse") or _is_zero(style.get("font-size")):
        return not in_sheet or style.get("visibility") not in ("hidden", "collapse")
    if not in_sheet and (style.get("display") == "none" or _is_zero(style.get("opacity"))):
        return True
    is_cut = style.get("overflow") == "hidden"
    if is_cut and any(_is_zero(style.get(side)) for side in ("height", "width", "max-height", "max-width")):
        return not in_sheet
    if style.get("position") in ("absolute", "fixed") and "rect(0" in style.get("clip", "").replace(" ", ""):
        return True
    sides = ("left", "right", "top", "text-indent", "margin-left", "margin-top")
    return any(_FAR.match(style.get(side, "")) for side in sides)


def _is_zero(value: str | None) -> bool:
    return value is not None and _ZERO.fullmatch(value) is not None


class SheetNames:
    """The classes and ids that the style sheets in a page put out of sight or strike out, each by a rule of its own."""

    def __init__(self, sheets: str) -> None:
        self._found: dict[str, set[str]] = {".": set(), "#": set()}
        depth_free = _without_nested(sheets[:400_000])
        for selectors, body in _RULE.findall(depth_free):
            if not is_styled_away(declarations(body), in_sheet=True):
                continue
            for selector in selectors.split(","):
                if simple := _SIMPLE.fullmatch(selector.strip()):
                    self._found[simple[1]].add(simple[2])

    def have(self, element: Any) -> bool:
        return element.get("id") in self._found["#"] or not self._found["."].isdisjoint(
            (element.get("class") or "").split()
        )


def _without_nested(sheets: str) -> str:
    """The rules that hold always: not those of `@media` and the like."""
    made, depth, skipping, start = [], 0, False, 0
    for mark in re.finditer(r"[@{};]", sheets):
        found = mark[0]
        if found == "@" and depth == 0:
            made.append(sheets[start : mark.start()])
            skipping = True
        elif found == "{":
            depth += 1
        elif found in "};":
            depth = max(0, depth - 1) if found == "}" else depth
            if depth == 0 and skipping:
                skipping, start = False, mark.end()
    if not skipping:
        made.append(sheets[start:])
    return "".join(made)


def is_unseen_element(element: Any, names: SheetNames) -> bool:
    """Whether an element of a page is out of sight or struck out."""
    if element.tag in STRUCK or element.tag in ("template", "noscript", "script", "style"):
        return True
    hidden = element.get("hidden")
    if hidden is not None and hidden.lower() != "until-found":
        return True
    # Shops hide both prices from screen readers, which are told in other words: the one in force is seen.
    if (element.get("aria-hidden") or "").lower() == "true" and element.tag != "ins":
        return True
    if not _OFF_PAGE_CLASSES.isdisjoint((element.get("class") or "").lower().split()):
        return True
    style = element.get("style")
    return bool(style and is_styled_away(declarations(style))) or names.have(element)


def raised(before: str, text: str, after: str) -> str:
    """Raised text between others: kopecks after a price, a power, the mark of a footnote; never digits of a number."""
    text = " ".join(text.split())
    if not text or not before[-1:].isdigit():
        is_power = text in ("2", "3") and before[-1:].isalpha()
        if is_power and re.search(r"(?<![^\W\d_])(?:м|см|мм|дм|км|m|cm|mm|km)$", before[-4:]):
            return text.translate(_HIGH)
        return f" [{text}]" if text.isdigit() and before[-1:].strip() else text
    if not text[0].isdigit():
        return text if not text[0].isalnum() else f" {text}"
    number = re.search(r"\d+$", before[-20:])
    if re.fullmatch(r"\d\d", text) and (number is None or number[0] != "10" or _MONEY.match(after)):
        return f".{text}"
    if number is not None and number[0] == "10" and text.isdigit():
        return text.translate(_HIGH)
    return f" [{text}]" if text.isdigit() else f" {text}"


def lowered(before: str, text: str) -> str:
    """Lowered text: of a formula, or apart from the number before it."""
    return f" {text}" if before[-1:].isdigit() and text[:1].isdigit() else text


def is_raised_part(element: Any) -> bool:
    """Whether an element of a page is raised or small beside a number, and no part of it."""
    if element.tag in ("sup", "small"):
        return True
    if "super" in declarations(element.get("style") or "").get("vertical-align", ""):
        return True
    return element.tag in ("span", "i", "b") and _KOPECKS.search(element.get("class") or "") is not None
