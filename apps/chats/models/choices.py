"""What a column with one of several values may hold."""


def choices(values: type) -> list[tuple[str, str]]:
    return [(value, value) for value in values]  # type: ignore[attr-defined]
