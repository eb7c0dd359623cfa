"""The parts of a document that were not read, or were guessed, and their places: each reader notes them as it goes."""

from collections import Counter

PICTURE, UNREADABLE, HIDDEN, HIDDEN_ROWS, HIDDEN_COLUMNS, STRUCK_OUT, DELETED, RECOGNISED = (
    *("picture", "unreadable", "hidden", "hidden_rows", "hidden_columns", "struck_out", "deleted", "recognised"),
)
MAX_NOTES, _MAX_PLACE = 200, 120


class LeftOut:
    """Reasons by their place ("page 3", "sheet Prices"; "" is the whole document), each with how often."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, place: str, reason: str, count: int = 1) -> None:
        key = (" ".join(place.split())[:_MAX_PLACE], reason)
        if key in self._counts or len(self._counts) < MAX_NOTES:
            self._counts[key] += count

    def as_list(self) -> list[tuple[str, str, int]]:
        return [(place, reason, count) for (place, reason), count in self._counts.items()]
