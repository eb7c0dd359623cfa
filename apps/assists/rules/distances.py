"""How far what was sent is from what was offered. Pure."""

import re
from difflib import SequenceMatcher

# From here on a draft was made otherwise, and something may be learnt of it.
MADE_OTHERWISE = 0.2
# Words of each text that are compared.
MOST_WORDS = 1_500
_WORD = re.compile(r"\w+|[^\w\s]")


def distance(offered: str, sent: str) -> float:
    """From 0 (the same words in the same order) to 1 (none of them), with three digits."""
    if offered.strip() == sent.strip():
        return 0.0
    before, after = (_WORD.findall(text.casefold())[:MOST_WORDS] for text in (offered, sent))
    alike = SequenceMatcher(None, before, after, autojunk=False).ratio()
    return round(1 - alike, 3)


def is_made_otherwise(far: float | None) -> bool:
    """Whether what was sent is so far from the draft that it may become a test case, or a wish."""
    return far is not None and far >= MADE_OTHERWISE
