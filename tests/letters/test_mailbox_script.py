"""The page of a mailbox fills servers in by the address's provider, in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from apps.letters.forms import IMAP_FIELDS, SMTP_FIELDS, MailboxForm
from config.environment import PROJECT_ROOT

SCRIPT = PROJECT_ROOT / "apps/letters/static/letters/mailbox.js"
FIELDS = ("address", *IMAP_FIELDS, *SMTP_FIELDS)
GOOGLE = ("imap.gmail.com", "993", "tls", "smtp.gmail.com", "465", "tls")
MICROSOFT = ("outlook.office365.com", "993", "tls", "smtp.office365.com", "587", "starttls")
SERVERS = [f"{side}_{name}" for side in ("imap", "smtp") for name in ("host", "port", "encryption")]


@pytest.fixture
def mailbox_page(page: Page) -> Page:
    """The fields of the form as the cabinet draws them, each in a row, and the page's script."""
    form = MailboxForm()
    rows = "".join(f'<div class="form-row field-row">{form[name]}</div>' for name in FIELDS)
    page.set_content(f"<form>{rows}</form>")
    page.add_script_tag(content=Path(SCRIPT).read_text())
    return page


def servers(page: Page) -> tuple[str, ...]:
    return tuple(page.locator(f"#id_{name}").input_value() for name in SERVERS)


def test_the_address_fills_the_servers_in_and_says_what_comes_first(mailbox_page: Page) -> None:
    mailbox_page.locator("#id_address").fill("shop@gmail.com")
    assert servers(mailbox_page) == GOOGLE
    expect(mailbox_page.get_by_role("status")).to_contain_text("myaccount.google.com/apppasswords")
    mailbox_page.locator("#id_address").fill("Shop@Shop.onmicrosoft.com")
    assert servers(mailbox_page) == MICROSOFT
    expect(mailbox_page.get_by_role("status")).to_contain_text("Microsoft 365")
    mailbox_page.locator("#id_address").fill("support@flowers.test")
    assert set(servers(mailbox_page)) == {""}
    expect(mailbox_page.get_by_role("status")).to_be_empty()


def test_a_server_that_was_typed_stays(mailbox_page: Page) -> None:
    mailbox_page.locator("#id_imap_host").fill("mail.flowers.test")
    mailbox_page.locator("#id_address").fill("shop@ya.ru")
    assert mailbox_page.locator("#id_imap_host").input_value() == "mail.flowers.test"
    assert mailbox_page.locator("#id_smtp_host").input_value() == "smtp.yandex.ru"


def test_fields_of_a_server_that_is_not_used_are_hidden(mailbox_page: Page) -> None:
    mailbox_page.locator("#id_reads").select_option("hook")
    expect(mailbox_page.locator("#id_imap_host")).to_be_hidden()
    expect(mailbox_page.locator("#id_smtp_host")).to_be_visible()
    mailbox_page.locator("#id_reads").select_option("imap")
    expect(mailbox_page.locator("#id_imap_host")).to_be_visible()
