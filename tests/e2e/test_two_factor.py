"""The second factor in a real browser: set up, asked for, turned off, in English and in Russian."""

import base64
import re
import time
from collections.abc import Callable

import pytest
from django_otp.oath import totp
from playwright.sync_api import BrowserContext, Page, expect

from apps.demo.data.accounts import PASSWORD
from tests.run.service import Service

pytestmark = pytest.mark.e2e

WHO = "viktor@rival.example"


def code_of(secret: str, steps: int = 0) -> str:
    """What the app shows, so many half minutes from now."""
    return f"{totp(base64.b32decode(secret), t0=-30 * steps):06d}"


def sign_in(page: Page, service: Service) -> None:
    service.forget_sign_ins()
    page.goto(f"{service.url}/admin/")
    page.locator("[name=username]").fill(WHO)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("#login-form [type=submit]").click()


def give_code(page: Page, code: str, button: str) -> None:
    page.locator("[name=code]").fill(code)
    page.get_by_role("button", name=button, exact=True).click()


def test_a_second_factor_is_set_up_asked_for_and_turned_off(
    running_service: Service, new_context: Callable[..., BrowserContext]
) -> None:
    asked: list[str] = []
    first = new_context().new_page()
    first.on("request", lambda request: asked.append(request.url))
    sign_in(first, running_service)
    first.goto(f"{running_service.url}/admin/two-factor/")
    expect(first.get_by_role("img", name="QR code of the key")).to_be_visible()
    secret = first.locator("#secret").inner_text()
    while time.time() % 30 > 20:  # else the code may be of the half minute before
        first.wait_for_timeout(500)
    give_code(first, code_of(secret, -1), "Turn on")
    expect(first.locator("#backup-codes li")).to_have_count(10)
    codes = first.locator("#backup-codes li").all_inner_texts()
    assert all(re.fullmatch(r"([a-z2-9]{4}-){3}[a-z2-9]{4}", code) for code in codes)
    assert [url for url in asked if not url.startswith((running_service.url, "data:"))] == []

    second = new_context(locale="ru-RU").new_page()
    sign_in(second, running_service)
    expect(second.get_by_text("Введите код из приложения-аутентификатора")).to_be_visible()
    give_code(second, codes[0].replace(codes[0][0], "z" if codes[0][0] != "z" else "y", 1), "Войти")
    expect(second.get_by_text("Код неверный или уже использован.")).to_be_visible()
    give_code(second, code_of(secret), "Войти")
    expect(second).to_have_url(f"{running_service.url}/admin/")

    second.goto(f"{running_service.url}/admin/two-factor/")
    expect(second.get_by_text("Осталось 10 резервных кодов.")).to_be_visible()
    second.wait_for_timeout(1_100)  # the wrong backup code makes the next wait
    give_code(second, codes[1], "Выключить")
    expect(second.get_by_text("Двухфакторный вход выключен.")).to_be_visible()
    second.goto(f"{running_service.url}/admin/accounts/auditentry/")
    expect(second.get_by_text("вход в два шага отключён").first).to_be_visible()
