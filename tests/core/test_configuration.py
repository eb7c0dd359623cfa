"""Settings from the environment: what each says, and the one line for what cannot be used."""

import os
import runpy
import subprocess
import sys
from typing import Any

import pytest
from django.core.checks import INFO, run_checks
from django.test import Client
from pytest_django import Settings

from config.environment import PROJECT_ROOT
from tests.client import client

HTTPS = {"PUBLIC_URL": "https://chat.example.com", "REALTIME_URL": "wss://chat.example.com"}
YEAR = "31536000"
HEADER = "Strict-Transport-Security"


def settings_of(monkeypatch: pytest.MonkeyPatch, **environ: str) -> dict[str, Any]:
    """What `config/settings.py` makes of the environment of the tests with these changes. Raises SystemExit."""
    with monkeypatch.context() as changed:
        for name, value in environ.items():
            changed.setenv(name, value)
        return runpy.run_path(str(PROJECT_ROOT / "config" / "settings.py"))


def refusal(monkeypatch: pytest.MonkeyPatch, **environ: str) -> str:
    with pytest.raises(SystemExit) as ended:
        settings_of(monkeypatch, **environ)
    line = str(ended.value.code)
    assert line.startswith("parley: ")
    assert "\n" not in line
    return line.removeprefix("parley: ")


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, (0, False, False)),
        ({"HSTS_SECONDS": "300"}, (300, False, False)),
        ({"HSTS_SECONDS": "300", "HSTS_INCLUDE_SUBDOMAINS": "yes"}, (300, True, False)),
        ({"HSTS_SECONDS": YEAR, "HSTS_INCLUDE_SUBDOMAINS": "yes", "HSTS_PRELOAD": "yes"}, (int(YEAR), True, True)),
    ],
)
def test_hsts_is_what_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], expected: tuple[int, bool, bool]
) -> None:
    found = settings_of(monkeypatch, **HTTPS, **environ)
    names = ("SECURE_HSTS_SECONDS", "SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_HSTS_PRELOAD")
    assert tuple(found[name] for name in names) == expected


@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({"HSTS_SECONDS": "a year"}, "HSTS_SECONDS must be a whole number from 0 to 315360000, not 'a year'"),
        ({"HSTS_SECONDS": "300", "PUBLIC_URL": "http://localhost"}, "HSTS_SECONDS needs a PUBLIC_URL that starts with"),
        ({"HSTS_INCLUDE_SUBDOMAINS": "true"}, "HSTS_INCLUDE_SUBDOMAINS needs HSTS_SECONDS"),
        ({"HSTS_PRELOAD": "true"}, "HSTS_PRELOAD needs HSTS_INCLUDE_SUBDOMAINS, and HSTS_SECONDS of 31536000 or more"),
        ({"HSTS_SECONDS": YEAR, "HSTS_PRELOAD": "true"}, "HSTS_PRELOAD needs HSTS_INCLUDE_SUBDOMAINS"),
    ],
)
def test_hsts_that_browsers_would_not_take_is_refused(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], says: str
) -> None:
    assert refusal(monkeypatch, **{**HTTPS, **environ}).startswith(says)


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ((0, False, False), None),
        ((300, False, False), "max-age=300"),
        ((300, True, False), "max-age=300; includeSubDomains"),
        ((300, True, True), "max-age=300; includeSubDomains; preload"),
    ],
)
def test_pages_and_endpoints_say_the_same(settings: Settings, asked: tuple[int, bool, bool], value: str | None) -> None:
    settings.IS_HTTPS = True
    settings.SECURE_HSTS_SECONDS, settings.SECURE_HSTS_INCLUDE_SUBDOMAINS, settings.SECURE_HSTS_PRELOAD = asked
    assert client().get("/api/v1/nowhere", secure=True).headers.get(HEADER) == value
    assert Client().get("/problems/", secure=True).headers.get(HEADER) == value


SECRET = "hunter2"


@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({"DATABASE_URL": f"postgresql://u:{SECRET}@host:port/x"}, "DATABASE_URL is no URL: its port or its host"),
        ({"DATABASE_URL": f"postgresql://u:{SECRET}@host:99999/x"}, "DATABASE_URL is no URL: its port or its host"),
        ({"DATABASE_URL": f"postgresql://u:{SECRET}@host:0/x"}, "DATABASE_URL is no URL: its port is 0"),
        ({"DATABASE_URL": f"postgresql://u:{SECRET}@[::1/x"}, "DATABASE_URL is no URL: its port or its host"),
        ({"DATABASE_URL": "postgresql://"}, "DATABASE_URL names no database: postgresql://user:password@host/name"),
        ({"DATABASE_URL": f"postgres://u:{SECRET}@host"}, "DATABASE_URL names no database: postgresql://"),
        ({"DATABASE_URL": f"postgres://u:{SECRET}@host/"}, "DATABASE_URL names no database: postgresql://"),
        ({"DATABASE_URL": "postgres:shop"}, "DATABASE_URL must be a URL that starts with postgres:// or postgresql://"),
        ({"REDIS_URL": "redis://"}, "REDIS_URL names no host after redis://"),
        ({"REDIS_URL": f"redis://:{SECRET}@host:port/0"}, "REDIS_URL is no URL: its port or its host"),
        ({"REDIS_URL": f"redis://:{SECRET}@host/shop"}, "REDIS_URL must end with the number of a database, such as /0"),
        ({"REDIS_URL": f"redis://:{SECRET}@host?socket_timeout=x"}, "REDIS_URL can't be read: Invalid value for"),
        ({"REDIS_URL": "unix:///run/redis.sock"}, "REDIS_URL must be a URL that starts with redis:// or rediss://"),
        ({"PUBLIC_URL": "https://"}, "PUBLIC_URL names no host after https://"),
        ({"REALTIME_URL": "ws://localhost:http"}, "REALTIME_URL is no URL: its port or its host can't be read"),
        ({"LOG_LEVEL": "LOUD"}, "LOG_LEVEL must be one of DEBUG, INFO, WARNING, ERROR, CRITICAL, not 'LOUD'"),
        ({"EMAIL_URL": f"smtp://u:{SECRET}@host:port"}, "EMAIL_URL must be smtp://, smtp+tls:// or smtps://"),
        ({"EMAIL_URL": f"smtp://u:{SECRET}@host:0"}, "EMAIL_URL must be smtp://, smtp+tls:// or smtps://"),
        ({"EMAIL_URL": f"smtp://u:{SECRET}@"}, "EMAIL_URL must be smtp://, smtp+tls:// or smtps://"),
        ({"EMAIL_URL": f"smtp://u:{SECRET}@host/folder"}, "EMAIL_URL must be smtp://, smtp+tls:// or smtps://"),
        ({"EMAIL_URL": f"smtps://u:{SECRET}@host?ssl=1"}, "EMAIL_URL must be smtp://, smtp+tls:// or smtps://"),
        ({"EMAIL_URL": f"http://u:{SECRET}@host"}, "EMAIL_URL must be smtp://, smtp+tls:// or smtps://"),
        ({"EMAIL_URL": "console://here"}, "EMAIL_URL must be smtp://, smtp+tls:// or smtps://"),
        ({"EMAIL_URL": "file://"}, "EMAIL_URL must be smtp://, smtp+tls:// or smtps://"),
        ({"EMAIL_URL": "mail"}, "EMAIL_URL must be smtp://, smtp+tls:// or smtps://"),
        ({"DEFAULT_FROM_EMAIL": "Parley"}, "DEFAULT_FROM_EMAIL must be an e-mail address, or a name and <an address>"),
        ({"DEFAULT_FROM_EMAIL": "a@b.test\nBcc: c@d.test"}, "DEFAULT_FROM_EMAIL must be an e-mail address, or a name"),
        ({"EMAIL_TIMEOUT": "0"}, "EMAIL_TIMEOUT must be a whole number from 1 to 60, not '0'"),
        ({"SENTRY_DSN": f"https://{SECRET}@sentry.example/shop"}, "SENTRY_DSN is no DSN: https://key@host/project"),
        ({"SENTRY_DSN": "sentry.example/1"}, "SENTRY_DSN is no DSN"),
        ({"SENTRY_DSN": f"https://{SECRET}@[::1/1"}, "SENTRY_DSN is no DSN"),
        ({"PARLEY_WITHOUT_APPS": "webhooks"}, "PARLEY_WITHOUT_APPS may name apps.webhooks, apps.billing, apps.mess"),
        ({"PARLEY_WITHOUT_APPS": "apps.webhooks,apps.chats"}, "PARLEY_WITHOUT_APPS may name apps.webhooks, apps.billi"),
        ({"OIDC_ISSUER": "id.example"}, "OIDC_ISSUER must be a URL that starts with https:// or http://"),
        ({"OIDC_ISSUER": "https://id.example"}, "OIDC_CLIENT_ID is not set"),
        (
            {"OIDC_ROLES": "team=boss"},
            "OIDC_ROLES takes name=value with one of owner, manager, viewer, not 'team=boss'",
        ),
        ({"OIDC_ROLES": "owner"}, "OIDC_ROLES takes name=value with one of owner, manager, viewer, not 'owner'"),
        ({"OIDC_ROLES": "team=viewer"}, "OIDC_ACCOUNT and OIDC_ROLES go together"),
        ({"OIDC_ACCOUNT": "7"}, "OIDC_ACCOUNT and OIDC_ROLES go together"),
        ({"WEB_WORKERS": "0"}, "WEB_WORKERS must be a whole number from 1 to 256, not '0'"),
        ({"WEB_WORKERS": "-1"}, "WEB_WORKERS must be a whole number from 1 to 256, not '-1'"),
        ({"ALLOWED_HOSTS": "a.example,https://b.example"}, "ALLOWED_HOSTS takes hosts alone, such as chat.example.com"),
        ({"ALLOWED_HOSTS": "chat.example.com:8443"}, "ALLOWED_HOSTS takes hosts alone"),
        ({"ALLOWED_HOSTS": "::1"}, "ALLOWED_HOSTS takes hosts alone"),
        ({"LOG_FORMAT": "xml"}, "LOG_FORMAT must be one of json, console, not 'xml'"),
    ],
)
def test_what_cannot_be_used_is_named_in_one_line_without_its_secrets(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], says: str
) -> None:
    line = refusal(monkeypatch, **environ)
    assert line.startswith(says)
    assert SECRET not in line


def test_an_exception_for_outbound_calls_that_cannot_be_read_stops_every_process() -> None:
    started = subprocess.run(
        [sys.executable, "-c", "import django; django.setup()"],
        cwd=PROJECT_ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "EGRESS_ALLOW": "a.lan,hooks.lan:99999"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    says = "parley: EGRESS_ALLOW: 'hooks.lan:99999': The port must be a number from 1 to 65535.\n"
    assert (started.returncode, started.stderr) == (1, says)


def test_what_can_be_used_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    found = settings_of(
        monkeypatch,
        DATABASE_URL="postgresql://u:p@db.example:5433/shop?sslmode=require",
        REDIS_URL="rediss://:p@redis.example:6380/3",
        LOG_LEVEL="debug",
        LOG_FORMAT="Console",
        ALLOWED_HOSTS="Chat.example.com, .example.org,*,192.0.2.1,[2001:db8::1]",
        SENTRY_DSN="https://key@sentry.example/7",
        PARLEY_WITHOUT_APPS="apps.webhooks, apps.compat",
    )
    assert found["ALLOWED_HOSTS"][:-1] == ["Chat.example.com", ".example.org", "*", "192.0.2.1", "[2001:db8::1]"]
    assert found["SENTRY_DSN"] == "https://key@sentry.example/7"
    assert {"apps.webhooks", "apps.compat"} == set(found["PARLEY_APPS"]) - set(found["INSTALLED_APPS"])
    database = found["DATABASES"]["default"]
    assert (database["HOST"], database["PORT"], database["NAME"]) == ("db.example", 5433, "shop")
    assert database["OPTIONS"]["sslmode"] == "require"
    assert found["REDIS_URL"] == "rediss://:p@redis.example:6380/3"
    assert (found["LOGGING"]["level"], found["LOGGING"]["format"]) == ("DEBUG", "console")
    for elsewhere in ("postgresql:///shop", "postgresql://?service=shop", "postgresql://u@%2Frun%2Fpostgresql/shop"):
        assert settings_of(monkeypatch, DATABASE_URL=elsewhere)["DATABASE_URL"] == elsewhere


@pytest.mark.parametrize(
    ("url", "host", "port", "user", "password", "use_tls", "use_ssl"),
    [
        ("smtp://localhost", "localhost", 25, "", "", False, False),
        ("smtp://u:p@mail.example:2525", "mail.example", 2525, "u", "p", False, False),
        ("smtp+tls://u%40x:p%2F%3A%40@mail.example", "mail.example", 587, "u@x", "p/:@", True, False),
        ("smtps://u:p@[2001:db8::1]/", "2001:db8::1", 465, "u", "p", False, True),
    ],
)
def test_a_mail_server_is_named_by_a_url(
    monkeypatch: pytest.MonkeyPatch,
    url: str,
    host: str,
    port: int,
    user: str,
    password: str,
    use_tls: bool,
    use_ssl: bool,
) -> None:
    found = settings_of(monkeypatch, EMAIL_URL=url)
    assert found["EMAIL_BACKEND"] == "django.core.mail.backends.smtp.EmailBackend"
    names = ("HOST", "PORT", "HOST_USER", "HOST_PASSWORD", "USE_TLS", "USE_SSL")
    assert tuple(found[f"EMAIL_{name}"] for name in names) == (host, port, user, password, use_tls, use_ssl)


def test_mail_goes_elsewhere_than_to_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    found = settings_of(monkeypatch)
    assert (found["EMAIL_BACKEND"], found["EMAIL_FOLDER"]) == (
        "apps.core.mail.FolderBackend",
        found["PARLEY_HOME"] / "mail",
    )
    found = settings_of(monkeypatch, EMAIL_URL="file:///srv/parley%20mail")
    assert (found["EMAIL_BACKEND"], str(found["EMAIL_FOLDER"])) == ("apps.core.mail.FolderBackend", "/srv/parley mail")
    found = settings_of(monkeypatch, EMAIL_URL="console://")
    assert found["EMAIL_BACKEND"] == "django.core.mail.backends.console.EmailBackend"


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, "parley@localhost"),
        ({"PUBLIC_URL": "https://chat.example.com:8443"}, "parley@chat.example.com"),
        ({"PUBLIC_URL": "http://192.0.2.1"}, "parley@localhost"),
        ({"DEFAULT_FROM_EMAIL": "Чат <chat@example.com>"}, "Чат <chat@example.com>"),
    ],
)
def test_the_sender_of_mail(monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], expected: str) -> None:
    assert settings_of(monkeypatch, **environ)["DEFAULT_FROM_EMAIL"] == expected


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, "all"),
        ({"OIDC_ISSUER": "https://id.example"}, "owners"),
        ({"OIDC_ISSUER": "https://id.example", "OIDC_PASSWORDS": "all"}, "all"),
    ],
)
def test_passwords_are_of_owners_alone_once_an_issuer_is_set(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], expected: str
) -> None:
    client_of_provider = {"OIDC_CLIENT_ID": "parley", "OIDC_CLIENT_SECRET": "secret"}
    assert settings_of(monkeypatch, **client_of_provider, **environ)["OIDC_PASSWORDS"] == expected


@pytest.mark.parametrize(
    ("issuer", "passwords", "says"),
    [
        ("", "all", ""),
        ("https://id.example", "owners", "nobody but owners and superusers signs in by a password"),
        ("https://id.example", "all", "people whom the provider no longer lets in can still sign in by a password"),
    ],
)
def test_the_check_of_a_deployment_notes_which_passwords_open_beside_a_provider(
    settings: Settings, issuer: str, passwords: str, says: str
) -> None:
    settings.OIDC_ISSUER, settings.OIDC_PASSWORDS = issuer, passwords
    found = [check for check in run_checks(include_deployment_checks=True) if check.id == "accounts.I001"]
    assert [check.level for check in found] == ([INFO] if says else [])
    assert all(says in check.msg for check in found)
    assert "accounts.I001" not in {check.id for check in run_checks()}
