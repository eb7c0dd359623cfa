"""The language of a text, among the seven that the widget speaks."""

import re
import unicodedata
from collections import Counter

LANGUAGES = ("ru", "en", "el", "de", "es", "ar", "zh")
"""The languages of the product, in the order of its documents."""

# A script that only one of the seven uses, by how its letters are named in Unicode.
_SCRIPTS = {"CYRILLIC": "ru", "GREEK": "el", "ARABIC": "ar", "CJK": "zh"}

_LETTERS = {"de": "äöüß", "es": "áéíóúñ¿¡"}
_WORDS = {
    "en": (
        "a an and are at be but can do does for from get have hello hi how i if in is it me my need no not of on or "
        "our please so thank thanks that the there this to want was we what when where which who why will with would "
        "yes you your"
    ),
    "de": (
        "aber als am an auch auf aus bei bitte danke das dass dem den der die ein eine einen er es für guten hallo "
        "habe haben hat ich ihr ihre im in ist ja kann kein können man mein mich mir mit möchte nach nein nicht noch "
        "oder sie sind und uns von war was wann warum wie wir wo zu zum zur über"
    ),
    "es": (
        "a al algo como con cuando cuanto cuesta de del donde el ella en es esta este gracias hay hola la las le lo "
        "los me mi muy necesito no nos o para pero por porque puede puedo que quiero se si sin son su tiene tengo un "
        "una usted y ya yo"
    ),
}
_KNOWN = {language: frozenset(words.split()) for language, words in _WORDS.items()}


def language_of(text: str) -> str | None:
    """The code of the language, None where nothing tells it.

    Cyrillic is Russian, Greek script Greek, Arabic script Arabic, Han Chinese: the script with most letters decides.
    Latin script is English, German or Spanish, by function words and by the letters that only one of them has.
    """
    scripts = Counter(_script_of(letter) for letter in text if letter.isalpha())
    if not scripts:
        return None
    script, _ = scripts.most_common(1)[0]
    if script in _SCRIPTS:
        return _SCRIPTS[script]
    return _latin(text.casefold()) if script == "LATIN" else None


def _script_of(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def _latin(text: str) -> str | None:
    words = re.findall(r"[^\W\d_]+", text)
    points = Counter({language: sum(word in known for word in words) for language, known in _KNOWN.items()})
    for language, letters in _LETTERS.items():
        points[language] += 2 * sum(text.count(letter) for letter in letters)
    (best, most), (_, next_most), *_ = points.most_common()
    return best if most > next_most else None
