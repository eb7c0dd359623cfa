"""A receiver, which is the channel's own side, and what a worker process runs."""

from tests.webhooks.conftest import deliverer, hook  # noqa: F401 - fixtures
