"""The editor of an article in a real browser: formatting, pictures, links, saving by itself; it fits a telephone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.test_automations import open_ruler  # noqa: F401 - the owner's cabinet
from tests.e2e.test_cabinet_pages import Cabinet

pytestmark = pytest.mark.e2e

LIST = "articles/article/"
PASTE = """(field, html) => {
    const data = new DataTransfer()
    data.setData("text/html", html)
    data.setData("text/plain", "plain")
    field.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}))
}"""
DROP = """async field => {
    const canvas = Object.assign(document.createElement("canvas"), {width: 40, height: 20})
    const blob = await new Promise(resolve => canvas.toBlob(resolve, "image/png"))
    const data = new DataTransfer()
    data.items.add(new File([blob], "our shop.png", {type: "image/png"}))
    field.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}))
}"""


def test_an_article_is_written_with_pictures_and_links(open_ruler: Callable[..., Cabinet]) -> None:  # noqa: F811
    cabinet = open_ruler(1440, "en-GB")
    page = cabinet.page
    cabinet.open(f"{LIST}add/")
    field, preview, saved = (
        page.get_by_label("Text", exact=True),
        page.locator("[data-preview]"),
        page.locator("[data-saved]"),
    )
    page.get_by_label("Title", exact=True).fill("Delivery")
    field.fill("Two days")
    field.select_text()
    page.get_by_role("button", name="Bold").click()
    expect(field).to_have_value("**Two days**")
    expect(preview.locator("strong")).to_have_text("Two days")
    # The first words make the article, and give it an address of its own.
    expect(saved).to_contain_text("Saved at", timeout=10_000)
    assert re.search(r"/admin/articles/article/\d+/change/\?lang=\w+$", page.url)
    field.press("End")
    field.press("Enter")
    field.press("Enter")
    field.evaluate(PASTE, "<h1>Where</h1><ul><li>the <b>city</b></li><li>the country</li></ul>")
    expect(preview.locator("li")).to_have_text(["the city", "the country"])
    field.evaluate(DROP)
    expect(preview.locator("img")).to_have_attribute("width", "40")
    field.evaluate("field => field.setSelectionRange(field.value.length, field.value.length)")
    page.get_by_role("button", name="Link to an article…").click()
    page.get_by_label("Words of its title").fill("deliv")
    page.locator("dialog li button").first.click()
    expect(field).to_have_value(re.compile(r"\[Delivery\]\(article:\d+\)"))
    cabinet.check("an article with a picture")
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.locator(".article-head .chip")).to_have_text("published")
    page.get_by_role("link", name="Compare versions").click()
    cabinet.check("versions")


@pytest.mark.parametrize(("width", "locale"), [(390, "ru-RU"), (1280, "en-GB")])
def test_the_pages_fit(open_ruler: Callable[..., Cabinet], width: int, locale: str) -> None:  # noqa: F811
    cabinet = open_ruler(width, locale)
    for address in ("article/", "article/add/", "articlecategory/", "articlecategory/add/", "helpcenter/"):
        cabinet.open(f"articles/{address}")
    cabinet.open("articles/widgetarticleresults/")
