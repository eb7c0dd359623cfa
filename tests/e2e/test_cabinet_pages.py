"""Every page of the cabinet in a real browser: in both themes and languages, on a desk and on a telephone."""

import re
from collections.abc import Callable
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from apps.widget.rules.snippet import STUB
from tests.run.service import Service

pytestmark = pytest.mark.e2e

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
VIOLATIONS = """axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21aa"]})
    .then(found => found.violations.flatMap(each => each.nodes.map(node => `${each.id}: ${node.html}`)))"""
# Words that are cut between their letters, as in a column that is too narrow.
CUT_WORDS = r"""() => {
    const found = [], texts = document.createTreeWalker(document.querySelector("#content") || document.body, 4)
    while (texts.nextNode()) {
        const text = texts.currentNode, range = document.createRange()
        if (text.parentElement.closest("code, pre, script, style, svg, select, textarea, .material-symbols-outlined"))
            continue
        for (const word of text.data.matchAll(/(?<!\p{L})\p{L}{2,24}(?!\p{L})/gu)) {
            range.setStart(text, word.index)
            range.setEnd(text, word.index + word[0].length)
            const lines = [...range.getClientRects()].filter(each => each.width > 0).map(each => Math.round(each.top))
            if (new Set(lines).size > 1) found.push(word[0])
        }
    }
    return found
}"""
# The paths of all links; a chart's are of SVG, whose addresses are objects.
PATHS = "links => links.map(link => new URL(link.getAttribute('href'), document.baseURI).pathname)"
PASSWORD = "parley-demo-password"
OLGA, ADMIN = "olga@shop.example", "admin@parley.example"

# Besides what the first page leads to: lists, pages to add what they hold, and of each list its first row's page.
OTHERS = ("?period=7d", "chats/chat/?q=tea", "password_change/", "two-factor/", "agents/invitation/invite/")
LISTS = r"(?!choose/)\w+/\w+/"  # the switcher of widgets is none
# Pages that buttons of a row's page lead to.
MADE_BY_HAND = (
    "(?:start|examine|try|evaluations|ask|embed|icons|translations|identity|choose-model|test|erase|requests)"
)
OF_THE_INSTALLATION = ("webhooks/eventswitch/chat.closed/change/",)
# Of these the demo data may have none: nobody has changed or asked anything yet, no delivery has been made, no website
# is taken in.
MAYBE_EMPTY = {
    "accounts/auditentry/",
    "accounts/backupnote/",
    "agents/holiday/",
    "agents/invitation/",
    "ai/answerfeedback/",
    "ai/evaluationcase/",
    "ai/evaluationrun/",
    "ai/exchange/",
    "assists/assist/",
    "billing/payee/",
    "chats/block/",
    "chats/retention/",
    "kb/crawler/",
    "kb/crawlrun/",
    "learning/cycle/",
    "learning/learningswitch/",
    "learning/demandtopic/",
    "learning/wish/",
    "compat/legacybot/",
    "letters/address/",
    "letters/inletter/",
    "messengers/channel/",
    "messengers/connection/",
    "messengers/vendorsettings/",
    "support/binding/",
    "support/supportaction/",
    "webhooks/delivery/",
}


class Cabinet:
    """A browser that is signed in, and what it complained of."""

    def __init__(self, service: Service, context: BrowserContext, email: str) -> None:
        self.base = f"{service.url}/admin/"
        self.page: Page = context.new_page()
        size = self.page.viewport_size
        self.is_phone = size is not None and size["width"] < 640
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: said.type == "error" and self.complaints.append(said.text))
        self.page.on(
            "request", lambda asked: asked.url.startswith(service.url) or self.complaints.append(f"asks {asked.url}")
        )
        service.forget_sign_ins()
        self.page.goto(self.base)
        self.check("sign-in")
        self.page.locator("[name=username]").fill(email)
        self.page.locator("[name=password]").fill(PASSWORD)
        self.page.locator("[name=password]").press("Enter")
        self.page.wait_for_url(self.base)

    def open(self, path: str) -> None:
        answer = self.page.goto(self.base + path)
        assert answer is not None
        assert answer.status == 200, path
        self.check(path)

    def check(self, name: str) -> None:
        """The page is no wider than its window, readable for everybody, and without an error or a thing of Python."""
        too_wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert too_wide <= 0, f"{name} is {too_wide} pixels too wide"
        if self.is_phone:
            assert self.page.evaluate(CUT_WORDS) == [], name
        assert " object at 0x" not in self.page.inner_text("body"), name
        self.page.evaluate(AXE)
        assert self.page.evaluate(VIOLATIONS) == [], name
        assert self.complaints == [], name

    def links(self, pattern: str) -> list[str]:
        """The paths that the page leads to and the pattern matches, each once, below the cabinet's own."""
        paths = self.page.locator("a[href]").evaluate_all(PATHS)
        found = (re.fullmatch(rf"/admin/({pattern})", path) for path in paths)
        return list(dict.fromkeys(match[1] for match in found if match))

    def first_row(self, listing: str) -> str | None:
        """The path of the page of a list's first row."""
        return next(iter(self.links(rf"{listing}[^/]+/change/")), None)


@pytest.fixture
def open_cabinet(running_service: Service, new_context: Callable[..., BrowserContext]) -> Callable[..., Cabinet]:
    """Signs somebody in, in a browser with playwright's options of a context."""
    return lambda email, **options: Cabinet(running_service, new_context(**options), email)


@pytest.mark.timeout(900)  # some hundred pages
@pytest.mark.slow
@pytest.mark.parametrize(
    ("email", "locale", "theme", "width"),
    [
        (OLGA, "en-GB", "light", 1280),
        (OLGA, "ru-RU", "light", 390),
        (ADMIN, "ru-RU", "dark", 390),
    ],
)
def test_every_page_is_readable_and_without_errors(
    open_cabinet: Callable[..., Cabinet], email: str, locale: str, theme: str, width: int
) -> None:
    cabinet = open_cabinet(email, locale=locale, color_scheme=theme, viewport={"width": width, "height": 900})
    cabinet.open("")
    lists = cabinet.links(LISTS)
    assert {"compat/legacybot/", "messengers/channel/", "webhooks/subscription/"} <= {*lists}
    for path in (*OTHERS, *(OF_THE_INSTALLATION if email == ADMIN else ())):
        cabinet.open(path)
        assert cabinet.page.locator("html").get_attribute("lang") == locale[:2]
    empty = set()
    for listing in lists:
        cabinet.open(listing)
        lists += [beside for beside in cabinet.links(LISTS) if beside not in lists]  # its tabs
        form, row = f"{listing}add/", cabinet.first_row(listing)
        if form in cabinet.links(r"\w+/\w+/add/"):
            cabinet.open(form)
        if row is None:
            empty.add(listing)
        else:
            cabinet.open(row)
            for made_by_hand in cabinet.links(rf"{listing}[^/]+/{MADE_BY_HAND}/"):
                cabinet.open(made_by_hand)
    assert empty <= MAYBE_EMPTY
    cabinet.open("agents/agent/?q=alice")
    alice = cabinet.first_row("agents/agent/")
    assert alice is not None
    cabinet.open(alice.replace("/change/", "/suspend/"))  # what is asked before, as of an invitation that is taken back
    cabinet.open("accounts/apitoken/")
    token = cabinet.first_row("accounts/apitoken/")
    assert token is not None
    cabinet.open(token.replace("/change/", "/requests/"))


@pytest.mark.slow
def test_a_token_is_issued_copied_and_revoked(open_cabinet: Callable[..., Cabinet]) -> None:
    cabinet = open_cabinet(OLGA, permissions=["clipboard-read", "clipboard-write"])
    page = cabinet.page
    cabinet.open("accounts/apitoken/add/")
    page.locator("[name=name]").fill("CRM of the browser")
    page.locator("select[name=widget]").select_option(index=1)
    page.get_by_role("button", name="AI setup").click()
    assert page.locator("[name=scopes]:checked").count() > 0
    page.get_by_role("button", name="None", exact=True).click()
    assert page.locator("[name=scopes]:checked").count() == 0
    page.get_by_role("checkbox", name="chats:read", exact=True).check()
    page.get_by_role("button", name="Save", exact=True).click()
    plain_text = page.locator("#plain-token").inner_text()
    cabinet.check("the new token")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == plain_text

    cabinet.open("accounts/apitoken/?q=CRM+of+the+browser")
    page.locator("#result_list").get_by_role("link", name="CRM of the browser").first.click()
    page.get_by_role("link", name="Revoke…").click()
    page.get_by_role("button", name="Revoke", exact=True).wait_for()  # a click waits for no other page
    cabinet.check("the question")
    page.get_by_role("button", name="Revoke", exact=True).click()
    expect(page.get_by_text("CRM of the browser is revoked.")).to_have_count(1)
    cabinet.check("the list after it")


def test_a_widgets_script_tag_is_copied(open_cabinet: Callable[..., Cabinet]) -> None:
    cabinet = open_cabinet(OLGA, permissions=["clipboard-read", "clipboard-write"])
    cabinet.open("accounts/widget/")
    row = cabinet.first_row("accounts/widget/")
    assert row is not None
    cabinet.open(row)
    cabinet.page.get_by_role("button", name="Copy", exact=True).click()
    expect(cabinet.page.get_by_role("button", name="Copied")).to_be_visible()
    tag = cabinet.page.evaluate("navigator.clipboard.readText()")
    stub = re.escape(f"<script>{STUB}</script>")
    assert re.fullmatch(stub + r'\n<script async src="http[^"]+/widget/[0-9a-f]{32}/embed\.js"></script>', tag)


def test_a_widget_is_seen_beside_its_form_before_it_is_saved(open_cabinet: Callable[..., Cabinet]) -> None:
    cabinet = open_cabinet(OLGA, viewport={"width": 1440, "height": 1000})
    cabinet.open("widget/widgetlook/")
    row = cabinet.first_row("widget/widgetlook/")
    assert row is not None
    cabinet.open(row)
    page, shown = cabinet.page, cabinet.page.frame_locator(".widget-preview iframe")
    expect(shown.get_by_role("log")).to_contain_text("Yes, tomorrow or the day after.")
    page.locator("[name=widget_name]").fill("Tea <b>unsaved</b>")
    expect(shown.get_by_role("dialog", name="Tea <b>unsaved</b>")).to_be_visible()
    page.locator("select[data-language]").select_option("de")
    expect(shown.get_by_placeholder("Nachricht schreiben…")).to_be_visible()
    page.locator("select[data-device]").select_option("mobile")
    expect(shown.locator(".frame.phone")).to_have_count(1)
    page.locator("select[data-scheme]").select_option("dark")
    expect(shown.get_by_role("dialog")).to_have_css("background-color", "rgb(26, 29, 33)")
    assert cabinet.complaints == []
    for name in ("translations", "icons", "embed", "identity"):
        cabinet.open(row.replace("change", name))
