"""Colours, radii, shadows and sizes of type come from the tokens (`apps/core/tokens.json`).

A style sheet, a script or a template of ours writes none of its own: it says `var(--p-…)`, a letter `{% token … %}`.
"""

import re
from pathlib import Path

import pytest

from tests.architecture.source import APPS

ROOT = APPS.parent
FOLDERS = (*APPS.glob("*/static"), *APPS.glob("*/templates"), ROOT / "templates")
STYLED = {".css", ".js", ".html"}
# The tokens themselves; what others wrote; and pages that are not ours: the demo shop has a palette of its own.
EXCEPTED = (
    "apps/core/static/core/tokens.css",
    "apps/widget/static/widget/tokens.js",
    "apps/console/static/console/vendor/",
    "apps/demo/",
    "apps/widget/static/demo/",
    "apps/widget/templates/demo/",
)

DECLARATION = re.compile(r"""(?<![\w-])(--[\w-]+|[a-z][a-z-]+)["']?\s*:\s*["'`]?((?:[^;{}"'`\n]|\{\{[^}]*\}\})+)""")
COLOR = re.compile(
    r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(\s*[\d.]", re.IGNORECASE
)
NAMED_COLOR = re.compile(
    r"\b(?:white|black|red|green|blue|gr[ae]y|silver|yellow|orange|purple|violet|pink|brown|navy|teal|maroon|olive|lime"
    r"|aqua|fuchsia|crimson|gold|tomato|indigo|(?:dark|light|dim|slate)[a-z]+)\b(?!-)"
)
PAINTED = re.compile(r"color$|^background$|^border(?:-|$)|^outline$|^fill$|^stroke$|^--|shadow$")
NUMBER = r"(?<![\w.#-])(?:\d*\.\d+|[1-9]\d*)"
LENGTH = re.compile(rf"{NUMBER}(?:px|rem|pt)|(?<![\w.#-])(?!1em)(?:\d*\.\d+|[1-9]\d*)em")
FONT_SIZE = re.compile(rf"{LENGTH.pattern}|(?!100%){NUMBER}%")
BLURRED = re.compile(rf"(?:^|[,(]|\)\s|inset\s)\s*-?[\d.]+(?:px|r?em)?\s+-?[\d.]+(?:px|r?em)?\s+{NUMBER}(?:px|rem|em)")
SHADOW = re.compile(r"shadow$|^filter$|^backdrop-filter$")
# The places of a template where a style stands; the rest is words.
STYLES = re.compile(r"<(style|script)\b[^>]*>(.*?)</\1>|\bstyle=\"([^\"]*)\"|\bstyle='([^']*)'", re.DOTALL)
TAGS = re.compile(r"\{%.*?%\}|\{\{.*?\}\}")
ATTRIBUTES = re.compile(r"""\b(fill|stroke|bgcolor|color|content)=["'](#\w+)["']""")


def literals_of(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return literals(styles_of(text) if path.suffix == ".html" else text)


def styles_of(template: str) -> str:
    """The styles of a template: its sheets, scripts and attributes."""
    template = TAGS.sub("tag", template)
    pieces = ["".join(parts[1:]) for parts in STYLES.findall(template)]
    return ";\n".join([*pieces, *(f"{name}: {value}" for name, value in ATTRIBUTES.findall(template))])


def literals(text: str) -> list[str]:
    """The declarations of a style sheet, or of a text with styles, that write the value of a token."""
    found = []
    for name, value in DECLARATION.findall(re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)):
        is_color = COLOR.search(value) or (
            PAINTED.search(name) and NAMED_COLOR.search(re.sub(r"(?:var|url)\([^)]*\)", "", value))
        )
        is_radius = name.endswith("radius") and LENGTH.search(value)
        is_type = name in ("font", "font-size") and FONT_SIZE.search(value.split("/")[0])
        is_shadow = SHADOW.search(name) and BLURRED.search(value)
        if is_color or is_radius or is_type or is_shadow:
            found.append(f"{name}: {value.strip()}")
    return found


def files() -> dict[str, Path]:
    styled = (path for folder in FOLDERS for path in folder.rglob("*") if path.suffix in STYLED)
    named = {str(path.relative_to(ROOT)): path for path in styled}
    return {name: path for name, path in named.items() if not name.startswith(EXCEPTED)}


@pytest.mark.parametrize(
    "written",
    [
        "a { color: #fff; }",
        "a { border: 1px solid #12345678; }",
        "a { background: rgb(0 0 0 / 20%); }",
        "a { background: light-dark(white, var(--p-ink)); }",
        "a { border-radius: 4px; }",
        "a { border-end-end-radius: .3em; }",
        "a { box-shadow: 0 1px 4px var(--p-line); }",
        "a { filter: drop-shadow(0 2px 6px currentColor); }",
        "a { font-size: 13px; }",
        "a { font-size: .9em; }",
        "a { font: 600 15px/1.4 system-ui; }",
        "a { --own: #1c1c22; }",
        "const style = { color: '#333' };",
    ],
)
def test_a_literal_is_found(written: str) -> None:
    assert len(literals(written)) == 1


@pytest.mark.parametrize(
    "written",
    [
        "a { color: var(--p-ink); background: none; border: 1px solid var(--p-line); }",
        "#add { color: currentColor; fill: transparent; }",
        "a { border-radius: 50%; border-radius: 0; border-radius: var(--p-r-m) var(--p-r-m) 0 0; }",
        "a { box-shadow: 0 0 0 2px var(--p-surface); box-shadow: var(--p-e1); box-shadow: none; }",
        "a { font: inherit; font-size: 1em; font: 600 var(--p-m)/var(--p-m-line) var(--p-font); }",
        "a { background: color-mix(in srgb, var(--p-accent) 12%, transparent); white-space: nowrap; }",
        "<td style=\"color: {% token 'ink' %}\">",
        "const first = { selector: '#search', at: 13 };",
    ],
)
def test_a_token_is_no_literal(written: str) -> None:
    assert literals(written) == []


def test_a_template_is_searched_where_its_styles_stand() -> None:
    template = """<style>a { color: #fff }</style><p style="font-size: 13px">Order: #123</p>
    <td bgcolor="#fafafa">
    <p style='border-radius: 6px'>border-radius: 6px</p>
    <a href="#fade" style="color: {% token "ink" %}; font-size: 15px">
    Red: red</a>"""
    assert len(literals(styles_of(template))) == 5


def test_no_file_has_literals_of_its_own() -> None:
    found = {name: literals_of(path) for name, path in files().items()}
    assert {name: lines for name, lines in found.items() if lines} == {}, "say var(--p-…) (apps/core/tokens.json)"
