"""Templates of assistants, written by hand for a trade and a language: a file each, `<slug>.<language>.toml`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

CATEGORIES = (
    *("retail", "logistics", "software", "health", "beauty", "real_estate", "hospitality", "education", "services"),
)
FALLBACK = "en"


class Template(NamedTuple):
    """An assistant as the trade would set it up. `version` rises whenever its text changes."""

    slug: str
    language: str
    version: int
    category: str
    name: str
    description: str
    persona: str
    system_prompt: str
    triggers: tuple[str, ...]
    greeting: str
    quick_phrases: tuple[str, ...]
    temperature: float
    rag_enabled: bool


@cache
def templates() -> Mapping[str, Mapping[str, Template]]:
    """All of them, by slug and language."""
    found: dict[str, dict[str, Template]] = {}
    for path in sorted(Path(__file__).parent.glob("*.toml")):
        slug, language = path.stem.split(".")
        found.setdefault(slug, {})[language] = _read(path, slug, language)
    return found


def _read(path: Path, slug: str, language: str) -> Template:
    told = tomllib.loads(path.read_text(encoding="utf-8"))
    told |= {name: told[name].strip() for name in ("persona", "system_prompt")}
    told |= {name: tuple(told[name]) for name in ("triggers", "quick_phrases")}
    return Template(slug=slug, language=language, **told)


def in_language(slug: str, language: str) -> Template:
    """The template in that language, else in English. Raises KeyError for an unknown one."""
    languages = templates()[slug]
    return languages.get(language) or languages[FALLBACK]
