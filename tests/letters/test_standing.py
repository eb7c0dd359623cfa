"""A fact of an unproved letter never becomes a fact of the thread: each fact and standing of the table is walked."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.actions import post_agent_message
from apps.chats.models import Chat, Contact, Message
from apps.chats.rules import Via
from apps.letters.actions.addresses import note_proof, note_sent
from apps.letters.actions.answers import quoted_ids
from apps.letters.actions.copies import change_copies, copies_of
from apps.letters.actions.mailbox_answers import render
from apps.letters.actions.receiving.doors import accept
from apps.letters.models import Address, InLetter, Mailbox, OutLetter, Thread
from apps.letters.rules.mailboxes import Door
from apps.letters.rules.standing import FATES, Fate, LetterFact, Standing, table
from tests.letters import post
from tests.letters.test_mailboxes import gather, mailbox
from tests.letters.test_receiving import AUTHSERV, HOOK_KEY, work
from tests.widget.visitor import VisitorClient

__all__ = ["mailbox"]

MARY, SHOP = "mary@mail.test", "support@flowers.test"
RESULTS = f"Authentication-Results: {AUTHSERV}; dmarc="
FORGED = {
    "fail": f"{RESULTS}fail\r\n",
    "nothing": "",
    "another server's pass": "Authentication-Results: mx.evil.test; dmarc=pass\r\n",
    "a planted pass": f'Authentication-Results: {AUTHSERV}; spf=pass smtp.mailfrom="a; dmarc=pass; b"@evil.test\r\n',
    "pass below another server's": f"Authentication-Results: mx.evil.test; dmarc=none\r\n{RESULTS}pass\r\n",
    "a signature of another": f"Authentication-Results: {AUTHSERV}; dkim=pass header.d=evil.test\r\n",
    "pass and fail": f"{RESULTS}pass\r\n{RESULTS}fail\r\n",
    "two senders": f"{RESULTS}pass\r\nFrom: eve@evil.test\r\n",
}


def come(
    mailbox: Mailbox | None,
    text: str,
    *,
    fields: str = f"{RESULTS}pass\r\n",
    to: str = SHOP,
    cc: str = "",
    subject: str = "Roses",
    sender: str = f"Mary <{MARY}>",
) -> InLetter:
    number = InLetter.objects.count()
    raw = f"{fields}From: {sender}\r\nTo: {to}\r\n{f'Cc: {cc}{chr(13)}{chr(10)}' if cc else ''}Subject: {subject}\r\n"
    raw += f"Message-ID: <{number}@mail.test>\r\n\r\n{text}\r\n"
    row = accept(raw.encode(), door=Door.PIPE, mailbox=mailbox)
    work()
    row.refresh_from_db()
    return row


def facts_of(thread: Thread) -> dict[str, Any]:
    thread.refresh_from_db()
    names = ("copies", "subject", "references", "answered_at", "address")
    return {name: getattr(thread, name) for name in names}


@pytest.fixture
def answered(alice: Agent) -> Callable[[str], Any]:
    """Alice answers in the mailbox's chat; the letter as it leaves."""

    def answer(body: str) -> Any:
        chat = Chat.objects.get(channel__startswith="mail__")
        post_agent_message(
            widget_id=chat.widget_id,
            chat_id=chat.pk,
            content={"type": "text", "body": body},
            agent_id=alice.pk,
            via=Via.CONSOLE,
        )
        gather()
        letter = OutLetter.objects.select_related("thread__chat__widget").latest("pk")
        return render(letter, letter.thread, list(Message.objects.filter(pk__in=letter.message_ids)), [], [])

    return answer


# --- The table --------------------------------------------------------------------------------------------------------


def test_the_table_has_every_fact_and_standing() -> None:
    assert {fact: set(fates) for fact, fates in FATES.items()} == {fact: set(Standing) for fact in LetterFact}
    assert {fates[Standing.PROVED] for fates in FATES.values()} == {Fate.TAKEN}


def test_the_threat_model_prints_the_table_that_code_uses() -> None:
    assert table() in (Path(__file__).parents[2] / "THREAT_MODEL.md").read_text()


# --- Mailboxes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", FORGED)
@pytest.mark.parametrize("others", ["", "thief@evil.test"], ids=["without Cc", "with Cc"])
def test_a_forged_letter_changes_nothing_of_the_thread(
    mailbox: Mailbox, answered: Callable[[str], Any], how: str, others: str
) -> None:
    come(mailbox, "Do you have roses?", cc="tom@mail.test")
    thread = Thread.objects.get()
    before = facts_of(thread)
    row = come(mailbox, "Pay at evil.test", fields=FORGED[how], cc=others, subject="Your bill")
    assert (row.kind, row.proof != "pass", row.is_for_people) == ("message", True, True)
    if how != "two senders":  # whose chat is another one: its From is no address
        assert (row.standing, row.chat_id) == ("claimed", thread.chat_id)
        assert Message.objects.get(pk=row.message_id).details["letter"]["proof"] in ("none", "fail")
        made = answered("Yes")
        assert (made.to, made.cc, made.subject) == ([MARY], ["tom@mail.test"], "Re: Roses")
        assert "evil.test" not in made.message().as_string()
    assert facts_of(thread) | {"references": before["references"]} == before
    assert thread.references == before["references"]


def test_recipients_of_an_unproved_letter_are_told_and_an_operator_may_add_them(mailbox: Mailbox) -> None:
    come(mailbox, "Do you have roses?")
    row = come(mailbox, "And for Ann?", fields="", cc="ann@mail.test")
    note = Message.objects.get(is_internal=True)
    assert note.body.endswith(": ann@mail.test")
    come(mailbox, "Once more", fields="", cc="ann@mail.test")
    assert Message.objects.filter(is_internal=True).count() == 1
    known = copies_of(widget_id=row.widget_id or 0, chat_id=row.chat_id or 0)
    assert (known["copies"], known["others"]) == ([], ["ann@mail.test"])
    change_copies(widget_id=row.widget_id or 0, chat_id=row.chat_id or 0, copies=["ann@mail.test"])
    assert Thread.objects.get().copies == ["ann@mail.test"]


def test_a_proved_letter_changes_recipients_and_subject(mailbox: Mailbox, answered: Callable[[str], Any]) -> None:
    come(mailbox, "Do you have roses?", cc="tom@mail.test")
    come(mailbox, "And tulips?", cc="ann@mail.test, sales@flowers.test", subject="Tulips")
    made = answered("Yes")
    assert (made.cc, made.subject) == (["ann@mail.test", "sales@flowers.test"], "Re: Tulips")
    assert "> And tulips?" in made.body


def test_a_first_letter_without_proof_is_quoted_without_links(mailbox: Mailbox, answered: Callable[[str], Any]) -> None:
    row = come(mailbox, "Look at https://evil.test/pay 123456789", fields="", cc="thief@evil.test")
    assert row.standing == "first"
    made = answered("Hello")
    assert (made.cc, made.subject) == ([], "Re: Roses")
    assert "evil.test" not in made.body
    assert "123456789" not in made.body
    assert "> Look at" in made.body


def test_an_unproved_letter_joins_no_known_contact(mailbox: Mailbox, shop: Widget) -> None:
    known = Contact.objects.create(widget_id=shop.pk, name="Mary", email=MARY)
    note_proof(widget_id=shop.pk, email=MARY, by=Address.Proof.CODE, contact_id=known.pk)
    assert come(mailbox, "hello", fields="").chat.contact_id != known.pk  # type: ignore[union-attr]


# --- Answers to letters of the widget ---------------------------------------------------------------------------------


@pytest.fixture
def reply_address(mary: VisitorClient, answer: Callable[..., int], settings: Any) -> str:
    settings.MAIL_HOOK_KEY, settings.MAIL_AUTHSERV_ID = HOOK_KEY, [AUTHSERV]
    answer(mary)
    post.queue()
    return f"reply+r{Thread.objects.get().right}@shop.test"


@pytest.mark.parametrize(
    ("fields", "kind"), [(f"{RESULTS}pass\r\n", "stop"), ("", "stop"), (FORGED["fail"], "message")]
)
def test_a_stop_word_counts_by_standing(reply_address: str, fields: str, kind: str) -> None:
    assert come(None, "Stop", to=reply_address, fields=fields).kind == kind
    assert Address.objects.filter(stopped_at__isnull=False).exists() is (kind == "stop")


def test_a_third_persons_stop_word_stops_nobody(reply_address: str) -> None:
    assert come(None, "Stop", to=reply_address, sender="tom@mail.test").kind == "message"
    assert not Address.objects.filter(stopped_at__isnull=False).exists()


def test_a_message_id_of_ours_proves_nothing(reply_address: str) -> None:
    id_ = OutLetter.objects.get().message_id
    before = facts_of(Thread.objects.get())
    row = come(None, "Stop", to="parley@shop.test", fields=f"In-Reply-To: {id_}\r\n")
    assert (row.kind, row.standing) == ("message", "claimed")
    assert facts_of(Thread.objects.get()) == before
    assert Message.objects.filter(sender_kind="agent", seen_at=None).exists()


def test_a_failed_answer_is_no_sign_of_life_and_is_quoted_to_nobody(
    mary: VisitorClient, reply_address: str, answer: Callable[..., int]
) -> None:
    thread = Thread.objects.get()
    note_sent(widget_id=thread.widget_id, email=thread.address)
    before = facts_of(thread)
    row = come(None, "Pay at evil.test", to=reply_address, fields=FORGED["fail"])
    assert (row.kind, row.standing, facts_of(thread)) == ("message", "claimed", before)
    assert Address.objects.get().unopened == 1
    proved = come(None, "Two, please", to=reply_address)
    assert quoted_ids(thread, answer(mary, "Is that you?")) == [proved.message_id]


def test_an_answer_by_the_reply_address_counts_without_proof(reply_address: str) -> None:
    row = come(None, "Two, please", to=reply_address, fields="")
    thread = Thread.objects.get()
    assert (row.standing, thread.references[-1], thread.answered_at is None) == ("held", f"<{row.letter_id}>", False)
    assert not Address.objects.filter(proven_at__isnull=False).exists()
