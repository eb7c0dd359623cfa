"""Public holidays of countries, to be offered. Pure; the dates are those of the library `holidays`."""

from datetime import date
from functools import cache
from typing import NamedTuple

FIRST_YEAR, LAST_YEAR = 2000, 2100
ENGLISH = "en_US"


class PublicHoliday(NamedTuple):
    """A date, and its name in the country's language and in English."""

    date: date
    name: str
    name_en: str


@cache
def countries() -> dict[str, list[str]]:
    """The codes of the countries (ISO 3166-1, two letters), each with those of its regions."""
    import holidays  # 80 ms, which no process needs at its start

    found = holidays.list_supported_countries(include_aliases=False)
    return {code: list(regions) for code, regions in sorted(found.items())}


def public_holidays(country: str, year: int, *, subdivision: str | None = None) -> list[PublicHoliday]:
    """The holidays of a country, or of one of its regions, in a year, by date. The codes are those of `countries`."""
    import holidays

    languages = holidays.country_holidays(country)
    own = holidays.country_holidays(country, years=year, subdiv=subdivision, language=languages.default_language)
    english = holidays.country_holidays(
        country, years=year, subdiv=subdivision, language=ENGLISH if ENGLISH in languages.supported_languages else None
    )
    return [PublicHoliday(day, name, english.get(day) or name) for day, name in sorted(own.items()) if day.year == year]
