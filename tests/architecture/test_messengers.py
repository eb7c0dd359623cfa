"""A messenger is one folder, `apps/messengers/adapters/<code>`: nothing else of the product knows it by code or name.

Texts count, in Python and in scripts; docstrings, comments, migrations and the played vendors (`apps/demo`) do not.
"""

import ast
import re

import pytest

from apps.messengers.adapters import ADAPTERS
from tests.architecture.source import APPS, name_of, source_files, tree_of
from tests.architecture.test_central_lists import texts_of

# Words of everyday: `ok` is a success. The messenger is found beside another one, or by its name.
WORDS = {"ok"}
CODES = set(ADAPTERS) - WORDS
NAMES = {name for one in ADAPTERS.values() for name in (one.name, one.called)} - {"OK"}
# The files that name one all the same, each with its reason. May only shrink.
COMMUNITY = "the specification's communities of VK, a resource of their own"
CABINET = "the specification's ad cabinets, which Avito alone has"
DESK = "the support desk's closed list of ways to a customer (specification, Support)"
TEXT = "a sentence for people that names some messengers as examples"
INDEX = "a partial index and a constraint of the database name it"
EXCEPTIONS: dict[str, tuple[set[str], str]] = {
    "apps/agents/api/departments.py": ({"tg"}, "an example of the document"),
    "apps/ai/rules/cutting.py": ({"av"}, "a Spanish abbreviation that ends no sentence"),
    "apps/documentation/rules/catalogue.py": ({"Telegram", "VK", "WhatsApp"}, TEXT),
    "apps/messengers/actions/communities.py": ({"VK"}, COMMUNITY),
    "apps/messengers/admin/cabinets.py": ({"Avito"}, CABINET),
    "apps/messengers/admin/connections.py": ({"Telegram", "VK", "WhatsApp"}, f"{COMMUNITY}; {TEXT}"),
    "apps/messengers/api/communities.py": ({"VK"}, COMMUNITY),
    "apps/messengers/cabinet.py": ({"VK"}, COMMUNITY),
    "apps/messengers/dashboard.py": ({"Telegram", "VK", "WhatsApp"}, TEXT),
    "apps/messengers/errors.py": ({"Telegram", "VK"}, f"{COMMUNITY}; the remedy of a problem that bots alone have"),
    "apps/messengers/forms.py": ({"VK"}, COMMUNITY),
    "apps/messengers/management/commands/messenger_vendor.py": ({"Avito", "Telegram"}, "the help of its options"),
    "apps/messengers/models/connections.py": ({"VK", "tg"}, f"{COMMUNITY}; {INDEX}"),
    "apps/messengers/querysets.py": ({"tg", "vk"}, f"{COMMUNITY}; {INDEX}"),
    "apps/messengers/rules/providers.py": ({"av"}, f"{CABINET}: their channels are `av__<id>`"),
    "apps/messengers/serializers.py": ({"Avito"}, CABINET),
    "apps/support/labels.py": ({"Telegram", "tg"}, DESK),
    "apps/support/rules/desk.py": ({"tg"}, DESK),
    "apps/support/rules/settings.py": ({"tg"}, DESK),
    "apps/widget/api/visitors.py": ({"tg"}, "the document's closed list of where a chat can be carried over"),
}
_NAME = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, NAMES), key=len, reverse=True))})\b")
_CODE_IN_SCRIPT = re.compile(rf"""["'`]({"|".join(sorted(CODES))})["'`]|\b({"|".join(sorted(CODES))}): \[?["'`{{]""")


def known_in(texts: list[str]) -> set[str]:
    """The codes and names of messengers in texts."""
    found = {text for text in texts if text in CODES}
    return found | {name[0] for text in texts for name in _NAME.finditer(text)}


def known_in_script(text: str) -> set[str]:
    """The codes and names of messengers in a script, but for its comments."""
    text = re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", text, flags=re.DOTALL)
    codes = {code for found in _CODE_IN_SCRIPT.finditer(text) for code in found.groups() if code}
    return codes | {name[0] for name in _NAME.finditer(text)}


def is_product(name: str) -> bool:
    """Whether a file is looked at: a messenger's own folder, migrations and the demo are not."""
    is_own = re.match(r"apps/messengers/adapters/[a-z]+/", name)
    return not is_own and "/migrations/" not in name and not name.startswith("apps/demo/")


def test_a_messenger_is_known_in_its_folder_alone() -> None:
    found = {name_of(path): known_in(texts_of(tree_of(path))) for path in source_files("apps")}
    for path in APPS.rglob("static/**/*.js"):
        if "vendor" not in path.parts:
            found[name_of(path)] = known_in_script(path.read_text())
    known = {name: names for name, names in found.items() if names and is_product(name)}
    assert known == {name: names for name, (names, _) in EXCEPTIONS.items()}


def test_each_exception_says_why() -> None:
    assert [name for name, (_, why) in EXCEPTIONS.items() if len(why) < 20] == []


def test_a_folder_is_a_messenger_and_is_called_as_its_code() -> None:
    folders = {path.parent.name for path in (APPS / "messengers/adapters").glob("*/adapter.py")}
    assert folders == set(ADAPTERS)


@pytest.mark.parametrize("code", ADAPTERS)
def test_a_messenger_has_what_pages_need(code: str) -> None:
    about = ADAPTERS[code].about
    assert about.picture.startswith("M")
    assert bool(about.key_hint) == bool(ADAPTERS[code].fields)
    assert bool(about.sid_label) == ("sid" in ADAPTERS[code].fields)


def test_places_are_given_once() -> None:
    for place in ("listed", "offered"):
        places = [getattr(one.about, place) for one in ADAPTERS.values()]
        assert sorted(places) == list(range(1, len(ADAPTERS) + 1)), place


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ('CODES = ("tg", "ok")', {"tg"}),
        ('raise Refused("VK says no")', {"VK"}),
        ('"""Telegram\'s."""\nstate = "ok"', set()),
        ('x = "maximum"', set()),
    ],
)
def test_texts_are_seen(source: str, names: set[str]) -> None:
    assert known_in(texts_of(ast.parse(source))) == names


@pytest.mark.parametrize(
    ("script", "names"),
    [
        ('const A = { tg: ["x"] };', {"tg"}),
        ('if (code === "vk") {}', {"vk"}),
        ("// Telegram\nconst tg = 1;", set()),
        ('label("Write in Telegram")', {"Telegram"}),
    ],
)
def test_scripts_are_seen(script: str, names: set[str]) -> None:
    assert known_in_script(script) == names
