"""The page is served the server's limits: what would be refused is said before it is sent, and no number is copied."""

import re

from apps.console.serializers.page import page_limits
from tests.architecture.source import APPS

PAGE = APPS / "console/static/console"


def scripts() -> dict[str, str]:
    files = [path for path in PAGE.rglob("*.js") if not {"vendor", "texts"} & set(path.parts)]
    return {path.relative_to(PAGE).as_posix(): path.read_text() for path in files}


def test_the_page_asks_for_limits_that_it_is_served_and_for_all_of_them() -> None:
    asked = {name for text in scripts().values() for name in re.findall(r"\blimits\.(\w+)", text)}
    assert asked == set(page_limits())


def test_the_types_of_the_limits_are_those_that_are_served() -> None:
    declared = re.search(r"export type Limits = {(.+?)};\n", (PAGE / "base/types.d.ts").read_text(), re.DOTALL)
    assert declared is not None
    kinds = {int: "number", list: "string[]"}
    served = {name: kinds[type(value)] for name, value in page_limits().items()}
    assert dict(re.findall(r"(\w+): ([\w\[\]]+);", declared[1])) == served


def test_no_script_of_the_page_copies_a_limit_of_the_server() -> None:
    """A field's length is a number only where the server has none: three letters of a language's code."""
    lengths = re.compile(r"""m(?:ax|in)length(?:=|: )"?\d+|[Aa]s on the server""")
    found = {name: lengths.findall(text) for name, text in scripts().items()}
    assert {name: matches for name, matches in found.items() if matches} == {
        "composer/canned_reply_translations.js": ['maxlength="3']
    }
