"""A kill at each step of a letter, out and in, loses none and doubles none; responders that answer all are no loop."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from apps.chats.models import Message
from apps.letters.actions.receiving.doors import accept
from apps.letters.models import InLetter, OutLetter, SenderJob, Thread
from apps.letters.rules.addresses import origin_of
from apps.letters.rules.mailboxes import Door
from tests.faults.failpoints import restore, run_apart, state
from tests.letters import post
from tests.letters.test_receiving import mail_to
from tests.letters.test_receiving import work as read_all
from tests.mail_server import MailServer
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db(transaction=True)


def read() -> str:
    read_all()
    return "done"


def send() -> str:
    post.work()
    return "done"


@pytest.mark.faults
def test_a_kill_at_each_step_of_a_letter_in_loses_none_and_doubles_none(
    mary: VisitorClient, answer: Callable[..., int]
) -> None:
    answer(mary)
    post.queue()
    accept(mail_to(f"reply+r{Thread.objects.get().right}@shop.test"), door=Door.PIPE)
    before = state()
    points = run_apart(read).passed
    assert len(points) > 5
    for number, point in enumerate(points, start=1):
        restore(before)
        assert run_apart(read, killed_at=number).was_killed
        assert Message.objects.filter(via="mail").count() in (0, 1), point
        SenderJob.objects.filter(claim_id__isnull=False).update(lease_until=timezone.now())
        run_apart(read)
        assert list(Message.objects.filter(via="mail").values_list("body", flat=True)) == ["Two of them, please."], (
            point
        )
        assert InLetter.objects.values_list("kind", flat=True).get() == "message", point


@pytest.mark.faults
def test_a_kill_at_each_step_of_a_letter_out_loses_none_and_a_second_one_has_its_id(
    mary: VisitorClient, answer: Callable[..., int], server: MailServer
) -> None:
    answer(mary)
    post.queue()
    before = state()
    points = run_apart(send).passed
    assert "behind a mail server's word" in points
    seen = set()
    for number, point in enumerate(points, start=1):
        restore(before)
        server.received.clear()
        assert run_apart(send, killed_at=number).was_killed
        OutLetter.objects.filter(claim_id__isnull=False).update(lease_until=timezone.now())
        run_apart(send)
        assert OutLetter.objects.values_list("state", flat=True).get() == "sent", point
        assert 1 <= len(server.received) <= 2, point
        assert {letter["Message-ID"] for _, letter in server.received} == {OutLetter.objects.get().message_id}, point
        seen.add(len(server.received))
    assert seen == {1, 2}, "only a kill behind the server's word sends once more"


# Responders that answer whatever comes, each in its own way: its From, and its headers.
RESPONDERS = {
    "on holiday": ("mary@mail.test", "Auto-Submitted: auto-replied\r\n"),
    "no address to answer to": ("noreply@mail.test", ""),
    "a server's own letters": ("mailer-daemon@mail.test", "Return-Path: <>\r\n"),
    "sends our letters back": ("mary@mail.test", "X-Parley-Origin: {origin}\r\n"),
    "writes as a person does": ("mary@mail.test", ""),
}


@pytest.mark.parametrize("letters", [100, pytest.param(1_000, marks=[pytest.mark.slow, pytest.mark.timeout(900)])])
def test_letters_among_hostile_responders_send_nothing_back(
    mary: VisitorClient, answer: Callable[..., int], server: MailServer, settings: Any, letters: int
) -> None:
    answer(mary)
    post.queue()
    post.work()
    assert len(server.received) == 1
    to = f"reply+r{Thread.objects.get().right}@shop.test"
    responders = list(RESPONDERS.values())
    for number in range(letters):
        sender, fields = responders[number % len(responders)]
        fields = fields.format(origin=origin_of(settings.PUBLIC_URL)) if "origin" in fields else fields
        accept(mail_to(to, f"answer {number}", sender=sender, fields=fields, id_=f"{number}@mail.test"), door=Door.PIPE)
        if number % 25 == 24:
            read_all()
            post.queue(60)
            post.work()
    assert not InLetter.objects.filter(handled_at=None).exists()
    assert (len(server.received), OutLetter.objects.count()) == (1, 1)
    assert 0 < Message.objects.filter(via="mail").count() <= 30
