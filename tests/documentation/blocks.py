"""The blocks of code of the guides, as somebody copies them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import dedent

from apps.documentation.library import FOLDER
from apps.documentation.rules.catalogue import GUIDES

# What behind the language is seen by nobody who reads the page.
NOT_RUN = re.compile(r'not-run="(.+)"')
SERVER = re.compile(r"server=(\d+)")
STARTS = re.compile(r'starts="service"')
_BLOCK = re.compile(r"^( *)```(\w+)([^\n]*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A block: its guide's name, its language, its text, and what is said of it behind the language."""

    guide: str
    language: str
    text: str
    about: str

    @property
    def reason(self) -> str | None:
        """Why it can't be run on one machine; None where it can."""
        found = NOT_RUN.search(self.about)
        return found[1] if found else None

    @property
    def port(self) -> int | None:
        """Where the server that it starts listens; None where it starts none."""
        found = SERVER.search(self.about)
        return int(found[1]) if found else None

    @property
    def starts_service(self) -> bool:
        return STARTS.search(self.about) is not None


def blocks_of(guide: str, *languages: str) -> list[Block]:
    """The blocks of a guide, of these languages."""
    text = (FOLDER / GUIDES[guide].file).read_text()
    return [each for each in _blocks(guide, text) if each.language in languages]


def _blocks(guide: str, text: str) -> Iterator[Block]:
    for _, language, about, code in _BLOCK.findall(text):
        yield Block(guide, language, dedent(code), about.strip())
