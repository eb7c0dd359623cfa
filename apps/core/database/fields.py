"""Model fields that every app may use."""

import json
from typing import Any

from django.core import checks
from django.core.exceptions import FieldError
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.query_utils import DeferredAttribute

from apps.core.database.encryption import DecryptionFailed, decrypt, encrypt, is_token

UNREADABLE = object()  # what stands in a row for text that no key decrypts


class _EncryptedText(DeferredAttribute):
    """The text of a row.

    A text that can't be decrypted does not stop a read, change or deletion of the rest of the row.
    """

    def __get__(self, instance: Any, cls: Any = None) -> Any:
        value = super().__get__(instance, cls)
        if value is UNREADABLE:
            raise DecryptionFailed
        return value

    def __set__(self, instance: Any, value: Any) -> None:
        instance.__dict__[self.field.attname] = value


class EncryptedTextField(models.TextField):  # type: ignore[type-arg]  # it takes none at run time
    """Text that is encrypted in the database and plain in Python.

    A text that cannot be decrypted raises DecryptionFailed when it is read of its row, and is UNREADABLE in `values`;
    ciphertext is never given for text. The ciphertext of one text differs from row to row, so nothing can be searched
    or kept unique by it: every lookup but `isnull` raises FieldError. Serialising (`dumpdata`) gives the ciphertext.
    """

    description = "Text, encrypted at rest"
    descriptor_class = _EncryptedText

    def from_db_value(self, value: str | None, expression: Any, connection: BaseDatabaseWrapper) -> Any:
        try:
            return None if value is None else decrypt(value)
        except DecryptionFailed:
            return UNREADABLE

    def get_prep_value(self, value: Any) -> Any:
        if value is None or hasattr(value, "resolve_expression"):
            return value
        if not isinstance(value, str):
            raise TypeError(f"{self.name} takes text, not {type(value).__name__}")
        if is_token(value):
            # A dump that is loaded, or a copied raw column: the text would have to be decrypted twice.
            raise ValueError(f"{self.name} was given text that is encrypted already")
        return encrypt(value)

    def value_to_string(self, obj: models.Model) -> str:
        return self.get_prep_value(self.value_from_object(obj)) or ""

    def get_lookup(self, lookup_name: str) -> Any:
        if lookup_name != "isnull":
            raise FieldError(f"{self.name} is encrypted and cannot be searched ({lookup_name}); only isnull works")
        return super().get_lookup(lookup_name)

    def get_transform(self, lookup_name: str) -> Any:
        raise FieldError(f"{self.name} is encrypted and cannot be searched ({lookup_name}); only isnull works")

    def check(self, **kwargs: Any) -> list[checks.CheckMessage]:
        return [*super().check(**kwargs), *self._check_not_indexed()]

    def _check_not_indexed(self) -> list[checks.CheckMessage]:
        if self.unique or getattr(self, "db_index", False):
            return [checks.Error("An encrypted field can be neither unique nor indexed.", obj=self, id="core.E010")]
        return []


class SealedTextField(models.TextField):  # type: ignore[type-arg]
    """Text that is a token of `encryption` where the row's boolean field `sealed_by` is true, else plain.

    It is read and written as it is stored: who reads it decrypts it. `rotate_field_keys` knows it.
    """

    description = "Text, encrypted at rest where another field says so"

    def __init__(self, *args: Any, sealed_by: str, **options: Any) -> None:
        self.sealed_by = sealed_by
        super().__init__(*args, **options)

    def deconstruct(self) -> Any:
        name, path, args, options = super().deconstruct()
        return name, path, args, {**options, "sealed_by": self.sealed_by}


class JsonNumbers(json.JSONDecoder):
    """Reads what `jsonb` has made of numbers: it writes 1e20 as an integer, which is none that an answer could hold."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, parse_int=_number)


def _number(digits: str) -> int | float:
    number = int(digits)
    return number if -(2**63) <= number < 2**63 else float(number)
