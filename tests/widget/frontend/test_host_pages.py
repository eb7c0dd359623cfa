"""What happens in the chat is none of the page's: its shortcuts, focus traps, smooth scrolling, rules on copying.

The libraries are the real ones, from npm; without it these tests are skipped. Listeners of the capturing phase, and a
native dialog that makes all else inert, can't be helped (docs/guides/embedding.md).
"""

import subprocess
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from apps.messengers.actions.overview import served_messenger
from apps.messengers.adapters import ADAPTERS
from tests.widget.frontend.chat import bodies, bubbles, open_chat, until, write
from tests.widget.frontend.server import HOSTS, StandIn

pytestmark = pytest.mark.e2e
Visit = Callable[..., Page]
with_libraries = pytest.mark.skipif(not (HOSTS / ".installed").exists(), reason="npm is not on this machine")

RADIX = """
import * as Dialog from "@radix-ui/react-dialog";
import React from "react";
import { createRoot } from "react-dom/client";
const h = React.createElement;
const inside = [h(Dialog.Title, null, "Cart"), h("input", { id: "trap" })];
const content = h(Dialog.Content, { "aria-describedby": undefined }, ...inside);
const dialog = h(Dialog.Root, { defaultOpen: true }, h(Dialog.Portal, null, content));
createRoot(document.getElementById("app")).render(dialog);
"""
MUI = """
<div id=app></div>
<script src=/hosts/react/umd/react.production.min.js></script>
<script src=/hosts/react-dom/umd/react-dom.production.min.js></script>
<script src=/hosts/@mui/material/umd/material-ui.production.min.js></script>
<script>
const field = React.createElement("input", { id: "trap" });
const onClose = () => { window.closed = true };
ReactDOM.createRoot(app).render(React.createElement(MaterialUI.Dialog, { open: true, onClose }, field));
</script>
"""
BOOTSTRAP = """
<div class=modal id=cart tabindex=-1><div class=modal-dialog><div class=modal-content><input id=trap></div></div></div>
<link rel=stylesheet href=/hosts/bootstrap/dist/css/bootstrap.min.css>
<script src=/hosts/bootstrap/dist/js/bootstrap.bundle.min.js></script>
<script>new bootstrap.Modal("#cart").show()</script>
"""


LENIS = "<script src=/hosts/lenis/dist/lenis.min.js></script><script>new Lenis({ autoRaf: true })</script>"
LOCOMOTIVE = """<script src=/hosts/locomotive-scroll/dist/locomotive-scroll.umd.js></script>
<script>new LocomotiveScroll()</script>"""
OWN_WHEEL = """<script>
addEventListener("wheel", (e) => { e.preventDefault(); scrollBy(0, e.deltaY) }, { passive: false });
</script>"""


@pytest.fixture(scope="module")
def radix() -> str:
    command = [
        str(HOSTS / ".bin" / "esbuild"),
        "--bundle",
        "--format=iife",
        '--define:process.env.NODE_ENV="production"',
    ]
    made = subprocess.run(command, input=RADIX, cwd=HOSTS.parent, capture_output=True, text=True, check=True)
    return f"<div id=app></div><script>{made.stdout.replace('</script', '<_script')}</script>"


def types_into_the_chat(page: Page, server: StandIn, text: str) -> None:
    page.locator("parley-widget .launcher").click()
    page.locator("parley-widget .composer textarea").click()
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    until(page, lambda: bodies(server) == [text])


@with_libraries
@pytest.mark.parametrize("library", ["bootstrap", "mui", "radix"])
def test_a_dialog_of_the_page_does_not_take_what_is_typed(
    visit: Visit, server: StandIn, library: str, request: pytest.FixtureRequest
) -> None:
    server.host = {"bootstrap": BOOTSTRAP, "mui": MUI}.get(library) or request.getfixturevalue("radix")
    page = visit()
    trap = page.locator("#trap")
    expect(trap).to_be_visible()
    trap.focus()
    types_into_the_chat(page, server, "help me")
    expect(trap).to_have_value("")
    expect(trap).to_be_visible()
    assert not page.evaluate("window.closed")


@with_libraries
@pytest.mark.parametrize(
    "script",
    [LENIS, LOCOMOTIVE, OWN_WHEEL],
    ids=["lenis", "locomotive", "own"],
)
def test_the_conversation_scrolls_on_a_page_that_scrolls_smoothly(visit: Visit, server: StandIn, script: str) -> None:
    server.host = f"<div style='height: 5000px'></div>{script}"
    page = visit()
    log = open_chat(page)
    write(page, "Hello")
    until(page, lambda: bool(server.sockets) and bool(bodies(server)))
    server.says("line\n" * 100)
    expect(page.get_by_text("line line").first).to_be_visible()
    log.hover()
    page.mouse.wheel(0, -300)
    page.wait_for_function("document.querySelector('parley-widget').shadowRoot.querySelector('.log').scrollTop < 0")
    assert page.evaluate("scrollY") == 0


@with_libraries
def test_shortcuts_of_mousetrap_are_not_meant(visit: Visit, server: StandIn) -> None:
    server.host = (
        "<input id=search><script src=/hosts/mousetrap/mousetrap.min.js></script>"
        "<script>Mousetrap.bind('/', () => { search.focus(); return false })</script>"
    )
    page = visit()
    types_into_the_chat(page, server, "yes/no shop")
    expect(page.locator("#search")).to_have_value("")


@pytest.mark.parametrize("event", ["keydown", "keypress", "keyup"])
def test_shortcuts_of_the_page_are_not_meant(visit: Visit, server: StandIn, event: str) -> None:
    server.host = f"""<input id=search>
      <script>document.addEventListener("{event}", (e) => {{
        if (e.key !== "/" || e.target.matches("input, textarea")) return;
        e.preventDefault();
        search.focus();
      }})</script>"""
    page = visit()
    types_into_the_chat(page, server, "yes/no shop")
    expect(page.locator("#search")).to_have_value("")


def test_a_page_that_forbids_copying_forbids_nothing_in_the_chat(visit: Visit, server: StandIn) -> None:
    server.host = """<script>
      for (const type of ["copy", "cut", "paste", "contextmenu", "selectstart", "dragstart", "beforeinput"])
      document.addEventListener(type, (e) => e.preventDefault())</script>"""
    page = visit()
    types_into_the_chat(page, server, "Ruby Mountain")
    field = page.locator(".composer textarea")
    field.fill("Silver Needles")
    for keys in ("Control+A", "Control+X", "Control+V", "Control+V"):
        field.press(keys)
    expect(field).to_have_value("Silver NeedlesSilver Needles")


def test_a_place_to_drop_files_on_the_page_does_not_get_those_of_the_chat(visit: Visit, server: StandIn) -> None:
    server.host = """<script>
      window.dropped = 0;
      const take = (e) => { e.preventDefault(); dropped++ };
      for (const type of ["dragenter", "dragover", "drop"]) document.addEventListener(type, take);
      </script>"""
    page = visit()
    open_chat(page)
    page.evaluate(
        """() => {
          const panel = document.querySelector("parley-widget").shadowRoot.querySelector(".panel");
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File(["white tea"], "list.txt"));
          for (const type of ["dragenter", "dragover", "drop"])
            panel.dispatchEvent(new DragEvent(type, { bubbles: true, composed: true, cancelable: true, dataTransfer }));
        }"""
    )
    until(page, lambda: ("files", "list.txt") in server.calls)
    assert page.evaluate("dropped") == 0


@pytest.mark.parametrize(
    "rule",
    [
        "transform: scale(1)",
        "filter: none blur(0)",
        "filter: invert(0)",
        "will-change: transform",
        "perspective: 1px",
        "contain: paint",
        "backdrop-filter: blur(1px)",
    ],
)
def test_the_launcher_stands_at_the_windows_corner(visit: Visit, server: StandIn, rule: str) -> None:
    server.host = f"<style>body {{ height: 3000px; {rule} }}</style>"
    page = visit(viewport={"width": 900, "height": 600})
    place = page.locator("parley-widget .launcher").bounding_box()
    assert place == {"x": 824, "y": 524, "width": 56, "height": 56}


def test_nothing_of_it_is_printed(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    page.emulate_media(media="print")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.emulate_media(media="screen")
    expect(page.get_by_role("dialog")).to_be_visible()


STORES = {
    "null": "Object.defineProperty(window, NAME, { value: null })",
    "undefined": "Object.defineProperty(window, NAME, { value: undefined })",
    "throwing": "Object.defineProperty(window, NAME, { get() { throw new DOMException('no', 'SecurityError') } })",
    "full": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }; "
    "Object.defineProperty(window, NAME, { value: new Proxy({}, { set() { throw new DOMException('full') } }) })",
    "read only": "Object.defineProperty(window, NAME, { value: Object.freeze({}) })",
}


@pytest.mark.parametrize("store", STORES)
def test_it_works_where_a_browser_keeps_nothing(visit: Visit, server: StandIn, store: str) -> None:
    scripts = (STORES[store].replace("NAME", repr(name)) for name in ("localStorage", "sessionStorage"))
    server.host = f"<script>{'; '.join(scripts)}</script>"
    page = visit()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(error.message))
    page.reload()
    page.locator("parley-widget .launcher").click()
    write(page, "Hello")
    until(page, lambda: bodies(server) == ["Hello"])
    page.get_by_role("button", name="Close chat").click()
    expect(page.locator("parley-widget .launcher")).to_be_visible()
    assert errors == []


def test_it_adds_no_landmark_to_the_page(visit: Visit, server: StandIn) -> None:
    server.settings["messengers"] = [served_messenger(ADAPTERS["tg"], "https://tg.example/shop")]
    server.host = "<header>Shop</header><nav>Menu</nav><main>Tea</main>"
    page = visit()
    open_chat(page)
    expect(page.get_by_label("Write in Telegram")).to_be_visible()
    for role in ("banner", "navigation", "main"):
        expect(page.get_by_role(role)).to_have_count(1)


@pytest.mark.parametrize("side", ["right", "left"])
def test_the_launcher_stands_above_another_vendors(visit: Visit, server: StandIn, side: str) -> None:
    server.settings["widget_position"] = side
    place = f"position: fixed; bottom: 16px; {side}: 16px; width: 70px; height: 64px; z-index: 9"
    server.host = f"<div id=rival style='{place}'></div>"
    page = visit(viewport={"width": 900, "height": 600})
    with page.expect_console_message(lambda entry: "another launcher stands here" in entry.text):
        page.wait_for_function("true")
    mine, other = page.locator(".launcher").bounding_box(), page.locator("#rival").bounding_box()
    assert mine
    assert other
    assert mine["y"] + mine["height"] <= other["y"]
    page.locator(".launcher").click()
    expect(page.get_by_role("dialog")).to_be_visible()


def test_of_two_installations_the_later_stands_above(visit: Visit, server: StandIn) -> None:
    other = StandIn("1" * 32)
    other.start()
    try:
        page = visit()
        page.add_script_tag(url=f"{other.base}/widget/{other.guid}/embed.js")
        with page.expect_console_message(lambda entry: "another launcher stands here" in entry.text):
            expect(page.locator("parley-widget")).to_have_count(2)
        first, second = (each.bounding_box() for each in page.locator("parley-widget .launcher").all())
        assert first
        assert second
        assert second["y"] + second["height"] <= first["y"]
    finally:
        other.stop()


def test_a_page_that_is_covered_by_its_own_banner_moves_nothing(visit: Visit, server: StandIn) -> None:
    server.host = "<div style='position: fixed; inset: 0; pointer-events: none'></div>"
    page = visit(viewport={"width": 900, "height": 600})
    place = page.locator("parley-widget .launcher").bounding_box()
    page.clock.install()
    page.clock.run_for(7000)
    assert page.locator("parley-widget .launcher").bounding_box() == place


def test_a_visitor_is_one_person_over_subdomains(visit: Visit, server: StandIn) -> None:
    """Where the owner names the site's domain; a browser takes a secure cookie of localhost over http."""
    server.settings["widget_cookie_domain"] = "shop.localhost"
    page = visit()
    www, pay = (f"http://{host}.shop.localhost:{server.port}/" for host in ("www", "pay"))
    page.goto(www)
    open_chat(page)
    write(page, "Hello")
    expect(page.get_by_text("Sent")).to_be_visible()
    page.goto(pay)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator("parley-widget .launcher").click()
    expect(page.get_by_role("log")).to_contain_text("Hello")
    (cookie,) = page.context.cookies(pay)
    assert (cookie["name"], cookie["domain"]) == (f"parley_{server.guid}", ".shop.localhost")
    assert (cookie["secure"], cookie["sameSite"]) == (True, "Lax")


def test_a_reset_before_a_chat_starts_ends_the_visitor_of_all_hosts(visit: Visit, server: StandIn) -> None:
    """Who signs out on a page that has shown no chat yet leaves no cookie, and no session."""
    server.settings["widget_cookie_domain"] = "shop.localhost"
    page = visit()
    www, pay = (f"http://{host}.shop.localhost:{server.port}/" for host in ("www", "pay"))
    page.goto(www)
    open_chat(page)
    write(page, "Hello")
    expect(page.get_by_text("Sent")).to_be_visible()
    (token,) = server.messages
    page.route("**/widget/chat.*js", lambda route: route.abort())
    page.goto(pay)
    expect(page.locator("parley-widget .launcher")).to_be_visible()
    page.evaluate("Parley.reset()")
    assert page.evaluate("document.cookie") == ""
    assert page.context.cookies(pay) == []
    until(page, lambda: ("ended", token) in server.calls)
    page.unroute("**/widget/chat.*js")
    page.reload()
    page.locator("parley-widget .launcher").click()
    page.get_by_role("dialog").wait_for()
    expect(bubbles(page)).to_have_count(0)


def test_hosts_are_apart_without_a_domain(visit: Visit, server: StandIn) -> None:
    page = visit()
    page.goto(f"http://www.shop.localhost:{server.port}/")
    open_chat(page)
    write(page, "Hello")
    expect(page.get_by_text("Sent")).to_be_visible()
    assert page.context.cookies() == []


HYDRATED = "<!doctype html><html lang='en'><head><title>Shop</title></head><body><h1>Tea</h1></body></html>"
HYDRATES = """() => new Promise((done) => {
  const { createElement: h, useEffect } = React;
  const errors = [];
  const Page = () => {
    useEffect(() => { requestIdleCallback(() => done(errors)) }, []);
    return h("html", { lang: "en" }, h("head", null, h("title", null, "Shop")), h("body", null, h("h1", null, "Tea")));
  };
  ReactDOM.hydrateRoot(document, h(Page), { onRecoverableError: (error) => errors.push(error.message) });
})"""


@with_libraries
def test_a_page_that_react_18_hydrates_whole_is_not_drawn_anew(visit: Visit, server: StandIn) -> None:
    """As Remix, React Router and Next with React 18 do; the launcher is there before, and after."""
    page = visit()
    page.clock.install()
    server.document = HYDRATED
    page.reload()
    page.add_script_tag(url=f"{server.base}/widget/{server.guid}/embed.js")
    launcher = page.locator("parley-widget .launcher")
    expect(launcher).to_be_visible()
    for name in ("react", "react-dom"):
        page.add_script_tag(url=f"/hosts/{name}/umd/{name}.production.min.js")
    assert page.evaluate(HYDRATES) == []
    assert page.evaluate("document.querySelector('h1').textContent") == "Tea"
    expect(launcher).to_be_visible()
    place = launcher.bounding_box()
    page.clock.fast_forward(11_000)
    page.wait_for_function("document.querySelector('parley-widget').parentNode === document.documentElement")
    assert launcher.bounding_box() == place
    types_into_the_chat(page, server, "Hello")


def test_a_page_that_replaces_its_whole_document_keeps_the_chat(visit: Visit, server: StandIn) -> None:
    page = visit()
    for _ in range(2):
        page.evaluate(
            """() => {
              const fresh = document.createElement("html");
              fresh.append(document.createElement("head"), document.createElement("body"));
              document.replaceChild(fresh, document.documentElement);
            }"""
        )
        expect(page.locator("parley-widget .launcher")).to_be_visible(timeout=1000)
    page.evaluate("Parley.open()")
    expect(page.get_by_role("dialog")).to_be_visible()


def test_a_phone_zooms_into_no_field(visit: Visit, server: StandIn) -> None:
    """Each is of 16 px at least, hidden ones too."""
    server.settings |= {"widget_show_departments": True, "widget_show_lang_switcher": True}
    server.settings["departments"] = [{"id": n, "name": f"Department {n}"} for n in range(5)]
    page = visit(viewport={"width": 390, "height": 700}, has_touch=True)
    open_chat(page)
    expect(page.locator("parley-widget select")).to_have_count(2)
    sizes = (
        page.locator("parley-widget")
        .locator("input:not([type=file]), select, textarea")
        .evaluate_all("(all) => all.map((each) => parseFloat(getComputedStyle(each).fontSize))")
    )
    assert len(sizes) == 3
    assert min(sizes) >= 16
