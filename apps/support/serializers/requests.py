"""Members that several bodies of the application's calls take."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, ClassVar

import orjson
from rest_framework import serializers

from apps.core.endpoints.serializers import Body, Choice, Text
from apps.core.problems import ProblemType
from apps.support.rules.application_turns import ID
from apps.support.rules.desk import MAX_NOTE
from apps.support.rules.identities import MAX_USER_ID

MAX_CONTEXT_BYTES = 16 * 1024


class OwnId(Text):
    """An id of the application's own."""

    default_error_messages = {"form": "Must be 1 to 128 letters, digits and `._:-`."}

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=128, **options)

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not re.fullmatch(ID, text):
            self.fail("form")
        return text


class SpokenText(Text):
    """A text that says something: not only white space."""

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not text.strip():
            self.fail("blank")
        return text


class JsonObject(serializers.DictField):
    """Any JSON object, of at most so many bytes as it is written without spaces; None: of any size."""

    default_error_messages = {"too_long": "Must have at most {max_bytes} bytes."}

    def __init__(self, *, max_bytes: int | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.max_bytes = max_bytes

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, Mapping):
            self.fail("not_a_dict", input_type=type(data).__name__)
        if self.max_bytes is not None and len(orjson.dumps(data)) > self.max_bytes:
            self.fail("too_long", max_bytes=self.max_bytes)
        return data


class Context(JsonObject):
    """The application's facts of its user."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_bytes=MAX_CONTEXT_BYTES, **options)


class UserId(Text):
    """An account of the application: 1 to 128 visible characters."""

    default_error_messages = {"invisible": "Must consist of visible characters."}

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=MAX_USER_ID, **options)

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if any(unicodedata.category(character)[0] in "CZ" for character in text):
            self.fail("invisible")
        return text


class Email(serializers.EmailField):
    """An e-mail address, as a string."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=254, trim_whitespace=False, **options)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class ContractBody(Body):
    """A body whose form has a name; another one's is refused with `other_contract`."""

    contract_name: ClassVar[str] = ""
    other_contract: ClassVar[ProblemType]

    def get_fields(self) -> dict[str, Any]:
        return {"contract": Choice(choices=[self.contract_name]), **super().get_fields()}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        named = data.get("contract") if isinstance(data, Mapping) else None
        if isinstance(named, str) and named != self.contract_name:
            raise self.other_contract()
        value = super().to_internal_value(data)
        del value["contract"]
        return value


class ClaimId(Text):
    """The id of a lease: 32 hex digits."""

    default_error_messages = {"form": "Must be the 32 hex digits of a lease's `claim_id`."}

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=32, **options)

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not re.fullmatch("[0-9a-f]{32}", text):
            self.fail("form")
        return text


class Note(SpokenText):
    """An internal note, which customers never see: no control and no invisible characters."""

    default_error_messages = {"forbidden": "Control and invisible characters are not allowed."}

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=MAX_NOTE, **options)

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if any(unicodedata.category(one) in ("Cc", "Cf", "Co", "Cs") and one != "\n" for one in text):
            self.fail("forbidden")
        return text
