"""Read by pytest before Django is set up: the fixtures of the contract's tests, which import it inside."""

from tests.contract.conftest import document, file_server, messengers_server, vendor_server, web, world

__all__ = ["document", "file_server", "messengers_server", "vendor_server", "web", "world"]
