"""What providers say when they let nobody in, each with what the page then says (docs/guides/letters.md)."""

from typing import Any

import pytest

from apps.letters.actions.logins import ServerFailure, sign_in
from apps.letters.forms import field_of, words_of
from apps.letters.rules.mail_providers import PROVIDERS, Side, provider_of
from apps.letters.rules.mailboxes import MailServer
from apps.letters.rules.server_problems import ServerProblem, login_problem
from tests.letters.mail_hosts import PASSWORD, USER, imap_host, smtp_host

# As they were recorded by people who reported them in public; the numbers at their ends are made up.
IMAP_REFUSALS = {
    "google: the account's own password": (
        "[ALERT] Application-specific password required: https://support.google.com/accounts/answer/185833 (Failure)",
        "app_password",
    ),
    "google: a wrong app password": ("[AUTHENTICATIONFAILED] Invalid credentials (Failure)", "login_refused"),
    "google: the administrator's switch": (
        (
            "[ALERT] Your account is not enabled for IMAP use. Please visit your Gmail settings page and enable your account "
            "for IMAP access. (Failure)"
        ),
        "switched_off",
    ),
    "yandex: a wrong password, or no switch": (
        "[AUTHENTICATIONFAILED] LOGIN invalid credentials or IMAP is disabled sc=cYXlpv732Cg1_010534_2-1e59",
        "login_or_off",
    ),
    "mail.ru: the account's own password": (
        (
            "[AUTHENTICATIONFAILED] NEOBHODIM parol prilozheniya https://help.mail.ru/mail/security/protection/external / "
            "Application password is REQUIRED"
        ),
        "app_password",
    ),
    "mail.ru: its misspelling": (
        (
            "NEOBHODIM parol prilozheniya https://help.mail.ru/mail/security/protection/external / Aplication password is "
            "REQUIRED"
        ),
        "app_password",
    ),
}
SMTP_REFUSALS = {
    "google: the account's own password": (
        (
            "534 5.7.9 Application-specific password required. For more information, go to 5.7.9 "
            "https://support.google.com/mail/?p=InvalidSecondFactor"
        ),
        "app_password",
    ),
    "google: a wrong app password": ("535 5.7.8 Username and Password not accepted.", "login_refused"),
    "yandex: a wrong password": (
        "535 5.7.8 Error: authentication failed: Invalid user or password! 1",
        "login_refused",
    ),
    "yandex: no switch": (
        "535 5.7.8 Error: authentication failed: This user does not have access rights to this service",
        "switched_off",
    ),
    "mail.ru: the account's own password": (
        (
            "535 5.7.0 NEOBHODIM parol prilozheniya https://help.mail.ru/mail/security/protection/external / Application "
            "password is REQUIRED"
        ),
        "app_password",
    ),
    "microsoft: the tenant's switch": (
        (
            "535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant. Visit "
            "https://aka.ms/smtp_auth_disabled for more information. [AM0PR01CA0001.eurprd01.prod.exchangelabs.com]"
        ),
        "switched_off",
    ),
    "microsoft: passwords are off": (
        "535 5.7.139 Authentication unsuccessful, basic authentication is disabled. [AM0PR01CA0001]",
        "passwords_off",
    ),
    "microsoft: passwords are gone": (
        "550 5.7.30 Basic authentication is not supported for Client Submission.",
        "passwords_off",
    ),
}


@pytest.mark.parametrize(("said", "code"), IMAP_REFUSALS.values(), ids=IMAP_REFUSALS)
def test_a_providers_refusal_of_reading_is_told_apart(said: str, code: str, settings: Any) -> None:
    settings.EGRESS_ALLOW = ["127.0.0.1"]
    with imap_host(said) as server:
        failure = sign_in(Side.IMAP, MailServer("127.0.0.1", server.port, USER, PASSWORD, False, False))
    assert failure == (code, "127.0.0.1")


@pytest.mark.parametrize(("said", "code"), SMTP_REFUSALS.values(), ids=SMTP_REFUSALS)
def test_a_providers_refusal_of_sending_is_told_apart(said: str, code: str, settings: Any) -> None:
    settings.EGRESS_ALLOW = ["127.0.0.1"]
    with smtp_host(said) as server:
        failure = sign_in(Side.SMTP, MailServer("127.0.0.1", server.port, USER, PASSWORD, False, False))
    assert failure == (code, "127.0.0.1")


@pytest.mark.parametrize("said", ["LOGIN failed.", "AUTHENTICATE failed.", "[UNAVAILABLE] BasicAuthBlocked"])
def test_microsoft_says_no_more_than_that_it_failed(said: str) -> None:
    assert login_problem("outlook.office365.com", said) is ServerProblem.PASSWORDS_OFF
    assert login_problem("imap.shop.test", "LOGIN failed.") is ServerProblem.LOGIN_REFUSED


@pytest.mark.parametrize("provider", PROVIDERS, ids=[provider.name for provider in PROVIDERS])
@pytest.mark.parametrize("side", Side)
def test_the_page_says_what_the_providers_customers_do_first(provider: Any, side: Side) -> None:
    failure = ServerFailure(ServerProblem.APP_PASSWORD, provider.place(side).host)
    assert field_of(side, failure) == f"{side}_password"
    assert provider.title in words_of(side, failure)
    assert provider.title not in words_of(side, ServerFailure(ServerProblem.UNREACHABLE, provider.place(side).host))


@pytest.mark.parametrize(
    ("domain", "exchangers", "name"),
    [
        ("gmail.com", [], "google"),
        ("shop.test", ["aspmx.l.google.com"], "google"),
        ("ya.ru", [], "yandex"),
        ("shop.test", ["mx.yandex.net"], "yandex"),
        ("bk.ru", [], "mail_ru"),
        ("shop.test", ["emx.mail.ru"], "mail_ru"),
        ("shop.onmicrosoft.com", [], "microsoft"),
        ("shop.test", ["shop-test.mail.protection.outlook.com."], "microsoft"),
        ("shop.test", ["mx.shop.test"], None),
        ("notgmail.com", ["evilgoogle.com"], None),
    ],
)
def test_a_provider_is_known_by_its_domains_and_by_who_takes_the_mail(
    domain: str, exchangers: list[str], name: str | None
) -> None:
    found = provider_of(domain, exchangers)
    assert (found.name if found else None) == name
