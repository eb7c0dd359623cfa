"""Text at rest: never readable without a key, never ciphertext in place of text, and keys that can be changed."""

import traceback
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.core.exceptions import FieldError
from django.db import connection, models
from django.test.utils import isolate_apps
from hypothesis import given
from hypothesis import strategies as st

from apps.core.database.encryption import DecryptionFailed, decrypt, encrypt, is_token, rotate
from apps.core.database.fields import EncryptedTextField

OLD, NEW, FOREIGN = (Fernet.generate_key().decode() for _ in range(3))
SECRET = "whsec_планета-42"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_text_comes_back_as_it_was(text: str) -> None:
    token = encrypt(text)
    assert decrypt(token) == text
    assert token.isascii()
    assert is_token(token)
    assert token != encrypt(text)


@given(st.text(max_size=200))
def test_what_is_no_token_is_never_given_back(text: str) -> None:
    assert not is_token(text)
    with pytest.raises(DecryptionFailed):
        decrypt(text)
    with pytest.raises(DecryptionFailed):
        rotate(text)


@given(st.integers(min_value=0), st.integers(1, 63))
def test_an_altered_token_is_refused(position: int, change: int) -> None:
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    token = encrypt("x" * 15)  # of a length whose base64 has no unused bits
    body = token.rstrip("=")
    position %= len(body) - 1
    altered = alphabet[(alphabet.index(body[position]) + change) % 64]
    with pytest.raises(DecryptionFailed):
        decrypt(token[:position] + altered + token[position + 1 :])


def test_the_first_key_encrypts_and_every_key_decrypts(settings: Any) -> None:
    settings.FIELD_ENCRYPTION_KEYS = [OLD]
    old_token = encrypt(SECRET)
    settings.FIELD_ENCRYPTION_KEYS = [NEW, OLD]
    assert decrypt(old_token) == SECRET
    new_token = encrypt(SECRET)
    settings.FIELD_ENCRYPTION_KEYS = [NEW]
    assert decrypt(new_token) == SECRET
    with pytest.raises(DecryptionFailed):
        decrypt(old_token)


def test_rotation_moves_to_the_first_key_once(settings: Any) -> None:
    settings.FIELD_ENCRYPTION_KEYS = [OLD]
    token = encrypt(SECRET)
    assert rotate(token) == token
    settings.FIELD_ENCRYPTION_KEYS = [NEW, OLD]
    rotated = rotate(token)
    assert rotated != token
    assert rotate(rotated) == rotated
    settings.FIELD_ENCRYPTION_KEYS = [NEW]
    assert decrypt(rotated) == SECRET


def test_a_failure_names_neither_text_nor_token_nor_key(settings: Any) -> None:
    settings.FIELD_ENCRYPTION_KEYS = [FOREIGN]
    token = encrypt(SECRET)
    settings.FIELD_ENCRYPTION_KEYS = [OLD]
    with pytest.raises(DecryptionFailed) as failure:
        decrypt(token)
    shown = "".join(traceback.format_exception(failure.value)) + repr(failure.value)
    assert not any(secret in shown for secret in (SECRET, token, OLD, FOREIGN))


@pytest.fixture
def model() -> Any:
    with isolate_apps("apps.core"):

        class Vault(models.Model):
            secret = EncryptedTextField(blank=True, null=True)

            class Meta:
                app_label = "core"
                managed = False

            def __str__(self) -> str:
                return f"vault {self.pk}"

        yield Vault


def column(model: Any) -> EncryptedTextField:
    field = model._meta.get_field("secret")
    assert isinstance(field, EncryptedTextField)
    return field


def test_the_column_holds_a_token_and_python_the_text(model: Any) -> None:
    field = column(model)
    stored = field.get_db_prep_save(SECRET, connection)
    assert SECRET not in stored
    assert field.from_db_value(stored, None, connection) == SECRET
    assert field.get_db_prep_save(None, connection) is None
    assert field.from_db_value(None, None, connection) is None
    assert decrypt(field.get_db_prep_save("", connection)) == ""


@pytest.mark.parametrize(
    "stored", [SECRET, "", Fernet(FOREIGN).encrypt(b"x").decode()], ids=["no token", "nothing", "of another key"]
)
def test_what_cannot_be_decrypted_raises_when_it_is_read_and_can_be_replaced(model: Any, stored: str) -> None:
    vault = model.from_db("default", ["id", "secret"], [7, column(model).from_db_value(stored, None, connection)])
    assert vault.pk == 7
    for _ in range(2):
        with pytest.raises(DecryptionFailed):
            _ = vault.secret
    with pytest.raises(DecryptionFailed):
        vault.save()
    vault.secret = SECRET
    assert vault.secret == SECRET


@pytest.mark.parametrize("value", [1, True, b"bytes", ["list"], object()])
def test_only_text_is_taken(model: Any, value: object) -> None:
    with pytest.raises(TypeError, match="secret takes text, not"):
        column(model).get_db_prep_save(value, connection)


def test_nothing_is_encrypted_twice(model: Any) -> None:
    with pytest.raises(ValueError, match="encrypted already") as failure:
        column(model).get_db_prep_save(encrypt(SECRET), connection)
    assert SECRET not in str(failure.value)


@pytest.mark.parametrize(
    "lookup", ["exact", "iexact", "in", "contains", "icontains", "startswith", "gt", "lt", "range", "regex", "length"]
)
def test_it_cannot_be_searched(model: Any, lookup: str) -> None:
    with pytest.raises(FieldError, match="encrypted and cannot be searched") as failure:
        model.objects.filter(**{f"secret__{lookup}": [SECRET] if lookup in ("in", "range") else SECRET})
    assert SECRET not in str(failure.value)


def test_a_bare_comparison_is_a_search(model: Any) -> None:
    for value in (SECRET, None):
        with pytest.raises(FieldError, match="only isnull works"):
            model.objects.filter(secret=value)
    with pytest.raises(FieldError):
        model.objects.exclude(secret=SECRET)


def test_it_can_be_asked_whether_there_is_one(model: Any) -> None:
    assert 'WHERE "core_vault"."secret" IS NOT NULL' in str(model.objects.filter(secret__isnull=False).query)


def test_a_migration_writes_it_as_itself(model: Any) -> None:
    name, path, args, kwargs = column(model).deconstruct()
    assert (name, path, args, kwargs) == (
        "secret",
        "apps.core.database.fields.EncryptedTextField",
        [],
        {"blank": True, "null": True},
    )
    assert column(model).db_type(connection) == "text"


def test_no_representation_shows_it(model: Any) -> None:
    vault = model(pk=7, secret=SECRET)
    assert vault.secret == SECRET
    assert not any(SECRET in shown for shown in (repr(vault), str(vault), repr(column(model)), f"{vault!r}"))


def test_a_dump_holds_the_token(model: Any) -> None:
    dumped = column(model).value_to_string(model(secret=SECRET))
    assert decrypt(dumped) == SECRET


@pytest.mark.parametrize("options", [{"unique": True}, {"db_index": True}, {"primary_key": True}])
def test_it_can_be_neither_unique_nor_indexed(options: dict[str, bool]) -> None:
    with isolate_apps("apps.core"):

        class Wrong(models.Model):
            secret = EncryptedTextField(**options)

            class Meta:
                app_label = "core"

            def __str__(self) -> str:
                return ""

        assert "core.E010" in {error.id for error in Wrong._meta.get_field("secret").check()}


def test_a_sound_column_passes_its_checks(model: Any) -> None:
    assert column(model).check() == []
