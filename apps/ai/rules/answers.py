"""The part of a model's words that may be shown (docs/guides/ai.md, "Floors on the answer")."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from apps.ai.rules.prompts import ANY_KEY

MAX_ANSWER = 4_000

_MARKER = re.compile(r"\[\s*KEY_TO_OPERATOR\s*\]", re.IGNORECASE)
_IMAGE = re.compile(r"!\[(?P<label>[^\]]*)\]\([^)]*\)")
_LINK = re.compile(r"\[(?P<label>[^\]\[]*)\]\(\s*(?P<url>[^)\s]*)[^)]*\)")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<!--.*?-->", re.DOTALL)
_ADDRESS = re.compile(
    r"(?P<mail>[\w.+%-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|(?P<url>(?:[a-z][a-z0-9+.-]{1,20}:)?//[^\s<>\"'()\[\]]+|www\.[^\s<>\"'()\[\]]+)"
    r"|(?P<bare>(?<![\w@./-])(?:[a-z0-9-]+\.)+(?:com|net|org|info|biz|ru|рф|io|me|co|app|dev|shop|store|online|site|xyz|"
    r"top|cn|de|es|gr|eu|uk|us|ly|link|click)(?![\w-])(?:/[^\s<>\"'()\[\]]*)?)",
    re.IGNORECASE,
)
_HOST = re.compile(r"^(?:[a-z][a-z0-9+.-]*:)?(?://)?(?:[^/@?#]*@)?(?P<host>[^/:?#]+)", re.IGNORECASE)


class ReadAnswer(NamedTuple):
    """A model's words, read: the text that may be shown, and what they gave away.

    marked: the marker `[KEY_TO_OPERATOR]` was in them. leaked: the canary was; then the text is empty.
    """

    text: str
    marked: bool
    leaked: bool


def read_answer(answer: str, *, canary: str, allowed: Iterable[str]) -> ReadAnswer:
    """Reads what a model said.

    With the canary in it, it is empty. The marker is read off, in any case and with spaces inside its brackets, and
    every `[KEY_…]` is cut out. Tags and images go. A link or an e-mail address stays only if its host (the address)
    stands in one of the `allowed` texts; of a link that goes its label stays. At most 4,000 characters.
    """
    if canary and canary in answer:
        return ReadAnswer("", marked=False, leaked=True)
    marked = _MARKER.search(answer) is not None
    text = ANY_KEY.sub("", answer)
    text = _IMAGE.sub("", text)
    text = _TAG.sub("", text)
    known = Known(allowed)
    text = _LINK.sub(lambda link: link[0] if known.host_of(link["url"]) else link["label"], text)
    text = _ADDRESS.sub(lambda address: address[0] if known.address(address) else "", text)
    text = re.sub(r"[ \t]{2,}", " ", re.sub(r" *\n *", "\n", text)).strip()
    return ReadAnswer(text[:MAX_ANSWER].rstrip(), marked, leaked=False)


class Known:
    """The hosts and addresses that stand in texts which may be repeated."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._hosts: set[str] = set()
        self._mails: set[str] = set()
        for text in texts:
            for found in _ADDRESS.finditer(text):
                if found["mail"]:
                    self._mails.add(found["mail"].casefold())
                else:
                    self._hosts.add(_host(found[0]))

    def address(self, found: re.Match[str]) -> bool:
        """Whether an address that was found in an answer is known."""
        if found["mail"]:
            return found["mail"].casefold() in self._mails
        return _host(found[0]) in self._hosts

    def host_of(self, url: str) -> bool:
        """Whether the address that a link leads to is of a known host, or a known mailbox."""
        if url.casefold().startswith("mailto:"):
            return url[len("mailto:") :].partition("?")[0].casefold() in self._mails
        return _host(url) in self._hosts


def _host(url: str) -> str:
    found = _HOST.match(url.strip())
    return found["host"].casefold().rstrip(".").removeprefix("www.") if found else ""
