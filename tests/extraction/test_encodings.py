"""Pages and sitemaps in the encodings of the web: a cage has them all loaded, as it can load nothing later."""

from collections.abc import Iterator

import pytest

from apps.extraction import Cage, page_cage, read_page, read_sitemap

# https://encoding.spec.whatwg.org, by the names that pages declare, less those whose letters are none of these scripts.
CYRILLIC = ["ibm866", "koi8-r", "koi8-u", "windows-1251", "iso-8859-5", "x-mac-cyrillic", "gbk", "gb18030", "shift_jis"]
LATIN = [
    *("iso-8859-1", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-10", "iso-8859-13", "iso-8859-14"),
    *(
        "iso-8859-15",
        "iso-8859-16",
        "macintosh",
        "windows-1250",
        "windows-1252",
        "windows-1254",
        "windows-1257",
        "windows-1258",
    ),
]
OTHERS = {
    "windows-1253": "Καλημέρα, κόσμε και φίλοι",
    "iso-8859-7": "Καλημέρα, κόσμε και φίλοι",
    "windows-1255": "שלום לכולם וברוכים הבאים",
    "iso-8859-8": "שלום לכולם וברוכים הבאים",
    "windows-1256": "مرحبا بالعالم وأهلا وسهلا",
    "iso-8859-6": "مرحبا بالعالم وأهلا وسهلا",
    "windows-874": "ยินดีต้อนรับสู่ร้านของเรา",
    "big5": "歡迎光臨我們的商店",
    "euc-jp": "ようこそ私たちの店へ",
    "iso-2022-jp": "ようこそ私たちの店へ",
    "euc-kr": "우리 가게에 오신 것을 환영합니다",
    "utf-16": "Доставка по городу",
}
TEXTS = {
    **dict.fromkeys(CYRILLIC, "Доставка по городу занимает один день"),
    **dict.fromkeys(LATIN, "Die Lieferung ist für Gäste kostenlos"),
    **OTHERS,
}
PYTHONS_NAMES = {"x-mac-cyrillic": "mac-cyrillic", "macintosh": "mac-roman", "windows-874": "cp874"}


@pytest.fixture(scope="module")
def cage() -> Iterator[Cage]:
    with page_cage() as cage:
        yield cage


# What ISO-2022-JP makes of a text is ASCII, too.
@pytest.mark.parametrize("charset", [name for name in TEXTS if name != "iso-2022-jp"])
def test_a_page_in_any_encoding_of_the_web_is_read(cage: Cage, charset: str) -> None:
    name = PYTHONS_NAMES.get(charset, charset)
    page = f"<html><head><title>x</title></head><body><p>{TEXTS[charset]}</p></body></html>"
    document = read_page(cage, page.encode(name), is_html=True, charset=name).document
    assert document is not None
    assert [chunk.content for chunk in document.chunks] == [TEXTS[charset]]


# The C library does not know x-mac-cyrillic by that name.
@pytest.mark.parametrize("charset", [name for name in TEXTS if name != "x-mac-cyrillic"])
def test_a_sitemap_in_any_encoding_of_the_web_is_read(cage: Cage, charset: str) -> None:
    address = f"https://shop.example/{TEXTS[charset]}"
    sitemap = f'<?xml version="1.0" encoding="{charset}"?><urlset><url><loc>{address}</loc></url></urlset>'
    read = read_sitemap(cage, sitemap.encode(PYTHONS_NAMES.get(charset, charset)))
    assert read.pages == (address,)
