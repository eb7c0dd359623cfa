"""The model of the played tea shop: it knows the pieces that it is given, and names its source.

It is played: it looks for the piece that has the most of a question's words, and translates by its phrase book.
A text of other people's is "translated" by naming the language in brackets.
"""

import json
import re
from collections.abc import Iterable
from typing import NamedTuple

from apps.ai.rules.languages import language_of
from apps.demo.data.phrase_book import COMMON, COURTESIES, PHRASES, UNKNOWN
from apps.demo.servers.language_models import all_words, behaving, last_words, said
from apps.demo.servers.played import PlayedRequest, Says

# Beginnings of words are compared: "delivery", "delivered" and "delivers" are one.
_STEM, _LEAST = 5, 3
_WORD = re.compile(r"[^\W\d_]+")
_PIECES = re.compile(r"\[(\d{1,2})\] (.*?)(?=\n\n\[\d{1,2}\] |\n<[0-9a-f]{16}>)", re.DOTALL)
_FENCE = re.compile(r"<[0-9a-f]{16}>")
_REPLY_LANGUAGE = re.compile(r"^(?:Reply language: |Write in the language `)(\w\w)\b", re.MULTILINE)


class ShopPiece(NamedTuple):
    """A numbered piece of the knowledge in a request."""

    number: int
    title: str
    text: str


def answer(request: PlayedRequest) -> Says | dict[str, object]:
    """The answer of the shop's model to a request of any wire format."""
    if request.method == "GET" or "mbed" in request.path or "/audio/" in request.path:
        return behaving("echo")(request)
    return said(request, words_for(request))


def words_for(request: PlayedRequest) -> str:
    """The words of an answer, by the kind of question."""
    match request.headers.get("x-service-purpose"):
        case "classifier":
            return '{"escalate": false}'
        case "examination":
            return questions(last_words(request))
        case "summary":
            return summary(last_words(request))
        case "translation":
            return translated(last_words(request))
        case "rewrite" | "tuning":
            return last_words(request)
        case "draft":
            return replied(last_words(request), all_words(request), is_draft=True)
    return replied(last_words(request), all_words(request))


def pieces(words: str) -> list[ShopPiece]:
    """The numbered pieces that stand in a request."""
    found = []
    for number, text in _PIECES.findall(words):
        title, _, content = text.strip().partition("\n")
        found.append(ShopPiece(int(number), title if content else "", content or title))
    return found


def stems(text: str) -> set[str]:
    """The beginnings of a text's longer words."""
    return {
        word[:_STEM]
        for word in (match[0].casefold() for match in _WORD.finditer(text))
        if len(word) >= _LEAST and word not in COMMON
    }


def best(question: str, known: Iterable[ShopPiece], language: str) -> ShopPiece | None:
    """The piece that has the most of the question's words, of the language before others; None where none has any."""
    asked = stems(question)
    ranked = [
        (len(asked & stems(f"{piece.title} {piece.text}")), language_of(piece.text) == language, -piece.number, piece)
        for piece in known
    ]
    found = max(ranked, default=None)
    return found[3] if found is not None and found[0] else None


def replied(question: str, words: str, *, is_draft: bool = False) -> str:
    """The answer to a visitor, in their language: a piece's text, a courtesy, or that it is not known.

    A draft has the number of the piece behind it.
    """
    question = _FENCE.split(question)[-1].strip()  # the pieces may stand before it, in the same message
    told = _REPLY_LANGUAGE.search(words)
    language = told[1] if told else language_of(question) or "en"
    if "?" not in question and (courtesy := polite(question, language)):
        return courtesy
    piece = best(question, pieces(words), language)
    if piece is not None:
        return f"{piece.text} [{piece.number}]" if is_draft else piece.text
    return polite(question, language) or UNKNOWN.get(language, UNKNOWN["en"])


def polite(said_first: str, language: str) -> str | None:
    """The answer to a greeting or thanks; None to anything else."""
    begins = said_first.casefold().lstrip(" ¡")
    phrases = COURTESIES.get(language, COURTESIES["en"])
    return next((reply for word, reply in phrases.items() if begins.startswith(word)), None)


def summary(conversation: str) -> str:
    """A conversation summed up: the visitor's first line, the last answer, and the visitor's words after it."""
    lines = [line.partition(": ") for line in conversation.splitlines() if ": " in line]
    visitor = [text for who, _, text in lines if who == "Visitor"]
    answered = [text for who, _, text in lines if who != "Visitor"]
    is_open = bool(lines) and lines[-1][0] == "Visitor"
    made = {
        "wants": next((text for text in visitor if "?" in text), visitor[0] if visitor else ""),
        "done": answered[-1] if answered else "",
        "open": visitor[-1:] if is_open else [],
        "promised": [],
        "tags": [],
    }
    return json.dumps(made, ensure_ascii=False)


def translated(wish: str) -> str:
    """Texts in another language: those of the phrase book as it has them, others with the language before them."""
    try:
        asked = json.loads(wish)
        to, texts = str(asked["to"]), [str(text) for text in asked["texts"]]
    except (ValueError, TypeError, KeyError):
        return wish
    spoken = next((found for text in texts if (found := language_of(text))), "en")
    known = {text: phrase for phrase in PHRASES for text in phrase.values()}
    made = [known.get(text.strip(), {}).get(to) or (text if spoken == to else f"({to}) {text}") for text in texts]
    return json.dumps({"language": spoken, "texts": made}, ensure_ascii=False)


def questions(passages: str) -> str:
    """A question for each passage: its title, which the shop's own pieces write as one."""
    try:
        titles = [str(passage["title"]) for passage in json.loads(passages)]
    except (ValueError, TypeError, KeyError):
        titles = []
    return json.dumps([title if title.endswith("?") else f"{title}?" for title in titles if title], ensure_ascii=False)
