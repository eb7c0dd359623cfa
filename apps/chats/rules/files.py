"""The names and sizes of files. Source: specification, "Limits"."""

import unicodedata
from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum

from apps.core.parsing.normal_forms import normalize

MAX_FILE_BYTES = 10 * 1024 * 1024
MAX_FILE_NAME = 255  # characters
NAMELESS = "file"
# What a visitor has uploaded and no message carries by then is deleted (not in the specification).
UNSENT_LIVES = timedelta(days=1)


class FilePurpose(StrEnum):
    """The purpose of a widget's file. Only an attachment is of a chat, and can be sent in a message."""

    ATTACHMENT = "attachment"
    INVOICE = "invoice"


# What a token needs besides `files:read`, to read a file of that purpose.
SCOPE_TO_READ: Mapping[FilePurpose, str] = {FilePurpose.INVOICE: "billing:read"}

# Control, format (which can turn `gpj.exe` around), surrogate and private characters; line and paragraph separators.
_DROPPED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def file_name(text: str) -> str:
    """The name to keep of the one that was sent: no path, nothing invisible, at most 255 characters.

    A name that is too long keeps its extension. A name of which nothing is left becomes `file`.
    """
    last = text.replace("\\", "/").rpartition("/")[2]
    visible = "".join(character for character in last if unicodedata.category(character) not in _DROPPED_CATEGORIES)
    name = normalize("NFC", visible).strip().rstrip(". ")
    if len(name) > MAX_FILE_NAME:
        stem, dot, extension = name.rpartition(".")
        extension = f"{dot}{extension}" if stem and len(extension) <= 16 else ""
        name = name[: MAX_FILE_NAME - len(extension)].rstrip(". ") + extension
    return name or NAMELESS
