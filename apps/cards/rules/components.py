"""The components of a card: what each type holds, and where one is wrong."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

MAX_COMPONENTS = 25
MAX_URL = 2_000
TONES = ("normal", "muted", "good", "warn", "bad")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
_ACTION = re.compile(r"[a-z0-9_.-]{1,60}")
_STYLE = re.compile(r"[a-z]{1,20}")
_CURRENCY = re.compile(r"[A-Z]{3}")
_MAX_AMOUNT, _MAX_SCALE = 2**53 - 1, 8

Fits = Callable[[Any], bool]


class BadCard(ValueError):
    """A card that is not shown. `path` says where it is wrong: `components[3].url`."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


def _text(longest: int) -> Fits:
    def fits(value: Any) -> bool:
        return isinstance(value, str) and 0 < len(value) <= longest and not _CONTROL.search(value)

    return fits


def _matching(pattern: re.Pattern[str]) -> Fits:
    return lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None


def _whole(low: int, high: int) -> Fits:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _is_moment(value: Any) -> bool:
    """Whether it is a moment of ISO 8601 with its offset."""
    if not isinstance(value, str) or len(value) > 40:
        return False
    try:
        return datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False


def _is_address(value: Any) -> bool:
    """Whether it is an address that a browser may open: https alone, so that no link is a program."""
    if not isinstance(value, str) or len(value) > MAX_URL or not value.isprintable() or set(value) & set(' "<>\\'):
        return False
    try:
        parts = urlsplit(value)
        return parts.scheme == "https" and bool(parts.hostname) and parts.username is None and (parts.port or 1) > 0
    except ValueError:
        return False


def _is_boolean(value: Any) -> bool:
    return isinstance(value, bool)


def _is_tone(value: Any) -> bool:
    return isinstance(value, str) and value in TONES


# The members of each type that must be there, and those that may.
REQUIRED: Mapping[str, Mapping[str, Fits]] = {
    "text": {"text": _text(500)},
    "row": {"label": _text(80), "value": _text(300)},
    "badge": {"text": _text(40)},
    "money": {
        "label": _text(80),
        "amount_minor": _whole(-_MAX_AMOUNT, _MAX_AMOUNT),
        "currency": _matching(_CURRENCY),
        "minor_unit_scale": _whole(0, _MAX_SCALE),
    },
    "time": {"label": _text(80), "at": _is_moment},
    "link": {"label": _text(80), "url": _is_address},
    "button": {"label": _text(40), "action": _matching(_ACTION)},
    "divider": {},
}
OPTIONAL: Mapping[str, Mapping[str, Fits]] = {
    "text": {"tone": _is_tone},
    "row": {"copy": _is_boolean},
    "badge": {"tone": _is_tone},
    "button": {"value": _text(500), "confirm": _text(200), "style": _matching(_STYLE)},
}


def read_components(given: Any) -> list[dict[str, Any]]:
    """The components as they are kept: those of known types, with their known members. Raises BadCard.

    Each button has an action of its own, as a click names no more than that.
    """
    if not isinstance(given, list) or len(given) > MAX_COMPONENTS:
        raise BadCard("components")
    found, actions = [], set()
    for number, component in enumerate(given):
        path = f"components[{number}]"
        if not isinstance(component, dict):
            raise BadCard(path)
        kind = component.get("type")
        if not isinstance(kind, str):
            raise BadCard(f"{path}.type")
        if kind not in REQUIRED:
            continue
        read = _component(kind, component, path)
        if kind == "button":
            if read["action"] in actions:
                raise BadCard(f"{path}.action")
            actions.add(read["action"])
        found.append(read)
    return found


def _component(kind: str, given: Mapping[str, Any], path: str) -> dict[str, Any]:
    read: dict[str, Any] = {"type": kind}
    for name, fits in REQUIRED[kind].items():
        if not fits(given.get(name)):
            raise BadCard(f"{path}.{name}")
        read[name] = given[name]
    for name, fits in OPTIONAL.get(kind, {}).items():
        if given.get(name) is None:
            continue
        if not fits(given[name]):
            raise BadCard(f"{path}.{name}")
        read[name] = given[name]
    return read


def button_of(components: list[dict[str, Any]], action: str) -> dict[str, Any] | None:
    """The button with that action; None where the card has none."""
    return next((each for each in components if each["type"] == "button" and each["action"] == action), None)


def plain_text(title: str, components: list[dict[str, Any]], *, longest: int) -> str:
    """The words of a card, a line a component, without its buttons; cut to `longest` characters."""
    return "\n".join([title, *filter(None, map(_line, components))])[:longest]


def _line(component: Mapping[str, Any]) -> str:
    kind = component["type"]
    if kind in ("text", "badge"):
        return str(component["text"])
    if kind == "row":
        return f"{component['label']}: {component['value']}"
    if kind == "money":
        return f"{component['label']}: {amount(component)} {component['currency']}"
    if kind == "time":
        return f"{component['label']}: {component['at']}"
    return f"{component['label']}: {component['url']}" if kind == "link" else ""


def amount(money: Mapping[str, Any]) -> str:
    """The amount in whole units, with a point: -12.50."""
    minor, scale = money["amount_minor"], money["minor_unit_scale"]
    digits = str(abs(minor)).rjust(scale + 1, "0")
    whole, rest = (digits[:-scale], f".{digits[-scale:]}") if scale else (digits, "")
    return f"{'-' * (minor < 0)}{whole}{rest}"
