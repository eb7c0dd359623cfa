"""How the standard parser reads the fields of a letter and of its parts: each under limits, before it looks at it.

The parser's reading of parameters takes the square of their number, and its writing of fields that of their words;
a field is cut to a length that no program passes, and written as it came.
"""

from email._policybase import Compat32
from email.message import Message
from email.parser import BytesParser
from itertools import count
from typing import Any

from apps.letters.rules.reading.headers import plain_header
from apps.letters.rules.reading.limits import (
    MAX_HEADER_BYTES,
    MAX_PARAMETERS,
    MAX_PARAMETERS_BYTES,
    MAX_PARSED_PARTS,
    NotReadable,
)

# Bytes beyond ASCII as the parser holds them: at a cut they may be half a character.
_CUT = "".join(map(chr, range(0xDC80, 0xDD00)))
_WITH_PARAMETERS = ("content-type", "content-disposition")


class BoundedFields(Compat32):
    """The parser's own policy, with fields that are bounded, decoded of bytes, and written as they came."""

    mangle_from_ = False
    verify_generated_headers = False

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        """Raises NotReadable for a field over the limit."""
        if sum(map(len, sourcelines)) > MAX_HEADER_BYTES:
            raise NotReadable("headers_too_large")
        name, value = super().header_source_parse(sourcelines)
        if name.strip().lower() in _WITH_PARAMETERS:
            if len(value) > MAX_PARAMETERS_BYTES:
                value = value[:MAX_PARAMETERS_BYTES].rstrip(_CUT)
            value = ";".join(value.split(";", MAX_PARAMETERS)[:MAX_PARAMETERS])
        return name, value

    def header_fetch_parse(self, name: str, value: Any) -> str:
        return plain_header(value)

    def fold(self, name: str, value: Any) -> str:
        return f"{name}: {value}{self.linesep}"

    def fold_binary(self, name: str, value: Any) -> bytes:
        return self.fold(name, value).encode("utf-8", "surrogateescape")


POLICY = BoundedFields()


def parsed(raw: bytes) -> Message:
    """The letter of those bytes, as the standard parser has it. Raises NotReadable: over a limit of parts or fields."""
    made = count()

    def part(policy: BoundedFields = POLICY) -> Message:
        if next(made) > MAX_PARSED_PARTS:
            raise NotReadable("too_many_parts")
        return Message(policy)

    return BytesParser(part, policy=POLICY).parsebytes(raw)
