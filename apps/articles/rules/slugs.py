"""The last part of an article's address, and the name of a help center in addresses. Pure."""

import re

from apps.articles.rules.limits import MAX_CENTER_SLUG, MAX_SLUG, MIN_CENTER_SLUG
from apps.core.parsing.normal_forms import normalize

SLUG = re.compile(r"[a-z0-9-]{0,80}")
CENTER_SLUG = re.compile(r"[a-z0-9-]{3,40}")

# A letter and its Latin spelling. Accents are taken off by Unicode's own table.
_PAIRS = (
    "аa бb вv гg дd еe ёe жzh зz иi йy кk лl мm нn оo пp рr сs тt уu фf хh цts чch шsh щsch ъ ыy ь эe юyu яya іi "
    "їyi єye ґg ўu αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo ßss "
    "æae œoe øo łl đd ıi þth"
)
_LETTERS = str.maketrans({pair[0]: pair[1:] for pair in _PAIRS.split()})
_MARKS = re.compile("[\u0300-\u036f]+")
_RUN = re.compile(r"[^a-z0-9]+")


def slug_of(title: str, *, longest: int = MAX_SLUG) -> str:
    """The slug of a title: Russian and Greek by letters; other letters are left out, so it may be empty.

    >>> slug_of("Возврат денег: 14 дней"), slug_of("Επιστροφή"), slug_of("退款")
    ('vozvrat-deneg-14-dney', 'epistrofi', '')
    """
    composed = normalize("NFC", title.lower()).translate(_LETTERS)
    plain = _MARKS.sub("", normalize("NFKD", composed)).translate(_LETTERS)
    plain = _RUN.sub("-", plain.lower()).strip("-")
    if len(plain) <= longest:
        return plain
    cut = plain[: longest + 1].rpartition("-")[0] or plain[:longest]
    return cut.strip("-")


def center_slug_of(name: str) -> str | None:
    """The slug of a help center of that name; None where too little is left of it."""
    found = slug_of(name, longest=MAX_CENTER_SLUG)
    return found if len(found) >= MIN_CENTER_SLUG else None


def is_slug(slug: str) -> bool:
    """Whether a text may be an article's slug; an empty one may."""
    return SLUG.fullmatch(slug) is not None


def is_center_slug(slug: str) -> bool:
    """Whether a text may be a help center's slug."""
    return CENTER_SLUG.fullmatch(slug) is not None
