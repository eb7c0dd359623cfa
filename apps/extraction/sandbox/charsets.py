"""The encodings of foreign text, loaded before a call, which can load none: Python's, and those that libxml2 takes from
the C library.

They are those of the Encoding Standard (https://encoding.spec.whatwg.org), by Python's names. A text that declares any
other is looked at instead.
"""

import codecs
import ctypes

_WIDE = ("utf_8_sig", "utf_16", "utf_16_le", "utf_16_be", "utf_32", "utf_32_le", "utf_32_be")
_OF_ARCHIVES, _OF_HOSTS = "cp437", "idna"
_BYTES = (
    *("cp866", "koi8_r", "koi8_u", "mac_roman", "mac_cyrillic", "cp874"),
    *(f"cp{number}" for number in range(1250, 1259)),
    *(f"iso8859_{number}" for number in (1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
    *("gbk", "gb18030", "big5", "euc_jp", "iso2022_jp", "shift_jis", "euc_kr"),
)
_OTHER_NAMES = {"mac_roman": "macintosh", "iso2022_jp": "iso-2022-jp"}


def load() -> None:
    """Loads Python's."""
    for name in (*_WIDE, *_BYTES, _OF_ARCHIVES, _OF_HOSTS):
        codecs.lookup(name)


def load_converters() -> None:
    """Loads the C library's, with which XML in another encoding than UTF-8 is read."""
    library = ctypes.CDLL(None)
    for name in _BYTES:
        known_as = _OTHER_NAMES.get(name) or name.replace("iso8859_", "iso-8859-").replace("_", "-")
        # Never closed: its code stays loaded for as long as the process is there.
        library.iconv_open(b"UTF-8", known_as.encode())
