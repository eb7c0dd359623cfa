from tests.contract.conftest import document

__all__ = ["document"]
