"""Requests made to cost as much as they can: what was found to, and its relatives."""

import json
from collections.abc import Callable, Mapping

VALUES = 9_990  # in a document: 10,000 are read
ESCAPES = {"letters": r"\u0436", "lines": r"\n", "pairs": r"\ud83d\ude00", "half pairs": r"\ud83d", "NUL": r"\u0000"}


def documents(size: int) -> dict[str, bytes]:
    """JSON, or what begins like it, of about `size` bytes each."""
    each = size // VALUES
    return {
        "brackets": fill(b"[]", size),
        "open brackets": fill(b"[", size),
        "braces": fill(b'{"a":', size),
        "commas": b"[" + fill(b"0,", size),
        "quotes": fill(b'"', size),
        "escaped quotes": b'{"a": "' + fill(b'\\"', size - 10),
        "backslashes": b'{"a": "' + fill(b"\\", size - 10),
        "white space": b"{" + fill(b" ", size - 2) + b"}",
        "members": members(lambda n: (f"m{n:0{max(1, each - 10)}}", "0")),
        "one long name": b'{"' + fill(b"n", size - 10) + b'":0}',
        "duplicates": members(lambda n: ("a", '"' + "x" * max(0, each - 9) + '"')),
        "long integers": array(lambda n: "9" * max(1, each - 2)),
        "one long integer": b'{"a":' + fill(b"9", size - 10) + b"}",
        "fractions": array(lambda n: "0." + "1" * max(1, each - 4)),
        "one long fraction": b'{"a":0.' + fill(b"1", size - 12) + b"}",
        "exponents": array(lambda n: "1e" + "9" * max(1, each - 4)),
        "arrays, deep": b'{"a":' + b"[" * 60 + fill(b"[[0]],", min(size, 19_000)) + b"0" + b"]" * 60 + b"}",
        "no UTF-8": b'{"a": "' + fill(b"a", size - 20) + b'\xff"}',
        **{f"escapes of {name}": b'{"a": "' + fill(text.encode(), size - 20) + b'"}' for name, text in ESCAPES.items()},
        **{
            f"texts with {name}": array(lambda n, text=text: f'"{text * max(1, (each - 3) // len(text))}"')
            for name, text in ESCAPES.items()
        },
    }


def values(size: int) -> dict[str, bytes]:
    """JSON values that a member may be sent with, wherever it is checked."""
    texts = ("x", " ", "a@", "+7 ", "(", "-", "a.", "https://a.", "ж", "\u0301", "<a ", "%41", "1")
    escaped = {text: json.dumps(text)[1:-1] for text in texts}
    return {
        **{f"a long text of {text!r}": f'"{long * (size // len(long))}"'.encode() for text, long in escaped.items()},
        "a wide array": b"[" + b",".join([b"0"] * VALUES) + b"]",
        "a wide array of objects": b"[" + b",".join([b"{}"] * (VALUES // 2 - 2)) + b"]",
        "a wide array of texts": b"[" + b",".join([b'"x"'] * VALUES) + b"]",
        "a wide object": members(lambda n: (f"m{n}", "0")),
        "a wide object of names with dots": members(lambda n: (f"{n}{'.a' * 40}", "null")),
        "a long integer": fill(b"9", size - 100),
    }


def forms(size: int) -> dict[str, tuple[str, bytes]]:
    """Bodies of pages: by name, the content type and the bytes."""
    urlencoded, multipart = "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"
    part = b'--b\r\nContent-Disposition: form-data; name="p"\r\n\r\n\r\n'
    file = b'--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n\r\n'
    long_head = b"--b\r\n" + fill(b"X: y\r\n", size) + b"\r\n--b--\r\n"
    return {
        "fields": (urlencoded, fill(b"a=&", size)),
        "a thousand fields": (urlencoded, b"&".join(b"f%d=%s" % (n, b"x" * (size // 1100)) for n in range(999))),
        "escapes": (urlencoded, b"username=" + fill(b"%D0%B6", size - 20)),
        "a long password": (urlencoded, b"username=a%40shop.test&password=" + fill(b"p", size - 50)),
        "a long name": (urlencoded, b"password=p&username=" + fill(b"u", size - 50)),
        "ampersands": (urlencoded, fill(b"&", size)),
        "parts": (multipart, fill(part, size) + b"--b--\r\n"),
        "files": (multipart, fill(file, size) + b"--b--\r\n"),
        "heads of parts": (multipart, long_head),
        "boundaries": (multipart, fill(b"--b\r\n", size)),
        "almost boundaries": (multipart, part[:-2] + fill(b"\r\n--", size)),
    }


def headers(size: int) -> dict[str, Mapping[str, str]]:
    """Header fields of about `size` bytes in all."""
    return {
        "cookies": {"Cookie": "; ".join(f"c{n}=" for n in range(size // 8))},
        "cookies in quotes": {"Cookie": 'a="' + "\\073" * (size // 4) + '"'},
        "one cookie": {"Cookie": "sessionid=" + "x" * size},
        "languages": {"Accept-Language": ",".join(["ru;q=0.1"] * (size // 9))},
        "types": {"Accept": ",".join(["a/b;q=0.1"] * (size // 10))},
        "encodings": {"Accept-Encoding": ",".join(["gzip;q=0.1"] * (size // 11))},
        "forwarded": {"X-Forwarded-For": ",".join(["1.2.3.4"] * (size // 8))},
        "a token": {"Authorization": "Bearer " + "x" * size},
        "a condition": {"If-None-Match": ",".join(['"x"'] * (size // 4))},
        "ranges": {"Range": "bytes=" + ",".join(["0-1"] * (size // 4))},
    }


def queries() -> dict[str, str]:
    """Query strings; servers and proxies refuse the longest of them themselves."""
    return {
        "parameters": "&".join(f"p{n}=1" for n in range(100_000)),
        "as many as fit": "&".join(f"p{n}=1" for n in range(6_000)),
        "one name": "&".join(["limit=1"] * 7_000),
        "ampersands": "&" * 60_000,
        "escapes": "q=" + "%D0%B6" * 10_000,
        "one value": "q=" + "x" * 60_000,
        "a cursor": "cursor=" + "eyJ" * 20_000,
    }


def fill(piece: bytes, size: int) -> bytes:
    return piece * (size // len(piece))


def members(member: Callable[[int], tuple[str, str]]) -> bytes:
    """An object of as many members as are read."""
    return ("{" + ",".join('"{}":{}'.format(*member(n)) for n in range(VALUES)) + "}").encode()


def array(item: Callable[[int], str]) -> bytes:
    """An object with an array of as many items as are read."""
    return ('{"a":[' + ",".join(item(n) for n in range(VALUES - 1)) + "]}").encode()
