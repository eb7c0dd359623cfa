"""The limits of a rule's text, and the part of it that is embedded."""

import hashlib
import unicodedata
from enum import StrEnum

MAX_CONTENT, MAX_DOC_ID, MAX_TITLE, MAX_SOURCE_REF = 4_000, 255, 255, 600

# Of the general categories: controls, formats (zero-width and direction marks, tags), surrogates, private use.
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co"})


class SourceType(StrEnum):
    """The origin of a source. Rules of an `article` change with it alone, where it is written."""

    MANUAL = "manual"
    CRAWL = "crawl"
    UPLOAD = "upload"
    ARTICLE = "article"


class EmbeddingStatus(StrEnum):
    """`ready` has a vector of the model in use, `pending` will get one, the provider refuses a `failed` one's text,
    and for `none` there is no credential that embeds."""

    READY = "ready"
    PENDING = "pending"
    FAILED = "failed"
    NONE = "none"


def manual_ref(doc_id: str | None) -> str:
    """The source of a rule that is written by hand."""
    return "manual" if doc_id is None else f"manual:{doc_id}"


def article_ref(article_id: int, lang: str) -> str:
    """The source of a published article's rules, of one of its languages."""
    return f"article:{article_id}:{lang}"


def is_article_ref(source_ref: str) -> bool:
    """Whether rules of the source change with an article alone."""
    return source_ref.startswith("article:")


def article_of(source_ref: str) -> int | None:
    """The article that the source is of; None of another source."""
    return int(source_ref.split(":")[1]) if is_article_ref(source_ref) else None


def visible(text: str) -> str:
    """The text without invisible and control characters; line breaks and tabs are spaces of its words, and stay."""
    return "".join(mark for mark in text if mark in "\n\t" or unicodedata.category(mark) not in _INVISIBLE)


def is_blank(text: str) -> bool:
    """Whether a reader would see nothing."""
    return not visible(text).strip()


def embedded_text(title: str, content: str) -> str:
    """The embedded text of a rule: its title, then its content, without invisible characters."""
    return visible(f"{title}\n{content}" if title else content)


def digest_of(title: str, content: str) -> bytes:
    """The name of a rule's vector within its widget: SHA-256 of the embedded text."""
    return hashlib.sha256(embedded_text(title, content).encode()).digest()


def doc_id_refusal(doc_id: str) -> str | None:
    """Why a name of a document is none; None for a good one."""
    if is_blank(doc_id):
        return "This name shows nothing."
    if any(unicodedata.category(mark) == "Cc" for mark in doc_id):
        return "Control characters are not allowed."
    return None
