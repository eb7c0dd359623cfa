"""Mail that is tried out: by `manage.py check_mail`, and in the cabinet, where no request waits for a mail server."""

import imaplib
import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from apps.accounts.models import User, Widget
from apps.leases import claims
from apps.letters.actions.addresses import stop_letters
from apps.letters.actions.checks import given_up
from apps.letters.actions.mailbox_proofs import vouch
from apps.letters.actions.mailboxes import save_mailbox
from apps.letters.actions.receiving.doors import accept
from apps.letters.models import InLetter, Mailbox, MailCheck
from apps.letters.rules.mailboxes import Door
from apps.letters.tasks import CHECKING
from config.mail import FOLDER
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory
from tests.letters.test_imap import PASSWORD, USER, port, read  # noqa: F401 - a fixture
from tests.letters.test_receiving import work
from tests.mail_server import MailServer

pytestmark = pytest.mark.django_db(transaction=True)
AUTHSERV = "mx.shop.test"
FOUND = f"Authentication-Results: {AUTHSERV}; spf=pass smtp.mailfrom=shop.test; dkim=fail; dmarc=pass\r\n"
LETS_IN = {"EHLO": "250-mail.test\r\n250 AUTH PLAIN", "AUTH": "235 come in"}
NOTHING = dict.fromkeys(("seconds", "spf", "dkim", "dmarc", "smtp_login", "imap_login", "problem")) | {"problems": []}


@pytest.fixture
def clerk(shop: Widget) -> Client:
    """Somebody who owns the shop's account."""
    return signed_in(StaffFactory.create(account=shop.account, role="owner"))


def page_of(about: Widget | Mailbox) -> str:
    name = "mailbox" if isinstance(about, Mailbox) else "widgetletters"
    return f"/admin/letters/{name}/{about.pk}/try/"


def checked() -> None:
    """What workers do with checks, at once."""
    MailCheck.objects.filter(due_at__isnull=False).update(due_at=timezone.now())
    for lease in claims.claim(CHECKING, wanted=9):
        lease.run()


def told() -> Any:
    return MailCheck.objects.get().result


def raw_of(server: MailServer) -> bytes:
    """The only letter that the server took, as the receiver has it."""
    ((_, letter),) = server.received
    return FOUND.encode() + letter.as_bytes()


@pytest.fixture
def mailbox(shop: Widget, server: MailServer, port: int, settings: Any) -> Mailbox:  # noqa: F811
    """It is read at one real server of this machine, and sends by another."""
    settings.EGRESS_ALLOW = [f"127.0.0.1:{port}", f"127.0.0.1:{server.port}"]
    server.replies |= LETS_IN
    changes = {
        "imap": f"imap://{USER}:{PASSWORD}@127.0.0.1:{port}/INBOX",
        "smtp": f"smtp://{USER}:{PASSWORD}@127.0.0.1:{server.port}",
        "authserv_ids": [AUTHSERV],
    }
    mailbox = save_mailbox(widget_id=shop.pk, address="support@flowers.test", changes=changes)
    vouch(mailbox)
    return mailbox


def test_the_letters_page_tells_how_the_own_letter_came_back(
    clerk: Client, shop: Widget, server: MailServer, settings: Any
) -> None:
    settings.MAIL_AUTHSERV_ID = [AUTHSERV]
    page = page_of(shop)
    assert page in clerk.get(f"/admin/letters/widgetletters/{shop.pk}/change/").content.decode()
    assert clerk.get(page).status_code == 200
    asked = clerk.post(page, {"to": ""})
    check = MailCheck.objects.get()
    assert asked["Location"] == f"{page}?check={check.pk}"
    assert (server.connections, clerk.get(asked["Location"])["Refresh"]) == (0, "3")
    checked()
    ((to, letter),) = server.received
    assert to == check.address
    assert to.startswith("reply+r")
    assert letter["Auto-Submitted"] == "auto-generated"
    checked()
    assert (told()["sent"], told()["back"], clerk.get(asked["Location"])["Refresh"]) == (True, False, "3")
    accept(raw_of(server), door=Door.PIPE)
    work()
    checked()
    seconds = told()["seconds"]
    assert told() == NOTHING | {
        "sent": True,
        "back": True,
        "seconds": seconds,
        "spf": "pass",
        "dkim": "fail",
        "dmarc": "pass",
    }
    shown = clerk.get(asked["Location"])
    assert "Refresh" not in shown
    assert f"yes, after {seconds} s" in shown.content.decode()
    assert InLetter.objects.values_list("kind", "reason").get() == ("dropped", "ours")


def test_a_mailbox_writes_to_itself_by_its_own_servers(
    clerk: Client,
    mailbox: Mailbox,
    server: MailServer,
    port: int,  # noqa: F811
) -> None:
    assert page_of(mailbox) in clerk.get(f"/admin/letters/mailbox/{mailbox.pk}/change/").content.decode()
    read(mailbox)
    clerk.post(page_of(mailbox), {"to": ""})
    checked()
    assert [to for to, _ in server.received] == ["support@flowers.test"]
    assert server.senders == ["support@flowers.test"]
    with imaplib.IMAP4("127.0.0.1", port) as client:
        client.login(USER, PASSWORD)
        client.append("INBOX", "", None, raw_of(server))  # type: ignore[arg-type]
    assert read(mailbox) == 1
    work()
    checked()
    result = told()
    assert result == {
        "sent": True,
        "back": True,
        "seconds": result["seconds"],
        "spf": "pass",
        "dkim": "fail",
        "dmarc": "pass",
        "smtp_login": True,
        "imap_login": True,
        "problem": None,
        "problems": [],
    }
    assert MailCheck.objects.get().ended_at is not None


def test_refused_logins_are_told_without_the_password(clerk: Client, mailbox: Mailbox, server: MailServer) -> None:
    server.replies["AUTH"] = "535 5.7.8 wrong password"
    imap = str(mailbox.imap).replace(PASSWORD, "never-shown")
    save_mailbox(widget_id=mailbox.widget_id, address=mailbox.address, changes={"imap": imap})
    asked = clerk.post(page_of(mailbox), {"to": ""})
    checked()
    problem = "imap login_refused 127.0.0.1; smtp login_refused 127.0.0.1 535 5.7.8 wrong password"
    refused = {"sent": False, "back": False, "smtp_login": False, "imap_login": False, "problem": problem}
    said = {"imap": "", "smtp": "535 5.7.8 wrong password"}
    problems = [
        {"side": side, "code": "login_refused", "about": "127.0.0.1", "said": words} for side, words in said.items()
    ]
    assert told() == NOTHING | refused | {"problems": problems}
    shown = clerk.get(asked["Location"])
    assert "Receiving (IMAP): 127.0.0.1 refuses the name or the password." in shown.content.decode()
    assert "Sending (SMTP): 127.0.0.1 refuses the name or the password." in shown.content.decode()
    assert "Refresh" not in shown
    assert "535 5.7.8 wrong password" in shown.content.decode()
    assert "never-shown" not in shown.content.decode()
    assert server.received == []


def test_what_does_not_come_is_waited_for_a_minute(clerk: Client, shop: Widget, server: MailServer) -> None:
    clerk.post(page_of(shop), {"to": "tester@mail.test"})
    checked()
    assert [to for to, _ in server.received] == ["tester@mail.test"]
    MailCheck.objects.update(sent_at=timezone.now() - timedelta(seconds=59))
    checked()
    assert MailCheck.objects.get().ended_at is None
    MailCheck.objects.update(sent_at=timezone.now() - timedelta(seconds=61))
    checked()
    assert MailCheck.objects.get().ended_at is not None
    assert told() == NOTHING | {"sent": True, "back": False}
    assert len(server.received) == 1


def test_a_check_of_a_lost_worker_is_not_waited_for(clerk: Client, shop: Widget, server: MailServer) -> None:
    asked = clerk.post(page_of(shop), {"to": ""})
    (lease,) = claims.claim(CHECKING, wanted=1)
    given_up(lease, "crashed")
    shown = clerk.get(asked["Location"])
    assert "Refresh" not in shown
    assert "crashed" in shown.content.decode()


def test_no_letter_goes_where_none_may(clerk: Client, shop: Widget, server: MailServer, settings: Any) -> None:
    page = page_of(shop)
    stop_letters(widget_id=shop.pk, email="mary@mail.test")
    assert "has unsubscribed" in clerk.post(page, {"to": "Mary@mail.test"}).content.decode()
    for wrong in ("no address", "a@mail.test\r\nBcc: b@mail.test", f"{'a' * 300}@mail.test"):
        assert clerk.post(page, {"to": wrong}).status_code == 200
    settings.MAIL_REPLY_ADDRESS = ""
    assert "MAIL_REPLY_ADDRESS" in clerk.post(page, {"to": ""}).content.decode()
    assert not MailCheck.objects.exists()


def test_where_letters_are_files_the_page_says_so(clerk: Client, mailbox: Mailbox, shop: Widget, settings: Any) -> None:
    assert "become files" not in clerk.get(page_of(shop)).content.decode()
    settings.EMAIL_BACKEND = FOLDER
    assert "become files" in clerk.get(page_of(shop)).content.decode()
    assert "become files" not in clerk.get(page_of(mailbox)).content.decode()


def test_an_hour_has_ten(clerk: Client, shop: Widget, server: MailServer) -> None:
    for _ in range(10):
        assert clerk.post(page_of(shop), {"to": ""}).status_code == 302
    refused = clerk.post(page_of(shop), {"to": ""})
    assert (refused.status_code, MailCheck.objects.count()) == (200, 10)
    assert "often enough" in refused.content.decode()
    MailCheck.objects.update(asked_at=timezone.now() - timedelta(minutes=61))
    assert clerk.post(page_of(shop), {"to": ""}).status_code == 302


def test_who_may_not_change_it_tries_nothing(clerk: Client, mailbox: Mailbox, shop: Widget, rival: Rival) -> None:
    stranger = signed_in(StaffFactory.create(account=rival.account, role="owner"))
    reader = signed_in(StaffFactory.create(account=shop.account, role=User.Role.VIEWER))
    for page in (page_of(mailbox), page_of(shop)):
        assert stranger.post(page, {"to": ""}).status_code in (302, 403, 404)
        assert reader.post(page, {"to": ""}).status_code == 403
    assert not MailCheck.objects.exists()


def test_a_check_of_another_mailbox_is_not_shown(clerk: Client, mailbox: Mailbox, shop: Widget) -> None:
    clerk.post(page_of(mailbox), {"to": ""})
    check = MailCheck.objects.get()
    for named in (str(check.pk), "x", "9" * 40, "²"):
        assert "Refresh" not in clerk.get(f"{page_of(shop)}?check={named}")
    assert clerk.get(f"{page_of(mailbox)}?check={check.pk}")["Refresh"] == "3"


def test_the_command_tells_the_same(mailbox: Mailbox, server: MailServer) -> None:
    out = StringIO()
    call_command("check_mail", "--mailbox", str(mailbox.pk), "--wait", "0", "--json", stdout=out)
    signed = {"smtp_login": True, "imap_login": True}
    assert json.loads(out.getvalue()) == NOTHING | {"sent": True, "back": False} | signed
    assert [to for to, _ in server.received] == ["support@flowers.test"]
    with pytest.raises(SystemExit):
        call_command("check_mail", "--mailbox", "999999", stderr=StringIO())
