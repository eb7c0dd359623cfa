"""Loaded before the cage forks: reads a page of ours, so that no fork has to load or compile what libraries only do at
first use.
"""

import gc
import importlib
import pkgutil
from typing import Any

import idna  # noqa: F401 - of urllib3, at its first host in other letters

from apps.extraction.sandbox import charsets
from apps.extraction.sandbox.pages import read, sitemap

_PAGE = """<html><head><title>A page</title><meta name="robots" content="index"></head>
<body><nav><a href="/">Home</a></nav><main><h1>A page</h1>
<p>Its first paragraph, with <a href="/more">a link</a> to more of it, is long enough to be read.</p>
<h2>A table</h2><table><tr><th>Name</th><th>Price</th></tr><tr><td>Milk</td><td>80</td></tr></table>
<ul><li>One</li><li>Two</li></ul></main><footer>The end</footer></body></html>"""

_SITEMAP = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>"""

# Files that trafilatura looks into for pages with little text. To read them takes 7 ms, to make one set of them 200.
_fallback: Any = importlib.import_module("trafilatura.external")
_STOPLISTS = {
    language: pkgutil.get_data("justext", f"stoplists/{language}.txt") or b"" for language in _fallback.get_stoplists()
}


def _stoplist(language: str) -> frozenset[str]:
    return frozenset(word.decode().lower() for word in _STOPLISTS[language].splitlines())


_fallback.get_stoplists, _fallback.get_stoplist = lambda: frozenset(_STOPLISTS), _stoplist
charsets.load_converters()
read(_PAGE.encode(), is_html=True, charset="utf-8")
sitemap(_SITEMAP.encode())
gc.collect()
gc.freeze()
