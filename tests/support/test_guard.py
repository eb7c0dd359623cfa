"""The text guard (specification: endpoints "Support agents", reply rules 2 and 3; docs/guides/answers-of-agents.md)."""

import re
import unicodedata
from datetime import UTC, datetime, timedelta
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linkify_it import LinkifyIt
from publicsuffixlist import PublicSuffixList

from apps.support.rules.guard import Catalogue, GuardFailed, LinksRefused, TextRefused, checked
from apps.support.rules.guard.allow import host_key
from tests.support.guard_texts import LINKS, NOT_PLAIN, OFFICIAL, OWNERS, WORDS

PUBLIC = PublicSuffixList(only_icann=True, accept_unknown=False)
TOP_LEVEL = sorted(name for name in PUBLIC._publicsuffix if "." not in name)


def is_refused(text: str) -> bool:
    try:
        checked(text, OWNERS)
    except (TextRefused, LinksRefused, GuardFailed):
        return True
    return False


class TestTexts:
    def test_the_corpus_has_over_three_hundred_texts(self) -> None:
        assert len({*WORDS, *OFFICIAL, *LINKS, *NOT_PLAIN}) > 300

    @pytest.mark.parametrize("text", WORDS)
    def test_plain_words_are_sent_as_they_stand(self, text: str) -> None:
        assert checked(text, Catalogue()) == text.replace("\u200d", "")

    @pytest.mark.parametrize("text", OFFICIAL)
    def test_the_owners_links_may_be_sent_and_nobody_elses(self, text: str) -> None:
        assert checked(text, OWNERS) == text
        with pytest.raises(LinksRefused):
            checked(text, Catalogue())

    @pytest.mark.parametrize("text", LINKS)
    def test_other_links_are_refused_by_kind_and_view(self, text: str) -> None:
        with pytest.raises(LinksRefused) as refused:
            checked(text, OWNERS)
        first = refused.value.offending[0]
        assert (first.kind, first.view) == LINKS[text]

    @pytest.mark.parametrize("text", NOT_PLAIN, ids=lambda text: ascii(text)[:20])
    def test_what_is_not_plain_is_refused_by_its_reason(self, text: str) -> None:
        with pytest.raises(TextRefused) as refused:
            checked(text, OWNERS)
        assert refused.value.reason == NOT_PLAIN[text]

    def test_the_text_is_stored_normalised(self) -> None:
        assert checked("a\u00a0b\u2003c\u200bd\u00ade\ufefff\n\ng ", OWNERS) == "a b cdef\n\ng "

    @pytest.mark.parametrize("text", ["а" * 3500, "а" * 3500 + "\u200b", "⚠️ " * 1000])
    def test_a_text_has_up_to_3500_characters_after_that(self, text: str) -> None:
        assert len(checked(text, OWNERS)) <= 3500


class TestOffending:
    def test_each_link_is_named_once_in_the_order_of_the_text(self) -> None:
        with pytest.raises(LinksRefused) as refused:
            checked("@evil evil.com, shop.example.com, evil.com; b@evil.com evil。org %40other", OWNERS)
        assert refused.value.offending == [
            ("@evil", "handle", "text"),
            ("evil.com", "domain", "text"),
            ("b@evil.com", "email", "text"),
            ("evil.org", "domain", "folded"),
            ("@other", "handle", "decoded"),
        ]

    def test_closing_punctuation_is_no_part_of_it(self) -> None:
        with pytest.raises(LinksRefused) as refused:
            checked("(см. https://evil.com/a).", OWNERS)
        assert [offence.token for offence in refused.value.offending] == ["https://evil.com/a"]

    def test_over_a_hundred_links_are_not_judged(self) -> None:
        hundred = "shop.example.com " * 100
        assert checked(hundred, OWNERS) == hundred
        with pytest.raises(GuardFailed):
            checked(hundred + "shop.example.com", OWNERS)

    def test_the_customers_own_mailbox_is_allowed_in_that_chat_alone(self) -> None:
        assert checked("anna@mail.example", OWNERS)
        with pytest.raises(LinksRefused):
            checked("anna@mail.example", Catalogue(emails=("info@shop.example.com",)))


def test_the_list_of_top_level_domains_is_under_a_year_old() -> None:
    data = (files("publicsuffixlist") / "public_suffix_list.dat").read_text(encoding="utf-8")
    version = re.search(r"// VERSION: (\d{4}-\d\d-\d\d)", data)
    assert version is not None
    age = datetime.now(UTC) - datetime.fromisoformat(version[1]).replace(tzinfo=UTC)
    assert age < timedelta(days=365), "make requirements ARGS='--upgrade-package publicsuffixlist'"


# Pieces out of which links are made, and what may stand between them.
PIECES = st.sampled_from(
    [
        *("shop.example.com", "https://", "//", "evil", ".com", ".рф", "/a", "/", "?", "#", "@", "t.me/shop_help"),
        *("info@shop.example.com", "203.0.113.5", "@shop_help", "evil.com", "www.", ":", "8080", ".", "..", "-", "_"),
        *(
            "~",
            " ",
            "\n",
            "(",
            ")",
            "[",
            "]",
            "'",
            '"',
            "«",
            "»",
            ",",
            ";",
            "!",
            "%2e",
            "。",
            "🎉",
            "привет",
            "١",
            "—",
            "…",
        ),
        *(
            "mailto:",
            "tg:",
            "магазин.рф",
            "https://pay.example.org/invoice?id=7",
            "&",
            "=",
            "+",
            "*",
            "|",
            "^",
            "`",
            "$",
        ),
    ]
)
TEXTS = st.lists(PIECES, min_size=1, max_size=8).map("".join)


def is_the_owners(address: str) -> bool:
    """Whether an address that somebody else made a link of leads to the owner: by its host and its mailbox alone."""
    if any(re.fullmatch(rf"(?:https://)?{re.escape(link[8:])}\W*", address) for link in OWNERS.links):
        return True
    address = re.sub(r"^https?://", "", address, flags=re.IGNORECASE)
    if "@" in address and "/" not in address.partition("@")[0]:
        return address.lower() in OWNERS.emails + OWNERS.customer_emails
    host, path = re.fullmatch(r"([^/?#]*)/?(.*)", address, re.DOTALL).groups()  # type: ignore[union-attr]
    if host.lower() == "t.me":
        return re.sub(r"\W+\Z", "", path.lower()) in OWNERS.handles
    return host_key(host) in {host_key(name) for name in OWNERS.hosts} or host in OWNERS.ipv4


LINKIFY = LinkifyIt(options={"fuzzy_ip": True}).tlds(TOP_LEVEL)


@settings(max_examples=500, derandomize=True)
@given(TEXTS)
def test_no_text_that_may_be_sent_has_another_link_for_linkify_it(text: str) -> None:
    if is_refused(text):
        return
    for match in LINKIFY.match(checked(text, OWNERS)) or []:
        assert is_the_owners(match.raw), match


@settings(max_examples=500, derandomize=True)
@given(TEXTS)
def test_nor_by_the_messengers_rules(text: str) -> None:
    if is_refused(text):
        return
    for link in messenger_links(checked(text, OWNERS)):
        assert is_the_owners(link), link


INVISIBLE = st.sampled_from(["\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u180e", "\u034f"])
SPACES = st.sampled_from([" ", "\u00a0", "\u2003", "\u3000"])


@settings(max_examples=500, derandomize=True)
@given(TEXTS, st.data())
def test_what_is_refused_stays_so_with_invisible_characters_other_spaces_and_another_case(
    text: str, data: st.DataObject
) -> None:
    if not is_refused(text):
        return
    disguised = ""
    for character in text:
        disguised += data.draw(st.just("") | INVISIBLE)
        disguised += (
            data.draw(SPACES) if character == " " else data.draw(st.sampled_from([character, character.upper()]))
        )
    assert is_refused(disguised)


def messenger_links(text: str) -> list[str]:
    """What a messenger makes links of, by its documented rules (core.telegram.org/api/entities): hosts with an ending
    of the list and what stands before and behind them, mailboxes, mentions, and commands of a named bot.
    """
    found = [match.group() for match in re.finditer(r"(?<!\w)@[A-Za-z0-9_]{3,32}(?!\w)", text)]
    found = [name for name in found if name[1:].lower() not in OWNERS.handles]
    found += re.findall(r"(?<![\w/<>])/[A-Za-z0-9_]{1,64}@[A-Za-z0-9_]{3,32}(?![\w/<>])", text)
    place = 0
    while (dot := text.find(".", place)) >= 0:
        start = end = dot
        while start and _is_of_host(text[start - 1]):
            start -= 1
        while end < len(text) and _is_of_host(text[end]):
            end += 1
        place = end
        host = text[start:end].rstrip(".")
        label = host.rpartition(".")[2]
        is_ip = re.fullmatch(r"\d{1,3}(\.\d{1,3}){3}", host, re.ASCII) is not None
        if "." not in host.strip(".") or not (is_ip or PUBLIC.is_public(label.lower())):
            continue
        before = text[:start]
        if before.endswith("@"):
            user = re.search(r"[^\s/\[\]{}()'`<>\"@«»\u2000-\u200f\u2016-\u206f]+@\Z", before)
            if user is not None:
                found.append(user.group() + host)
            continue
        if before and not before.endswith("://") and (before[-1].isalnum() or before[-1] in "_/#"):
            continue
        tail = re.match(r"(?::\d{1,5})?(?:[/?#][^\s<>\"«»\u2000-\u200f\u2016-\u206f]*)?", text[start + len(host) :])
        assert tail is not None
        path = tail.group().rstrip(".:;,('?!`")
        while path and path[-1] in ")]}" and path.count(path[-1]) > path.count("([{"[")]}".index(path[-1])]):
            path = path[:-1].rstrip(".:;,('?!`")
        found.append(host + (path if len(path) > 1 or path == "/" else ""))
        place = max(place, start + len(host) + len(path))
    return found


def _is_of_host(character: str) -> bool:
    if character < "\u00c0":
        return character in ".~-_" or (character.isascii() and character.isalnum())
    if "\u2000" <= character <= "\u206f":
        return "\u2010" <= character <= "\u2015"
    return not unicodedata.category(character).startswith("Z")
