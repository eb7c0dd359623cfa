"""Loaded before the cage forks: reads a page of ours, so that no fork compiles what libraries compile at first use."""

import gc

from apps.extraction.sandbox.pages import read

_PAGE = """<html><head><title>A page</title><meta name="robots" content="index"></head>
<body><nav><a href="/">Home</a></nav><main><h1>A page</h1>
<p>Its first paragraph, with <a href="/more">a link</a> to more of it, is long enough to be read.</p>
<h2>A table</h2><table><tr><th>Name</th><th>Price</th></tr><tr><td>Milk</td><td>80</td></tr></table>
<ul><li>One</li><li>Two</li></ul></main><footer>The end</footer></body></html>"""

read(_PAGE.encode(), is_html=True, charset="utf-8")
gc.collect()
gc.freeze()
