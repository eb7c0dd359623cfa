"""No stored secret follows an address that a lesser right may change (THREAT_MODEL, "Stored secrets").

Every encrypted column, every other column with a secret's name, and every secret of the configuration is listed here,
with the address that it may be sent to and the right that moves that address. What is new is found, and has to be
listed.
"""

import ast
import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

from django.apps import apps
from django.db import models

from apps.core.database.fields import EncryptedTextField, SealedTextField
from config.environment import PROJECT_ROOT
from tests.architecture.tenants import product_models


class Use(Enum):
    """What is done with a secret."""

    COMPARED = "a caller brings it, or what it signed"
    SIGNS = "it never leaves: what it made does"
    CONTENT = "people's words or answers, shown or sent by those who may read them"
    SENT = "it is sent to the address itself"


class Moved(Enum):
    """What keeps a secret that is sent from an address that somebody else has chosen."""

    AGAIN = "another address needs the secret again in the same call, or the old one is forgotten"
    ONCE = "the address is stored together with the secret, and never changes"
    INSTALLATION = "only a command or the environment of the installation changes it"


class Kept(NamedTuple):
    """A secret. `address`: columns of its row, or names elsewhere. `right`: what moves it. `proof`: a test."""

    use: Use
    address: tuple[str, ...] = ()
    right: str = ""
    moved: Moved | None = None
    proof: str = ""


COMPARED, CONTENT = Kept(Use.COMPARED), Kept(Use.CONTENT)
OF_A_VENDOR = Kept(Use.SENT, ("VendorSettings.base",), "messenger_vendor", Moved.INSTALLATION)
WRITTEN_ONCE = "nobody: the row is written once, by its maker"

COLUMNS = {
    "assists.Assist.asked": CONTENT,
    "assists.Assist.result": CONTENT,
    "accounts.Authenticator.key": COMPARED,
    "articles.HelpCenter.domain_token": COMPARED,  # an owner publishes it, in the record that proves the domain
    "accounts.User.password": COMPARED,
    "ai.Credential.api_key": Kept(
        Use.SENT,
        ("base_url", "target"),
        "ai:write",
        Moved.AGAIN,
        "tests/ai/test_credentials_api.py::test_an_address_elsewhere_needs_the_key_with_it",
    ),
    "ai.Credential.signing_secret": Kept(Use.SIGNS, ("base_url", "target"), "ai:write"),
    "ai.ExternalOperator.bearer": Kept(
        Use.SENT,
        ("url", "target"),
        "agents:write",
        Moved.AGAIN,
        "tests/ai/test_external_proof.py::test_a_lesser_right_that_moves_the_address_gets_neither_it_nor_a_word",
    ),
    "ai.ExternalOperator.secret": Kept(Use.SIGNS, ("url", "target"), "agents:write"),
    "ai.ExternalOperator.old_secret": Kept(Use.SIGNS, ("url", "target"), "agents:write"),
    "cards.CardAction.message": CONTENT,
    "cards.CardAction.value": CONTENT,
    "cards.CardSettings.secret": Kept(Use.SIGNS, ("url", "target"), "a manager in the cabinet"),
    "cards.ChatCards.contents": CONTENT,
    "compat.LegacyBot.secret": Kept(Use.SIGNS, ("url", "target"), "a manager in the cabinet"),
    "console.PushKey.private": Kept(Use.SIGNS),
    "console.PushSubscription.auth": Kept(Use.SIGNS, ("endpoint",), "the operator's own browser"),
    "console.PushSubscription.endpoint": CONTENT,
    "core.Mail.subject": Kept(Use.SENT, ("to",), WRITTEN_ONCE, Moved.ONCE),
    "core.Mail.text": Kept(Use.SENT, ("to",), WRITTEN_ONCE, Moved.ONCE),
    "core.Mail.html": Kept(Use.SENT, ("to",), WRITTEN_ONCE, Moved.ONCE),
    # Address and password are one text: who changes the one gives the other.
    "letters.Mailbox.imap": Kept(Use.SENT, ("imap",), WRITTEN_ONCE, Moved.ONCE),
    "letters.Mailbox.smtp": Kept(Use.SENT, ("smtp",), WRITTEN_ONCE, Moved.ONCE),
    "letters.Mailbox.hook_key": COMPARED,
    "letters.OutLetter.right": COMPARED,
    "letters.Thread.right": COMPARED,
    "messengers.Channel.secret": Kept(Use.SIGNS, ("outbound_url", "target"), "channels:write"),
    "messengers.Connection.token": Kept(
        Use.SENT,
        ("url", "target", "VendorSettings.base"),
        "messengers:write, with the token each time; the vendor's base by command",
        Moved.AGAIN,
        "tests/messengers/test_providers_api.py::test_a_wrong_member_is_422_by_name_and_stores_nothing",
    ),
    **{
        f"messengers.Connection.{name}": OF_A_VENDOR
        for name in ("sid", "refresh_token", "confirmation", "hook_key", "secret", "verify_token", "app_secret")
    },
    "messengers.EarlyReceipt.part": CONTENT,
    "messengers.Inbound.part": CONTENT,
    "messengers.VendorSettings.app_key": COMPARED,
    "messengers.VendorSettings.app_verify_token": COMPARED,
    "messengers.VendorSettings.app_secret": Kept(Use.SENT, ("base",), "messenger_vendor", Moved.INSTALLATION),
    "messengers.VendorSettings.client_secret": Kept(Use.SENT, ("base",), "messenger_vendor", Moved.INSTALLATION),
    "support.Binding.secret": COMPARED,
    "support.EmailCode.code": Kept(Use.SENT, ("email",), WRITTEN_ONCE, Moved.ONCE),
    "support.EmailCode.email": CONTENT,
    "support.Identity.email": CONTENT,
    "support.Identity.grant": CONTENT,
    "support.SignedRequest.answer": CONTENT,
    "support.SupportAction.text": CONTENT,
    "webhooks.Event.body": CONTENT,
    "webhooks.Subscription.secret": Kept(Use.SIGNS, ("url", "target"), "webhooks:write"),
    "widget.WidgetSettings.identity_secret": COMPARED,
    "widget.WidgetSettings.previous_identity_secret": COMPARED,
}
# Columns that have an address's name beside a secret, and are none of it.
# Nothing is sent to the home page of a help center: pages link to it.
NO_ADDRESS = {
    "accounts.User.email",
    "articles.HelpCenter.home_url",
    "support.SignedRequest.endpoint",
    "support.Identity.email",
}

SETTINGS = {
    "SECRET_KEY": Kept(Use.SIGNS),
    "SECRET_KEY_FALLBACKS": Kept(Use.SIGNS),
    "FIELD_ENCRYPTION_KEYS": Kept(Use.SIGNS),
    "METRICS_TOKEN": COMPARED,
    "DATABASE_URL": Kept(Use.SENT, ("DATABASE_URL",), "the environment", Moved.INSTALLATION),
    "REDIS_URL": Kept(Use.SENT, ("REDIS_URL",), "the environment", Moved.INSTALLATION),
    "MAIL_HOOK_KEY": COMPARED,
    "MAIL_INBOX": Kept(Use.SENT, ("MAIL_INBOX",), "the environment", Moved.INSTALLATION),
    "EMAIL_URL": Kept(Use.SENT, ("EMAIL_URL",), "the environment", Moved.INSTALLATION),
    "OIDC_CLIENT_SECRET": Kept(Use.SENT, ("OIDC_ISSUER",), "the environment", Moved.INSTALLATION),
    "OIDC_PASSWORDS": COMPARED,
}

_SECRET = re.compile(r"(^|_)(secret|password|token|bearer|credential|api_key|private)(_|$)")
_ADDRESS = re.compile(r"(^|_)(url|target|endpoint|base|host|to|email)(_|$)")
_SET = re.compile(
    r"SECRET|TOKEN(?!_BUDGET)|PASSWORD|_KEYS?$|_(DATABASE|REDIS|EMAIL)_URL$|^(DATABASE|REDIS|EMAIL)_URL$|^MAIL_INBOX$"
)


def secret_columns() -> Iterator[str]:
    """Columns that are encrypted, and texts that are called as secrets are."""
    for model in product_models():
        for field in model._meta.local_concrete_fields:
            is_encrypted = isinstance(field, EncryptedTextField | SealedTextField)
            if not model._meta.proxy and (is_encrypted or (is_text(field) and _SECRET.search(field.name))):
                yield f"{model._meta.label}.{field.name}"


def is_text(field: Any) -> bool:
    return isinstance(field, models.CharField | models.TextField)


def test_every_secret_is_listed_with_its_address() -> None:
    assert set(secret_columns()) == set(COLUMNS)


def test_every_address_beside_a_secret_is_of_it() -> None:
    for label in {column.rpartition(".")[0] for column in COLUMNS}:
        named = {name for column, kept in COLUMNS.items() if column.startswith(f"{label}.") for name in kept.address}
        for field in apps.get_model(label)._meta.local_concrete_fields:
            column = f"{label}.{field.name}"
            if is_text(field) and _ADDRESS.search(field.name) and column not in NO_ADDRESS | COLUMNS.keys():
                assert field.name in named, f"{column} is an address beside a secret: who moves it?"


def test_an_address_is_one() -> None:
    """Each name of a column is one of a model: Django raises the name that is none."""
    for column, kept in COLUMNS.items():
        label, _, name = column.rpartition(".")
        model = apps.get_model(label)
        model._meta.get_field(name)
        for address in kept.address:
            of, _, field = address.rpartition(".")
            (apps.get_model(f"{model._meta.app_label}.{of}") if of else model)._meta.get_field(field)


def test_what_is_sent_does_not_follow_a_lesser_right() -> None:
    every = {**COLUMNS, **SETTINGS}
    assert [name for name, kept in every.items() if bool(kept.address) != bool(kept.right)] == []
    unkept = [name for name, kept in every.items() if (kept.use is Use.SENT) != (kept.moved is not None)]
    assert unkept == [], "a secret that is sent has what keeps it"
    assert [name for name, kept in every.items() if (kept.moved is Moved.AGAIN) != bool(kept.proof)] == []
    for name, kept in every.items():
        if not kept.proof:
            continue
        path, _, test = kept.proof.partition("::")
        assert test in functions_of(PROJECT_ROOT / path), f"{name}: {kept.proof} is gone"


def functions_of(path: Path) -> set[str]:
    return {node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)}


def test_every_secret_of_the_environment_is_listed() -> None:
    found = {
        node.args[0].value
        for path in (PROJECT_ROOT / "config").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "env"
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
        and _SET.search(node.args[0].value)
    }
    assert found == set(SETTINGS)


def test_what_is_encrypted_has_no_default_in_the_database() -> None:
    """It would be one text, encrypted by the key that was in use at the migration."""
    fields = [field for model in apps.get_models() for field in model._meta.concrete_fields]
    sealed = [field for field in fields if isinstance(field, EncryptedTextField | SealedTextField)]
    assert sealed
    assert [str(field) for field in sealed if field.has_db_default()] == []
