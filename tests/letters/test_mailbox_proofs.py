"""A mailbox answers under its own address, and knows its own letters, only once its owner has shown that it is theirs."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Widget
from apps.core.mail import sender_address
from apps.core.models import Mail
from apps.core.problems import Problem
from apps.core.tasks import MAIL_QUEUE
from apps.leases import claims
from apps.letters.actions import mailbox_proofs
from apps.letters.actions.mailbox_proofs import prove, send_code
from apps.letters.actions.mailboxes import save_mailbox
from apps.letters.actions.receiving.doors import accept
from apps.letters.models import InLetter, Mailbox, MailCheck
from apps.letters.rules.mailboxes import Door
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory
from tests.letters import post
from tests.letters.test_checks import checked, page_of
from tests.letters.test_mailboxes import come, gather, say  # noqa: F401 - a fixture
from tests.letters.test_receiving import work
from tests.mail_server import MailServer

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def clerk(shop: Widget) -> Client:
    """Somebody who owns the shop's account."""
    return signed_in(StaffFactory.create(account=shop.account, role="owner"))


@pytest.fixture
def mailbox(shop: Widget, server: MailServer) -> Mailbox:
    """An address that somebody typed, and nobody has proved."""
    changes = {"name": "Flowers", "authserv_ids": ["mx.shop.test"]}
    return save_mailbox(widget_id=shop.pk, address="support@flowers.test", changes=changes)


@contextmanager
def refused_with(status: int, *, errors: Sequence[str] = ()) -> Iterator[None]:
    with pytest.raises(Problem) as refused:
        yield
    assert (refused.value.type.status, list(refused.value.errors or ())) == (status, list(errors))


def mailed_code() -> str:
    found = re.search(r"\b\d{8}\b", Mail.objects.latest("id").text)
    assert found
    return found[0]


def mailed(server: MailServer) -> Any:
    """The letter with the code, as its mailbox has it."""
    for lease in claims.claim(MAIL_QUEUE, wanted=9):
        lease.run()
    ((_, letter),) = server.received
    return letter


def is_proved(mailbox: Mailbox) -> bool:
    mailbox.refresh_from_db()
    return mailbox.proved_at is not None


class TestBeforeItIsProved:
    @pytest.mark.parametrize("has_replies", [True, False])
    def test_answers_leave_from_the_installation_and_come_back_to_the_mailbox(
        self,
        mailbox: Mailbox,
        say: Callable[[str], int],  # noqa: F811
        server: MailServer,
        settings: Any,
        has_replies: bool,
    ) -> None:
        settings.MAIL_REPLY_ADDRESS = settings.MAIL_REPLY_ADDRESS if has_replies else ""
        come(mailbox, "Do you have roses?")
        say("Yes, red ones")
        gather()
        post.work()
        ((_, letter),) = server.received
        assert (letter["To"], server.senders) == ("mary@mail.test", [sender_address()])
        assert f"<{sender_address()}>" in letter["From"]
        assert "flowers.test" not in letter["From"]
        assert letter["Reply-To"].startswith("reply+r") if has_replies else letter["Reply-To"] == "support@flowers.test"

    def test_its_own_server_sends_nothing_to_customers(
        self,
        mailbox: Mailbox,
        say: Callable[[str], int],  # noqa: F811
        settings: Any,
        server: MailServer,
    ) -> None:
        with MailServer() as own:
            settings.EGRESS_ALLOW = [f"127.0.0.1:{own.port}"]
            changes = {"smtp": f"smtp://127.0.0.1:{own.port}"}
            save_mailbox(widget_id=mailbox.widget_id, address=mailbox.address, changes=changes)
            come(mailbox, "Do you have roses?")
            say("Yes, red ones")
            gather()
            post.work()
            assert (own.received, server.senders) == ([], [sender_address()])

    def test_a_letter_from_its_address_is_a_letter_and_not_ours(self, mailbox: Mailbox) -> None:
        """Else whoever types a customer's address makes their letters vanish."""
        row = come(mailbox, "Do you have roses?", sender="support@flowers.test")
        assert (row.kind, row.reason) == ("message", "")
        mailbox_proofs.vouch(mailbox)
        row = come(mailbox, "And tulips?", sender="support@flowers.test")
        assert (row.kind, row.reason) == ("dropped", "ours")

    def test_a_check_is_sent_under_the_installations_address(
        self, clerk: Client, mailbox: Mailbox, server: MailServer
    ) -> None:
        clerk.post(page_of(mailbox), {"to": "tester@mail.test"})
        checked()
        assert MailCheck.objects.get().result["sent"] is True
        assert server.senders == [sender_address()]
        assert "flowers.test" not in server.received[0][1]["From"]


class TestTheProof:
    def test_the_code_that_was_mailed_proves_it(self, mailbox: Mailbox, server: MailServer) -> None:
        send_code(mailbox, language="en")
        code = mailed_code()
        letter = mailed(server)
        assert (server.received[0][0], server.senders) == ("support@flowers.test", [sender_address()])
        assert code in letter["Subject"]
        prove(mailbox, f" {code[:4]} {code[4:]} ")
        assert is_proved(mailbox)

    @pytest.mark.parametrize("given", ["", "00000000", "²", "9" * 5_000])
    def test_another_code_is_refused_and_changes_nothing(self, mailbox: Mailbox, given: str) -> None:
        with refused_with(422, errors=["code"]):
            prove(mailbox, given)
        send_code(mailbox, language="en")
        if given != mailed_code():
            with refused_with(422, errors=["code"]):
                prove(mailbox, given)
        assert not is_proved(mailbox)

    def test_an_older_code_and_an_old_one_count_no_more(self, mailbox: Mailbox) -> None:
        send_code(mailbox, language="en")
        older = mailed_code()
        send_code(mailbox, language="en")
        newer = mailed_code()
        Mailbox.objects.update(proof_asked_at=timezone.now() - timedelta(days=1, seconds=1))
        for code in (older, newer):
            with refused_with(422, errors=["code"]):
                prove(mailbox, code)
        assert not is_proved(mailbox)

    def test_nobody_guesses_a_code(self, mailbox: Mailbox) -> None:
        send_code(mailbox, language="en")
        code = mailed_code()
        for _ in range(10):
            with refused_with(422, errors=["code"]):
                prove(mailbox, "wrong")
        with refused_with(429):
            prove(mailbox, code)
        assert not is_proved(mailbox)

    def test_nobody_is_flooded_with_codes_whoever_asks(self, mailbox: Mailbox, rival: Rival) -> None:
        """Spellings of one address are one; a mailbox that is made anew begins from nothing for nobody."""
        for number in range(5):
            address = f"support+{number}@flowers.test"
            send_code(save_mailbox(widget_id=rival.widget.pk, address=address, changes={}), language="en")
        with refused_with(429):
            send_code(mailbox, language="en")
        assert Mail.objects.count() == 5

    def test_a_code_that_came_back_proves_it_by_itself(self, mailbox: Mailbox, server: MailServer) -> None:
        send_code(mailbox, language="en")
        row = accept(mailed(server).as_bytes(), door=Door.IMAP, mailbox=mailbox)
        work()
        row.refresh_from_db()
        assert (row.kind, row.reason) == ("dropped", "ours")
        assert is_proved(mailbox)

    def test_a_code_that_came_to_another_mailbox_proves_neither(
        self, mailbox: Mailbox, server: MailServer, rival: Rival
    ) -> None:
        theirs = save_mailbox(widget_id=rival.widget.pk, address="support@flowers.test", changes={})
        send_code(mailbox, language="en")
        accept(mailed(server).as_bytes(), door=Door.HOOK, mailbox=theirs)
        work()
        assert not is_proved(mailbox)
        assert not is_proved(theirs)

    def test_a_forged_letter_of_the_installation_proves_nothing(self, mailbox: Mailbox) -> None:
        send_code(mailbox, language="en")
        raw = f"From: {sender_address()}\r\nMessage-ID: <{'0' * 32}@x.test>\r\n\r\nCode 12345678\r\n"
        accept(raw.encode(), door=Door.HOOK, mailbox=mailbox)
        work()
        assert InLetter.objects.get().reason == "ours"
        assert not is_proved(mailbox)


class TestAnAddressOfTwoWidgets:
    def test_the_second_is_answered_as_the_first_and_each_proves_it_for_itself(
        self, mailbox: Mailbox, rival: Rival
    ) -> None:
        """A 409 would tell whose mailbox is here."""
        mailbox_proofs.vouch(mailbox)
        theirs = save_mailbox(widget_id=rival.widget.pk, address="Support@flowers.test", changes={})
        assert (theirs.pk != mailbox.pk, theirs.proved_at) == (True, None)
        row = come(theirs, "Do you have roses?")
        assert (row.widget_id, row.kind) == (rival.widget.pk, "message")
        send_code(theirs, language="en")
        prove(theirs, mailed_code())
        assert is_proved(theirs)
        assert is_proved(mailbox)


class TestTheCabinet:
    def test_the_page_shows_the_state_mails_the_code_and_takes_it(self, clerk: Client, mailbox: Mailbox) -> None:
        page = f"/admin/letters/mailbox/{mailbox.pk}/prove/"
        shown = clerk.get(f"/admin/letters/mailbox/{mailbox.pk}/change/").content.decode()
        assert f"not proved: answers leave from {sender_address()}" in shown
        assert page in shown
        assert clerk.get(page).status_code == 200
        assert not Mail.objects.exists()
        assert clerk.post(page, {"send": "1"})["Location"] == page
        assert "This is not the code" in clerk.post(page, {"code": "11112222"}).content.decode()
        assert not is_proved(mailbox)
        clerk.post(page, {"code": mailed_code()})
        assert is_proved(mailbox)
        shown = clerk.get(f"/admin/letters/mailbox/{mailbox.pk}/change/").content.decode()
        assert "yours: answers leave from support@flowers.test" in shown

    def test_a_new_mailbox_is_mailed_a_code_at_once(self, clerk: Client, shop: Widget, server: MailServer) -> None:
        form = {"widget": shop.pk, "address": "desk@flowers.test", "ai": "off", "reads": "hook", "sends": "service"}
        answer = clerk.post("/admin/letters/mailbox/add/", form)
        assert answer.status_code == 302, answer.content.decode()
        assert list(Mail.objects.values_list("to", flat=True)) == ["desk@flowers.test"]
        assert Mailbox.objects.get().proved_at is None

    def test_another_tenants_mailbox_is_not_there(self, mailbox: Mailbox, rival: Rival) -> None:
        stranger = signed_in(StaffFactory.create(account=rival.account, role="owner"))
        stranger.post(f"/admin/letters/mailbox/{mailbox.pk}/prove/", {"send": "1"})
        assert not Mail.objects.exists()


class TestTheCommand:
    def run(self, shop: Widget, **options: Any) -> dict[str, Any]:
        out = StringIO()
        call_command("mailbox", widget=str(shop.guid), address="a@b.test", json=True, stdout=out, **options)
        found: dict[str, Any] = json.loads(out.getvalue())
        return found

    def test_who_runs_the_installation_vouches_or_leaves_it_to_a_code(self, shop: Widget) -> None:
        assert self.run(shop, unproved=True)["proved"] is False
        assert self.run(shop)["proved"] is False
        assert self.run(shop, send_code=True)["proved"] is False
        with pytest.raises(CommandError, match="code"):
            self.run(shop, code="11112222")
        assert self.run(shop, code=mailed_code())["proved"] is True
        Mailbox.objects.all().delete()
        assert self.run(shop)["proved"] is True
        Mailbox.objects.update(proved_at=None)
        assert self.run(shop, proved=True)["proved"] is True
