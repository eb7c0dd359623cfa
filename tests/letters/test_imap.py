"""Mailboxes that are read by IMAP, from a real server on this machine (design of letters, 2)."""

import imaplib
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.core import mail

from apps.accounts.models import Widget
from apps.chats.models import Message
from apps.core.models import Mail
from apps.leases import claims
from apps.letters.actions.mailbox_proofs import vouch
from apps.letters.actions.mailboxes import save_mailbox, state_of
from apps.letters.actions.receiving import reading
from apps.letters.models import InLetter, Mailbox, ReadJob, Thread
from apps.letters.rules.mailboxes import BadServer, read_imap
from apps.letters.tasks import READING
from tests.factories.accounts import StaffFactory
from tests.letters import post
from tests.letters.test_receiving import work
from tests.widget.visitor import VisitorClient

USER, PASSWORD = "demouser", "demopass"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """pymap, which keeps its letters in memory."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = int(taken.getsockname()[1])
    program = Path(sys.executable).with_name("pymap")
    command = [str(program), "--host", "127.0.0.1", "--port", str(port), "--no-tls", "dict"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            with suppress(OSError), imaplib.IMAP4("127.0.0.1", port, timeout=2):
                break
            time.sleep(0.05)
        yield port
    finally:
        server.terminate()
        server.wait(10)


def put(port: int, text: str, id_: str, to: str = "support@flowers.test") -> None:
    """A letter comes into the mailbox."""
    raw = f"From: mary@mail.test\r\nTo: {to}\r\nSubject: Roses\r\nMessage-ID: <{id_}>\r\n\r\n{text}\r\n"
    with imaplib.IMAP4("127.0.0.1", port) as client:
        client.login(USER, PASSWORD)
        client.append("INBOX", "", None, raw.encode())  # type: ignore[arg-type]


@pytest.fixture
def mailbox(shop: Widget, port: int, settings: Any) -> Mailbox:
    settings.EGRESS_ALLOW = [f"127.0.0.1:{port}"]
    changes = {"imap": f"imap://{USER}:{PASSWORD}@127.0.0.1:{port}/INBOX"}
    mailbox = save_mailbox(widget_id=shop.pk, address="support@flowers.test", changes=changes)
    vouch(mailbox)
    return mailbox


def read(mailbox: Mailbox) -> int:
    """What came since."""
    row = ReadJob.objects.get(mailbox=mailbox)
    row.mailbox = mailbox
    with reading.connected(read_imap(str(mailbox.imap))) as box:
        return reading.fetch(row, box)


def test_what_comes_after_connecting_is_read_once_and_stays_unseen(mailbox: Mailbox, port: int) -> None:
    put(port, "before", "0@mail.test")
    assert read(mailbox) == 0
    put(port, "one", "1@mail.test")
    put(port, "two", "2@mail.test")
    assert (read(mailbox), read(mailbox)) == (2, 0)
    work()
    assert list(Message.objects.order_by("id").values_list("body", flat=True)) == ["Roses\n\none", "two"]
    with imaplib.IMAP4("127.0.0.1", port) as client:
        client.login(USER, PASSWORD)
        client.select("INBOX", readonly=True)
        _, flags = client.fetch("1:*", "(FLAGS)")
    assert not any(b"\\Seen" in bytes(one if isinstance(one, bytes) else one[0]) for one in flags if one)


def test_another_validity_reads_the_last_days_anew_and_doubles_nothing(mailbox: Mailbox, port: int) -> None:
    read(mailbox)
    put(port, "three", "3@mail.test")
    assert read(mailbox) == 1
    work()
    ReadJob.objects.update(uid_validity=1)
    assert read(mailbox) >= 1
    work()
    assert Message.objects.filter(body__contains="three").count() == 1
    assert InLetter.objects.filter(kind="dropped", reason="repeated").exists()


def flags_of(port: int, folder: str = "INBOX") -> list[bytes]:
    """The flags of each letter of a folder."""
    with imaplib.IMAP4("127.0.0.1", port) as client:
        client.login(USER, PASSWORD)
        client.select(folder, readonly=True)
        _, found = client.fetch("1:*", "(FLAGS BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])")
    return [bytes(one[0]) + bytes(one[1]) for one in found if isinstance(one, tuple)]


def fetch_by(mailbox: Mailbox, query: str) -> int:
    server = read_imap(f"{mailbox.imap}{query}")
    with reading.connected(server) as box:
        return reading.fetch(ReadJob.objects.get(mailbox=mailbox), box, server)


def test_what_was_read_is_marked_as_seen_where_the_owner_wants_it(mailbox: Mailbox, port: int) -> None:
    fetch_by(mailbox, "?seen=1")
    put(port, "mark me", "mark@mail.test")
    assert fetch_by(mailbox, "?seen=1") == 1
    (marked,) = [one for one in flags_of(port) if b"mark@mail.test" in one]
    assert b"\\Seen" in marked


def test_what_was_read_is_moved_where_the_owner_wants_it(mailbox: Mailbox, port: int) -> None:
    with imaplib.IMAP4("127.0.0.1", port) as client:
        client.login(USER, PASSWORD)
        client.create("Done")
    fetch_by(mailbox, "?move=Done")
    put(port, "move me", "move@mail.test")
    assert fetch_by(mailbox, "?move=Done") == 1
    assert not any(b"move@mail.test" in one for one in flags_of(port))
    assert any(b"move@mail.test" in one for one in flags_of(port, "Done"))


def test_a_folder_that_is_not_there_loses_no_letter(mailbox: Mailbox, port: int) -> None:
    fetch_by(mailbox, "?move=Nowhere")
    put(port, "stay", "stay@mail.test")
    assert (fetch_by(mailbox, "?move=Nowhere"), fetch_by(mailbox, "?move=Nowhere")) == (1, 0)
    work()
    assert Message.objects.filter(body__contains="stay").count() == 1


@pytest.mark.parametrize("query", ["?seen=0", "?move=", "?move=INBOX", "?move=a%0D%0Ab", "?other=1"])
def test_what_else_to_do_with_letters_is_refused(query: str) -> None:
    with pytest.raises(BadServer):
        read_imap(f"imaps://a:b@mail.test/INBOX{query}")


def test_the_installations_inbox_is_read_by_its_worker(
    mary: VisitorClient, answer: Callable[..., int], port: int, settings: Any
) -> None:
    answer(mary)
    post.queue()
    settings.EGRESS_ALLOW = [f"127.0.0.1:{port}"]
    settings.MAIL_INBOX = f"imap://{USER}:{PASSWORD}@127.0.0.1:{port}/INBOX"
    reading.queue_installation()
    row = ReadJob.objects.get(mailbox=None)
    with reading.connected(read_imap(settings.MAIL_INBOX)) as box:
        assert reading.fetch(row, box) == 0
        put(port, "Two, please.", "inbox@mail.test", to=f"reply+r{Thread.objects.get().right}@shop.test")
        assert reading.fetch(row, box) == 1
    work()
    assert InLetter.objects.values_list("kind", "mailbox").get(letter_id="inbox@mail.test") == ("message", None)
    assert Message.objects.filter(chat_id=mary.chat_id, via="mail").values_list("body", flat=True)[0] == "Two, please."
    settings.MAIL_INBOX = ""
    reading.queue_installation()
    assert not ReadJob.objects.exists()


def test_a_refused_login_is_told_once_and_rests(shop: Widget, port: int, settings: Any) -> None:
    settings.EGRESS_ALLOW = [f"127.0.0.1:{port}"]
    StaffFactory.create(account=shop.account, role="owner")
    changes = {"imap": f"imap://{USER}:wrong@127.0.0.1:{port}/INBOX"}
    mailbox = save_mailbox(widget_id=shop.pk, address="support@flowers.test", changes=changes)
    vouch(mailbox)
    with pytest.raises(reading.ReadingFailed) as failed, reading.connected(read_imap(str(mailbox.imap))):
        pass
    assert failed.value.code == "login_refused"
    row = ReadJob.objects.select_related("mailbox__widget").get(mailbox=mailbox)
    reading._note_problem(row, failed.value)
    row.refresh_from_db()
    reading._note_problem(row, failed.value)
    assert state_of(mailbox)[0] == "problem"
    assert [one.subject for one in Mail.objects.all()].count("support@flowers.test is not read any more") == 1
    assert mail.outbox == []
    assert [one.pk for one in (lease.row for lease in claims.claim(READING, wanted=5))] == [row.pk]
