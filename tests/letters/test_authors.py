"""No letter of a customer is thrown away: who is a machine, a form, a group, ours or a person, and what is dropped."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.chats.models import Chat, Message
from apps.letters.actions.mailbox_proofs import vouch
from apps.letters.actions.mailboxes import save_mailbox
from apps.letters.actions.receiving.doors import accept
from apps.letters.actions.receiving.parked import let_in
from apps.letters.models import Correspondent, InLetter, Mailbox
from apps.letters.rules.addresses import origin_of
from apps.letters.rules.mailboxes import Door
from apps.letters.rules.reading.letters import read_letter
from apps.letters.rules.reading.machines import SeenLetter, has_machine_sign, is_machine
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory
from tests.letters.test_receiving import work

MX = "mx.shop.test"
PASS = f"Authentication-Results: {MX}; dmarc=pass\r\n"


def box(widget: Widget, address: str, *named: str) -> Mailbox:
    mailbox = save_mailbox(
        widget_id=widget.pk, address=address, changes={"authserv_ids": [MX], "form_senders": list(named)}
    )
    vouch(mailbox)
    return mailbox


def letter(
    text: str = "Do you have roses?",
    *,
    sender: str = "Mary <mary@mail.test>",
    to: str = "support@flowers.test",
    fields: str = PASS,
    subject: str = "Roses",
    id_: str = "1@mail.test",
) -> bytes:
    head = f"{fields}From: {sender}\r\nTo: {to}\r\nSubject: {subject}\r\nMessage-ID: <{id_}>\r\n"
    return f"{head}Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n".encode()


def come(raw: bytes, mailbox: Mailbox | None, door: Door = Door.PIPE) -> InLetter:
    row = accept(raw, door=door, mailbox=mailbox)
    work()
    row.refresh_from_db()
    return row


def says(fields: str, sender: str = "mary@mail.test") -> bytes:
    return f"{fields}\r\nFrom: {sender}\r\n\r\nhello\r\n".encode()


# --- The same letter --------------------------------------------------------------------------------------------------


def test_a_letter_to_two_mailboxes_is_in_both_and_once_in_each(shop: Widget) -> None:
    support, sales = box(shop, "support@flowers.test"), box(shop, "sales@flowers.test")
    raw = letter(to="support@flowers.test, sales@flowers.test")
    kinds = [come(raw, one, door).kind for one in (support, sales) for door in (Door.IMAP, Door.HOOK, Door.PIPE)]
    assert kinds == ["message", "dropped", "dropped"] * 2
    assert set(Chat.objects.values_list("channel", flat=True)) == {support.channel, sales.channel}


def test_a_letter_to_two_shops_is_in_both(shop: Widget, rival: Rival) -> None:
    ours, theirs = box(shop, "support@flowers.test"), box(rival.widget, "support@rival.test")
    assert [come(letter(), one).kind for one in (ours, theirs)] == ["message", "message"]
    assert Message.objects.filter(via="mail").values("widget_id").distinct().count() == 2


def test_an_answer_in_one_mailboxs_thread_with_the_other_in_cc_is_there_once(shop: Widget) -> None:
    from apps.letters.models import OutLetter, Thread
    from apps.letters.rules import rights
    from apps.letters.rules.addresses import message_id_of

    support, sales = box(shop, "support@flowers.test"), box(shop, "sales@flowers.test")
    first = come(letter(), support)
    thread, right = Thread.objects.get(), rights.new_right()
    id_ = message_id_of(right, "flowers.test")
    OutLetter.objects.create(
        widget=shop, thread=thread, right=right, digest=rights.digest_of(right), message_id=id_, last_message_id=1
    )
    raw = letter("Two, please", fields=f"{PASS}In-Reply-To: {id_}\r\n", id_="2@mail.test", subject="Re: Roses")
    assert [come(raw, one).kind for one in (sales, support)] == ["message", "dropped"]
    assert set(Message.objects.filter(via="mail").values_list("chat_id", flat=True)) == {first.chat_id}


def test_a_forged_letter_before_it_is_no_repetition(shop: Widget) -> None:
    support = box(shop, "support@flowers.test")
    assert come(letter(fields=""), support).proof == "none"
    row = come(letter(), support)
    assert (row.kind, row.standing) == ("message", "proved")


# --- Forms and groups -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sender", "fields"),
    [
        ("form@flowers.test", ""),
        ("noreply@flowers.test", ""),
        ("form@flowers.test", "Auto-Submitted: auto-generated\r\n"),
        ("form@flowers.test", "Precedence: bulk\r\nX-Auto-Response-Suppress: All\r\nReturn-Path: <>\r\n"),
        ("support@flowers.test", "X-Mailer: PHPMailer\r\n"),
    ],
)
def test_a_form_that_the_owner_named_is_no_machine_and_not_ours(shop: Widget, sender: str, fields: str) -> None:
    support = box(shop, "support@flowers.test", sender)
    row = come(letter(sender=f"Shop <{sender}>", fields=f"{fields}Reply-To: Mary <mary@mail.test>\r\n"), support)
    assert (row.kind, row.sender, row.proof) == ("message", "mary@mail.test", "none")
    assert Chat.objects.get().contact.email == "mary@mail.test"


GROUP = "List-Id: <support.flowers.test>\r\nPrecedence: list\r\nMailing-list: list support@flowers.test; contact x\r\n"


@pytest.mark.parametrize(
    ("sender", "fields"),
    [
        ("Mary <mary@mail.test>", ""),
        ("Mary <mary@mail.test>", "X-Original-Sender: mary@mail.test\r\n"),
        ("'Mary' via Support <support@flowers.test>", "Reply-To: Mary <mary@mail.test>\r\n"),
        (
            "'Mary' via Support <support@flowers.test>",
            "X-Original-Sender: mary@mail.test\r\nReply-To: support@flowers.test\r\n",
        ),
    ],
)
def test_a_group_that_the_owner_named_is_a_way_to_the_mailbox(shop: Widget, sender: str, fields: str) -> None:
    inbox = box(shop, "inbox@flowers.test", "support@flowers.test")
    assert come(letter(sender=sender, fields=GROUP + fields), inbox).sender == "mary@mail.test"
    assert Correspondent.objects.get().address == "mary@mail.test"


def test_other_lists_stay_machines(shop: Widget) -> None:
    inbox = box(shop, "inbox@flowers.test", "support@flowers.test")
    row = come(letter(to="support@flowers.test", fields="List-Id: <news.other.test>\r\n"), inbox)
    assert (row.kind, row.reason, bool(row.raw_key)) == ("no_chat", "machine", True)


# --- Ours -------------------------------------------------------------------------------------------------------------


def test_a_colleague_at_a_sister_mailbox_is_a_person(shop: Widget) -> None:
    support = box(shop, "support@flowers.test")
    box(shop, "sales@flowers.test")
    assert come(letter(sender="Tom <sales@flowers.test>"), support).kind == "message"


def test_another_shops_mailbox_swallows_no_letters_of_its_address(shop: Widget, rival: Rival) -> None:
    support = box(shop, "support@flowers.test")
    box(rival.widget, "mary@mail.test")
    assert come(letter(), support).kind == "message"


def test_what_is_dropped_keeps_its_raw_letter_and_may_be_taken_all_the_same(shop: Widget, settings: Any) -> None:
    support = box(shop, "support@flowers.test")
    ours = come(letter(sender="support@flowers.test", fields="Reply-To: mary@mail.test\r\n"), support)
    come(letter("two", id_="2@x"), support)
    again = come(letter("two", id_="2@x"), support)
    marked = come(letter(fields=f"X-Parley-Origin: {origin_of(settings.PUBLIC_URL)}\r\n", id_="3@x"), support)
    for row, reason in ((ours, "ours"), (again, "repeated"), (marked, "ours")):
        assert (row.kind, row.reason, bool(row.raw_key)) == ("dropped", reason, True)
        count = Message.objects.filter(via="mail").count()
        assert let_in(row)
        assert Message.objects.filter(via="mail").count() == count + 1
    ours.refresh_from_db()
    assert (ours.kind, ours.sender) == ("message", "mary@mail.test")


# --- Machines ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        "Precedence: auto-reply", "Precedence: Auto_Reply (x)", "X-Autogenerated: Reply", "X-AutoReply-From: a@b.test",
        "X-Mail-Autoreply: 1", "Delivered-To: Autoresponder", "Auto-Submitted: auto-replied (vacation)", "X_Auto_Reply: yes",
        "AUTO-SUBMITTED: (x) Auto-Generated; y=z", "X-Auto-Response: yes", "From: No_Reply@shop.test", "Return-Path: <> (x)",
        "Subject: Out of office", "Subject: Automatic reply: Roses", "Subject: [Automatic reply] ",
    ],
)  # fmt: skip
def test_machines_are_known_after_folding(fields: str) -> None:
    raw = says(fields) if not fields.startswith("From") else f"{fields}\r\n\r\nhello".encode()
    assert is_machine(read_letter(raw))


@pytest.mark.parametrize(
    "fields",
    [
        "Auto-Submitted: no (a person wrote it)", "Auto-Submitted: (x) No", "X-Auto-Response-Suppress: All",
        "X-Auto_Response-Suppress: OOF", "X-Autoreply: no", "Delivered-To: autoresponder@shop.test", "From: no-reply.anna@mail.test",
        "Subject: Автоответчик Panasonic: есть в наличии?", "Subject: Auto: Ersatzteile gesucht",
        "Subject: Out of office chairs? When do you restock", "Subject: Нет на месте курьера, заказ 17",
        "Subject: Вне офиса: можно ли забрать заказ?", "Subject: Automatic reply machine, how much?",
        "Subject: Abwesenheitsnotizbuch gesucht", "Subject: Out of office - a question", "Precedence: first-class",
    ],
)  # fmt: skip
def test_people_are_no_machines(fields: str) -> None:
    raw = says(fields) if not fields.startswith("From") else f"{fields}\r\n\r\nhello".encode()
    assert not is_machine(read_letter(raw))


def test_a_subject_decides_with_a_second_sign() -> None:
    absent = read_letter(says("Subject: Out of office until Monday"))
    assert not has_machine_sign(SeenLetter(absent))
    assert has_machine_sign(SeenLetter(absent, answers_ours=True))
    assert has_machine_sign(SeenLetter(absent, has_words=False))
    person = read_letter(says("Subject: Автоответчик Panasonic: есть?"))
    assert not has_machine_sign(SeenLetter(person, answers_ours=True))


# --- Limits -----------------------------------------------------------------------------------------------------------


def test_forged_letters_use_up_no_room_of_proved_ones_or_of_another_shop(shop: Widget, rival: Rival) -> None:
    support, theirs = box(shop, "support@flowers.test"), box(rival.widget, "support@rival.test")
    for number in range(32):
        accept(letter(f"{number}", fields="", id_=f"{number}@x"), door=Door.PIPE, mailbox=support)
    work()
    assert list(InLetter.objects.order_by("-id").values_list("kind", "reason")[:2]) == [("parked", "sender")] * 2
    assert come(letter("mine", id_="mine@x"), support).kind == "message"
    assert come(letter("theirs", fields="", id_="theirs@x"), theirs).kind == "message"


def test_a_sender_is_one_whatever_the_spelling(shop: Widget) -> None:
    support = box(shop, "support@flowers.test")
    for number in range(31):
        sender = f"m.a.r.y+{number}@gmail.com" if number % 2 else "mary@googlemail.com"
        row = come(letter(f"{number}", sender=sender, id_=f"{number}@x"), support)
    assert (row.kind, row.reason) == ("parked", "sender")


def test_raw_letters_in_no_chat_fill_no_more_of_the_disk_than_uploads(
    shop: Widget, rival: Rival, settings: Any
) -> None:
    support, theirs = box(shop, "support@flowers.test"), box(rival.widget, "support@rival.test")
    machine = "List-Id: <x.test>\r\n"
    size = come(letter(fields=machine, id_="0@x"), support).size
    settings.WIDGET_UPLOADS_MB = (size * 2 + 1) / 1024**2
    rows = [come(letter(fields=machine, id_=f"{number}@x"), support) for number in (1, 2)]
    assert [(row.kind, row.reason, bool(row.raw_key)) for row in rows] == [
        ("no_chat", "machine", True),
        ("no_chat", "machine", False),
    ]
    assert come(letter(fields=machine, id_="3@x"), theirs).raw_key
    assert come(letter(id_="4@x"), support).kind == "message"


def test_raw_letters_of_chats_fill_no_more_of_the_disk_than_uploads_and_forged_ones_none_of_proved_ones(
    shop: Widget, settings: Any
) -> None:
    support = box(shop, "support@flowers.test")
    size = come(letter("a", id_="0@x", fields=""), support).size
    settings.WIDGET_UPLOADS_MB = (size * 2 + 1) / 1024**2
    rows = [come(letter("b", id_=f"{number}@x", fields=""), support) for number in (1, 2)]
    assert [(row.kind, bool(row.raw_key)) for row in rows] == [("message", True), ("message", False)]
    proved = come(letter("c", id_="3@x"), support)
    assert (proved.proof, proved.kind, bool(proved.raw_key)) == ("pass", "message", True)


def test_parked_letters_are_told_on_the_front_page(shop: Widget, rival: Rival) -> None:
    owner = signed_in(StaffFactory.create(account=shop.account, role="owner"))
    assert "over a limit" not in owner.get("/admin/").content.decode()
    support = box(shop, "support@flowers.test")
    for number in range(31):
        row = come(letter(f"{number}", id_=f"{number}@x"), support)
    assert row.kind == "parked"
    shown = owner.get("/admin/").content.decode()
    assert "E-mails over a limit" in shown
    assert "kind__exact=parked" in shown
    stranger = signed_in(StaffFactory.create(account=rival.widget.account, role="owner"))
    assert "over a limit" not in stranger.get("/admin/").content.decode()
