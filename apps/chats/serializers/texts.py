"""Texts of a widget's owner by language."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.chats.rules.languages import LANGUAGES
from apps.chats.rules.texts import link_refusal, text_refusal


@extend_schema_field({"type": "object", "additionalProperties": {"type": "string"}, "examples": [{"en": "Hello!"}]})
class TextsByLanguage(serializers.Field[Any, Any, Any, Any]):
    """Texts by language, one at least. Whether the widget supports a language, its action asks.

    `links`: the text is Markdown, whose links begin with https.
    """

    default_error_messages = {"invalid": "Must be an object of texts by language.", "empty": "There is no text."}

    def __init__(self, *, max_length: int, multiline: bool = False, links: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.max_length, self.multiline, self.links = max_length, multiline, links

    def to_internal_value(self, data: Any) -> dict[str, str]:
        if not isinstance(data, dict):
            self.fail("invalid")
        if not data:
            self.fail("empty")
        refusals = {code: self._refusal(code, text) for code, text in data.items()}
        if refused := {code: [why] for code, why in refusals.items() if why}:
            raise serializers.ValidationError(refused)
        return dict(data)

    def to_representation(self, value: Any) -> Any:
        return value

    def _refusal(self, code: str, text: object) -> str | None:
        if code not in LANGUAGES:
            return "There is no such language."
        if not isinstance(text, str):
            return "Not a valid string."
        if len(text) > self.max_length:
            return f"Ensure this field has no more than {self.max_length} characters."
        return text_refusal(text, multiline=self.multiline) or (link_refusal(text) if self.links else None)
