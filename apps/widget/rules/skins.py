"""The widget's colours: a skin is a row, light and dark, and an accent of the tenant's takes the skin's place. Pure.

Every pair of a text and what is behind it has a contrast of 4.5 or more (tests/widget/test_appearance.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass

Theme = Mapping[str, str]
WHITE, NEAR_BLACK, BLACK = "#ffffff", "#111418", "#000000"
LEAST_CONTRAST = 4.5
LEAST_OF_EDGES = 3.0
# What is read, and what it is read on.
PAIRS = (("text", "surface"), ("muted", "surface"), ("bubble_text", "bubble"), ("accent_text", "accent"))


@dataclass(frozen=True, slots=True)
class Skin:
    """`light` and `dark` have the same members; `accent_text` follows from the accent."""

    id: str
    name: str
    premium: bool
    light: Theme
    dark: Theme


def _theme(surface: str, text: str, muted: str, line: str, bubble: str, bubble_text: str, accent: str) -> Theme:
    colours = {
        "surface": surface,
        "text": text,
        "muted": muted,
        "line": line,
        "bubble": bubble,
        "bubble_text": bubble_text,
    }
    return {**colours, **_accented(accent)}


def _accented(accent: str) -> Theme:
    return {"accent": accent, "accent_text": ink_on(accent)}


def contrast(one: str, other: str) -> float:
    """The contrast of two colours by WCAG 2: from 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def ink_on(colour: str) -> str:
    """The ink that is read well on a colour: white where it is, else near black, else black. There always is one."""
    return next(ink for ink in (WHITE, NEAR_BLACK, BLACK) if contrast(ink, colour) >= LEAST_CONTRAST)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[place : place + 2], 16) / 255) for place in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def themes(skin_id: str, accent: str | None) -> dict[str, Theme]:
    """The colours of a skin in both schemes, with the tenant's accent, if there is one."""
    skin = BY_ID[skin_id]
    own = {} if accent is None else _accented(accent.lower())
    return {"light": {**skin.light, **own}, "dark": {**skin.dark, **own}}


def _skin(id_: str, name: str, light: Theme, dark: Theme, *, premium: bool = False) -> Skin:
    return Skin(id_, name, premium, light, dark)


SKINS = (
    _skin(
        "classic",
        "Classic",
        _theme("#ffffff", "#1b1f24", "#5b6470", "#e3e6ea", "#f0f2f5", "#1b1f24", "#1f5fd0"),
        _theme("#1a1d21", "#eef1f4", "#a3acb7", "#33383f", "#282d33", "#eef1f4", "#7aa7ff"),
    ),
    _skin(
        "slate",
        "Slate",
        _theme("#f8fafc", "#1e293b", "#55637a", "#dbe2ea", "#e8edf3", "#1e293b", "#334155"),
        _theme("#0f172a", "#e2e8f0", "#94a3b8", "#27344a", "#1e293b", "#e2e8f0", "#cbd5e1"),
    ),
    _skin(
        "sand",
        "Sand",
        _theme("#fdfaf5", "#33291d", "#6f5f4b", "#eadfce", "#f3eadc", "#33291d", "#8a5a1f"),
        _theme("#211b14", "#f3eadc", "#b8a78f", "#3d3226", "#2f271d", "#f3eadc", "#e0ae6a"),
    ),
    _skin(
        "contrast",
        "Contrast",
        _theme("#ffffff", "#000000", "#333333", "#000000", "#f2f2f2", "#000000", "#000000"),
        _theme("#000000", "#ffffff", "#d9d9d9", "#ffffff", "#1a1a1a", "#ffffff", "#ffff00"),
    ),
    _skin(
        "aurora",
        "Aurora",
        _theme("#fbfaff", "#231b3a", "#625a78", "#e4def3", "#eee9fb", "#231b3a", "#6d3bd1"),
        _theme("#17122a", "#ede8fb", "#aaa0c8", "#332a52", "#251d40", "#ede8fb", "#7ee2b8"),
        premium=True,
    ),
    _skin(
        "ocean",
        "Ocean",
        _theme("#f6fbfd", "#0f2a33", "#4a6670", "#d3e6ec", "#e2f1f6", "#0f2a33", "#0b6a86"),
        _theme("#0b1d24", "#e0f2f7", "#8fb0bb", "#1f3d48", "#143039", "#e0f2f7", "#58c7e6"),
        premium=True,
    ),
    _skin(
        "orchid",
        "Orchid",
        _theme("#fffafd", "#36162a", "#77566a", "#f2dde8", "#f9e8f1", "#36162a", "#a8246f"),
        _theme("#25121d", "#fbe8f2", "#c79fb4", "#472638", "#361c2b", "#fbe8f2", "#f58cc4"),
        premium=True,
    ),
    _skin(
        "noir",
        "Noir",
        _theme("#f7f5f0", "#151515", "#5a574f", "#dcd8cc", "#ebe8df", "#151515", "#1c1c1c"),
        _theme("#0d0d0d", "#f1ece0", "#aaa498", "#2b2a28", "#1d1c1a", "#f1ece0", "#d8b565"),
        premium=True,
    ),
)
BY_ID: Mapping[str, Skin] = {skin.id: skin for skin in SKINS}
