"""Articles as a visitor meets them in the chat: the search and the list, reading, voices, suggestions."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.widget.frontend.chat import bodies, open_chat, until, write
from tests.widget.frontend.server import CORS, StandIn
from tests.widget.frontend.test_features import heard, violations

pytestmark = pytest.mark.e2e
Visit = Callable[..., Page]


def shelf(page: Page) -> Locator:
    """The search and the list, where a chat begins."""
    return page.locator("parley-widget .help")


def article(page: Page) -> Locator:
    return page.locator("parley-widget .article")


def suggested(page: Page) -> Locator:
    return page.get_by_role("region", name="Articles")


def composer(page: Page) -> Locator:
    return page.locator(".composer textarea")


def calls(server: StandIn, name: str) -> list[Any]:
    return [data for call, data in server.calls if call == name]


def test_without_a_help_nothing_is_asked_for(visit: Visit, server: StandIn) -> None:
    page = visit()
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    open_chat(page)
    composer(page).fill("How do I return a teapot?")
    page.evaluate("Parley.openArticle(7)")
    page.wait_for_timeout(1200)
    expect(shelf(page)).to_have_count(0)
    assert not [url for url in loaded if "articles" in url]
    assert page.evaluate("document.querySelector('parley-widget').shadowRoot.querySelector('.reading')") is None


def test_a_chat_begins_with_a_search_and_the_list_and_an_article_opens_inside(visit: Visit, server: StandIn) -> None:
    refund = server.writes("Returns", "Send it **back** within 14 days.\n\nSee also [the shop](https://shop.example).")
    server.writes("Delivery", summary="Two days")
    page = visit()
    heard(page, "article")
    open_chat(page)
    expect(composer(page)).to_be_focused()
    expect(shelf(page).get_by_role("searchbox", name="Search the help")).to_be_visible()
    expect(shelf(page).get_by_role("listitem")).to_have_text(["Returns", "DeliveryTwo days"])
    assert violations(page) == []
    shelf(page).get_by_role("button", name="Returns").click()
    expect(article(page).get_by_role("heading", name="Returns")).to_be_focused()
    expect(article(page).locator("p").first).to_have_text("Send it back within 14 days.")
    link = article(page).get_by_role("link", name="the shop")
    expect(link).to_have_attribute("href", "https://shop.example")
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    expect(composer(page)).to_be_hidden()
    assert violations(page) == []
    until(page, lambda: len(calls(server, "reads")) == 1)
    (read,) = calls(server, "reads")
    assert (read["id"], read["lang"], len(bytes.fromhex(read["key"]))) == (refund, "en", 16)
    assert page.evaluate("heard") == [["article", {"id": refund, "state": "opened"}]]
    page.get_by_role("button", name="Back to the chat").click()
    expect(article(page)).to_have_count(0)
    expect(shelf(page).get_by_role("button", name="Returns")).to_be_focused()
    write(page, "hello")
    until(page, lambda: bodies(server) == ["hello"])
    expect(shelf(page)).to_have_count(0)


def test_who_only_reads_is_nobody(visit: Visit, server: StandIn) -> None:
    """The calls about articles make no session: the chat that is opened does, as it always has."""
    id_ = server.writes("Returns")
    page = visit()
    page.evaluate(f"Parley.openArticle({id_})")
    expect(article(page)).to_be_visible()
    until(page, lambda: len(calls(server, "reads")) == 1)
    assert len(calls(server, "sessions")) <= 1
    assert bodies(server) == []


def test_a_search_is_sent_in_a_body_when_it_is_submitted(visit: Visit, server: StandIn) -> None:
    server.writes("Returns")
    tea = server.writes("Green tea")
    page = visit()
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    open_chat(page)
    field = shelf(page).get_by_role("searchbox")
    field.fill("tea please")
    assert calls(server, "searches") == []
    field.press("Enter")
    expect(shelf(page).get_by_role("listitem")).to_have_text(["Green tea"])
    (asked,) = calls(server, "searches")
    assert asked.pop("key") == page.evaluate(f"JSON.parse(localStorage['parley:{server.guid}:key'])")
    assert asked == {"q": "tea please", "lang": "en", "limit": 10, "purpose": "search"}
    assert not [url for url in urls if "please" in url]
    field.fill("nonsense")
    shelf(page).get_by_role("button", name="Search the help").click()
    expect(shelf(page).get_by_role("status")).to_have_text("Nothing was found")
    field.fill("")
    field.press("Enter")
    expect(shelf(page).get_by_role("listitem")).to_have_text(["Returns", "Green tea"])
    assert bodies(server) == [], "the search is no message"
    assert tea


def test_articles_are_suggested_while_the_first_message_is_written(visit: Visit, server: StandIn) -> None:
    for title in ("Returns", "Return labels", "Return of money", "Return of gifts"):
        server.writes(title)
    page = visit()
    open_chat(page)
    expect(shelf(page)).to_be_visible()
    composer(page).press_sequentially("a return")
    page.wait_for_timeout(1000)
    assert calls(server, "searches") == [], "from twelve characters on"
    composer(page).press_sequentially(" of what I got")
    expect(suggested(page).get_by_role("listitem")).to_have_count(3)
    assert calls(server, "searches") == [
        {"q": "a return of what I got", "lang": "en", "limit": 3, "purpose": "suggestion"}
    ], "once, after the last key; it is not kept, and has no key"
    assert violations(page) == []
    suggested(page).get_by_role("button", name="Return labels").click()
    expect(article(page).get_by_role("heading", name="Return labels")).to_be_visible()
    page.get_by_role("button", name="Back to the chat").click()
    expect(composer(page)).to_have_value("a return of what I got")
    composer(page).press("Enter")
    until(page, lambda: bodies(server) == ["a return of what I got"])
    expect(suggested(page)).to_have_count(0)
    composer(page).press_sequentially("another return of what I got")
    page.wait_for_timeout(1200)
    assert len(calls(server, "searches")) == 1, "until the first message"


def test_a_widget_that_only_searches_suggests_nothing(visit: Visit, server: StandIn) -> None:
    server.writes("Returns", mode="search")
    page = visit()
    open_chat(page)
    expect(shelf(page)).to_be_visible()
    composer(page).press_sequentially("a return of what I got")
    page.wait_for_timeout(1200)
    assert calls(server, "searches") == []


def test_words_that_are_taken_back_take_the_suggestions_along(visit: Visit, server: StandIn) -> None:
    server.writes("Returns")
    page = visit()
    open_chat(page)
    expect(shelf(page)).to_be_visible()
    composer(page).fill("about returns please")
    expect(suggested(page)).to_be_visible()
    composer(page).fill("about")
    expect(suggested(page)).to_have_count(0)


def test_a_voice_is_given_with_a_reason_and_taken_back(visit: Visit, server: StandIn) -> None:
    id_ = server.writes("Returns")
    page = visit()
    heard(page, "article")
    page.evaluate(f"Parley.openArticle({id_})")
    group = article(page).get_by_role("group").first
    expect(group).to_have_text("Did this help?HelpfulNot helpful")
    group.get_by_role("button", name="Not helpful").click()
    article(page).get_by_role("button", name="Something is missing").click()
    article(page).get_by_role("textbox").fill("How much is it?")
    article(page).get_by_role("button", name="Submit").click()
    expect(article(page).get_by_role("status")).to_have_text("Thank you!")
    expect(article(page).get_by_role("textbox")).to_be_hidden()
    group.get_by_role("button", name="Helpful", exact=True).click()
    group.get_by_role("button", name="Helpful", exact=True).click()
    until(page, lambda: len(calls(server, "feedback")) == 5)
    given = calls(server, "feedback")
    assert len({each.pop("key") for each in given}) == 1
    assert [{name: each[name] for name in each if name not in ("id", "token", "lang")} for each in given] == [
        {"helpful": False},
        {"helpful": False, "reason": "missing"},
        {"helpful": False, "reason": "missing", "text": "How much is it?"},
        {"helpful": True},
        {"helpful": None},
    ]
    assert [data["state"] for _, data in page.evaluate("heard")] == ["opened", "not_helpful", "helpful"]


def test_a_page_opens_the_chat_at_an_article_and_one_leads_to_another(visit: Visit, server: StandIn) -> None:
    other = server.writes("Gifts", "The end.")
    id_ = server.writes("Returns", f"Or [a gift](article:{other}).")
    page = visit()
    page.evaluate(f"Parley.openArticle({id_})")
    expect(article(page).get_by_role("heading", name="Returns")).to_be_focused()
    article(page).get_by_role("button", name="a gift").click()
    expect(article(page)).to_have_count(1)
    expect(article(page).get_by_role("heading", name="Gifts")).to_be_focused()
    page.get_by_role("button", name="Back to the chat").click()
    expect(composer(page)).to_be_focused()
    page.evaluate("Parley.openArticle(999)")
    page.wait_for_timeout(300)
    expect(article(page)).to_have_count(0)


def test_what_comes_while_one_reads_is_unread_and_stands_at_the_way_back(visit: Visit, server: StandIn) -> None:
    id_ = server.writes("Returns")
    page = visit()
    open_chat(page)
    write(page, "hello")
    until(page, lambda: bodies(server) == ["hello"] and bool(server.sockets))
    page.evaluate(f"Parley.openArticle({id_})")
    expect(article(page)).to_be_visible()
    server.says("Hi!")
    expect(page.get_by_role("button", name="Back to the chat (1)")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Open chat, 1 unread").click()
    expect(article(page).get_by_role("heading", name="Returns")).to_be_focused()
    page.get_by_role("button", name="Back to the chat (1)").click()
    expect(page.get_by_role("log")).to_contain_text("Hi!")
    until(page, lambda: any(frame["type"] == "seen" for frame in server.frames))


def test_sources_of_ai_that_are_articles_open_inside(visit: Visit, server: StandIn) -> None:
    id_ = server.writes("Returns")
    page = visit()
    open_chat(page)
    write(page, "hello")
    until(page, lambda: bool(server.sockets) and bodies(server) == ["hello"])
    sources = [
        {"title": "Returns › Money", "url": None, "article_id": id_},
        {"title": "Shop", "url": "https://shop.example/"},
        {"title": "Inner", "url": None},
    ]
    server.says("Within 14 days.", sender={"kind": "ai", "agent_id": 3, "name": "Robo"}, sources=sources)
    page.get_by_text("Sources").click()
    details = page.get_by_role("log").locator(".sources")
    expect(details.get_by_role("link")).to_have_text(["Shop"])
    details.get_by_role("button", name="Returns › Money").click()
    expect(article(page).get_by_role("heading", name="Returns")).to_be_focused()


MARKDOWN = """# First

One line
and the same.

| Zone | Price |
|---|--:|
| **North** | 300 |

1. Open it
   - left
   - right

   ![map](/files/articles/map.png)
2. Close it

![stranger](https://stranger.example/x.png)

---

Write [us](mailto:a@shop.example), call [us](tel:+1234), not \\*bold\\* `a*b*` <b>typed</b>
"""


def test_the_text_is_drawn_whole(visit: Visit, server: StandIn) -> None:
    id_ = server.writes("Returns", MARKDOWN)
    page = visit()
    page.evaluate(f"Parley.openArticle({id_})")
    text = article(page).locator(".text")
    expect(text.get_by_role("heading", level=4)).to_have_text("First")
    expect(text.locator(":scope > p").first).to_have_text("One line and the same.")
    expect(text.get_by_role("columnheader")).to_have_text(["Zone", "Price"])
    expect(text.get_by_role("cell")).to_have_text(["North", "300"])
    expect(text.locator(":scope > ol > li")).to_have_count(2)
    expect(text.locator("ol ul > li")).to_have_text(["left", "right"])
    sources = text.locator("img").evaluate_all("(images) => images.map(({src, alt}) => [src, alt])")
    assert sources == [[f"{server.base}/files/articles/map.png", "map"]], "no third party is asked"
    addresses = text.get_by_role("link").evaluate_all("(links) => links.map((link) => link.getAttribute('href'))")
    assert addresses == ["https://stranger.example/x.png", "mailto:a@shop.example", "tel:+1234"]
    expect(text.locator(":scope > p").last).to_contain_text("not *bold* a*b* <b>typed</b>")
    expect(text.locator("hr")).to_have_count(1)


HOSTILE = [
    "[x](javascript:window.pwned=1)",
    "<img src=x onerror=window.pwned=1><script>window.pwned=1</script>",
    "![x](javascript:window.pwned=1) ![y](//stranger.example/y.png) [a](article:1e9)",
    "![z](/files/articles/../../admin/) ![w](/files/articles/%2e%2e/%2e%2e/admin/)",
    "![z](/files/articles/../../admin/) ![w](/files/articles/%2e%2e/%2e%2e/admin/)",
    "**a" * 60_000 + "\n" + "- " * 20_000 + "\n" + "[" * 20_000 + "|" * 20_000,
]


def test_hostile_texts_are_inert_and_take_no_time(visit: Visit, server: StandIn) -> None:
    ids = [server.writes("x", text) for text in HOSTILE]
    page = visit()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for id_ in ids:
        page.evaluate(f"Parley.openArticle({id_})")
        until(page, lambda id_=id_: any(each["id"] == id_ for each in calls(server, "reads")))  # type: ignore[misc]
    assert page.evaluate("window.pwned") is None
    assert not [url for url in asked if "stranger" in url or url.endswith("/admin/")]


def test_a_failure_leaves_the_chat_as_it_is(visit: Visit, server: StandIn) -> None:
    server.writes("Returns")
    page = visit()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.route("**/articles*", lambda route: route.fulfill(status=503, body="away", headers=CORS))
    open_chat(page)
    composer(page).fill("a return of what I got")
    page.wait_for_timeout(1000)
    expect(shelf(page)).to_be_empty()
    expect(suggested(page)).to_have_count(0)
    write(page, "hello")
    until(page, lambda: bodies(server) == ["hello"])
    assert errors == []


def test_a_strict_policy_is_not_broken_and_without_consent_nothing_is_kept(visit: Visit, server: StandIn) -> None:
    server.csp = (
        f"default-src 'none'; script-src {server.base}; connect-src {server.base} {server.base.replace('http', 'ws')};"
        f" img-src {server.base}; base-uri 'none'; require-trusted-types-for 'script'"
    )
    server.lang_tag = ' data-consent="off"'
    id_ = server.writes("Returns", MARKDOWN)
    page = visit()
    page.evaluate("window.broken = []; addEventListener('securitypolicyviolation', ({sample}) => broken.push(sample))")
    page.evaluate(f"Parley.openArticle({id_})")
    article(page).get_by_role("button", name="Helpful", exact=True).click()
    until(page, lambda: len(calls(server, "feedback")) == 1)
    assert calls(server, "reads")[0]["key"] == calls(server, "feedback")[0]["key"]
    assert page.evaluate("broken") == []
    assert page.evaluate("Object.keys(localStorage).length + Object.keys(sessionStorage).length") == 0


def test_on_a_phone_and_from_right_to_left(visit: Visit, server: StandIn) -> None:
    wide = "| " + " | ".join(["longword"] * 12) + " |\n|" + "---|" * 12 + "\n\n" + "word " * 500
    id_ = server.writes("إرجاع إبريق", wide, lang="ar")
    server.settings["language"] = "ar"
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True)
    page.evaluate(f"Parley.openArticle({id_})")
    expect(article(page).get_by_role("heading", level=3)).to_be_visible()
    box = article(page).bounding_box()
    assert box
    assert (box["x"], box["width"]) == (0, 390)
    body = article(page).locator(":scope > div")
    assert body.evaluate("(node) => node.scrollWidth <= node.clientWidth"), "the table alone is scrolled sideways"
    assert body.evaluate("(node) => getComputedStyle(node).direction") == "rtl"
    for button in article(page).get_by_role("button").all():
        found = button.bounding_box()
        assert found
        assert found["height"] >= 44
    assert violations(page) == []
