"""The values of columns with choices."""


def choices(values: type) -> list[tuple[str, str]]:
    return [(value, value) for value in values]  # type: ignore[attr-defined]
