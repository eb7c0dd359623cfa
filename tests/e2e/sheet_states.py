"""The 36 states of the sheet, in the order in which a person meets them: how each is reached in a browser.

A surface is a generator: it brings a page into a state and gives its name and the page; whoever draws it changes the
page's size and scheme, and asks for the next one.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, expect

from apps.demo.servers.language_models import Vendor, chat
from tests.e2e.console import ALICE, PASSWORD, Desk, Shop, Visitor
from tests.e2e.http import call
from tests.e2e.test_cabinet_pages import OLGA
from tests.run.service import Service

DESK = {"width": 1280, "height": 800}
LONG_FILE = "Rechnung-2026-11-Leaf-and-Kettle-Darjeeling-second-flush-und-Versand-final.pdf"
# Of the texts that a person writes, by language.
WORDS = {
    "en": {
        "question": "Hello! Which tea would you pick for somebody who only drinks coffee?",
        "answer": "Ruby Mountain: cocoa, dried cherry, malt. It takes milk well, too.",
        "thanks": "Just what I need, thank you!",
        "buttons": ["Ruby Mountain, 50 g", "Delivery"],
        "again": "One more thing: we pack it today.",
        "note": "Asked for the same tea in spring.",
        "guest": "Nora Finch",
        "shop": "Leaf & Kettle",
    },
    "ru": {
        "question": "Здравствуйте! Какой чай вы посоветуете тому, кто пьёт только кофе?",
        "answer": "«Рубиновую гору»: какао, вяленая вишня, солод. С молоком тоже хороша.",
        "thanks": "То, что нужно, спасибо!",
        "buttons": ["Рубиновая гора, 50 г", "Доставка"],
        "again": "И ещё: упакуем сегодня.",
        "note": "Весной спрашивал тот же чай.",
        "guest": "Нора Финч",
        "shop": "Лист и чайник",
    },
}
# Letters as the service makes them, in one language.
LETTERS = """
import json, sys
from datetime import UTC, datetime
from apps.accounts.mail import new_password_mail
from apps.agents.mail import invitation_mail
from apps.chats.questions import Brand
from apps.letters.mail import Answer, VisitorLetter, answers_letter
words, code = json.loads({words!r}), {language!r}
link = "https://chat.shop.example/letter/" + "t" * 60
letter = VisitorLetter(
    language=code, zone="Europe/Moscow", shop=words["shop"], brand=Brand(words["shop"], "#2f6b3c", "#ffffff"),
    to="nora@mail.example", quotes=[words["question"]], hides=False,
    answers=[Answer("Alice Weber", datetime(2026, 11, 20, 9, 5, tzinfo=UTC), [words["answer"]], False)], beyond=0,
    named=[words["file"]], link=link, stop=link, answerable=True)
made = [
    answers_letter(letter),
    new_password_mail(email="olga@shop.example", path="/password/" + "t" * 40, language=code),
    invitation_mail(email="boris@shop.example", widget_name=words["shop"], secret="t" * 40, language=code),
]
print(json.dumps([each.alternatives[0][0] for each in made]))
"""
# The newest chat of a visitor, as if it had begun the evening before.
AGE = """
from datetime import timedelta
from django.db.models import F
from apps.chats.models import Chat, Message
day = timedelta(days=1)
for chat in Chat.objects.unscoped("sheet").filter(pk={chat_id}):
    first = Message.objects.filter(chat_id=chat.pk).order_by("pk")[:2]
    Message.objects.filter(pk__in=[each.pk for each in first]).update(created_at=F("created_at") - day)
"""

State = tuple[str, Page]


@dataclass
class Stage:
    """A running service and a browser, as a person has them who reads one language."""

    service: Service
    browser: Browser
    locale: str
    zone: str
    contexts: list[BrowserContext] = field(default_factory=list)

    @property
    def language(self) -> str:
        return self.locale[:2]

    @property
    def words(self) -> dict[str, object]:
        return WORDS[self.language]  # type: ignore[return-value]

    def context(self) -> BrowserContext:
        made = self.browser.new_context(
            viewport=DESK,
            locale=self.locale,
            timezone_id=self.zone,
            reduced_motion="reduce",  # type: ignore[arg-type]
        )
        self.contexts.append(made)
        return made

    def close(self) -> None:
        while self.contexts:
            self.contexts.pop().close()


def picture() -> bytes:
    """A photograph of tea, as far as a gradient is one."""
    made = BytesIO()
    Image.linear_gradient("L").resize((480, 320)).convert("RGB").save(made, "PNG")
    return made.getvalue()


# —— the widget ——


def widget(stage: Stage) -> Iterator[State]:
    shop, words = Shop(stage.service), stage.words
    page = opened_shop(stage)
    yield "closed", page
    open_chat(page)
    yield "nobody there", page
    page.context.close()
    desk = Desk(stage.service, stage.context(), ALICE)
    page = opened_shop(stage)
    open_chat(page)
    expect(page.locator("parley-widget .faces.online, parley-widget p.online").first).to_be_visible()
    yield "first sight", page
    page.context.set_offline(True)
    write(page, str(words["question"]))
    expect(page.locator("parley-widget .row.sending, parley-widget .row.mine")).to_be_visible()
    yield "waits for the network", page
    page.context.set_offline(False)
    chat_id = number_of(page)
    buttons = [{"label": each, "url": "https://shop.example/tea", "style": style}
               for each, style in zip(words["buttons"], ("primary", "secondary"), strict=True)]  # type: ignore[call-overload]  # fmt: skip
    answer(shop, chat_id, {"type": "keyboard", "body": words["answer"], "keyboard": {"buttons": buttons}})
    expect(page.get_by_role("log").get_by_role("link", name=buttons[0]["label"])).to_be_visible()
    yield "answered", page
    put_off(page)
    write(page, str(words["thanks"]))
    attach(page, LONG_FILE, b"%PDF-1.4 tea")
    attach(page, "tea.png", picture())
    yield "files", page
    page.locator("parley-widget .head [aria-expanded]").click()
    expect(page.locator("parley-widget .head .about")).to_be_visible()
    yield "behind the dots", page
    page.locator("parley-widget .head [aria-expanded]").click()
    shop.post(f"/chats/{chat_id}/rate-request")
    expect(page.locator("parley-widget .ask.rating")).to_be_visible()
    yield "rating", page
    page.locator("parley-widget .ask.rating [value='4']").click()
    expect(page.locator("parley-widget .ask.rating textarea")).to_be_visible()
    yield "rated", page
    stage.service.manage("shell", "--no-imports", "-c", AGE.format(chat_id=chat_id))
    page.reload()
    expect(page.get_by_role("log").locator(".note").first).to_be_visible()
    page.get_by_role("log").evaluate("log => { log.scrollTop = -log.scrollHeight }")
    yield "of yesterday", page
    page.locator("parley-widget .head > button").last.click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    answer(shop, chat_id, {"type": "text", "body": words["again"]})
    expect(page.locator("parley-widget .preview")).to_be_visible()
    yield "unread, and closed", page
    page.context.close()
    desk.page.context.close()
    with Vendor() as vendor, ai_on(shop, vendor):
        page = opened_shop(stage)
        open_chat(page)
        vendor.will_say(chat(str(words["answer"])))
        write(page, str(words["question"]))
        expect(page.get_by_role("log")).to_contain_text(str(words["answer"]))
        yield "AI answers", page
    page.context.close()


@contextmanager
def ai_on(shop: Shop, vendor: Vendor) -> Iterator[None]:
    """The shop's AI is on, and asks `vendor`."""
    settings, authorization = f"{shop.service.url}/api/v1/ai/settings", f"Bearer {shop.widget['tokens']['all']}"
    body = {"provider": "openai_compatible", "api_key": "k", "base_url": f"{vendor.url}/v1", "model": "m-1"}
    shop.post("/ai/credentials", body)
    call("PATCH", settings, authorization, {"enabled": True})
    try:
        yield
    finally:
        call("PATCH", settings, authorization, {"enabled": False})


def opened_shop(stage: Stage) -> Page:
    page = stage.context().new_page()
    page.goto(f"{stage.service.url}/demo/")
    expect(page.locator("parley-widget .launcher")).to_be_visible()
    return page


def open_chat(page: Page) -> None:
    page.locator("parley-widget .launcher").click()
    page.get_by_role("dialog").wait_for()


def write(page: Page, text: str) -> None:
    page.locator("parley-widget .composer textarea").fill(text)
    page.keyboard.press("Enter")
    expect(page.get_by_role("log")).to_contain_text(text)


def attach(page: Page, name: str, content: bytes) -> None:
    """Returns when the file has gone up, whatever became of it: the picture shows it."""
    files = page.locator("parley-widget .row:has(.bubble.image, .bubble.file)")
    before = files.count()
    page.locator("parley-widget .composer [type=file]").set_input_files(
        {"name": name, "mimeType": "image/png" if name.endswith("png") else "application/pdf", "buffer": content}
    )
    expect(files).to_have_count(before + 1)
    expect(page.locator("parley-widget .row.sending")).to_have_count(0)


def number_of(page: Page) -> int:
    """The chat's number, which the demo shop's page tells once the first message has arrived."""
    number = page.locator("[data-chat-id]").first
    expect(number).to_have_text(re.compile("[0-9]+"))
    return int(number.inner_text())


def answer(shop: Shop, chat_id: int, message: dict[str, object]) -> None:
    shop.post(f"/chats/{chat_id}/messages", {**message, "agent_id": shop.widget["agents"][1]["id"]})


def put_off(page: Page) -> None:
    """The ask that stands in the log, if one does, so that the next one may come."""
    for ask in page.locator("parley-widget .ask .later").all():
        ask.click()


# —— the console ——


def console(stage: Stage) -> Iterator[State]:
    shop, words = Shop(stage.service), stage.words
    shop.clear_the_desk()
    guest = str(words["guest"])
    visitor = guests(shop, guest, words)
    desk = Desk(stage.service, stage.context(), ALICE)
    page = desk.page
    expect(desk.row(guest).first).to_be_visible()
    yield "inbox", page
    desk.row(guest).first.click()
    expect(page.get_by_role("log")).to_contain_text(str(words["question"]))
    yield "chat", page
    page.locator(".chat-header > .more").click()
    expect(page.locator("#chat-deeds")).to_be_visible()
    yield "menu of the chat", page
    page.keyboard.press("Escape")
    shop.answers(visitor, str(words["answer"]))
    visitor.sends_file("tea.png", picture(), "image")
    visitor.sends_file(LONG_FILE, b"%PDF-1.4 tea")
    page.locator(".composer textarea").fill(str(words["again"]))
    expect(page.get_by_role("log").locator("img").last).to_be_visible()
    yield "answer", page
    page.locator(".composer .mode").nth(1).click()
    page.locator(".composer textarea").fill(str(words["note"]))
    page.locator(".composer textarea").press("Enter")
    expect(page.get_by_role("log")).to_contain_text(str(words["note"]))
    yield "note", page
    page.locator(".chat-header > .more").click()
    page.locator("#chat-deeds [data-deed=snooze]").click()
    expect(page.get_by_role("dialog").locator("select[name=date]")).to_be_visible()
    yield "snooze", page
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".chat-header .details").click()
    expect(page.locator(".card")).to_be_visible()
    yield "contact", page
    yield from beyond_the_chat(stage, desk)


def beyond_the_chat(stage: Stage, desk: Desk) -> Iterator[State]:
    page, base = desk.page, f"{stage.service.url}/console/"
    page.goto(f"{base}#/contacts")
    expect(page.locator(".people[aria-busy=false] li").first).to_be_visible()
    yield "contacts", page
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    page.goto(base)
    page.locator("button.person").click()
    expect(page.locator("#person")).to_be_visible()
    yield "menu of the person", page
    page.keyboard.press("Escape")
    page.get_by_role("searchbox").first.fill("nothing-of-the-kind")
    expect(page.locator(".rows .row")).to_have_count(0)
    yield "nothing found", page
    page.get_by_role("searchbox").first.fill("")
    expect(page.locator(".rows .row").first).to_be_visible()
    page.locator(".rows .row").first.click()
    page.context.set_offline(True)
    expect(page.locator(".offline")).to_be_visible()
    yield "no connection", page
    page.context.set_offline(False)
    page.route("**/console/main*.js", lambda route: route.abort())
    page.goto(base)
    page.reload()
    expect(page.locator(".app .skeleton span").first).to_be_attached()
    yield "before the scripts", page
    page.context.close()


def guests(shop: Shop, guest: str, words: dict[str, object]) -> Visitor:
    """Three who wait, one of them in Arabic, and one of whom everything is known."""
    shop.visitor(name="سلمى حداد").says("مرحبًا، هل يمكن تغليف الشاي كهدية؟")
    shop.visitor(name="王丽").says("你好，请问铁观音怎么冲泡？")
    known = {"name": guest, "email": "nora.finch@mail.example", "phone": "+44 20 7946 0958"}
    return shop.visitor(**known).says(str(words["question"]))


# —— the cabinet, letters, doors ——

CABINET = {
    "overview": "",
    "chats": "chats/chat/",
    "a chat": "chats/chat/…",
    "reports": "reports/widgetreport/",
    "look of the widget": "widget/widgetlook/…",
    "AI": "ai/aisettings/",
}


def cabinet(stage: Stage) -> Iterator[State]:
    page = stage.context().new_page()
    base = f"{stage.service.url}/admin/"
    stage.service.forget_sign_ins()
    sign_in(page, base, OLGA, PASSWORD)
    page.wait_for_url(base)
    for name, path in CABINET.items():
        listing = path.removesuffix("…")
        page.goto(base + listing)
        if path.endswith("…") and "/change/" not in page.url:
            row = page.locator(f"a[href*='/{listing}'][href*='/change/']").first
            page.goto(stage.service.url + str(row.evaluate("link => link.pathname")))
        yield name, page
    page.context.close()


def sign_in(page: Page, url: str, email: str, password: str) -> None:
    page.goto(url)
    page.locator("[name=username]").fill(email)
    page.locator("[name=password]").fill(password)
    page.locator("[name=password]").press("Enter")


def letters(stage: Stage) -> Iterator[State]:
    words = json.dumps({**stage.words, "file": LONG_FILE})
    printed = stage.service.manage("shell", "--no-imports", "-c", LETTERS.format(words=words, language=stage.language))
    page = stage.context().new_page()
    made: list[str] = json.loads(printed)
    for name, html in zip(("answers", "new password", "invitation"), made, strict=True):
        page.set_content(html)
        yield name, page
    page.context.close()


def doors(stage: Stage) -> Iterator[State]:
    page = stage.context().new_page()
    page.goto(f"{stage.service.url}/console/login/")
    yield "sign-in", page
    stage.service.forget_sign_ins()
    sign_in(page, f"{stage.service.url}/admin/login/", OLGA, "wrong-password")
    expect(page.get_by_role("alert")).to_be_visible()
    yield "refused", page
    page.goto(f"{stage.service.url}/nothing-is-here")
    yield "nothing here", page
    page.context.close()


SURFACES: dict[str, Callable[[Stage], Iterator[State]]] = {
    "widget": widget,
    "console": console,
    "cabinet": cabinet,
    "letters": letters,
    "doors": doors,
}
# How many states each has.
COUNTS = {"widget": 12, "console": 12, "cabinet": 6, "letters": 3, "doors": 3}
