"""What can be chosen in the cabinet is never covered, and no cell of a list is cut, from a telephone to a wall."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.test_cabinet_pages import LISTS, OLGA, Cabinet
from tests.run.service import Service

pytestmark = pytest.mark.e2e

WIDTHS = (360, 390, 768, 1024, 1280, 1366, 1440, 1536, 1920, 2560)
PHONES = (360, 390)
# The choices of a page over which something else lies, once they are scrolled to. The label of a box counts as it.
COVERED = """() => {
    const found = []
    for (const each of document.querySelectorAll("#content :is(input, select, textarea, button, a[href], summary)")) {
        const label = each.labels?.[0], shown = ["radio", "checkbox"].includes(each.type) && label ? label : each
        if (each.disabled || !shown.checkVisibility({ visibilityProperty: true })) continue
        shown.scrollIntoView({ block: "center", behavior: "instant" })
        for (const { left, top, width, height } of shown.getClientRects()) {
            if (width < 4 || height < 4) continue
            for (const x of [left + 3, left + width / 2, left + width - 3]) {
                const hit = document.elementFromPoint(x, top + height / 2)
                const isOwn = hit && (shown.contains(hit) || hit.contains(shown))
                const name = `${each.name || each.textContent.trim()} ${each.value ?? ""}`
                if (!isOwn && hit?.closest("label")?.control !== each) found.push(`${name}: ${hit?.className} at ${x}`)
            }
        }
    }
    return [...new Set(found)]
}"""
CUT = """() => [...document.querySelectorAll("#result_list :is(td, th)")].filter(each => each.checkVisibility())
    .filter(cell => [cell, ...cell.querySelectorAll("*")].some(part => {
        const { overflowX, overflowY } = getComputedStyle(part)
        const isCut = overflowY !== "visible" && part.scrollHeight > part.clientHeight + 1
            || overflowX !== "visible" && part.scrollWidth > part.clientWidth + 1
        return isCut && part.clientHeight > 0 && part.textContent.trim()
    })).map(cell => `${cell.dataset.label}: ${cell.innerText.trim().slice(0, 60)}`)"""
# A sentence of a length that people write, in every cell that has a text.
LONG = "Векторы для базы знаний получить не удалось: сервис ответил ошибкой https://vendor.example/v1/embeddings?id=0123456789"
FILLED = """long => document.querySelectorAll("#result_list :is(td, th)").forEach(cell => {
    const texts = document.createTreeWalker(cell, 4)
    while (texts.nextNode())
        if (texts.currentNode.data.trim() && !texts.currentNode.parentElement.closest(".material-symbols-outlined"))
            texts.currentNode.data = long
})"""


@pytest.fixture
def cabinet(running_service: Service, browser: Browser) -> Iterator[Cabinet]:
    """The owner's, in Russian."""
    context = browser.new_context(locale="ru-RU", reduced_motion="reduce")
    yield Cabinet(running_service, context, OLGA)
    context.close()


def widen(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.wait_for_function("width => innerWidth === width", arg=width)


def test_hours_of_a_day_are_one_line(cabinet: Cabinet) -> None:
    """Four fields of the whole width stood under one another: the page was 2,781 px high."""
    for width in (390, 1366):
        widen(cabinet.page, width)
        cabinet.open("agents/department/add/")
        cabinet.page.locator("[name=Tuesday_0]").select_option("hours")
        begins, ends = (cabinet.page.locator(f"[name=Tuesday_{place}]").bounding_box() for place in (1, 2))
        assert begins is not None
        assert ends is not None
        assert (begins["y"], ends["x"] > begins["x"]) == (ends["y"], True)


@pytest.mark.timeout(300)
def test_no_choice_beside_a_preview_is_covered(cabinet: Cabinet) -> None:
    """At 1366 and 1440 px the third column of colours and icons lay under the preview, and could not be pressed."""
    cabinet.open("widget/widgetlook/")
    row = cabinet.first_row("widget/widgetlook/")
    assert row is not None
    covered = {}
    for width in WIDTHS:
        widen(cabinet.page, width)
        cabinet.open(row)
        tabs = cabinet.page.locator("[x-on\\:click*=activeFieldsetTab], [\\@click*=activeFieldsetTab]")
        assert tabs.count() > 3
        for place in range(tabs.count()):
            tabs.nth(place).click()
            if found := cabinet.page.evaluate(COVERED):
                covered[width, tabs.nth(place).inner_text()] = found
    assert covered == {}


def test_the_form_is_on_the_first_screen_of_a_telephone(cabinet: Cabinet) -> None:
    """The look's page began with a preview that filled the screen, empty until it had loaded."""
    widen(cabinet.page, 390)
    cabinet.open("widget/widgetlook/")
    row = cabinet.first_row("widget/widgetlook/")
    assert row is not None
    cabinet.open(row)
    first = cabinet.page.locator("[name=widget_name]").bounding_box()
    assert first is not None
    assert first["y"] < 844
    assert not cabinet.page.locator(".widget-preview-frame").is_visible()
    cabinet.page.locator(".widget-preview > summary").click()
    expect(cabinet.page.frame_locator(".widget-preview iframe").get_by_role("log")).to_be_visible()


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "path", ["ai/aisettings/", "kb/knowledge/", "widget/widgetlook/{}/embed/", "agents/department/add/"]
)
def test_nothing_that_can_be_chosen_is_covered(cabinet: Cabinet, path: str) -> None:
    if "{}" in path:
        cabinet.open("widget/widgetlook/")
        row = cabinet.first_row("widget/widgetlook/")
        assert row is not None
        path = row.replace("/change/", "/embed/")
    covered = {}
    for width in WIDTHS:
        widen(cabinet.page, width)
        cabinet.page.goto(cabinet.base + path)
        if found := cabinet.page.evaluate(COVERED):
            covered[width] = found
    assert covered == {}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("width", PHONES)
def test_no_cell_of_a_list_is_cut_on_a_telephone(cabinet: Cabinet, width: int) -> None:
    """Of an alert the only sentence could not be read: the cell was 45 px high, and hid what was longer."""
    widen(cabinet.page, width)
    cabinet.page.goto(cabinet.base)
    lists = cabinet.links(LISTS)
    cut = {}
    for listing in lists:
        cabinet.page.goto(cabinet.base + listing)
        lists += [beside for beside in cabinet.links(LISTS) if beside not in lists]  # its tabs
        found = cabinet.page.evaluate(CUT)
        cabinet.page.evaluate(FILLED, LONG)
        if found := [*found, *cabinet.page.evaluate(CUT)]:
            cut[listing] = found[:3]
        too_wide = cabinet.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert too_wide <= 0, f"{listing} is {too_wide} pixels too wide"
    assert len(lists) > 20
    assert cut == {}


# Controls of the overview's head that are nearer to each other than 8 px, and rows of cards of unequal heights.
UNEVEN = """() => {
    const heads = [...document.querySelectorAll(".dashboard-head a, .switcher")]
    const boxes = heads.map(each => each.getBoundingClientRect())
    const touching = boxes.flatMap((one, place) => boxes.slice(place + 1).filter(other =>
        one.left < other.right + 8 && other.left < one.right + 8 && one.top < other.bottom && other.top < one.bottom))
    const rows = [...document.querySelectorAll(".dashboard-cards")].flatMap(grid => {
        const heights = {}
        for (const card of grid.children) {
            const { top, height } = card.getBoundingClientRect()
            ;(heights[Math.round(top)] ??= new Set()).add(Math.round(height))
        }
        return Object.values(heights).filter(found => found.size > 1)
    })
    return [touching.length, rows.length]
}"""
SMALL = """() => [...document.querySelectorAll("#content :is(input, select, textarea)")]
    .filter(each => !["hidden", "checkbox", "radio"].includes(each.type))
    .filter(each => each.checkVisibility()).map(each => [each.name, each.getBoundingClientRect().height,
        parseFloat(getComputedStyle(each).fontSize)]).filter(([, height, size]) => height < 44 || size < 16)"""


@pytest.mark.parametrize("width", [390, 1280])
def test_the_overviews_cards_are_even_and_its_controls_apart(cabinet: Cabinet, width: int) -> None:
    widen(cabinet.page, width)
    cabinet.open("")
    assert cabinet.page.locator(".dashboard-periods a").count() == 2
    assert cabinet.page.evaluate(UNEVEN) == [0, 0]
    assert cabinet.page.locator(".chart-bar > span").first.evaluate("bar => bar.getBoundingClientRect().width") <= 24
    bar = cabinet.page.locator(".chart-bar").last
    bar.focus()
    shown = bar.evaluate("bar => getComputedStyle(bar, '::after').content")
    assert shown.strip('"') == bar.get_attribute("data-value")


def test_the_search_of_the_menu_is_whole_and_opens(cabinet: Cabinet) -> None:
    """Of «Искать по разделам…» the end was cut by the keys beside it."""
    widen(cabinet.page, 1280)
    cabinet.open("")
    search = cabinet.page.get_by_role("button", name="Искать страницы и людей")
    assert search.evaluate("button => button.scrollWidth <= button.clientWidth")
    search.click()
    expect(cabinet.page.locator("#search-input-command")).to_be_visible()


@pytest.mark.parametrize("path", ["agents/department/add/", "accounts/apitoken/add/", "agents/agent/"])
def test_fields_on_a_telephone_are_44_px_high_with_letters_of_16(cabinet: Cabinet, path: str) -> None:
    widen(cabinet.page, 390)
    cabinet.open(path)
    assert cabinet.page.evaluate(SMALL) == []


@pytest.mark.timeout(300)
def test_reports_fit_a_telephone_and_break_no_rule_of_access(cabinet: Cabinet) -> None:
    """A row of a table is a card on a telephone, each figure beside the title of its column."""
    cabinet.open("reports/widgetreport/")
    row = cabinet.first_row("reports/widgetreport/")
    if row is not None:  # the account has several widgets
        cabinet.open(row)
    page = cabinet.page
    expect(page.get_by_role("heading", name="Всего")).to_be_visible()
    for width in (*PHONES, 1280):
        widen(page, width)
        cabinet.check(f"reports at {width}")
        assert page.evaluate(COVERED) == []
