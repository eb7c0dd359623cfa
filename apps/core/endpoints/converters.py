"""Path converters. Import this module before a url configuration uses them."""

import re
from collections.abc import Collection

from django.urls import register_converter
from django.urls.converters import StringConverter


class IdConverter:
    """A numeric id: what no bigint could hold is an address that is not there."""

    regex = "[0-9]{1,18}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


class GuidConverter:
    """A 32-character opaque guid."""

    regex = "[0-9a-f]{32}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class SecretConverter:
    """A possible secret, by its characters; the authenticator says whether it is one."""

    regex = "[A-Za-z0-9_.~:+=-]{1,255}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


def register_keys(name: str, keys: Collection[str]) -> None:
    """Registers a converter of keys that are all known (`<provider:…>`): any other is an address that is not there."""
    regex = "|".join(map(re.escape, sorted(keys)))
    register_converter(type(f"{name.title()}Converter", (StringConverter,), {"regex": f"(?:{regex})"}), name)


register_converter(IdConverter, "id")
register_converter(GuidConverter, "guid")
register_converter(SecretConverter, "secret")
