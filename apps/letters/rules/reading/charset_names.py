"""The names of character sets, and the codecs that read the bytes under them: data.

The labels are those of the WHATWG Encoding Standard, and the names and numbers of code pages that Windows has. Names
are compared by their letters and digits alone. Each set names its codecs: the widest of its family first, as
programs use the name of an older, smaller set.
"""

import re
from typing import NamedTuple


class Charset(NamedTuple):
    """A set of characters: its codecs, the first of which that decodes all counts; its labels, one blank apart.
    `windows` is the set that is meant where bytes 80–9F stand, which are control signs in a set of ISO.
    """

    codecs: tuple[str, ...]
    labels: str
    windows: str = ""

    @property
    def is_of_single_bytes(self) -> bool:
        return self.codecs[0] not in _WIDE


# Codecs of `charset_codecs.py`, which Python lacks.
JIS, EUC_JP_MS, HZ_WIDE, UTF_16 = "iso-2022-wide", "euc-jp-ms", "hz-wide", "utf-16-sniffed"
_WIDE = frozenset(
    [
        *(JIS, EUC_JP_MS, HZ_WIDE, UTF_16, "utf-8", "utf-7", "utf-16-be", "utf-32", "utf-32-be", "utf-32-le"),
        *("gb18030", "cp932", "cp949", "cp950", "big5hkscs", "shift_jis_2004", "euc_jis_2004", "johab"),
    ]
)

CHARSETS: tuple[Charset, ...] = (
    # Unicode
    Charset(("utf-8",), "unicode-1-1-utf-8 unicode20utf8 utf-8 x-unicode20utf8 65001 u8 utf utf8mb4 utf8mb3"),
    Charset(("utf-7",), "utf-7 unicode-1-1-utf-7 csunicode11utf7 x-unicode-2-0-utf-7 65000 u7"),
    Charset((UTF_16,), "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le 1200"),
    Charset(("utf-16-be",), "unicodefffe utf-16be 1201"),
    Charset(("utf-32",), "utf-32 iso-10646-ucs-4 ucs-4 u32"),
    Charset(("utf-32-le",), "utf-32le 12000"),
    Charset(("utf-32-be",), "utf-32be 12001"),
    # Western Europe
    Charset(
        ("cp1252",),
        "iso-8859-1 iso_8859-1:1987 iso-ir-100 l1 latin1 latin csisolatin1 ibm819 cp819 iso8859 28591 "
        "windows-1252 1252 ansi "
        "western iso-8859-1-windows-3.0-latin-1 iso-8859-1-windows-3.1-latin-1",
    ),
    Charset(("iso-8859-15",), "iso-8859-15 csisolatin9 l9 latin-9 28605", "cp1252"),
    Charset(("mac_roman",), "macintosh mac x-mac-roman macroman csmacintosh 10000"),
    Charset(("cp850",), "850 pc850multilingual"),
    Charset(("hp_roman8",), "hp-roman8 roman8 r8 cshproman8"),
    Charset(("mac_iceland",), "x-mac-icelandic maciceland 10079"),
    *(Charset((f"cp{number}",), f"{number}") for number in (437, 860, 861, 863, 865)),
    Charset(("cp858",), "858 ccsid00858 pc-multilingual-850+euro"),
    # Central and northern Europe
    Charset(("iso-8859-2",), "iso-8859-2 csisolatin2 iso-ir-101 iso_8859-2:1987 l2 latin2 28592", "cp1250"),
    Charset(("cp1250",), "windows-1250 1250"),
    Charset(("cp852",), "852"),
    Charset(("mac_latin2",), "x-mac-ce mac-centraleurope mac-centeuro maclatin2 10029"),
    Charset(("iso-8859-3",), "iso-8859-3 csisolatin3 iso-ir-109 iso_8859-3:1988 l3 latin3 28593"),
    Charset(("iso-8859-4",), "iso-8859-4 csisolatin4 iso-ir-110 iso_8859-4:1988 l4 latin4 28594", "cp1257"),
    Charset(("cp1257",), "windows-1257 1257"),
    Charset(("iso-8859-10",), "iso-8859-10 csisolatin6 iso-ir-157 iso_8859-10:1992 l6 latin6 28600"),
    Charset(("iso-8859-13",), "iso-8859-13 latin7 l7 28603", "cp1257"),
    Charset(("iso-8859-14",), "iso-8859-14 latin8 l8 iso-ir-199 iso-celtic 28604"),
    Charset(("iso-8859-16",), "iso-8859-16 latin10 l10 iso-ir-226 28606", "cp1250"),
    Charset(("cp775",), "775"),
    # Cyrillic
    Charset(("cp1251",), "windows-1251 1251 ansi-1251 cyrillic-windows"),
    Charset(("koi8-r",), "koi8-r koi koi8 cskoi8r 20866"),
    Charset(("koi8-u",), "koi8-u koi8-ru 21866"),
    Charset(("koi8-t",), "koi8-t"),
    Charset(("iso-8859-5",), "iso-8859-5 csisolatincyrillic cyrillic iso-ir-144 iso_8859-5:1988 28595", "cp1251"),
    Charset(("cp866",), "866 csibm866 cp866nec"),
    Charset(("cp855",), "855"),
    Charset(("cp1125",), "1125 ruscii"),
    Charset(("mac_cyrillic",), "x-mac-cyrillic maccyrillic x-mac-ukrainian 10007 10017"),
    Charset(("ptcp154",), "ptcp154 cp154 csptcp154 cyrillic-asian pt154"),
    Charset(("kz1048",), "kz-1048 strk1048-2002 rk1048"),
    # Greek, Turkish
    Charset(
        ("iso-8859-7",),
        "iso-8859-7 csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso_8859-7:1987 sun_eu_greek 28597",
        "cp1253",
    ),
    Charset(("cp1253",), "windows-1253 1253"),
    Charset(("cp737",), "737"),
    Charset(("cp869",), "869"),
    Charset(("mac_greek",), "x-mac-greek macgreek 10006"),
    Charset(("cp1254",), "iso-8859-9 csisolatin5 iso-ir-148 iso_8859-9:1989 l5 latin5 28599 windows-1254 1254"),
    Charset(("cp857",), "857"),
    Charset(("mac_turkish",), "x-mac-turkish macturkish 10081"),
    # Hebrew, Arabic, Vietnamese, Thai
    Charset(
        ("iso-8859-8",),
        "iso-8859-8 csisolatinhebrew csiso88598e hebrew iso-8859-8-e iso-ir-138 iso_8859-8:1988 visual 28598 "
        "csiso88598i iso-8859-8-i logical 38598",
        "cp1255",
    ),
    Charset(("cp1255",), "windows-1255 1255"),
    Charset(("cp862",), "862 dos-862"),
    Charset(
        ("iso-8859-6",),
        "iso-8859-6 arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i "
        "iso-ir-127 "
        "iso_8859-6:1987 28596 708",
        "cp1256",
    ),
    Charset(("cp1256",), "windows-1256 1256"),
    Charset(("cp864",), "864"),
    Charset(("cp720",), "720 dos-720"),
    Charset(("mac_arabic",), "x-mac-arabic 10004"),
    Charset(("cp1258",), "windows-1258 1258"),
    Charset(("cp874",), "windows-874 874 dos-874 iso-8859-11 tis-620 tis-620-0 tis-620-2529-1 iso-ir-166 thai 28601"),
    # Chinese
    Charset(
        ("gb18030",),
        "gb18030 54936 chinese csgb2312 csiso58gb231280 gb2312 gb_2312-80 gbk iso-ir-58 x-gbk 936 20936 51936 "
        "euc-cn gb "
        "gb2312-1980 eucgb2312-cn gb18030-2000 x-mac-simp-chinese 10008",
    ),
    Charset((HZ_WIDE,), "hz-gb-2312 hz hz-gb 52936"),
    Charset(("cp950", "big5hkscs"), "big5 cn-big5 csbig5 x-x-big5 950 big5-eten big5-tw x-mac-trad-chinese 10002"),
    Charset(("big5hkscs", "cp950"), "big5-hkscs 951 hkscs"),
    # Japanese
    Charset(
        ("cp932",),
        "shift_jis csshiftjis ms932 ms_kanji sjis windows-31j cswindows31j 932 943 x-sjis shift_jis-ms "
        "x-mac-japanese 10001",
    ),
    Charset((EUC_JP_MS,), "euc-jp cseucpkdfmtjapanese eucjp-ms eucjp-win cp51932 51932 20932 ujis euc-jp-ascii"),
    Charset(
        (JIS,),
        "iso-2022-jp csiso2022jp iso-2022-jp-1 iso-2022-jp-2 iso-2022-jp-3 iso-2022-jp-2004 iso-2022-jp-ext "
        "iso-2022-jp-ms "
        "_iso-2022-jp$esc _iso-2022-jp$sio 50220 50221 50222 jis iso-2022-kr csiso2022kr 50225 iso-2022-cn "
        "iso-2022-cn-ext "
        "50227",
    ),
    Charset(("shift_jis_2004",), "shift_jis-2004 s-jis-2004 sjis-2004 shift_jisx0213 s-jisx0213 sjisx0213"),
    Charset(("euc_jis_2004",), "euc-jis-2004 euc-jisx0213 jisx0213"),
    # Korean
    Charset(
        ("cp949",),
        "euc-kr cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ks_c_5601 ksc_5601 "
        "ks_x_1001 949 51949 "
        "20949 uhc x-mac-korean 10003",
    ),
    Charset(("johab",), "johab 1361"),
)

_OTHERS = re.compile(r"[^a-z0-9]{1,60}")
# Beginnings before the number of a code page, or before the name of a set that no standard knew.
_BEFORE = re.compile(
    r"(?:x|cs)?(?:windows|win|cp|ms|ibm|msansi|codepage|charset)?(?=\d)|x(?=[a-z])|cs(?=[a-z])|charset"
)
# The names of these tell nothing: programs write any bytes under them.
UNTOLD = frozenset(
    [
        *("usascii", "ascii", "ansix341968", "ansix341986", "iso646us", "isoir6", "iso646irv1991"),
        *("us", "csascii", "20127", "646", "cp367", "ibm367", "unknown8bit"),
        *("xunknown", "unknown", "8bit", "7bit", "binary", "default", "xuserdefined"),
        *("userdefined", "none", "null", "iso88591unknown"),
    ]
)


def folded(name: str) -> str:
    """A name as names are compared: its letters and digits, small."""
    return _OTHERS.sub("", name.strip().lower()[:60])


_BY_LABEL = {folded(label): charset for charset in CHARSETS for label in charset.labels.split()}


def charset_of(name: str) -> Charset | None:
    """The set of that name; None for a name that nobody knows, or that tells nothing."""
    key = folded(name)
    found = _BY_LABEL.get(key)
    if found is None and key not in UNTOLD and (before := _BEFORE.match(key)) is not None:
        found = _BY_LABEL.get(key[before.end() :])
    return found
