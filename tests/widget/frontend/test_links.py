"""Addresses in texts, as the widget and the console find them by one linker, and marks, which no address has."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.widget.frontend.chat import open_chat, until
from tests.widget.frontend.server import StandIn

pytestmark = pytest.mark.e2e
Visit = Callable[..., Page]

# A text, and the addresses in it.
TEXTS: dict[str, list[str]] = {
    "No address": [],
    "http:// is none": [],
    "https://": [],
    "ftp://shop.example": [],
    "javascript:alert(1)": [],
    "https://shop.example": ["https://shop.example"],
    "HTTPS://Shop.example/Tea": ["HTTPS://Shop.example/Tea"],
    "Https://shop.example": ["Https://shop.example"],
    "See https://shop.example.": ["https://shop.example"],
    "https://shop.example!": ["https://shop.example"],
    "https://shop.example?": ["https://shop.example"],
    "https://shop.example/?q=tea&n=1.": ["https://shop.example/?q=tea&n=1"],
    "https://shop.example, https://tea.example": ["https://shop.example", "https://tea.example"],
    "(https://shop.example/a)": ["https://shop.example/a"],
    "(see https://shop.example/a_(b))": ["https://shop.example/a_(b)"],
    "https://ru.wikipedia.org/wiki/Кошка_(значения)": ["https://ru.wikipedia.org/wiki/Кошка_(значения)"],
    "https://ru.wikipedia.org/wiki/Зелёный_чай_сенча": ["https://ru.wikipedia.org/wiki/Зелёный_чай_сенча"],
    "[https://shop.example]": ["https://shop.example"],
    "https://shop.example/?a[0]=1": ["https://shop.example/?a[0]=1"],
    "<https://shop.example/a>": ["https://shop.example/a"],
    '"https://shop.example/a"': ["https://shop.example/a"],
    "«https://shop.example/a»": ["https://shop.example/a"],
    "„https://shop.example/a“": ["https://shop.example/a"],
    "'https://shop.example/a'": ["https://shop.example/a"],
    "https://shop.example/a…": ["https://shop.example/a"],
    "https://shop.example/a...": ["https://shop.example/a"],
    "https://shop.example/a。谢谢": ["https://shop.example/a"],
    "请看https://shop.example/a，谢谢": ["https://shop.example/a"],
    "https://shop.example/茶": ["https://shop.example/茶"],
    "https://магазин.рф/чай": ["https://магазин.рф/чай"],
    "https://docs.example/api/__init__": ["https://docs.example/api/__init__"],
    "https://shop.example/catalog/_new_/tea": ["https://shop.example/catalog/_new_/tea"],
    "**https://shop.example/a**": ["https://shop.example/a"],
    "_https://shop.example/my_order_": ["https://shop.example/my_order"],
    "~~https://shop.example/a~~": ["https://shop.example/a"],
    "`https://shop.example/a`": ["https://shop.example/a"],
    "https://user@shop.example:8080/a": ["https://user@shop.example:8080/a"],
    "https://shop.example/a;b": ["https://shop.example/a;b"],
    "https://shop.example/a#b-c": ["https://shop.example/a#b-c"],
    "https://shop.example/a%20b": ["https://shop.example/a%20b"],
    "https://shop.example/a'b": ["https://shop.example/a'b"],
    "one\nhttps://shop.example/a\ntwo": ["https://shop.example/a"],
    "https://t.me/shop_bot и почта ivan_petrov_@mail.example": ["https://t.me/shop_bot"],
}

# A Markdown, and what is drawn of it: links as <address words>, marks as {b words}.
MARKED: dict[str, str] = {
    "Заказ: https://shop.example/my_order — это _важно_": (
        "Заказ: <https://shop.example/my_order https://shop.example/my_order> — это {i важно}"
    ),
    "Артикул АБ_123_ВГ": "Артикул АБ_123_ВГ",
    "snake_case_name and __init__": "snake_case_name and {b init}",
    "2*3*4 = 24": "2*3*4 = 24",
    "2**3**4": "2**3**4",
    "*soft* and **loud**": "{i soft} and {b loud}",
    "这是**重要**的": "这是{b 重要}的",
    "**https://shop.example/_a_**": "{b <https://shop.example/_a_ https://shop.example/_a_>}",
    "[our _tea_](https://shop.example/a_b_c)": "<https://shop.example/a_b_c our _tea_>",
    "[tea](https://shop.example/a_(b))": "<https://shop.example/a_(b) tea>",
    "[tea](javascript:alert(1))": "[tea](javascript:alert(1))",
    "`https://shop.example/a`": "{code https://shop.example/a}",
    "~~99 ₽~~ 79 ₽": "{s 99 ₽} 79 ₽",
    "ivan_petrov_@mail.example": "ivan_petrov_@mail.example",
    "\ue0007\ue000": "7",
}

DRAWN = """(nodes) => {
  const drawn = (node) => {
    if (node.nodeType === 3) return node.data;
    const inside = [...node.childNodes].map(drawn).join("");
    if (node.tagName === "A") return `<${node.getAttribute("href")} ${inside}>`;
    return ["DIV", "SPAN"].includes(node.tagName) ? inside : `{${node.tagName.toLowerCase()} ${inside}}`;
  };
  return nodes.map(drawn);
}"""


def test_addresses_end_where_they_end(visit: Visit, server: StandIn) -> None:
    page = visit()
    found = page.evaluate(
        """async ([module, texts]) => {
          const { parts } = await import(module);
          return texts.map((text) => [parts(text).join("") === text, parts(text).filter((_, index) => index % 2)]);
        }""",
        [f"{server.base}/static/chats/links.js", list(TEXTS)],
    )
    assert dict(zip(TEXTS, found, strict=True)) == {text: [True, addresses] for text, addresses in TEXTS.items()}


def test_marks_are_none_of_addresses_and_words(visit: Visit, server: StandIn) -> None:
    page = visit()
    log = open_chat(page)
    until(page, lambda: bool(server.sockets))
    for text in MARKED:
        server.says(text, markdown=text)
    texts = log.locator(".row:not(:first-child) span.text")
    expect(log.locator("span.text > div")).to_have_count(len(MARKED))
    found = texts.evaluate_all(DRAWN)
    assert dict(zip(MARKED, found, strict=True)) == MARKED


def test_a_long_hostile_text_is_cut_at_once(visit: Visit, server: StandIn) -> None:
    page = visit()
    module = f"{server.base}/static/chats/links.js"
    texts = ["http://a" + sign * 5_000 for sign in ")]}(.*_~"] + ["http://" * 1_400, "https://a)" * 1_000]
    cut = "async ([module, texts]) => { const { parts } = await import(module); return texts.map(parts) }"
    assert all(len(parts) % 2 for parts in page.evaluate(cut, [module, texts]))
