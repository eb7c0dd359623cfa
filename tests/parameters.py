"""Parameters of tests of which `make test` runs some, and `make test-all` each."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def slow_unless(is_quick: Callable[[Any], bool], values: Iterable[Any]) -> list[Any]:
    """The values, those marked `slow` for which it is not so."""
    return [value if is_quick(value) else pytest.param(value, marks=pytest.mark.slow) for value in values]
