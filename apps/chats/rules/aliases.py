"""Colleagues' name for a visitor who gave none: "Amber Fox", always the same for a contact and for every reader.

For people's eyes alone: the API, webhooks and transcripts say that there is no name.
"""

# A word of the first list agrees with each of the second: in Russian they are all masculine.
_ENGLISH = (
    (
        "Amber Azure Brave Bright Calm Clever Coral Crimson Golden Green Happy Honest Ivory Jolly Keen Kind "
        "Lucky Mellow Noble Olive Polite Proud Purple Quick Quiet Red Silver Sunny Swift Violet White Wise"
    ),
    (
        "Badger Bear Beaver Bison Camel Crane Deer Dolphin Eagle Falcon Finch Fox Gecko Hare Hawk Hedgehog "
        "Heron Lion Lynx Mole Moose Otter Owl Panda Penguin Raven Robin Seal Stork Tiger Whale Wolf"
    ),
)
_RUSSIAN = (
    (
        "Янтарный Лазурный Смелый Яркий Спокойный Умный Коралловый Багряный Золотой Зелёный Весёлый Честный "
        "Белоснежный Радостный Зоркий Добрый Удачливый Мягкий Благородный Оливковый Вежливый Гордый Пурпурный "
        "Быстрый Тихий Красный Серебряный Солнечный Проворный Лиловый Белый Мудрый"
    ),
    (
        "Барсук Медведь Бобр Бизон Верблюд Журавль Олень Дельфин Орёл Сокол Зяблик Лис Геккон Заяц Ястреб Ёж "
        "Аист Лев Рысак Крот Лось Тюлень Филин Кот Пингвин Ворон Снегирь Морж Стриж Тигр Кит Волк"
    ),
)

# The languages that aliases are made in.
ALIAS_LANGUAGES = ("en", "ru")


def alias_language_of(language: str) -> str:
    """The language of the aliases of a widget that speaks a language."""
    return "ru" if language.startswith("ru") else "en"


def alias_words(language: str) -> tuple[list[str], list[str]]:
    """The first and the second words of aliases, 32 each, in Russian or else in English."""
    first, second = _RUSSIAN if alias_language_of(language) == "ru" else _ENGLISH
    return first.split(), second.split()


def alias_of(guid: str, language: str) -> str:
    """The alias of a contact, by the first four digits of its guid; the console's `display_names.js` counts so too."""
    first, second = alias_words(language)
    number = int(guid[:4], 16)
    return f"{first[number % len(first)]} {second[number // len(first) % len(second)]}"
