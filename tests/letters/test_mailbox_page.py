"""A mailbox is a form in the cabinet: fields, both logins before anything is kept, refusals at their fields."""

from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

import pytest
from django.core.mail.utils import DNS_NAME
from django.test import Client
from django.utils import translation

from apps.accounts.models import Widget
from apps.letters.actions import logins
from apps.letters.forms import MailboxForm, problem_words
from apps.letters.labels import PROVIDER_HINTS, SERVER_PROBLEMS
from apps.letters.models import Mailbox, ReadJob
from apps.letters.rules import mail_providers
from apps.letters.rules.mail_providers import PROVIDERS, ServerPlace, Side
from apps.letters.rules.mailboxes import read_imap, read_smtp
from apps.letters.rules.server_problems import ServerProblem
from tests.cast import signed_in
from tests.egress.hostile_mail import HostileServer
from tests.factories import StaffFactory
from tests.letters.mail_hosts import PASSWORD, USER, imap_host, smtp_host

pytestmark = pytest.mark.django_db(transaction=True)
ADD = "/admin/letters/mailbox/add/"


@pytest.fixture
def clerk(shop: Widget) -> Client:
    return signed_in(StaffFactory.create(account=shop.account, role="owner"))


@pytest.fixture
def imap(settings: Any) -> Iterator[HostileServer]:
    settings.EGRESS_ALLOW = ["127.0.0.1"]
    with imap_host() as server:
        yield server


@pytest.fixture
def smtp(settings: Any) -> Iterator[HostileServer]:
    settings.EGRESS_ALLOW = ["127.0.0.1"]
    with smtp_host() as server:
        yield server


Typed = Callable[..., dict[str, Any]]


@pytest.fixture
def typed(shop: Widget, imap: HostileServer, smtp: HostileServer) -> Typed:
    """What an owner types: both servers, one name and one password."""

    def typed(**changes: Any) -> dict[str, Any]:
        servers = {
            "reads": "imap",
            "imap_user": "",
            "imap_password": PASSWORD,
            "imap_host": "127.0.0.1",
            "imap_port": str(imap.port),
            "imap_encryption": "none",
            "imap_folder": "",
            "imap_after": "",
            "imap_moves_to": "",
            "sends": "smtp",
            "smtp_user": "",
            "smtp_password": "",
            "smtp_host": "127.0.0.1",
            "smtp_port": str(smtp.port),
            "smtp_encryption": "none",
        }
        rest = {
            "name": "Flowers",
            "signature": "",
            "ai": "off",
            "department": "",
            "authserv_ids": "",
            "form_senders": "",
        }
        return {"widget": shop.pk, "address": "Support@Flowers.test", **servers, **rest, **changes}

    return typed


def text_of(response: Any) -> str:
    return unescape(response.content.decode())


def errors_of(response: Any) -> dict[str, list[str]]:
    """What is said at each field of a page that is shown again."""
    assert response.status_code == 200
    form = response.context["adminform"].form
    return {name: [str(one) for one in errors] for name, errors in form.errors.items()}


def test_a_mailbox_is_kept_after_both_logins(clerk: Client, typed: Typed, imap: Any, smtp: Any) -> None:
    assert clerk.post(ADD, typed()).status_code == 302
    mailbox = Mailbox.objects.get()
    read, sends = read_imap(str(mailbox.imap)), read_smtp(str(mailbox.smtp))
    assert mailbox.address == USER
    assert (read.host, read.port, read.user, read.password) == ("127.0.0.1", imap.port, USER, PASSWORD)
    assert (sends.host, sends.port, sends.user, sends.password) == ("127.0.0.1", smtp.port, USER, PASSWORD)
    assert ReadJob.objects.filter(mailbox=mailbox, turn_of=mailbox.widget_id).exists()


def test_what_the_page_offers_are_words_and_helps(clerk: Client) -> None:
    shown = text_of(clerk.get(ADD))
    for words in ("People answer; AI stays out", "AI drafts answers, people send them", "AI answers, as in chats"):
        assert words in shown
    for code in (">off<", ">drafts<", ">answers<"):
        assert code not in shown
    assert "mx.yandex.net" in shown
    assert "the contact form of your site" in shown
    assert "letters/mailbox" in shown


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"imap_password": "wrong", "smtp_password": PASSWORD}, "imap_password", "Receiving (IMAP): 127.0.0.1 refuses"),
        ({"smtp_password": "wrong"}, "smtp_password", "Sending (SMTP): 127.0.0.1 refuses the name or the password."),
        ({"imap_folder": "Orders"}, "imap_folder", "Receiving (IMAP): There is no folder “Orders”."),
        ({"imap_password": "", "smtp_password": PASSWORD}, "imap_password", "Type the password"),
        ({"imap_port": "70000"}, "imap_port", "65535"),
        ({"imap_host": "10.0.0.1"}, "imap_host", "Receiving (IMAP): 10.0.0.1 cannot be reached"),
        ({"smtp_host": "192.168.0.9"}, "smtp_host", "Sending (SMTP): 192.168.0.9 cannot be reached"),
    ],
)
def test_a_refusal_names_the_server_and_keeps_what_was_typed(
    clerk: Client, typed: Typed, changes: dict[str, str], field: str, words: str
) -> None:
    given = typed(**changes)
    refused = clerk.post(ADD, given)
    errors = errors_of(refused)
    assert list(errors) == [field]
    assert words in errors[field][0]
    assert not Mailbox.objects.exists()
    assert not ReadJob.objects.exists()
    form = refused.context["adminform"].form
    assert {name: str(form[name].value() or "") for name in given if name != "widget"} == {
        name: str(value) for name, value in given.items() if name != "widget"
    }
    shown = text_of(refused)
    assert f'value="{given["imap_password"] or PASSWORD}"'.replace("&", "&amp;") in shown or not given["imap_password"]
    assert "no-store" in refused["Cache-Control"]


def test_a_refusal_is_in_the_readers_language(shop: Widget, typed: Typed) -> None:
    owner = StaffFactory.create(account=shop.account, role="owner", language="ru")
    errors = errors_of(signed_in(owner).post(ADD, typed(smtp_password="wrong")))
    assert errors["smtp_password"] == ["Отправка (SMTP): 127.0.0.1 не принимает имя или пароль."]


def test_no_login_is_tried_for_a_form_that_is_not_in_order(clerk: Client, typed: Typed, imap: Any, smtp: Any) -> None:
    assert "address" in errors_of(clerk.post(ADD, typed(address="nobody")))
    assert (imap.connections, smtp.connections) == (0, 0)


def test_a_stored_password_goes_to_its_own_server_alone(
    clerk: Client, typed: Typed, imap: HostileServer, smtp: HostileServer
) -> None:
    clerk.post(ADD, typed())
    page = f"/admin/letters/mailbox/{Mailbox.objects.get().pk}/change/"
    assert PASSWORD not in text_of(clerk.get(page))
    with imap_host() as other:
        moved = typed(
            imap_password="", imap_user=USER, smtp_user=USER, imap_host="localhost", imap_port=str(other.port)
        )
        assert "Type the password" in errors_of(clerk.post(page, moved))["imap_password"][0]
        assert other.connections == 0
    seen = imap.connections
    assert clerk.post(page, typed(imap_password="", imap_user=USER, smtp_user=USER, name="Roses")).status_code == 302
    assert (imap.connections, Mailbox.objects.get().name) == (seen, "Roses")
    assert read_imap(str(Mailbox.objects.get().imap)).password == PASSWORD


def test_a_mailbox_may_be_delivered_to_and_send_by_the_service(clerk: Client, typed: Typed, imap: Any) -> None:
    assert clerk.post(ADD, typed(reads="hook", sends="service", imap_password="")).status_code == 302
    mailbox = Mailbox.objects.get()
    assert (mailbox.imap, mailbox.smtp, imap.connections) == (None, None, 0)


def test_servers_are_found_by_the_address(
    clerk: Client, typed: Typed, imap: HostileServer, smtp: HostileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = {
        Side.IMAP: ServerPlace("127.0.0.1", imap.port, mail_providers.Encryption.NONE),
        Side.SMTP: ServerPlace("127.0.0.1", smtp.port, mail_providers.Encryption.NONE),
    }
    nowhere = ServerPlace("127.0.0.1", 1, mail_providers.Encryption.NONE)
    monkeypatch.setattr(logins, "mail_exchangers", lambda *_, **__: [])
    monkeypatch.setattr(logins, "common_places", lambda _, side: [nowhere, places[side]])
    blank = {f"{side}_{name}": "" for side in Side for name in ("host", "port", "encryption")}
    assert clerk.post(ADD, typed(**blank)).status_code == 302
    assert read_smtp(str(Mailbox.objects.get().smtp)).port == smtp.port
    refused = clerk.post(ADD, typed(**blank, address="sales@flowers.test", imap_password="wrong"))
    assert set(errors_of(refused)) == {"imap_password", "smtp_password"}
    assert refused.context["adminform"].form["imap_port"].value() == str(imap.port)


def test_where_no_server_is_found_its_name_is_asked_for(
    clerk: Client, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logins, "mail_exchangers", lambda *_, **__: [])
    monkeypatch.setattr(
        logins, "common_places", lambda *_: [ServerPlace("127.0.0.1", 1, mail_providers.Encryption.NONE)]
    )
    errors = errors_of(clerk.post(ADD, typed(imap_host="", imap_port="", imap_encryption="")))
    assert errors == {"imap_host": ["Receiving (IMAP): No server was found by these names: 127.0.0.1. Type its name."]}


@pytest.mark.parametrize(
    ("exchangers", "host"),
    [
        (["aspmx.l.google.com"], "imap.gmail.com"),
        (["mx.yandex.net"], "imap.yandex.ru"),
        (["emx.mail.ru"], "imap.mail.ru"),
        (["flowers-test.mail.protection.outlook.com"], "outlook.office365.com"),
    ],
)
def test_a_shops_own_domain_is_known_by_who_takes_its_mail(
    exchangers: list[str], host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logins, "mail_exchangers", lambda *_, **__: exchangers)
    monkeypatch.setattr(logins, "sign_in", lambda *_, **__: None)
    wanted = {Side.IMAP: logins.Wanted(None, USER, PASSWORD)}
    found = logins.try_logins(widget_id=1, address=USER, wanted=wanted)
    assert found[Side.IMAP].server is not None
    assert (found[Side.IMAP].server.host, found[Side.IMAP].server.port) == (host, 993)


def test_a_widget_tries_logins_a_few_times_a_minute(
    clerk: Client, typed: Typed, imap: HostileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logins, "TRIES_A_MINUTE", 1)
    assert "imap_password" in errors_of(clerk.post(ADD, typed(imap_password="wrong", smtp_password=PASSWORD)))
    seen = imap.connections
    errors = errors_of(clerk.post(ADD, typed()))
    assert "Try again in a minute" in errors["__all__"][0]
    assert (imap.connections, Mailbox.objects.exists()) == (seen, False)


def test_a_stored_problem_is_shown_in_the_readers_language(shop: Widget, typed: Typed) -> None:
    owner = signed_in(StaffFactory.create(account=shop.account, role="owner", language="ru"))
    owner.post(ADD, typed())
    ReadJob.objects.update(problem_code="app_password", problem_detail="imap.mail.ru")
    shown = text_of(owner.get("/admin/letters/mailbox/"))
    assert "Не читается: imap.mail.ru ждёт здесь пароль приложения" in shown
    assert "app_password" not in shown


def test_somebody_who_may_not_add_has_nothing_tried(shop: Widget, typed: Typed, imap: HostileServer) -> None:
    viewer = signed_in(StaffFactory.create(account=shop.account, role="viewer"))
    assert viewer.post(ADD, typed()).status_code == 403
    assert imap.connections == 0


def test_each_problem_and_each_provider_has_words_in_russian() -> None:
    assert set(SERVER_PROBLEMS) == set(ServerProblem)
    assert set(PROVIDER_HINTS) == {provider.name for provider in PROVIDERS}
    with translation.override("ru"):
        for code in ServerProblem:
            words = problem_words(code, "imap.flowers.test")
            assert any("а" <= letter <= "я" for letter in words), words


def test_the_form_names_its_choices(shop: Widget) -> None:
    assert [name for name, _ in MailboxForm().fields["ai"].choices] == ["off", "drafts", "answers"]  # type: ignore[attr-defined]
    assert DNS_NAME.get_fqdn()
