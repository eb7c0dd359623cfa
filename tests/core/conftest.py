"""A receiver and what a worker process runs, for the seam of deliveries."""

from tests.webhooks.conftest import deliverer, hook  # noqa: F401 - fixtures
