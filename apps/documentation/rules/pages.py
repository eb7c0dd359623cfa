"""How a guide's Markdown becomes a page."""

import posixpath
from collections.abc import Callable
from functools import partial

from apps.documentation.rules import markdown
from apps.documentation.rules.markdown import RenderedMarkdown

# A link of a file below `docs/` to another, without its fragment, to the address of that; None: it is not served.
Addresses = Callable[[str], str | None]


def render(text: str, file: str, addresses: Addresses) -> RenderedMarkdown:
    """The page of a file below `docs/`, without its title. Foreign HTML is shown as text.

    A relative link leads to where its target is served; where that is not, its text stays without a link.
    """
    links = partial(_address, folder=posixpath.dirname(file), addresses=addresses)
    return markdown.render(text, links=links, takes_title=True)


def _address(link: str, *, folder: str, addresses: Addresses) -> str | None:
    if link.startswith(("#", "/", "http://", "https://")):
        return link
    path, hash_, fragment = link.partition("#")
    address = addresses(posixpath.normpath(posixpath.join(folder, path)))
    return None if address is None else f"{address}{hash_}{fragment}"
