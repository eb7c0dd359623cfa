"""Members that several bodies of the AI configuration take."""

import re
from typing import Any

from django.utils.translation import gettext_noop
from rest_framework import serializers

from apps.ai.rules.languages import LANGUAGES
from apps.core.endpoints.serializers import Integer, Items, Text

MAX_ID = 2**63 - 1


class Id(Integer):
    """The id of a row."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=MAX_ID, **options)


class VisibleAscii(Text):
    """A text of visible ASCII characters: no space, no control, nothing else."""

    default_error_messages = {"invisible": "Must consist of visible ASCII characters."}

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not re.fullmatch(r"[!-~]*", text):
            self.fail("invisible")
        return text


class Distinct(Items):
    """A list in which nothing stands twice."""

    def to_internal_value(self, data: Any) -> list[Any]:
        found: list[Any] = super().to_internal_value(data)
        if len(set(found)) < len(found):
            raise serializers.ValidationError(gettext_noop("Each may stand in the list once."))
        return found


class ByLanguage(serializers.DictField):
    """A value for each of some languages; null removes one."""

    def __init__(self, *, child: serializers.Field[Any, Any, Any, Any], **options: Any) -> None:
        child.allow_null = True
        super().__init__(child=child, **options)

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if isinstance(data, dict):
            unknown = [name for name in data if name not in LANGUAGES]
            if unknown:
                raise serializers.ValidationError({name: ["There is no such language."] for name in unknown[:20]})
        return super().to_internal_value(data)
