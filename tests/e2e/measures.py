"""What a page looks like, measured: contrast, overflow, cut texts, targets, touching controls, focus.

`measures.js` measures a page as it is drawn; `measure` asks it at several widths and in both colour schemes without
loading the page again. A kind of failure that a page still has is named in `standing_failures.json`, which may only
shrink: `PARLEY_WRITE_DOCS=1` takes out what is mended, and puts nothing in.
"""

import json
import os
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path

from playwright.sync_api import Page

SCRIPT = (Path(__file__).parent / "measures.js").read_text()
SCHEMES = ("light", "dark")
WIDTHS = (320, 390, 1280)
PHONE_WIDTH = 760
# Pixels that two controls are apart, at least.
GAP_OF_THE_WIDGET, GAP = 8, 4

# The kinds of failures by page, each with an example of it.
Failures = dict[str, list[str]]


def settle(page: Page) -> None:
    """Waits until a new width or scheme is drawn: two frames, and the scripts that answer to them."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))")


def measure(
    page: Page,
    *,
    gap: int = GAP,
    within: str = "",
    widths: Iterable[int] = WIDTHS,
    schemes: Iterable[str] = SCHEMES,
    height: int = 844,
    overlap: bool = False,
) -> Failures:
    """The failures of the page as it stands, by kind; each line begins with width and scheme.

    `within` is a selector: only what lies in such an element is measured. `overlap`: words on words, too.
    """
    page.keyboard.press("Shift")  # whoever uses keys sees where the focus is
    page.evaluate(SCRIPT)
    found: Failures = {}
    for width in widths:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            settle(page)
            asked = {
                "gap": gap,
                "phone": width <= PHONE_WIDTH,
                "focus": scheme == "light",
                "within": within,
                "overlap": overlap,
            }
            measured: Mapping[str, list[str]] = page.evaluate("asked => measurePage(asked)", asked)
            for kind, lines in measured.items():
                found.setdefault(kind, []).extend(f"{width} {scheme}: {line}" for line in lines)
    return found


class Eye:
    """Judges pages by name, and knows the kinds of failure that each may still have."""

    def __init__(self) -> None:
        self.file = Path(__file__).parent / "standing_failures.json"
        self.standing: dict[str, list[str]] = json.loads(self.file.read_text())
        self.new: dict[str, Failures] = {}
        self.mended: dict[str, list[str]] = {}

    def look(self, name: str, found: Failures) -> None:
        standing = self.standing.get(name, [])
        if new := {kind: lines for kind, lines in found.items() if kind not in standing}:
            self.new[name] = new
        if mended := [kind for kind in standing if kind not in found]:
            self.mended[name] = mended

    def judge(self) -> None:
        """Fails where a page has a kind of failure that is not named. One that it no longer has is warned of: a machine
        with other letters may have it again.
        """
        assert self.new == {}, json.dumps(self.new, indent=1, ensure_ascii=False)
        if self.mended and os.environ.get("PARLEY_WRITE_DOCS"):
            for name, kinds in self.mended.items():
                self.standing[name] = [kind for kind in self.standing[name] if kind not in kinds]
            left = {name: kinds for name, kinds in sorted(self.standing.items()) if kinds}
            self.file.write_text(json.dumps(left, indent=2, ensure_ascii=False) + "\n")
            self.mended = {}
        if self.mended:
            warnings.warn(f"mended: PARLEY_WRITE_DOCS=1 takes {self.mended} out of {self.file.name}", stacklevel=2)
