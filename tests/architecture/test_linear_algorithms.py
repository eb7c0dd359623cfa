"""Algorithms on foreign text are linear, as its patterns are (`test_linear.py`)."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from apps.accounts.rules import is_phone
from apps.ai.rules import handover_rules, prompts
from apps.ai.rules.answers import KnownLinks, LinkSources, read_answer
from apps.ai.rules.facts import KnownFacts
from apps.ai.rules.links import tokens
from apps.ai.rules.phrases import stripped
from apps.articles.rules.pieces import pieces_of
from apps.articles.rules.tallies import is_robot, kept_query
from apps.automations.rules.conditions import judge
from apps.core.parsing.personal import find_personal
from apps.documentation.rules.markdown import render
from apps.learning.rules.differences import differences
from apps.learning.rules.guard_rails import judged
from apps.learning.rules.patches import Change, Texts
from apps.letters.rules.domains import canonical
from apps.letters.rules.reading import markup
from apps.letters.rules.reading.bounces import code_of
from apps.letters.rules.reading.charsets import text_of
from apps.letters.rules.reading.files import invitation
from apps.letters.rules.reading.headers import addresses, decoded
from apps.letters.rules.reading.letters import read_letter
from apps.letters.rules.reading.limits import NotReadable
from apps.letters.rules.reading.lines import plain_lines, unflowed
from apps.letters.rules.reading.reports import report_of
from apps.letters.rules.reading.results import Malformed, read_results
from apps.letters.rules.reading.texts import own_text
from apps.support.rules.guard import Catalogue, GuardFailed, LinksRefused, TextRefused, checked
from tests.architecture.growth import grows, without_collector  # noqa: F401


def support_guard(text: str) -> None:
    with suppress(TextRefused, LinksRefused, GuardFailed):
        checked(text, Catalogue())


def proof(text: str) -> None:
    with suppress(Malformed):
        read_results(text[:16_000])


def letter_with(text: str) -> None:
    """A letter whose text, fields, parameters of a part, and parts are made of that text."""
    line = " ".join(text.split())
    fields = f"Subject: {line[:16_000]}\nTo: {line[:16_000]}\n" + "".join(
        f"X-A: {line[at : at + 990]}\n" for at in range(0, len(line), 990)
    )
    told = f'Content-Type: text/plain; x="{line[:16_000]}\nContent-Disposition: inline; a={line[:16_000]}'
    part = f"{told}\n{fields}\n{text}\n"
    inner = f"Content-Type: message/rfc822\n\n{fields}\n{text}\n"
    body = f"--b\n{part}--b\n{inner}--b\nContent-Type: message/delivery-status\n\n{text}\n--b--\n"
    raw = f"From: a@example.org\nContent-Type: multipart/mixed; boundary=b\n{fields}\n{body}"
    with suppress(NotReadable):
        report_of(read_letter(raw.encode()))


def plain_report(text: str) -> None:
    raw = f"From: a@example.org\nX-Failed-Recipients: {text[:990]}\n\nHi. This is the program\n{text}"
    with suppress(NotReadable):
        report_of(read_letter(raw.encode()))


def charsets(text: str) -> None:
    content = text.encode()
    for told in ("iso-2022-jp", "euc-jp", "hz-gb-2312", "big5", "windows-1251", "utf-16", "utf-8", ""):
        text_of(content, told)


def wish(text: str) -> None:
    judged(Texts("", text), [Change("append", "system_prompt", None, text[:600])])


def conditions(text: str) -> None:
    """Each operator of a text, with a short value of the text's own and with a long one that it never has."""
    values = [text[:200], f"{text[:100]}x{text[:90]}", "a"]
    operators = ("is", "is_not", "contains", "not_contains", "starts_with", "has_word")
    leaves = [{"field": "text", "op": operator, "value": value} for operator in operators for value in values]
    for leaf in leaves:
        judge(leaf, {"text": text})


ALGORITHMS: dict[str, Callable[[str], Any]] = {
    "conditions of automations": conditions,
    "an answer of a model": lambda text: read_answer(text, canary="c-1", links=KnownLinks(LinkSources(given=[text]))),
    "facts of an answer": lambda text: KnownFacts([text]).without_unsupported(text),
    "links of a text": tokens,
    "Markdown as HTML": lambda text: render(text, links=str),
    "pieces of an article": lambda text: pieces_of("", text),
    "a search as it is kept": kept_query,
    "a robot's name": is_robot,
    "personal data": lambda text: list(find_personal(text)),
    "the desk's guard": support_guard,
    "a floor of a burst": handover_rules.floor_of,
    "courtesies": handover_rules.is_social,
    "a phrase without tags": stripped,
    "a text without markers": prompts.disarmed,
    "a wish's patch": wish,
    "two versions beside each other": lambda text: differences(text, text[::-1]),
    "two versions by lines": lambda text: differences("\n".join(text), "\n".join(reversed(text))),
    "a phone": is_phone,
    "a letter's own words": lambda text: own_text(plain_lines(text)),
    "a letter's addresses": addresses,
    "a letter's header": decoded,
    "a letter's flowed text": lambda text: unflowed(text, deletes_space=True),
    "a letter's proof": proof,
    "an invitation": invitation,
    "a letter": letter_with,
    "a report in plain text": plain_report,
    "a server's sentence": lambda text: code_of("5.0.0", text),
    "sets of characters": charsets,
    "an address's domain": lambda text: canonical(f"a@{text}"),
    "a letter's markup": lambda text: markup.read(text.encode()),
}
# Between which lengths growth is looked for, where it isn't 1,000 and 16,000.
RANGES = {
    "two versions by lines": (2_000, 16_000),  # beyond the lines that are compared one by one
    "a floor of a burst": (500, 4_000),  # a message has no more
    "courtesies": (500, 4_000),
    "a wish's patch": (1_000, 8_000),
}
HOSTILE = [
    *(
        "a",
        "a ",
        "ab\n",
        "\n",
        " ",
        "1",
        "1 ",
        "+1 ",
        "a.",
        "a@",
        "a@a.",
        "a@b.co/",
        "a.co/",
        "a://b<",
        "1. ",
        "7 € a. ",
        "[](x",
        "![a](",
        "<!--",
        "<a",
        "[KEY_",
        "//a",
    ),
    *(
        "http://a",
        "www.a.",
        "é",
        "e\u0301",
        "\u0300\u0316",
        "\U0001d16d\U0001d165",
        "\u200b",
        "%25",
        "a://<",
        "(",
        "[a",
        '"\\"',
        ";",
        "a=b;",
        "=?utf-8?q?",
        "=?utf-8?q?a?= ",
        "\x1b$B",
        "<ul><li>",
        "<b id=a>",
        "<b><p>",
        "<p dir=rtl>",
        "user unknown ",
        "xn--a.",
        "a: b\n",
        "--b\n\n",
        "a=b ;",
        "* ",
        "[a]: b\n",
        "[a][b] ",
        "![![",
        "`a``",
        "> ",
        "*a_",
        "|a\n|-\n",
        "живой человек ",
        "спасибо ",
        "人工",
    ),
]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_takes_as_much_longer_as_its_text_is(name: str) -> None:
    work = ALGORITHMS[name]
    work("warm")
    shortest, longest = RANGES.get(name, (1_000, 16_000))
    assert [unit for unit in HOSTILE if grows(work, unit, shortest=shortest, longest=longest)] == []
