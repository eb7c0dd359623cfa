"""Personal data leaves as names, and comes back in the answer (docs/guides/ai.md, "Personal data")."""

import re
from collections.abc import Iterable

from apps.core.parsing.personal import Personal, PersonalKind, find_personal, replaced

_NAME = re.compile(r"\[(EMAIL|PHONE|CARD)_(\d+)\]", re.IGNORECASE)


class Redaction:
    """The names that the personal data of one call goes by: `[EMAIL_1]`, `[PHONE_1]`, `[CARD_1]`.

    They are numbered by first appearance; one value has one name. It lives for the call alone, and is stored nowhere.
    """

    def __init__(self, public: Iterable[str] = ()) -> None:
        """public: texts that everybody may read: what stands in them is nobody's secret, and keeps its place."""
        self._public = {(found.kind, _same(found)) for text in public for found in find_personal(text)}
        self._names: dict[tuple[PersonalKind, str], str] = {}
        self._values: dict[str, str] = {}

    @property
    def names(self) -> list[str]:
        """The names that were given out."""
        return list(self._values)

    def hide(self, text: str) -> str:
        """The text with names in place of personal data. A name that was typed by a person is disarmed first."""
        return replaced(_NAME.sub(lambda name: f"{name[1]} {name[2]}", text), self._name_of)

    def _name_of(self, personal: Personal) -> str:
        key = (personal.kind, _same(personal))
        if key in self._public:
            return personal.text
        if key not in self._names:
            number = 1 + sum(kind == personal.kind for kind, _ in self._names)
            name = f"[{personal.kind.value.upper()}_{number}]"
            self._names[key] = name
            self._values[name] = personal.text
        return self._names[key]

    def restore(self, text: str) -> str | None:
        """The text with e-mail addresses and phone numbers back in their places.

        None if it names a card, or a name that was never given out: the whole answer is not to be shown.
        """
        names = [name[0].upper() for name in _NAME.finditer(text)]
        if any(name.startswith("[CARD_") or name not in self._values for name in names):
            return None
        return _NAME.sub(lambda name: self._values[name[0].upper()], text)


def _same(personal: Personal) -> str:
    """The form in which two spellings are one value: letters in any case, digits with any separators,
    and a Russian number with 8 or +7."""
    if personal.kind is PersonalKind.EMAIL:
        return personal.text.casefold()
    digits = "".join(character for character in personal.text if character.isdigit())
    is_russian = personal.kind is PersonalKind.PHONE and len(digits) == 11 and digits[0] == "8"
    return f"7{digits[1:]}" if is_russian else digits
