"""`manage.py rotate_field_keys`: every encrypted column comes under the first key, on a live database."""

import io
from collections.abc import Iterator
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.apps import apps as installed
from django.core.management import CommandError, call_command
from django.db import connection, models
from django.test.utils import isolate_apps

from apps.accounts.management.commands import rotate_field_keys
from apps.accounts.management.commands.rotate_field_keys import RotationOutcome, encrypted_columns, rotate_column
from apps.core.database.encryption import DecryptionFailed, decrypt, encrypt
from apps.core.database.fields import EncryptedTextField, SealedTextField

OLD, NEW, LOST = (Fernet.generate_key().decode() for _ in range(3))

pytestmark = pytest.mark.django_db


@pytest.fixture
def vault(settings: Any) -> Iterator[Any]:
    """A model with an encrypted column and a table of its own, within the test's transaction."""
    with isolate_apps("apps.core"):

        class Vault(models.Model):
            secret = EncryptedTextField(null=True)

            class Meta:
                app_label = "core"
                db_table = "test_vault"

            def __str__(self) -> str:
                return f"vault {self.pk}"

        with connection.schema_editor() as editor:
            editor.create_model(Vault)
        settings.FIELD_ENCRYPTION_KEYS = [OLD]
        yield Vault


@pytest.fixture
def letters(settings: Any) -> Iterator[Any]:
    """A model some of whose rows are encrypted, with a table of its own."""
    with isolate_apps("apps.core"):

        class Letter(models.Model):
            body = SealedTextField(sealed_by="is_sealed")
            is_sealed = models.BooleanField()

            class Meta:
                app_label = "core"
                db_table = "test_letter"

            def __str__(self) -> str:
                return f"letter {self.pk}"

        with connection.schema_editor() as editor:
            editor.create_model(Letter)
        settings.FIELD_ENCRYPTION_KEYS = [OLD]
        yield Letter


def rotate(model: Any, batch: int = 500) -> RotationOutcome:
    return rotate_column(model, model._meta.get_field("secret"), batch=batch)


def stored(model: Any) -> dict[int, str]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT id, secret FROM {model._meta.db_table}")
        return dict(cursor.fetchall())


def store_raw(model: Any, key: int, token: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {model._meta.db_table} SET secret = %s WHERE id = %s", [token, key])


@pytest.mark.parametrize("batch", [1, 2, 3, 7, 100])
def test_every_row_comes_under_the_first_key_and_keeps_its_text(vault: Any, settings: Any, batch: int) -> None:
    texts = {vault.objects.create(secret=f"тайна {number}").pk: f"тайна {number}" for number in range(7)}
    nothing = vault.objects.create(secret=None).pk
    settings.FIELD_ENCRYPTION_KEYS = [NEW, OLD]
    fresh = vault.objects.create(secret="fresh").pk
    assert rotate(vault, batch) == RotationOutcome(rotated=7, current=1)
    settings.FIELD_ENCRYPTION_KEYS = [NEW]
    assert dict(vault.objects.values_list("pk", "secret")) == {**texts, nothing: None, fresh: "fresh"}


def test_rows_that_are_plain_stay_as_they_are(letters: Any, settings: Any) -> None:
    plain = letters.objects.create(body="plain", is_sealed=False).pk
    sealed = [letters.objects.create(body=encrypt(f"sealed {number}"), is_sealed=True).pk for number in range(3)]
    settings.FIELD_ENCRYPTION_KEYS = [NEW, OLD]
    assert list(encrypted_columns([letters])) == [(letters, letters._meta.get_field("body"))]
    assert rotate_column(letters, letters._meta.get_field("body"), batch=2) == RotationOutcome(rotated=3)
    settings.FIELD_ENCRYPTION_KEYS = [NEW]
    bodies = dict(letters.objects.values_list("pk", "body"))
    assert bodies.pop(plain) == "plain"
    assert {key: decrypt(body) for key, body in bodies.items()} == {
        key: f"sealed {number}" for number, key in enumerate(sealed)
    }


def test_a_second_run_changes_nothing(vault: Any, settings: Any) -> None:
    vault.objects.create(secret="one")
    settings.FIELD_ENCRYPTION_KEYS = [NEW, OLD]
    assert rotate(vault) == RotationOutcome(rotated=1)
    before = stored(vault)
    assert rotate(vault) == RotationOutcome(current=1)
    assert stored(vault) == before


def test_a_row_that_no_key_fits_is_counted_and_left_alone(vault: Any, settings: Any) -> None:
    good, bad = (vault.objects.create(secret=text).pk for text in ("good", "bad"))
    settings.FIELD_ENCRYPTION_KEYS = [LOST]
    store_raw(vault, bad, encrypt("lost"))
    settings.FIELD_ENCRYPTION_KEYS = [NEW, OLD]
    before = stored(vault)
    assert rotate(vault, 1) == RotationOutcome(rotated=1, undecryptable=1)
    assert stored(vault)[bad] == before[bad]
    assert vault.objects.get(pk=good).secret == "good"
    with pytest.raises(DecryptionFailed):
        _ = vault.objects.get(pk=bad).secret


def test_a_value_written_meanwhile_is_never_lost(vault: Any, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    written, deleted, untouched = (vault.objects.create(secret="before").pk for _ in range(3))
    settings.FIELD_ENCRYPTION_KEYS = [OLD]
    by_a_process_with_the_old_keys = encrypt("meanwhile")
    settings.FIELD_ENCRYPTION_KEYS = [NEW, OLD]
    rotate_token = rotate_field_keys.rotate
    turns = iter(range(100))

    def others_write_first(token: str) -> str:
        if next(turns) == 0:
            store_raw(vault, written, by_a_process_with_the_old_keys)
            vault.objects.filter(pk=deleted).delete()
        return rotate_token(token)

    monkeypatch.setattr(rotate_field_keys, "rotate", others_write_first)
    assert rotate(vault) == RotationOutcome(rotated=2)
    settings.FIELD_ENCRYPTION_KEYS = [NEW]
    assert dict(vault.objects.values_list("pk", "secret")) == {written: "meanwhile", untouched: "before"}


def test_each_batch_is_a_few_queries_of_its_own(vault: Any, settings: Any, django_assert_num_queries: Any) -> None:
    for number in range(4):
        vault.objects.create(secret=str(number))
    settings.FIELD_ENCRYPTION_KEYS = [NEW, OLD]
    # Three reads (the last one empty); two batches of a savepoint, two writes and its release.
    with django_assert_num_queries(3 + 2 * 4):
        rotate(vault, 2)


def test_the_command_reports_and_fails_clearly(vault: Any, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "get_models", lambda **_: [vault])
    keys = [vault.objects.create(secret="x").pk for _ in range(2)]
    settings.FIELD_ENCRYPTION_KEYS = [NEW, OLD]
    out = io.StringIO()
    call_command("rotate_field_keys", stdout=out, batch=1)
    assert out.getvalue() == "core.Vault.secret: 2 rotated, 0 already current, 0 could not be decrypted\n"
    store_raw(vault, keys[0], "nonsense")
    out = io.StringIO()
    with pytest.raises(CommandError, match=r"^1 value\(s\) could not be decrypted with any key") as failure:
        call_command("rotate_field_keys", stdout=out)
    assert failure.value.returncode == 1
    assert out.getvalue() == "core.Vault.secret: 0 rotated, 1 already current, 1 could not be decrypted\n"


def test_the_command_refuses_a_batch_of_nothing() -> None:
    with pytest.raises(CommandError, match="--batch"):
        call_command("rotate_field_keys", batch=0)


def test_the_command_runs_over_every_installed_model() -> None:
    out = io.StringIO()
    call_command("rotate_field_keys", stdout=out)
    columns = [f"{model._meta.label}.{field.name}" for model, field in encrypted_columns(installed.get_models())]
    assert [line.partition(":")[0] for line in out.getvalue().splitlines()] == columns


def test_an_inherited_column_is_walked_once_where_it_stands(vault: Any) -> None:
    with isolate_apps("apps.core"):

        class Child(vault):
            class Meta:
                app_label = "core"

        class Proxy(vault):
            class Meta:
                app_label = "core"
                proxy = True

        assert list(encrypted_columns([vault, Child, Proxy])) == [(vault, vault._meta.get_field("secret"))]


def test_an_app_that_is_left_out_and_has_tables_is_not_passed_over(settings: Any) -> None:
    settings.WITHOUT_APPS = ["apps.absent", "apps.webhooks"]
    with pytest.raises(CommandError, match=r"leaves out apps\.webhooks, whose tables are there"):
        call_command("rotate_field_keys", stdout=io.StringIO())
    settings.WITHOUT_APPS = ["apps.absent"]
    call_command("rotate_field_keys", stdout=io.StringIO())
