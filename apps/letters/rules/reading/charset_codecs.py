"""Codecs that Python lacks, and that Windows and mail programs write: ISO-2022-JP and EUC-JP with the signs of Windows.

Both hold the tables of JIS; their pairs of bytes are turned into those of Shift_JIS, whose codec `cp932` has the
signs of NEC and IBM (①, ㈱, Ⅳ). Each part is read once: linear. Nothing raises; bytes that no table has are
replacement signs.
"""

import re

_ESCAPE = re.compile(rb"\x1b(?:\$[@AB]|\$[()*+][@-Z]|[()][@-Z]|\.[@-Z]|N)|[\x0e\x0f]")
_LINE = re.compile(rb"([\r\n]{1,2})")
_HIGH = re.compile(rb"(?:[\xa1-\xfe]{2})+|\x8e[\xa1-\xdf]|(?:\x8f[\xa1-\xfe]{2})+|[\x80-\xff]")
_HZ = re.compile(rb"~\{|~\}|~~|~\r?\n")
# Sets of two bytes, by the end of their escape sequence.
_OF_JIS = (b"@", b"B", b"(@", b"(B", b"(O", b"(P", b"(Q")


def shift_jis_of(pairs: bytes) -> bytes:
    """Pairs of JIS, of seven bits each, as pairs of Shift_JIS; a byte without its second stays away."""
    made = bytearray()
    for at in range(0, len(pairs) - 1, 2):
        row, cell = pairs[at] & 0x7F, pairs[at + 1] & 0x7F
        made.append((row + 1) // 2 + (0x70 if row <= 0x5E else 0xB0))
        made.append(cell + (0x7E if row % 2 == 0 else 0x1F + (cell >= 0x60)))
    return bytes(made)


def _of_jis(pairs: bytes) -> str:
    end = "\ufffd" if len(pairs) % 2 else ""
    content = shift_jis_of(pairs)
    try:
        return content.decode("cp932") + end
    except UnicodeDecodeError:
        return "".join(_pair(content[at : at + 2]) for at in range(0, len(content), 2)) + end


def _pair(content: bytes) -> str:
    try:
        return content.decode("cp932")
    except UnicodeDecodeError:
        return "\ufffd"


def decode_2022(content: bytes) -> str:
    """ISO-2022-JP with all its extensions, and -KR and -CN: escape sequences change the set, SO and SI a half of it."""
    pieces: list[str] = []
    state, shifted, second = b"(B", False, b"(I"
    end = 0
    for found in _ESCAPE.finditer(content):
        pieces.append(_in_state(content[end : found.start()], second if shifted else state))
        end, sequence = found.end(), found[0]
        if sequence in (b"\x0e", b"\x0f"):
            shifted = sequence == b"\x0e"
        elif sequence[1:3] in (b"$)", b"$*", b"$+"):
            second = sequence[2:]
        elif sequence[1:2] in (b"$", b"("):
            state = sequence[1:]
    return "".join([*pieces, _in_state(content[end:], second if shifted else state)])


def _in_state(content: bytes, state: bytes) -> str:
    """Bytes between two escape sequences. A line's end ends a set of two bytes: a program forgot to."""
    if state == b"(I":
        return bytes(byte | 0x80 if 0x21 <= byte <= 0x5F else byte for byte in content).decode("cp932", "replace")
    if not state.startswith((b"$", b")")):
        return content.decode("cp932", "replace")
    pieces = _LINE.split(content, maxsplit=1)
    read = _of_pairs(pieces[0], state)
    return read + b"".join(pieces[1:]).decode("cp932", "replace")


def _of_pairs(content: bytes, state: bytes) -> str:
    name = state.lstrip(b"$)")
    high = bytes(byte | 0x80 for byte in content)
    if state.startswith(b"$") and name in _OF_JIS:
        return _of_jis(content)
    if name == b"(D":
        return b"".join(b"\x8f" + high[at : at + 2] for at in range(0, len(high), 2)).decode("euc_jp", "replace")
    if name.endswith(b"C"):
        return high.decode("cp949", "replace")
    if name.endswith((b"A", b"E")):
        return high.decode("gb18030", "replace")
    return "\ufffd" * (len(content) // 2)


def decode_euc_jp(content: bytes) -> str:
    """EUC-JP with the signs of NEC and IBM (cp51932, eucJP-ms)."""

    def read(found: re.Match[bytes]) -> bytes:
        part = found[0]
        if part[0] == 0x8F:
            return part.decode("euc_jp", "replace").encode()
        if part[0] == 0x8E and len(part) > 1:
            return part[1:].decode("cp932", "replace").encode()
        return (_of_jis(part) if len(part) > 1 else "\ufffd").encode()

    return _HIGH.sub(read, content).decode("utf-8", "replace")


def decode_hz(content: bytes) -> str:
    """HZ (RFC 1843), with all characters of GB 18030."""
    pieces: list[str] = []
    is_chinese, end = False, 0
    for found in _HZ.finditer(content):
        pieces.append(_hz_part(content[end : found.start()], is_chinese=is_chinese))
        end = found.end()
        if found[0] == b"~~":
            pieces.append("~")
        elif found[0] in (b"~{", b"~}"):
            is_chinese = found[0] == b"~{"
    return "".join([*pieces, _hz_part(content[end:], is_chinese=is_chinese)])


def _hz_part(content: bytes, *, is_chinese: bool) -> str:
    if is_chinese:
        content = bytes(byte | 0x80 if byte > 0x20 else byte for byte in content)
    return content.decode("gb18030", "replace")


def decode_utf_16(content: bytes) -> str:
    """UTF-16 by its mark, else by its halves: the upper ones of a text are few different ones."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace")
    sample = content[:4_000]
    is_big = len(set(sample[::2])) < len(set(sample[1::2]))
    return content.decode("utf-16-be" if is_big else "utf-16-le", "replace")
