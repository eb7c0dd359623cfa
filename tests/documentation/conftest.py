"""The OpenAPI document, as the contract tests have it."""

from tests.contract.conftest import document

__all__ = ["document"]
