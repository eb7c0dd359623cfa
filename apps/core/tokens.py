"""The design tokens (`tokens.json`): no other file has a colour, a radius, a shadow or a size of type of its own."""

import json
from functools import cache
from pathlib import Path
from typing import Any, Literal

Scheme = Literal["light", "dark"]


@cache
def source() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    return read


@cache
def lengths() -> dict[str, str]:
    """The values that both schemes share. A line is a multiple: a browser's least type moves lines apart, too."""
    sheet = source()
    pixels = {**sheet["space"], **{name: size["size"] for name, size in sheet["type"].items()}, **sheet["radii"]}
    pixels |= {name: height["fine"] for name, height in sheet["control"].items()}
    lines = {f"{name}-line": f"calc({size['line']} / {size['size']})" for name, size in sheet["type"].items()}
    return {**{name: f"{value}px" for name, value in pixels.items()}, **lines, "font": sheet["font"], **sheet["motion"]}


def token(name: str, scheme: Scheme = "light") -> str:
    """The value of `--p-<name>` as CSS writes it. KeyError where there is none."""
    pair = {**source()["colors"], **source()["elevation"]}.get(name)
    return pair[scheme] if pair else lengths()[name]
