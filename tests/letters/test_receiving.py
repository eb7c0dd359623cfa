"""Letters that come in by every door, and what they become (design of letters, 5 and 10)."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.actions import block_visitor
from apps.chats.models import Chat, Contact, File, Message
from apps.chats.rules.blocks import Blocked
from apps.leases import claims
from apps.letters.actions.checks import arrived
from apps.letters.actions.receiving.doors import accept
from apps.letters.models import Address, InLetter, OutLetter, SenderJob, Thread
from apps.letters.rules.addresses import origin_of
from apps.letters.rules.mailboxes import Door
from apps.letters.tasks import SENDERS
from tests.client import client
from tests.letters import post
from tests.widget.visitor import VisitorClient

HOOK_KEY = "k" * 40
AUTHSERV = "mx.shop.test"
PASS = f"Authentication-Results: {AUTHSERV}; dmarc=pass header.from=mail.test\r\n"


@pytest.fixture(autouse=True)
def _believed(settings: Any) -> None:
    settings.MAIL_HOOK_KEY, settings.MAIL_AUTHSERV_ID = HOOK_KEY, [AUTHSERV]


def work() -> None:
    """What workers do with letters that wait."""
    while leases := claims.claim(SENDERS, wanted=99):
        for lease in leases:
            lease.run()


def mail_to(
    to: str,
    text: str = "Two of them, please.",
    *,
    sender: str = "Mary <mary@mail.test>",
    fields: str = PASS,
    id_: str = "1@mail.test",
) -> bytes:
    return f"{fields}From: {sender}\r\nTo: {to}\r\nSubject: Re: An answer\r\nMessage-ID: <{id_}>\r\n\r\n{text}\r\n".encode()


@pytest.fixture
def reply_address(mary: VisitorClient, answer: Callable[..., int]) -> str:
    """A letter is on its way to Mary; it may be answered here."""
    answer(mary)
    post.queue()
    return f"reply+r{Thread.objects.get().right}@shop.test"


def come(raw: bytes, **envelope: Any) -> InLetter:
    row = accept(raw, door=Door.PIPE, **envelope)
    work()
    row.refresh_from_db()
    return row


# --- Doors ------------------------------------------------------------------------------------------------------------


def test_a_letter_by_five_doors_is_one_message(shop: Widget, reply_address: str) -> None:
    raw = mail_to(reply_address)
    path = f"/hooks/letters/{HOOK_KEY}"
    envelope = {"recipient": reply_address, "sender": "mary@mail.test"}
    bodies = [
        client().post(f"{path}?recipient={reply_address}", raw, content_type="message/rfc822"),
        client().post(f"{path}/mime", {"body-mime": raw.decode(), **envelope}),
        client().post(
            path, {"email": raw.decode(), "envelope": json.dumps({"to": [reply_address], "from": "mary@mail.test"})}
        ),
        client().post(
            path,
            json.dumps({"RawEmail": raw.decode(), "OriginalRecipient": reply_address}),
            content_type="application/json",
        ),
    ]
    assert [(one.status_code, one.json()) for one in bodies] == [(200, {"ok": True})] * 4
    accept(raw, door=Door.PIPE)
    work()
    assert list(Message.objects.filter(via="mail").values_list("body", flat=True)) == ["Two of them, please."]
    assert sorted(InLetter.objects.values_list("kind", flat=True)) == ["dropped"] * 4 + ["message"]


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b" ", "message/rfc822", 422),
        (b"{}", "application/json", 422),
        (b"x", "text/plain", 415),
        (b"[", "application/json", 422),
    ],
)
def test_a_body_without_a_letter_is_refused(shop: Widget, body: bytes, content_type: str, status: int) -> None:
    answer = client().post(f"/hooks/letters/{HOOK_KEY}", body, content_type=content_type)
    assert (answer.status_code, InLetter.objects.count()) == (status, 0)


def test_a_parsed_form_names_the_switch_to_raw(shop: Widget) -> None:
    answer = client().post(f"/hooks/letters/{HOOK_KEY}", {"body-plain": "hello", "sender": "x"})
    assert answer.status_code == 422
    assert "/mime" in answer.json()["detail"]


@pytest.mark.parametrize("key", ["x" * 43, "k" * 39, HOOK_KEY + "x"])
def test_another_key_is_404(shop: Widget, key: str) -> None:
    assert (
        client().post(f"/hooks/letters/{key}", b"From: a@b.test\r\n\r\nx", content_type="message/rfc822").status_code
        == 404
    )


# --- Answers to letters -----------------------------------------------------------------------------------------------


def test_an_answer_comes_into_the_chat_and_proves_the_address(mary: VisitorClient, reply_address: str) -> None:
    row = come(mail_to(reply_address))
    message = Message.objects.get(via="mail")
    assert (message.chat_id, message.body, message.sender_kind, message.origin) == (
        mary.chat_id,
        "Two of them, please.",
        "client",
        "mail",
    )
    assert (row.kind, row.proof, row.is_third, row.message_id) == ("message", "pass", False, message.pk)
    assert Address.objects.get(email="mary@mail.test").proven_by == "letter"
    assert not Message.objects.filter(sender_kind="agent", seen_at=None).exists()
    assert Chat.objects.get(pk=mary.chat_id).handover_reason is None  # Alice has the chat


def test_an_unproven_answer_comes_in_and_proves_nothing(mary: VisitorClient, reply_address: str) -> None:
    row = come(mail_to(reply_address, fields=""))
    assert (row.kind, row.proof, row.is_for_people) == ("message", "none", True)
    assert not Address.objects.filter(proven_at__isnull=False).exists()


def test_the_right_lets_in_whoever_writes_as_a_third_person(mary: VisitorClient, reply_address: str) -> None:
    row = come(mail_to(reply_address, sender="Tom <tom@mail.test>"))
    message = Message.objects.get(via="mail")
    assert (row.is_third, message.sender_name) == (True, "tom@mail.test (not mary@mail.test)")
    assert Contact.objects.get().email == "mary@mail.test"
    assert not Address.objects.filter(email="tom@mail.test").exists()


def test_a_message_id_of_ours_leads_into_the_chat(mary: VisitorClient, reply_address: str) -> None:
    id_ = OutLetter.objects.get().message_id
    row = come(mail_to("somebody@shop.test", fields=f"{PASS}References: <other@x.test> {id_}\r\n"))
    assert (row.kind, row.chat_id) == ("message", mary.chat_id)


def test_a_letter_without_a_right_makes_no_chat_at_the_installations_door(
    mary: VisitorClient, reply_address: str
) -> None:
    row = come(mail_to("reply+raaaaaaaaaaaaaaaaaaaa@shop.test", sender="x@evil.test"))
    assert (row.kind, row.reason, row.raw_key, Chat.objects.count()) == ("no_chat", "chat_gone", "", 1)
    row = come(mail_to("parley@shop.test", sender="x@evil.test", id_="2@x"))
    assert (row.kind, row.reason) == ("no_chat", "no_right")


@pytest.mark.parametrize("word", ["Stop", "стоп"])
def test_a_stop_word_stops(mary: VisitorClient, reply_address: str, word: str) -> None:
    row = come(mail_to(reply_address, word, fields=f"{PASS}Content-Type: text/plain; charset=utf-8\r\n"))
    assert row.kind == "stop"
    assert Address.objects.get(email="mary@mail.test").stopped_at is not None
    assert not Message.objects.filter(via="mail").exists()


def test_a_machines_answer_is_a_note(mary: VisitorClient, reply_address: str) -> None:
    row = come(mail_to(reply_address, "I am away.", fields="Auto-Submitted: auto-replied\r\n"))
    note = Message.objects.get(pk=row.message_id)
    assert (row.kind, note.is_internal, note.body) == ("note", True, "Automatic answer: I am away.")


@pytest.mark.parametrize("ours", ["sender", "id", "origin"])
def test_our_own_letter_that_comes_back_is_dropped(
    mary: VisitorClient, reply_address: str, ours: str, settings: Any
) -> None:
    raws = {
        "sender": mail_to(reply_address, sender="parley@shop.test"),
        "id": mail_to(reply_address, id_=OutLetter.objects.get().message_id.strip("<>")),
        "origin": mail_to(reply_address, fields=f"X-Parley-Origin: {origin_of(settings.PUBLIC_URL)}\r\n"),
    }
    assert come(raws[ours]).reason == "ours"
    assert not Message.objects.filter(via="mail").exists()


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        (
            f"Authentication-Results: {AUTHSERV}; spf=pass smtp.mailfrom=shop.test; dkim=fail; dmarc=pass\r\n",
            {"spf": "pass", "dkim": "fail", "dmarc": "pass"},
        ),
        ("Authentication-Results: mx.stranger.test; spf=pass\r\n", {"spf": None, "dkim": None, "dmarc": None}),
        ("", {"spf": None, "dkim": None, "dmarc": None}),
    ],
)
def test_the_check_tells_what_the_believed_receiver_found(
    reply_address: str, fields: str, found: dict[str, str | None]
) -> None:
    assert arrived("<own@shop.test>") is None
    come(mail_to(reply_address, sender="parley@shop.test", fields=fields, id_="own@shop.test"))
    assert arrived("<own@shop.test>") == found


def test_a_picture_of_the_markup_that_was_seen_before_from_the_sender_is_left_out(
    mary: VisitorClient, reply_address: str
) -> None:
    def letter(number: int, fill: str) -> bytes:
        head = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x03\x20\x00\x00\x02\x58"
        png = base64.b64encode(head + fill.encode() * 6000).decode()
        return (
            f"{PASS}From: mary@mail.test\r\nTo: {reply_address}\r\nMessage-ID: <p{number}@x>\r\n"
            'Content-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n'
            f'<p>Letter {number}</p><img src="cid:logo">\r\n--b\r\nContent-Type: image/png; name=a.png\r\n'
            f"Content-ID: <logo>\r\nContent-Transfer-Encoding: base64\r\n\r\n{png}\r\n--b--\r\n"
        ).encode()

    for number, fill in enumerate("xxy"):
        come(letter(number, fill))
    said = Message.objects.filter(via="mail").order_by("id").values_list("type", flat=True)
    assert list(said) == ["text", "image", "text", "text", "image"]


def test_a_blocked_visitors_letter_is_dropped(mary: VisitorClient, reply_address: str, alice: Agent) -> None:
    block_visitor(
        widget_id=alice.widget_id,
        chat_id=mary.chat_id,
        what=Blocked.CONTACT,
        reason="x",
        hours=None,
        agent_id=alice.pk,
        address="",
    )
    assert (come(mail_to(reply_address)).reason, Message.objects.filter(via="mail").count()) == ("blocked", 0)


def test_the_31st_letter_of_an_hour_is_parked(mary: VisitorClient, reply_address: str) -> None:
    for number in range(31):
        accept(mail_to(reply_address, f"letter {number}", id_=f"{number}@x"), door=Door.PIPE)
    work()
    assert list(InLetter.objects.order_by("-id").values_list("kind", "reason")[:2]) == [
        ("parked", "sender"),
        ("message", ""),
    ]


def test_a_bounce_is_noted_at_the_message_and_the_address(mary: VisitorClient, reply_address: str) -> None:
    letter = OutLetter.objects.get()
    report = (
        f"From: MAILER-DAEMON@mx.test\r\nTo: reply+b{letter.right}@shop.test\r\n"
        'Content-Type: multipart/report; boundary="b"\r\n\r\n--b\r\n\r\nNot delivered.\r\n--b\r\n'
        "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.test\r\n\r\nFinal-Recipient: rfc822; mary@mail.test\r\n"
        "Action: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 no such user\r\n\r\n--b--\r\n"
    )
    row = come(report.encode(), envelope_sender="")
    letter.refresh_from_db()
    assert (row.kind, letter.state, letter.code) == ("report", "failed", "bounced")
    delivery = Message.objects.get(sender_kind="agent").delivery
    assert delivery is not None
    assert (delivery["state"], delivery["code"]) == ("failed", "bounced")
    assert Address.objects.get(email="mary@mail.test").dead_at is not None


def test_a_letter_over_the_limit_is_without_a_chat(shop: Widget) -> None:
    row = come(b"From: x@mail.test\r\n\r\n" + b"x" * (25 * 1024 * 1024))
    assert (row.kind, row.reason, row.raw_key) == ("no_chat", "too_large", "")


def test_files_follow_the_text(mary: VisitorClient, reply_address: str) -> None:
    png = base64.b64encode(
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x03\x20\x00\x00\x02\x58" + b"x" * 6000
    ).decode()
    raw = (
        f"{PASS}From: mary@mail.test\r\nTo: {reply_address}\r\nMessage-ID: <f@x>\r\n"
        'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n\r\nThis one.\r\n--b\r\n'
        'Content-Type: image/png; name="../a.png"\r\nContent-Transfer-Encoding: base64\r\n\r\n' + png + "\r\n--b\r\n"
        "Content-Type: application/ms-tnef; name=winmail.dat\r\nContent-Transfer-Encoding: base64\r\n\r\nAAECAw==\r\n--b--\r\n"
    )
    come(raw.encode())
    said = list(Message.objects.filter(via="mail").order_by("id").values_list("type", "body"))
    assert said == [("text", "This one."), ("image", ""), ("file", "")]
    assert list(File.objects.order_by("id").values_list("name", flat=True)) == ["a.png", "winmail.dat"]


def test_a_crash_between_door_and_worker_loses_nothing(mary: VisitorClient, reply_address: str) -> None:
    accept(mail_to(reply_address), door=Door.PIPE)
    SenderJob.objects.all().delete()
    from apps.letters.actions.receiving.doors import queue_left

    queue_left()
    work()
    assert Message.objects.filter(via="mail").count() == 1


def test_a_third_lost_lease_leaves_the_letter_and_goes_on(mary: VisitorClient, reply_address: str) -> None:
    first = accept(mail_to(reply_address, "one", id_="1@x"), door=Door.PIPE)
    accept(mail_to(reply_address, "two", id_="2@x"), door=Door.PIPE)
    SenderJob.objects.update(claims=3)
    work()
    first.refresh_from_db()
    assert (first.kind, first.reason) == ("no_chat", "crashed")
    assert list(Message.objects.filter(via="mail").values_list("body", flat=True)) == ["two"]


def test_erasing_the_contact_takes_the_letters_along(mary: VisitorClient, reply_address: str) -> None:
    row = come(mail_to(reply_address))
    Chat.objects.filter(pk=mary.chat_id).delete()
    assert not InLetter.objects.filter(pk=row.pk).exists()
    assert Thread.objects.count() == 0
