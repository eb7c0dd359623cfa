"""The files of a letter: attachments, pictures in its markup, invitations; and which pictures are decoration."""

import hashlib
import re
import struct
from base64 import b64decode
from binascii import Error as BadBase64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email.message import Message
from urllib.parse import unquote_to_bytes

from apps.letters.rules.reading.charsets import storable, text_of
from apps.letters.rules.reading.headers import decoded, plain_header
from apps.letters.rules.reading.parts import name_of

# Pixels of the screen: a picture of the markup that is smaller is decoration, a logo or an icon; a line, or a dot that
# counts, is as thin as that.
DECORATION_SIDE, LINE_SIDE = 160, 8
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f\x7f<>:"|?*\u200e\u200f\u202a-\u202e\u2066-\u2069]')
_ENDINGS = {
    "message/rfc822": ".eml",
    "text/calendar": ".ics",
    "text/html": ".html",
    "text/plain": ".txt",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "application/pdf": ".pdf",
    "application/pgp-signature": ".asc",
    "application/pgp-encrypted": ".asc",
    "application/pkcs7-signature": ".p7s",
    "application/ms-tnef": ".dat",
}

_PICTURES: dict[str, tuple[bytes, ...]] = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/gif": (b"GIF87a", b"GIF89a"),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/webp": (b"RIFF",),
}


@dataclass(frozen=True, slots=True)
class LetterFile:
    """A file of a letter. content_id: what its markup calls it. title: what an invitation is to, and when.
    is_drawn: it stands in the markup itself.
    """

    name: str
    content_type: str
    content: bytes
    content_id: str = ""
    title: str = ""
    is_drawn: bool = False

    @property
    def size(self) -> int:
        return len(self.content)


def file_of(part: Message) -> LetterFile | None:
    """The file that a part is; None for an empty one."""
    kind = part.get_content_type()
    content = _content(part, kind)
    if not content:
        return None
    title = invitation(text_of(content, str(part.get_content_charset("") or ""))) if kind == "text/calendar" else ""
    content_id = plain_header(part.get("content-id", "")).strip("<> ")[:255]
    return LetterFile(_name(part, kind), kind, content, content_id, title)


def _content(part: Message, kind: str) -> bytes:
    payload = part.get_payload()
    if isinstance(payload, list):
        # A letter within the letter, or an encrypted whole.
        whole = payload[0] if kind.startswith("message/") and payload else part
        return whole.as_bytes() if isinstance(whole, Message) else b""
    try:
        content = part.get_payload(decode=True)
    except (ValueError, AssertionError, LookupError):
        return b""
    return content if isinstance(content, bytes) else b""


def _name(part: Message, kind: str) -> str:
    name = file_name(decoded(plain_header(name_of(part))))
    if not name and kind == "message/rfc822":
        inner = part.get_payload()
        subject = inner[0].get("subject", "") if isinstance(inner, list) and isinstance(inner[0], Message) else ""
        name = file_name(decoded(plain_header(subject))[:100])
    ending = _ENDINGS.get(kind, "")
    if not name:
        return f"{kind.partition('/')[0] if kind != 'text/calendar' else 'invitation'}{ending or '.bin'}"
    return name if "." in name or not ending else f"{name}{ending}"


def file_name(told: str) -> str:
    """A file's name without the path that it may have, and without what no system takes; empty for none."""
    name = storable(told.replace("\\", "/")).rpartition("/")[2]
    name = _NOT_IN_NAMES.sub("_", name).strip(" .")
    if len(name) <= 200:
        return name
    stem, dot, ending = name.rpartition(".")
    return f"{stem[:180]}.{ending[:10]}" if dot else name[:200]


def invitation(calendar: str) -> str:
    """`title, time` of the first event of an iCalendar text (RFC 5545); empty without one."""
    lines = calendar[:100_000].replace("\r\n", "\n").replace("\n ", "").replace("\n\t", "").split("\n")
    title = begins = ""
    is_event = False
    for line in lines:
        name, _, value = line.partition(":")
        name = name.partition(";")[0].upper()
        if name == "BEGIN":
            is_event = is_event or value.strip().upper() == "VEVENT"
        elif is_event and name == "SUMMARY" and not title:
            title = re.sub(r"\\([,;\\])", r"\1", value.replace("\\n", " ").replace("\\N", " ")).strip()[:200]
        elif is_event and name == "DTSTART" and not begins:
            begins = _moment(value.strip(), line)
    return ", ".join(filter(None, (title, begins)))


def _moment(value: str, line: str) -> str:
    found = re.fullmatch(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?", value)
    if not found:
        return ""
    day = f"{found[1]}-{found[2]}-{found[3]}"
    if found[4] is None:
        return day
    zone = re.search(r"TZID=\"?([\w/+-]{1,60})", line)
    return f"{day} {found[4]}:{found[5]}" + (" UTC" if found[6] else f" {zone[1]}" if zone else "")


def drawn_files(pictures: Sequence[str]) -> Iterator[LetterFile]:
    """The pictures that stand in a letter's markup, of Base64; other data is left out."""
    for number, picture in enumerate(pictures, start=1):
        try:
            content = b64decode(unquote_to_bytes(picture))
        except (BadBase64, ValueError):
            continue
        kind = next((kind for kind, signs in _PICTURES.items() if content.startswith(signs)), "")
        if kind:
            yield LetterFile(f"image-{number}{_ENDINGS[kind]}", kind, content, f"drawn-{number}", is_drawn=True)


def is_decoration(file: LetterFile, on_screen: tuple[int, int] = (0, 0)) -> bool:
    """Whether a picture of the markup is no word of its writer's: at most 160 pixels a side on the screen, or a line.
    The markup may tell its width and height there (0: untold); of a size that nobody tells it is kept.
    """
    width, height = picture_size(file.content)
    if max(width, height) <= 0:
        return 0 < max(on_screen) <= DECORATION_SIDE
    shown_width, shown_height = on_screen
    if shown_width or shown_height:
        ratio = height / max(width, 1)
        width_now = shown_width or round(shown_height / max(ratio, 0.001))
        height_now = shown_height or round(shown_width * ratio)
    else:
        width_now, height_now = width, height
    is_line = min(width_now, height_now) <= LINE_SIDE or max(width, height) <= LINE_SIDE
    return is_line or max(width_now, height_now) <= DECORATION_SIDE


def picture_digest(content: bytes) -> str:
    """The mark by which the same picture is known."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def picture_size(content: bytes) -> tuple[int, int]:
    """Width and height in pixels, by the beginning of the file; zeros for what is no known picture."""
    try:
        if content.startswith(b"\x89PNG\r\n\x1a\n"):
            return struct.unpack(">II", content[16:24])
        if content[:6] in (b"GIF87a", b"GIF89a"):
            return struct.unpack("<HH", content[6:10])
        if content.startswith(b"BM"):
            width, height = struct.unpack("<ii", content[18:26])
            return width, abs(height)
        if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
            return _webp_size(content)
        if content.startswith(b"\xff\xd8"):
            return _jpeg_size(content)
    except (struct.error, IndexError):
        pass
    return 0, 0


def _webp_size(content: bytes) -> tuple[int, int]:
    kind = content[12:16]
    if kind == b"VP8X":
        return int.from_bytes(content[24:27], "little") + 1, int.from_bytes(content[27:30], "little") + 1
    if kind == b"VP8L":
        packed = int.from_bytes(content[21:25], "little")
        return (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", content[26:30])
        return width & 0x3FFF, height & 0x3FFF
    return 0, 0


def _jpeg_size(content: bytes) -> tuple[int, int]:
    at = 2
    for _ in range(200):
        if content[at] != 0xFF:
            return 0, 0
        kind, length = content[at + 1], int.from_bytes(content[at + 2 : at + 4], "big")
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            return width, height
        at += 2 + length
    return 0, 0
