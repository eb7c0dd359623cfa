"""The launcher's icons: presets, each a path in 24 × 24, and what an own one may be. Pure."""

import re
from collections.abc import Mapping

# By id: the name, and the path that `static/widget/icons/<id>.svg` draws.
_DRAWN: Mapping[str, tuple[str, str]] = {
    "chat": ("Chat", "M4 4h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H9l-5 4v-4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z"),
    "bubble": (
        "Bubble",
        (
            "M12 3c5.5 0 10 3.8 10 8.5S17.5 20 12 20c-1.2 0-2.4-.2-3.5-.5L3 21l1.6-4.1"
            "C3 15.4 2 13.5 2 11.5 2 6.8 6.5 3 12 3z"
        ),
    ),
    "dots": (
        "Dots",
        (
            "M4 4h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H9l-5 4v-4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zm3 5.5"
            "a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zm5 0a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zm5 0"
            "a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z"
        ),
    ),
    "message": (
        "Message",
        ("M4 4h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H9l-5 4v-4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zm2 4v2h12V8zm0 4v2h8v-2z"),
    ),
    "headset": (
        "Headset",
        (
            "M12 2a9 9 0 0 1 9 9v7a4 4 0 0 1-4 4h-4v-2h4a2 2 0 0 0 2-2h-3v-7h3a7 7 0 0 0-14 0h3v7H5"
            "a2 2 0 0 1-2-2v-5a9 9 0 0 1 9-9z"
        ),
    ),
    "question": (
        "Question",
        (
            "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20zm-1 14v2h2v-2zm1-10a4 4 0 0 0-4 4h2a2 2 0 1 1 3.2 1.6"
            "C12 12.5 11 13.2 11 15h2c0-1 .6-1.4 1.5-2.1A4 4 0 0 0 12 6z"
        ),
    ),
    "lifebuoy": (
        "Lifebuoy",
        (
            "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20zm0 6a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM9 4.6v3"
            "a5.3 5.3 0 0 1 6 0v-3a8 8 0 0 0-6 0zm0 11.8v3a8 8 0 0 0 6 0v-3a5.3 5.3 0 0 1-6 0z"
        ),
    ),
    "smile": (
        "Smile",
        (
            "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20zM8.5 8a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zm7 0"
            "a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM6.5 13.5a5.7 5.7 0 0 0 11 0z"
        ),
    ),
    "wave": (
        "Wave",
        (
            "M7 22a5 5 0 0 1-5-5V9a1.5 1.5 0 0 1 3 0v3h1V5a1.5 1.5 0 0 1 3 0v6h1V3.5a1.5 1.5 0 0 1 3 0V11h1"
            "V5.5a1.5 1.5 0 0 1 3 0V13l1.6-2a1.6 1.6 0 0 1 2.6 1.8L17 20a5 5 0 0 1-4 2z"
        ),
    ),
    "mail": (
        "Mail",
        ("M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zm0 3.2V9l8 5 8-5V7.2l-8 5z"),
    ),
    "phone": (
        "Phone",
        (
            "M6.6 2 10 3l1 5-2.5 1.8a13 13 0 0 0 5.7 5.7L16 13l5 1 1 3.4"
            "A2.6 2.6 0 0 1 19.4 21 17 17 0 0 1 3 4.6 2.6 2.6 0 0 1 6.6 2z"
        ),
    ),
    "spark": ("Spark", "M12 2l2.4 7.6L22 12l-7.6 2.4L12 22l-2.4-7.6L2 12l7.6-2.4z"),
}
NAMES: Mapping[str, str] = {id_: name for id_, (name, _) in _DRAWN.items()}
PATHS: Mapping[str, str] = {id_: path for id_, (_, path) in _DRAWN.items()}
PRESETS = tuple(_DRAWN)

CUSTOM = "custom:"
ICON_PATTERN = rf"\A(?:{'|'.join(PRESETS)}|{CUSTOM}[1-9][0-9]{{0,17}})\z"
_CUSTOM = re.compile(rf"{CUSTOM}([1-9][0-9]{{0,17}})")

# By the name that Pillow gives a format.
TYPES_BY_FORMAT = {"PNG": "image/png", "WEBP": "image/webp", "GIF": "image/gif"}
TYPES = frozenset(TYPES_BY_FORMAT.values())
MAX_BYTES = 512 * 1024
LEAST_SIDE, MOST_SIDE = 16, 1024
MOST_FRAMES, MOST_PIXELS = 120, 25_000_000
MOST_ICONS = 100  # of a widget


def custom_id(icon: str) -> int | None:
    """The id of an own icon; None of a preset."""
    found = _CUSTOM.fullmatch(icon)
    return int(found[1]) if found else None


def svg(id_: str) -> str:
    """A preset's drawing, as it stands in its file."""
    shape = f'<path fill="currentColor" fill-rule="evenodd" d="{PATHS[id_]}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{shape}</svg>\n'
