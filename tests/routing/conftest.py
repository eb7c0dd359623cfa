"""Operators' consoles for the tests of routing."""

from tests.console.conftest import alices_console, boriss_console

__all__ = ["alices_console", "boriss_console"]
