"""The part of a model's words that may be shown (docs/guides/ai.md, "Floors on the answer")."""

import re
from collections.abc import Iterable
from itertools import chain, pairwise
from typing import NamedTuple

from apps.ai.rules.facts import sentences_of
from apps.ai.rules.links import Token, tokens
from apps.ai.rules.prompts import ANY_KEY

MAX_ANSWER, MAX_LETTER = 4_000, 3_000
# Everything behind is not read: every pattern below meets a bounded text.
MAX_READ = 8_000
_MAX_KNOWN = 50_000

_MARKER = re.compile(r"\[\s*+KEY_TO_OPERATOR\s*+\]", re.IGNORECASE)
# Each part ends where the next one may begin, so that no character is looked at again for each beginning before it.
_TARGET = r"(?>(?:[^()]|\([^()]*+\))*)"
_SPACES = re.compile(r"[ \t]{2,}")
_IMAGE = re.compile(rf"!\[[^\]\[]*+\]\({_TARGET}\)")
_LINK = re.compile(rf"\[(?P<label>[^\]\[]*+)\]\((?P<target>{_TARGET})\)")
_TAG = re.compile(r"</?(?P<name>[A-Za-z][\w:-]*+)(?P<rest>[^<>]*+)>|<!--(?>(?:[^<-]|-(?!->)|<(?!!--))*)-->")
_ATTRIBUTE = re.compile(r"[\s/]on[a-z]++\s*+=|[\s/][\w:-]++\s*+=\s*+[\"']", re.IGNORECASE)
_AUTOLINK = re.compile(r"<(?P<address>(?:https?://|mailto:)[^\s<>]++|[^\s<>@]++@[^\s<>@]++)>", re.IGNORECASE)
_ANCHOR = re.compile(r"<a\s[^<>]*+>[^<>]*+</a\s*+>", re.IGNORECASE)
_HREF = re.compile(r"\shref\s*+=\s*+[\"']?(?P<address>[^\s\"'<>]++)", re.IGNORECASE)
# Elements of HTML, and what models set their thoughts and calls between; `<Enter>` and `vector<int>` are none.
_NAMES = (
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo big blink blockquote body br"
    " button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em"
    " embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr"
    " html i iframe img input ins isindex kbd keygen label layer legend li link listing main map mark marquee math"
    " menu menuitem meta meter nav nobr noembed noframes noscript object ol optgroup option output p param picture"
    " plaintext portal pre progress q rp rt ruby s samp script search section select slot small source span strike"
    " strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul"
    " var video wbr xmp answer assistant function reasoning response system think thinking thought tool_call user"
)
_ELEMENTS = frozenset(_NAMES.split())
_HOST = re.compile(
    r"(?:https?:)?(?://)?(?P<host>[^\s/@?#:\\]++)(?P<port>:\d{1,5})?(?P<path>[/?#][^\s\\]*+)?", re.IGNORECASE
)


class ReadAnswer(NamedTuple):
    """A model's words, read: the text that may be shown, and what they gave away.

    marked: the marker `[KEY_TO_OPERATOR]` was in them. leaked: the canary was; then the text is empty.
    """

    text: str
    marked: bool
    leaked: bool


class LinkSources(NamedTuple):
    """The links that an answer may repeat.

    hosts: the site's and those that the settings name; any address on them. owner: texts that the owner wrote; any
    address on a host that stands in them. given: knowledge and the visitor's own words; exactly the addresses that
    stand in them, for others may have written there.
    """

    hosts: Iterable[str] = ()
    owner: Iterable[str] = ()
    given: Iterable[str] = ()


def read_answer(
    answer: str, *, canary: str, links: "KnownLinks | None" = None, longest: int = MAX_ANSWER
) -> ReadAnswer:
    """Reads what a model said.

    With the canary in it, it is empty. The marker is read off, in any case and with spaces inside its brackets, and
    every `[KEY_…]` is cut out. Tags and images go. A link or an e-mail address stays only if `links` knows it; of a
    link of Markdown that goes its label stays; a sentence that would miss a word goes whole. The first 8,000 characters
    are read, and at most `longest` shown.
    """
    if canary and canary in answer:
        return ReadAnswer("", marked=False, leaked=True)
    answer = answer[:MAX_READ].replace(_HOLE, "")
    marked = _MARKER.search(answer) is not None
    text = ANY_KEY.sub("", answer)
    text = _IMAGE.sub("", text)
    text = _AUTOLINK.sub(r"\g<address>", text)
    text = _ANCHOR.sub(_as_link, text)
    text = _TAG.sub(_without_tag, text)
    text = _linked(text, links or KnownLinks(LinkSources()))
    text = "".join(map(_without_hole, sentences_of(text))) if _HOLE in text else text
    lines = (_line(line) for line in text.split("\n"))
    return ReadAnswer(_BREAKS.sub("\n\n", "\n".join(lines)).strip()[:longest].rstrip(), marked, leaked=False)


def _line(line: str) -> str:
    """A line without the white space that was left where something went; what is set in, as in a list, stays so."""
    indent = line[: len(line) - len(line.lstrip(" "))]
    return (indent if len(indent) > 1 else "") + _SPACES.sub(" ", line.strip(" "))


def _as_link(anchor: re.Match[str]) -> str:
    opening, _, label = anchor[0].partition(">")
    address = _HREF.search(opening)
    label = label.partition("<")[0]
    return f"[{label}]({address['address']})" if address and label.strip() else label


# Tags in whose places a reader sees something: a new line, an entry of a list, a gap between cells.
_BLOCKS = "blockquote|p|div|tr|table|ul|ol|pre|h1|h2|h3|h4|h5|h6|dt|dd|section|article"
_SEEN = {"<li": "\n- ", "<br": "\n", "</td": " ", "</th": " "} | {f"</{name}": "\n" for name in _BLOCKS.split("|")}
_BREAKS = re.compile(r"\n{3,}")


def _without_tag(tag: re.Match[str]) -> str:
    if not _is_html(tag):
        return tag[0]
    return _SEEN.get(tag[0][: -len(tag["rest"]) - 1].casefold(), "") if tag["name"] else ""


def _is_html(tag: re.Match[str]) -> bool:
    name = tag["name"]
    return name is None or name.casefold() in _ELEMENTS or _ATTRIBUTE.search(tag["rest"]) is not None


def _linked(text: str, known: "KnownLinks") -> str:
    """The text with the known links alone: those of Markdown first, then whatever else a reader makes a link of."""
    pieces: list[str] = []
    plain = ""
    end = 0
    for link in _LINK.finditer(text):
        plain += text[end : link.start()]
        end = link.end()
        if known.has(_address_of(link["target"])):
            pieces += (_bare(plain, known), link[0])
            plain = ""
        else:
            plain += link["label"]
    return "".join((*pieces, _bare(plain + text[end:], known)))


def _address_of(target: str) -> str:
    """The address of a link of Markdown, without its title."""
    words = target.split(maxsplit=1)
    return words[0].removeprefix("<").removesuffix(">") if words else ""


def _bare(text: str, known: "KnownLinks") -> str:
    pieces: list[str] = []
    end = 0
    for token in tokens(text):
        if known.token(token):
            continue
        pieces.append(text[end : token.start])
        pieces.append(token.text.replace(".", ". ") if _ends_a_sentence(token) else _name_in(token) or _HOLE)
        end = token.end
    return "".join((*pieces, text[end:]))


# Stands where an address was taken out.
_HOLE = "\0"
_IN_BRACKETS = re.compile(r"[ \t]?[(\[][^()\[\]\n]*?\0[^()\[\]\n]*[)\]]")
_CLAUSE = re.compile(r"[,;\u2013\u2014](?=\s)")
_END = re.compile(r"[.!?…\u3002]*\s*\Z")
_FEWEST_WORDS = 3


def _name_in(token: Token) -> str:
    """The words of a bare host, which is as likely a shop's name (`Klarna.com`); "" where it says more."""
    labels = token.text.split(".")
    is_bare = token.kind == "domain" and len(labels) == 2 and all(label.replace("-", "").isalpha() for label in labels)
    return labels[0] if is_bare and not labels[0].startswith("xn--") else ""


def _without_hole(sentence: str) -> str:
    """A sentence that an address was taken out of: without the brackets or the clause that it stood in, else nothing.

    "We deliver in three days, see …" is whole without its end; "Pay by … or …" is not.
    """
    if _HOLE not in sentence:
        return sentence
    sentence = _IN_BRACKETS.sub("", sentence)
    if _HOLE not in sentence:
        return sentence
    end = _END.search(sentence)
    closing = end[0] if end else ""
    starts = [0, *(match.start() for match in _CLAUSE.finditer(sentence)), len(sentence) - len(closing)]
    clauses = [sentence[start:stop] for start, stop in pairwise(starts)]
    if _HOLE in clauses[0] or len(clauses[0].split()) < _FEWEST_WORDS:
        return "\n" * closing.count("\n")
    return "".join(clause for clause in clauses if _HOLE not in clause) + closing


def _ends_a_sentence(token: Token) -> bool:
    """Whether it is two sentences without a space between them, such as "worldwide.It"."""
    before, _, last = token.text.rpartition(".")
    return token.kind == "domain" and "." not in before and last.isalpha() and last[0].isupper() and last[1:].islower()


class KnownLinks:
    """The hosts, addresses and mailboxes that may be repeated: sources are read once, here, for all that follows."""

    def __init__(self, links: LinkSources) -> None:
        self._hosts = {place.host for host in links.hosts if (place := _place(host))}
        self._addresses: set[str] = set()
        self._mailboxes: set[str] = set()
        for texts, is_owners in ((links.owner, True), (links.given, False)):
            self._read([text[:_MAX_KNOWN] for text in texts], is_owners=is_owners)

    def _read(self, texts: list[str], *, is_owners: bool) -> None:
        for link in chain.from_iterable(map(_LINK.finditer, texts)):
            self._add(_address_of(link["target"]), is_owners=is_owners)
        # White space ends an address, so none goes on in the next text.
        for token in tokens("\n".join(_LINK.sub(r"\g<label>", text) for text in texts)):
            if token.kind == "email":
                self._mailboxes.add(token.text.casefold())
            else:
                self._add(token.text, is_owners=is_owners)

    def _add(self, address: str, *, is_owners: bool) -> None:
        if mailbox := _mailbox(address):
            self._mailboxes.add(mailbox)
        elif place := _place(address):
            self._addresses.add(place.whole)
            if is_owners:
                self._hosts.add(place.host)

    def token(self, token: Token) -> bool:
        """Whether that part of an answer may stay: it is known, or nothing that a reader follows."""
        match token.kind:
            case "command" | "handle":
                return True
            case "ipv4" if token.text.replace(".", "").isdecimal():  # a version, as likely as an address
                return True
            case "email":
                return token.text.casefold() in self._mailboxes
        return self.has(token.text)

    def has(self, address: str) -> bool:
        """Whether the address is of a known host, is known itself, or is a known mailbox, or a phone number."""
        if address.casefold().startswith("tel:"):
            return True
        if mailbox := _mailbox(address):
            return mailbox in self._mailboxes
        place = _place(address)
        return place is not None and (place.host in self._hosts or place.whole in self._addresses)


class _Place(NamedTuple):
    host: str
    whole: str


def _place(address: str) -> _Place | None:
    """The host of a web address, and the address as it is compared; None where it is none, or names a user."""
    found = _HOST.fullmatch(address.strip().rstrip(".,;:!?"))
    if found is None:
        return None
    host = found["host"].casefold().rstrip(".").removeprefix("www.")
    path = (found["path"] or "").removesuffix("/")
    return _Place(host, f"{host}{found['port'] or ''}{path}") if host else None


def _mailbox(address: str) -> str:
    """The mailbox of a `mailto:` address; empty for others."""
    if not address.casefold().startswith("mailto:"):
        return ""
    return address[len("mailto:") :].partition("?")[0].casefold()
