"""Forms and files for tests of uploads."""

import struct
import zlib
from io import BytesIO
from typing import Any

from PIL import Image

BOUNDARY = "form-boundary"
FORM = f"multipart/form-data; boundary={BOUNDARY}"


def part(content: bytes, *, name: str = "file", filename: str | None = "note.txt", more: str = "") -> bytes:
    """One part of a form."""
    named = "" if filename is None else f'; filename="{filename}"'
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{named}{more}\r\n\r\n'
    return head.encode() + content + b"\r\n"


def form(*parts: bytes) -> bytes:
    """A whole form."""
    return b"".join(parts) + f"--{BOUNDARY}--\r\n".encode()


def png(width: int = 1, height: int = 1) -> bytes:
    """A real PNG that claims to be of that size; its one line of pixels is white."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"\0" + b"\xff" * width)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def picture(format_: str, *, side: int = 32, frames: int = 1, **options: Any) -> bytes:
    """A picture that Pillow writes: squares, each frame of another colour."""
    drawn = [Image.new("RGB", (side, side), (number * 7 % 256, 90, 40)) for number in range(frames)]
    more = {"save_all": True, "append_images": drawn[1:], "duration": 80} if frames > 1 else {}
    made = BytesIO()
    drawn[0].save(made, format_, **more, **options)
    return made.getvalue()
