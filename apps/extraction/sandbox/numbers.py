"""Numbers of a sheet as it shows them: percents, leading zeros, dates, currencies."""

import math
import re
from datetime import datetime, timedelta
from functools import lru_cache

BUILT_IN = {
    0: "General",
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    14: "yyyy-mm-dd",
    15: "d-mmm-yy",
    16: "d-mmm",
    17: "mmm-yy",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: "yyyy-mm-dd h:mm",
    37: "#,##0",
    38: "#,##0",
    39: "#,##0.00",
    40: "#,##0.00",
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss",
    48: "0.0E+0",
    49: "@",
}
_TOKEN = re.compile(
    r'"[^"]*"|\\.|\[[^\]]{0,60}\]|_.|\*.|AM/PM|A/P|General|[ymdhsYMDHS]+|[0#?][0#?,.]*(?:E[+-]0+)?|%|@|.',
    re.IGNORECASE | re.DOTALL,
)
_CURRENCY = re.compile(r"\[\$([^\]-]{0,10})(?:-[0-9A-Fa-f]+)?\]")
_MONTHS = {
    True: [
        "января",
        "февраля",
        "марта",
        "апреля",
        "мая",
        "июня",
        "июля",
        "августа",
        "сентября",
        "октября",
        "ноября",
        "декабря",
    ],
    False: [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
}
_EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001 - a sheet's dates have no zone
_SHIFT_1904 = 1462


def general(value: float) -> str:
    if not math.isfinite(value):
        return ""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.10g}"


def shown(value: float, code: str, *, from_1904: bool = False) -> str:
    """The number as a cell of that format shows it; thousands are not divided, and decimals have a point."""
    sections = _sections(code)
    section = sections[0]
    if len(sections) > 1 and value < 0:
        section = sections[1]
    elif len(sections) > 2 and value == 0:
        section = sections[2]
    pieces = _TOKEN.findall(section)
    if _is_date(pieces):
        return _date(value + (_SHIFT_1904 if from_1904 else 0), section, pieces)
    sign = "-" if value < 0 and (len(sections) < 2 or section is sections[0]) else ""
    return _number(abs(value), pieces, sign)


@lru_cache(maxsize=512)
def _sections(code: str) -> tuple[str, ...]:
    made, held = [], ""
    for piece in _TOKEN.findall(code[:300]):
        if piece == ";":
            made.append(held)
            held = ""
        else:
            held += piece
    return (*made, held)


def _is_date(pieces: list[str]) -> bool:
    return any(
        piece[0] in "ymdhsYMDHS" or re.fullmatch(r"\[[hms]+\]", piece, re.IGNORECASE) for piece in pieces
    ) and not any(piece[0] in "0#" for piece in pieces)


def _number(value: float, pieces: list[str], sign: str) -> str:
    made, has_number = [], False
    scale = 100 if "%" in pieces else 1
    for piece in pieces:
        if piece[0] in "0#?" and not has_number:
            has_number = True
            made.append(sign + _digits(value * scale, piece))
        elif piece.lower() == "general":
            has_number = True
            made.append(sign + general(value * scale))
        elif piece == "@":
            has_number = True
            made.append(sign + general(value))
        elif piece[0] == '"':
            made.append(piece[1:-1])
        elif piece[0] == "\\":
            made.append(piece[1:])
        elif piece[0] == "_":
            made.append(" ")
        elif piece[0] == "[":
            if currency := _CURRENCY.fullmatch(piece):
                made.append(currency[1])
        elif piece[0] not in "*0#?":
            made.append(piece)
    return " ".join("".join(made).split())


def _digits(value: float, piece: str) -> str:
    if "E" in piece.upper():
        return f"{value:.{piece.upper().split('E')[0].count('0') - 1}e}"
    shape = piece
    while shape.endswith(","):  # each says a thousandth
        shape, value = shape[:-1], value / 1000
    whole, _, part = shape.replace(",", "").partition(".")
    made = f"{value:.{min(len(part), 15)}f}" if math.isfinite(value) else ""
    number, _, fraction = made.partition(".")
    least = part.count("0")
    while len(fraction) > least and fraction.endswith("0"):
        fraction = fraction[:-1]
    number = number.zfill(min(whole.count("0"), 30))
    if number == "0" and "0" not in whole and fraction:
        number = "0"
    return f"{number}.{fraction}" if fraction else number


def _date(value: float, section: str, pieces: list[str]) -> str:
    try:
        at = _EPOCH + timedelta(seconds=round(value * 86400))
    except (OverflowError, ValueError):
        return general(value)
    is_russian = "419" in section or "FC19" in section.upper() or bool(re.search("[а-яё]", section, re.IGNORECASE))
    half = any(piece.upper() in ("AM/PM", "A/P") for piece in pieces)
    made, after_hour = [], False
    for number, piece in enumerate(pieces):
        low = piece.lower()
        if low[0] == "m" and (after_hour or _seconds_follow(pieces[number + 1 :])):
            made.append(f"{at.minute:02d}" if len(low) > 1 else str(at.minute))
        elif low[0] in "ymdh" or low[0] == "s":
            made.append(_part(low, at, is_russian=is_russian, half=half))
        elif re.fullmatch(r"\[h+\]", low):
            made.append(str(int(value * 24 + 1e-9)))
        elif low in ("am/pm", "a/p"):
            made.append("AM" if at.hour < 12 else "PM")
        elif piece[0] == '"':
            made.append(piece[1:-1])
        elif piece[0] == "\\":
            made.append(piece[1:])
        elif piece[0] not in "[_*@":
            made.append(piece)
        if low[0] in "ymdhs[" or low[0] == "s":
            after_hour = low[0] == "h" or low.startswith("[h")
    return " ".join("".join(made).split())


def _seconds_follow(pieces: list[str]) -> bool:
    following = next((piece for piece in pieces if piece[0].lower() in "ymdhs"), "")
    return following[:1].lower() == "s"


def _part(piece: str, at: datetime, *, is_russian: bool, half: bool) -> str:
    kind, length = piece[0], len(piece)
    if kind == "y":
        return f"{at.year:04d}" if length > 2 else f"{at.year % 100:02d}"
    if kind == "m":
        if length > 2:
            name = _MONTHS[is_russian][at.month - 1]
            return name if length > 3 else name[:3]
        return f"{at.month:02d}" if length > 1 else str(at.month)
    if kind == "d":
        return "" if length > 2 else f"{at.day:02d}" if length > 1 else str(at.day)
    hour = (at.hour % 12 or 12) if half else at.hour
    number = hour if kind == "h" else at.second
    return f"{number:02d}" if length > 1 else str(number)
