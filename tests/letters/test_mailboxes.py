"""A mailbox as a channel: letters become chats, answers gather and leave as letters (design of letters, 6)."""

import json
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.actions import post_agent_message, post_shop_word
from apps.chats.models import Chat, Contact, Message
from apps.chats.rules import Via
from apps.leases import claims
from apps.letters.actions.mailbox_proofs import vouch
from apps.letters.actions.mailboxes import save_mailbox
from apps.letters.actions.receiving.doors import accept
from apps.letters.models import Correspondent, GatherJob, InLetter, Mailbox, OutLetter, Thread
from apps.letters.rules.mailboxes import Door, bare_subject, imap_url, read_imap, read_smtp, smtp_url
from apps.letters.rules.mailboxes import MailServer as MailServerAt
from apps.letters.tasks import GATHERING
from tests.cast import Rival
from tests.client import client
from tests.letters import post
from tests.letters.test_receiving import work
from tests.mail_server import MailServer

PASS = "Authentication-Results: mx.shop.test; dmarc=pass header.from=mail.test\r\n"


@pytest.fixture
def mailbox(shop: Widget) -> Mailbox:
    """The shop's support@flowers.test."""
    changes = {"name": "Flowers", "authserv_ids": ["mx.shop.test"], "form_senders": ["form@flowers.test"]}
    mailbox = save_mailbox(widget_id=shop.pk, address="Support@flowers.test", changes=changes)
    vouch(mailbox)
    return mailbox


def come(
    mailbox: Mailbox,
    text: str,
    *,
    sender: str = "Mary <mary@mail.test>",
    subject: str = "Roses",
    fields: str = PASS,
    id_: str = "",
) -> InLetter:
    id_ = id_ or f"{abs(hash((text, sender, subject)))}@mail.test"
    raw = f"{fields}From: {sender}\r\nTo: support@flowers.test, tom@mail.test\r\nSubject: {subject}\r\nMessage-ID: <{id_}>\r\n\r\n{text}\r\n"
    row = accept(raw.encode(), door=Door.HOOK, mailbox=mailbox)
    work()
    row.refresh_from_db()
    return row


def bodies() -> list[str]:
    return list(Message.objects.filter(sender_kind="client").order_by("id").values_list("body", flat=True))


def test_a_letter_makes_a_chat_of_the_mailbox(mailbox: Mailbox) -> None:
    row = come(mailbox, "Do you have roses?")
    chat = Chat.objects.get()
    assert (row.kind, chat.channel, chat.contact.name, chat.contact.email) == (
        "message",
        f"mail__{mailbox.pk}",
        "Mary",
        "mary@mail.test",
    )
    assert bodies() == ["Roses\n\nDo you have roses?"]


def test_a_subject_is_said_where_it_is_new(mailbox: Mailbox) -> None:
    come(mailbox, "one")
    come(mailbox, "two", subject="Re: AW: Roses")
    come(mailbox, "three", subject="Tulips")
    assert bodies() == ["Roses\n\none", "two", "Tulips\n\nthree"]
    assert (Chat.objects.count(), Correspondent.objects.count()) == (1, 1)


@pytest.mark.parametrize(
    ("subject", "bare"),
    [
        ("Re: Fwd: Roses", "Roses"),
        ("Ответ: Розы", "Розы"),
        ("AW: SV: x", "x"),
        ("Re[2]: x", "x"),
        ("回复：x", "x"),
        ("Request", "Request"),
    ],
)
def test_what_programs_put_before_a_subject(subject: str, bare: str) -> None:
    assert bare_subject(subject) == bare


def test_a_told_address_leads_to_no_known_contact(mailbox: Mailbox, shop: Widget) -> None:
    told = Contact.objects.create(widget_id=shop.pk, name="Mary", email="mary@mail.test")
    come(mailbox, "hello")
    assert Chat.objects.get().contact_id != told.pk


def test_a_failed_new_sender_is_spam(mailbox: Mailbox) -> None:
    come(mailbox, "hello", fields="Authentication-Results: mx.shop.test; dmarc=fail\r\n")
    assert Chat.objects.get().status == "spam"


def test_a_form_writes_for_its_reply_to(mailbox: Mailbox) -> None:
    row = come(mailbox, "hello", sender="form@flowers.test", fields=f"{PASS}Reply-To: Mary <mary@mail.test>\r\n")
    assert (row.sender, row.proof, Chat.objects.get().contact.email) == ("mary@mail.test", "none", "mary@mail.test")
    come(mailbox, "hi", sender="x@mail.test", fields="Reply-To: evil@mail.test\r\n", subject="Hi")
    assert not Correspondent.objects.filter(address="evil@mail.test").exists()


def test_a_machine_makes_no_chat(mailbox: Mailbox) -> None:
    assert come(mailbox, "sale", fields="List-Id: <x>\r\n").reason == "machine"
    assert not Chat.objects.exists()


def test_its_hook_takes_letters(mailbox: Mailbox) -> None:
    raw = b"From: mary@mail.test\r\nSubject: x\r\n\r\nhello"
    assert client().post(f"/hooks/letters/{mailbox.hook_key}", raw, content_type="message/rfc822").status_code == 200
    work()
    assert bodies() == ["x\n\nhello"]


def test_a_foreign_right_counts_at_no_mailbox(mailbox: Mailbox, rival: Rival, settings: Any) -> None:
    settings.MAIL_REPLY_ADDRESS = "reply+{tag}@shop.test"
    theirs = save_mailbox(widget_id=rival.widget.pk, address="support@rival.test", changes={})
    vouch(theirs)
    come(mailbox, "hello")
    right = Thread.objects.get().right
    raw = f"From: eve@mail.test\r\nTo: reply+r{right}@shop.test\r\nSubject: x\r\n\r\nI am in".encode()
    accept(raw, door=Door.HOOK, mailbox=theirs)
    work()
    assert Message.objects.get(body__contains="I am in").widget_id == rival.widget.pk


# --- Answers ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def say(alice: Agent) -> Callable[[str], int]:
    def posted(body: str) -> int:
        content = {"type": "text", "body": body}
        chat = Chat.objects.get(widget_id=alice.widget_id, channel__startswith="mail__")
        return post_agent_message(
            widget_id=alice.widget_id, chat_id=chat.pk, content=content, agent_id=alice.pk, via=Via.CONSOLE
        ).id

    return posted


def gather() -> None:
    GatherJob.objects.filter(due_at__isnull=False).update(due_at="2026-01-01T00:00:00Z")
    for lease in claims.claim(GATHERING, wanted=9):
        lease.run()


def test_answers_gather_into_one_letter(mailbox: Mailbox, say: Callable[[str], int]) -> None:
    come(mailbox, "Do you have roses?", id_="q@mail.test")
    ids = [say("Yes."), say("Red ones.")]
    assert claims.claim(GATHERING, wanted=9) == []
    assert {one.delivery["state"] for one in Message.objects.filter(pk__in=ids) if one.delivery} == {"queued"}
    gather()
    letter = OutLetter.objects.get()
    assert (letter.kind, letter.message_ids, letter.thread.address) == ("mailbox", ids, "mary@mail.test")
    assert letter.thread.copies == ["tom@mail.test"]
    gather()
    assert OutLetter.objects.count() == 1


def test_the_letter_of_a_mailbox(mailbox: Mailbox, say: Callable[[str], int]) -> None:
    from apps.letters.actions.mailbox_answers import render

    come(mailbox, "Do you have roses?", id_="q@mail.test")
    say("Yes, <b>red</b> ones.")
    gather()
    letter = OutLetter.objects.select_related("thread__chat__widget").get()
    made = render(letter, letter.thread, list(Message.objects.filter(pk__in=letter.message_ids)), [], [])
    sent: Any = made.message()
    assert (sent["Subject"], sent["To"], sent["Cc"]) == ("Re: Roses", "mary@mail.test", "tom@mail.test")
    assert sent["From"].endswith('(Flowers)" <support@flowers.test>')
    assert (sent["In-Reply-To"], sent["Auto-Submitted"]) == ("<q@mail.test>", None)
    assert made.body.startswith("Yes, <b>red</b> ones.\n")
    assert "> Do you have roses?" in made.body
    assert "Yes, &lt;b&gt;red&lt;/b&gt; ones." in str(made.alternatives[0][0])


def test_the_shops_word_leaves_as_a_letter_of_the_shop_itself(mailbox: Mailbox) -> None:
    from apps.letters.actions.mailbox_answers import render

    come(mailbox, "Do you have roses?", id_="q@mail.test")
    chat = Chat.objects.get(channel__startswith="mail__")
    said = post_shop_word(widget_id=chat.widget_id, chat_id=chat.pk, body="We answer tomorrow.", name="Shop")
    gather()
    letter = OutLetter.objects.select_related("thread__chat__widget").get()
    assert letter.message_ids == [said.id]
    sent: Any = render(letter, letter.thread, list(Message.objects.filter(pk=said.id)), [], []).message()
    assert (sent["From"], sent["Auto-Submitted"]) == ("Flowers <support@flowers.test>", "auto-replied")
    assert "We answer tomorrow." in sent.as_string()


# --- The command ------------------------------------------------------------------------------------------------------


def run(**options: Any) -> dict[str, Any]:
    out = StringIO()
    call_command("mailbox", json=True, stdout=out, **options)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def test_the_command_makes_shows_and_removes(shop: Widget, settings: Any) -> None:
    made = run(widget=str(shop.guid), address="support@flowers.test", name="Flowers")
    row = Mailbox.objects.get()
    url = f"{settings.PUBLIC_URL}/hooks/letters/{row.hook_key}"
    assert made == {
        "id": row.pk,
        "channel": f"mail__{row.pk}",
        "address": "support@flowers.test",
        "hook_url": url,
        "proved": True,
        "state": "hook",
        "problem": None,
    }
    assert run(widget=str(shop.guid), address="support@flowers.test", ai="answers")["id"] == row.pk
    assert run(widget=str(shop.guid), address="support@flowers.test", remove=True) == {
        "removed": "support@flowers.test"
    }
    assert not Mailbox.objects.exists()


@pytest.mark.parametrize(
    "options",
    [
        {"imap": "http://x"},
        {"imap": "imaps://u:p@127.0.0.1/INBOX"},
        {"smtp": "smtp://10.0.0.1"},
        {"department": 1},
        {"address": "nobody"},
    ],
)
def test_what_is_malformed_or_private_is_refused(shop: Widget, options: dict[str, Any]) -> None:
    with pytest.raises(CommandError):
        run(**{"widget": str(shop.guid), "address": "support@flowers.test", **options})
    assert not Mailbox.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("reply", [None, "550 no such person"])
def test_answers_leave_by_the_mailboxs_own_server(
    mailbox: Mailbox, say: Callable[[str], int], settings: Any, server: MailServer, reply: str | None
) -> None:
    with MailServer(replies={"RCPT": reply} if reply else {}) as own:
        settings.EGRESS_ALLOW = [f"127.0.0.1:{own.port}"]
        url = f"smtp://127.0.0.1:{own.port}"
        save_mailbox(widget_id=mailbox.widget_id, address=mailbox.address, changes={"smtp": url})
        come(mailbox, "Do you have roses?")
        said = say("Yes, red ones")
        gather()
        post.work()
        assert server.received == []
        assert own.senders == ["support@flowers.test"]
        state = (Message.objects.get(pk=said).delivery or {})["state"]
        assert (state, len(own.received)) == (("failed", 0) if reply else ("sent", 1))


@pytest.mark.django_db(transaction=True)
def test_a_mailboxs_own_server_that_may_not_be_called_gets_nothing(
    mailbox: Mailbox, say: Callable[[str], int], settings: Any, server: MailServer
) -> None:
    with MailServer() as own:
        settings.EGRESS_ALLOW = [f"127.0.0.1:{own.port}"]
        url = f"smtp://127.0.0.1:{own.port}"
        save_mailbox(widget_id=mailbox.widget_id, address=mailbox.address, changes={"smtp": url})
        settings.EGRESS_ALLOW = []
        come(mailbox, "Do you have roses?")
        say("Yes, red ones")
        gather()
        post.work()
        assert (own.connections, server.received) == (0, [])
        assert OutLetter.objects.values_list("state", "code").get() == ("queued", "mail_unavailable")


@pytest.mark.django_db(transaction=True)
def test_a_server_that_refuses_the_login_is_not_called_unavailable(
    mailbox: Mailbox, say: Callable[[str], int], settings: Any
) -> None:
    replies = {"EHLO": "250-mail.test\r\n250 AUTH PLAIN", "AUTH": "535 5.7.8 wrong password"}
    with MailServer(replies=replies) as own:
        settings.EGRESS_ALLOW = [f"127.0.0.1:{own.port}"]
        url = f"smtp://mary:secret@127.0.0.1:{own.port}"
        save_mailbox(widget_id=mailbox.widget_id, address=mailbox.address, changes={"smtp": url})
        come(mailbox, "Do you have roses?")
        said = say("Yes, red ones")
        gather()
        post.work()
    told = OutLetter.objects.values_list("state", "code", "detail").get()
    assert told == ("queued", "login_refused", "535 5.7.8 wrong password")
    assert (Message.objects.get(pk=said).delivery or {})["code"] == "login_refused"


@pytest.mark.parametrize("password", ["p#ss", "p/ss", "p?ss", "p@ss", "#/?@:", "p%ss w0rd", "пароль", 'q"\\'])
def test_any_password_survives_its_address(password: str) -> None:
    read = MailServerAt("imap.shop.test", 993, "mary@shop.test", password, True, False, "INBOX/Orders", False, "Done/2")
    sends = MailServerAt("2001:db8::1", 587, "mary", password, False, True)
    assert read_imap(imap_url(read)) == read
    assert read_smtp(smtp_url(sends)) == sends


@pytest.mark.parametrize("password", ["p#ss", "p/ss", "p?ss", "p@ss", "12/3", "#/?@x", "p?seen=1"])
def test_signs_of_addresses_in_a_password_need_no_encoding(password: str) -> None:
    read = read_imap(f"imaps://mary@shop.test:{password}@imap.shop.test/Orders?seen=1")
    assert (read.user, read.password, read.host) == ("mary@shop.test", password, "imap.shop.test")
    assert (read.folder, read.marks_seen) == ("Orders", True)
    sends = read_smtp(f"smtps://mary:{password}@smtp.shop.test:465")
    assert (sends.user, sends.password, sends.host, sends.port) == ("mary", password, "smtp.shop.test", 465)
