"""Demand signals: how the wording of questions is compared (docs/guides/learning.md)."""

import re
from datetime import timedelta

MAX_QUESTION = 300
ALIKE = 0.45
TOPIC_LIVES = timedelta(days=90)
KEPT = timedelta(days=400)
DISSATISFIED = 2
SAMPLES = 3
FLOORS = frozenset({"safety_floor", "human_request", "trigger"})

# One Latin letter for each letter of other alphabets: PostgreSQL's trigrams are the same in every locale then
# (docs/adr/0023).
_LETTERS = str.maketrans(
    "абвгдежзийклмнопрстуфхцчшщъыьэюяαβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋäöüáéíóúñàèìòùâêîôûç",
    "abvgdejziyklmnoprstufhc4wq617329abgdezh8iklmnxoprsstufx5waehiouwiuaouaeiounaeiouaeiouc",
)
_NAMED = re.compile(r"\[(?:EMAIL|PHONE|CARD)_\d+\]")


def folded(question: str) -> str:
    """The words of a question, as they are compared with those of others; of personal data nothing."""
    words = re.findall(r"\w+", _NAMED.sub(" ", question).casefold().replace("ё", "е").translate(_LETTERS))
    return " ".join(words)[: 2 * MAX_QUESTION]


def is_gap(*, rag_status: str, transformation: str, reason: str) -> bool:
    """Whether an answer shows that knowledge is missing: it was looked for in vain, and the burst was a question.

    A handover at the visitor's own words is none: whatever was known, they asked for a person.
    """
    return rag_status == "empty" and transformation != "social_reply" and reason not in FLOORS
