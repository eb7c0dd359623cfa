"""A text as those read it who make links of it: as it stands, folded, and with its percents decoded."""

import re
import unicodedata
from typing import Literal
from urllib.parse import unquote

from apps.core.parsing.normal_forms import normalize

View = Literal["text", "folded", "decoded"]

_DOTS = {0x3002: ".", 0xFF61: "."}
_EMOJI_SELECTORS = {0xFE0E: None, 0xFE0F: None}
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_DECODED_AT_MOST = 3


def folded(text: str) -> str:
    """The text in compatible characters (NFKC) and small letters, with ASCII digits and full stops."""
    text = normalize("NFKC", text.translate(_EMOJI_SELECTORS)).translate(_DOTS)
    text = _OTHER_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit.group())), text)
    return normalize("NFKC", text.lower())


def decoded(text: str) -> str:
    """A folded text with its percents decoded until that changes nothing, three times at most, and folded again."""
    for _ in range(_DECODED_AT_MOST):
        before, text = text, unquote(text)
        if text == before:
            break
    return folded(text)
