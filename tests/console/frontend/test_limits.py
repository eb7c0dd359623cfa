"""The page knows the server's limits: what would be refused is said before it is sent."""

import re
from pathlib import Path

import pytest

from apps.chats.rules.files import MAX_FILE_BYTES
from apps.chats.rules.keyboards import MAX_BUTTONS, MAX_LABEL, MAX_URL
from apps.chats.rules.typing import START_EVERY_MS
from apps.console.api.inbox import InboxSearchQuery
from apps.console.rules import MAX_REPLY, MAX_SHORTCUT, MAX_TEXT_LENGTH
from apps.core.parsing.file_types import INLINE_IMAGES

PAGE = Path(__file__).parents[3] / "apps/console/static/console"


@pytest.mark.parametrize(
    ("module", "name", "limit"),
    [
        ("composer", "LONGEST", MAX_TEXT_LENGTH),
        ("composer", "TYPING_EVERY_MS", START_EVERY_MS),
        ("uploads", "MOST", MAX_FILE_BYTES),
        ("buttons", "MOST_BUTTONS", MAX_BUTTONS),
        ("buttons", "LONGEST_LABEL", MAX_LABEL),
        ("buttons", "LONGEST_URL", MAX_URL),
        ("buttons", "LONGEST_TEXT", MAX_TEXT_LENGTH),
        ("reply_list", "LONGEST_SHORTCUT", MAX_SHORTCUT),
        ("reply_list", "LONGEST_REPLY", MAX_REPLY),
        ("reply_translations", "LONGEST_TRANSLATION", MAX_REPLY),
        ("inbox", "SHORTEST_SEARCH", InboxSearchQuery().fields["q"].min_length),
        ("inbox", "LONGEST_SEARCH", InboxSearchQuery().fields["q"].max_length),
    ],
)
def test_a_limit_of_the_page_is_the_servers(module: str, name: str, limit: int) -> None:
    found = re.search(rf"^const {name} = ([\d_ *]+);$", (PAGE / f"{module}.js").read_text(), re.MULTILINE)
    assert found is not None
    product = 1
    for factor in found[1].split("*"):
        product *= int(factor)
    assert product == limit


def test_the_same_files_are_pictures() -> None:
    found = re.search(r"PICTURE = /\^image\\/\((.+?)\)\$/", (PAGE / "uploads.js").read_text())
    assert found is not None
    assert {f"image/{kind}" for kind in found[1].split("|")} == INLINE_IMAGES
