"""The console as an operator has it in front of them, and visitors who write to them."""

import json
import urllib.request
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import axe_playwright_python
from playwright.sync_api import BrowserContext, Locator, Page, expect

from config.environment import PROJECT_ROOT
from tests.e2e.http import call
from tests.run.service import Service

# For a person to look at.
SCREENSHOTS = PROJECT_ROOT / "var/screenshots/console"
PASSWORD = "parley-demo-password"
OLGA, ALICE = "olga@shop.example", "alice@shop.example"

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
VIOLATIONS = """axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21aa"]})
    .then(found => found.violations.flatMap(each => each.nodes.map(node => `${each.id}: ${node.html}`)))"""


class Desk:
    """A browser with the console open, and what it complained of."""

    def __init__(self, service: Service, context: BrowserContext, email: str = ALICE) -> None:
        self.service = service
        self.page: Page = context.new_page()
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: said.type in ("error", "warning") and self.complaints.append(said.text))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        service.forget_sign_ins()
        self.page.goto(f"{service.url}/console/")
        self.page.locator("[name=username]").fill(email)
        self.page.locator("[name=password]").fill(PASSWORD)
        self.page.locator("[name=password]").press("Enter")
        expect(self.page.locator(".connection[data-state=online], .connection[data-state=break]")).to_be_visible()

    @property
    def rows(self) -> Locator:
        return self.page.locator(".rows .row")

    def row(self, name: str) -> Locator:
        """The chat of the visitor of that name."""
        return self.rows.filter(has=self.page.locator(".name").get_by_text(name, exact=True))

    def stay(self) -> None:
        """The chat stays open that is closed or handed on: the person wants no next one."""
        self.page.locator("button.person").click()
        self.page.locator("#person").get_by_role("checkbox").nth(1).uncheck()
        self.page.keyboard.press("Escape")
        expect(self.page.locator("#person")).to_be_hidden()

    def count(self, view: str) -> int:
        """What the button of a view counts."""
        counted = self.page.locator(f".view.{view} .count")
        return int(counted.inner_text()) if counted.count() else 0

    def show(self, view: str) -> None:
        self.page.locator(f".view.{view}").click()

    def check(self, name: str) -> None:
        """The page is no wider than its window, readable for everybody, and without an error; a picture is kept."""
        too_wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert too_wide <= 0, f"{name} is {too_wide} pixels too wide"
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png")
        self.page.evaluate(AXE)
        violations = self.page.evaluate(VIOLATIONS)
        assert violations == [], f"{name}: {violations}"
        assert self.complaints == [], name


class Visitor:
    """Somebody on the customer's site, as the widget speaks for them."""

    def __init__(self, service: Service, guid: str, **about: Any) -> None:
        self._base = f"{service.url}/widget/{guid}"
        begun = call("POST", f"{self._base}/sessions", body={"page_url": f"{service.url}/demo/", "lang": "en", **about})
        self._authorization = f"Visitor {begun['data']['visitor_token']}"
        self.chat_id: int | None = begun["data"]["chat_id"]

    def says(self, body: str) -> Self:
        message = {"client_id": str(uuid.uuid4()), "type": "text", "body": body}
        self.chat_id = call("POST", f"{self._base}/messages", self._authorization, message)["data"]["chat_id"]
        return self

    def _post(self, path: str, body: dict[str, Any]) -> None:
        call("POST", f"{self._base}/{path}", self._authorization, body)

    def messages(self) -> list[dict[str, Any]]:
        """What the visitor has before them, oldest first."""
        found: list[dict[str, Any]] = call("GET", f"{self._base}/messages?limit=100", self._authorization)["data"]
        return found

    def has_seen_all(self) -> None:
        self._post("seen", {"message_id": self.messages()[-1]["id"]})

    def types(self) -> None:
        self._post("typing", {"state": "start"})

    def rates(self, value: int, comment: str) -> None:
        self._post("rating", {"value": value, "comment": comment})

    def sends_file(self, name: str, content: bytes, kind: str = "file") -> None:
        boundary = uuid.uuid4().hex
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        form = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
        headers = {
            "Authorization": self._authorization,
            "Content-Type": f"multipart/form-data; boundary={boundary}",
        }
        with urllib.request.urlopen(urllib.request.Request(f"{self._base}/files", form, headers), timeout=10) as answer:
            file_id = json.load(answer)["data"]["id"]
        self._post("messages", {"client_id": str(uuid.uuid4()), "type": kind, "file_id": file_id})


class Shop:
    """The demo's first widget over the API, and its visitors."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.widget: dict[str, Any] = service.demo["accounts"][0]["widgets"][0]

    def visitor(self, **about: Any) -> Visitor:
        return Visitor(self.service, self.widget["guid"], **about)

    def clear_the_desk(self) -> None:
        """Whoever waits of other tests needs no answer any more: the list draws first who has waited longest."""
        dealt = "from django.db.models import F; from apps.chats.models import Chat; "
        dealt += "Chat.objects.update(dealt_with_message_id=F('last_message_id'), handed_over_at=None)"
        self.service.manage("shell", "--no-imports", "-c", dealt)

    def post(self, path: str, body: Any = None) -> Any:
        return self.call("POST", path, body)

    def call(self, method: str, path: str, body: Any = None) -> Any:
        return call(method, f"{self.service.url}/api/v1{path}", f"Bearer {self.widget['tokens']['all']}", body)

    def answers(self, visitor: Visitor, body: str) -> None:
        """As the demo's second operator: over the API."""
        message = {"type": "text", "body": body, "agent_id": self.widget["agents"][1]["id"]}
        self.post(f"/chats/{visitor.chat_id}/messages", message)


Open = Callable[..., Desk]
