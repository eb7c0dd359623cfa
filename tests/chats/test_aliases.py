"""What colleagues call a visitor without a name."""

import pytest

from apps.chats.rules.aliases import alias_of, alias_words


@pytest.mark.parametrize(
    ("guid", "language", "alias"),
    [
        ("0000" + "a" * 28, "en", "Amber Badger"),
        ("0160" + "a" * 28, "en", "Amber Fox"),
        ("0160" + "b" * 28, "ru", "Янтарный Лис"),
        ("0001" + "a" * 28, "de", "Azure Badger"),
    ],
)
def test_it_is_of_the_guid_alone_in_the_readers_language(guid: str, language: str, alias: str) -> None:
    assert alias_of(guid, language) == alias


@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_word_is_there_twice(language: str) -> None:
    for words in alias_words(language):
        assert len(set(words)) == len(words) == 32
