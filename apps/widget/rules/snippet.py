"""The lines that put a widget into a page. Pure.

The first one takes calls of `Parley` until the loader has come, which makes them in their order: the page's own scripts
need wait for nothing. It is the same for every widget, so that a Content-Security-Policy can name it by its hash. Pages
with an older line, which lacks the newer calls, go on: the loader brings them all.
"""

import base64
import hashlib

STUB = (
    "{const q=[];if(!window.Parley?.on){window.Parley={q};for(const n of"
    '"open close toggle identify setAttributes setLanguage reset track consent '
    'showInvitation whyNot openArticle on off".split(" "))'
    'Parley[n]=(...a)=>n=="whyNot"?new Promise(r=>q.push([n,a,r])):(q.push([n,a]),()=>Parley.off(...a))}}'
)


def snippet(script_url: str) -> str:
    """The lines of a widget with that loader."""
    return f"<script>{STUB}</script>\n{script_tag(script_url)}"


def script_tag(script_url: str) -> str:
    """The line that loads the widget: enough for a page whose scripts call nothing."""
    return f'<script async src="{script_url}"></script>'


def stub_source() -> str:
    """The first line as a Content-Security-Policy names it (CSP Level 3, "hash-source")."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(STUB.encode()).digest()).decode()}'"
