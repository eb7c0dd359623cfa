"""Every operation that waits for somebody outside says so (`calls_out`), and holds no transaction meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from apps.egress.bulkhead import Bulkhead
from tests.contract.requests import to
from tests.contract.routes import Route, each_route
from tests.contract.samples import World

# Whose sample calls nobody: a form is sent, and the bucket that it goes to is no choice of the caller's.
ASKS_NOBODY = {
    *("POST /api/v1/agents/{id}/avatar", "POST /api/v1/widget/icons", "POST /api/v1/kb/uploads"),
    *("POST /api/v1/article-pictures", "POST /api/v1/article-imports"),  # a site is read by a worker
    # The installation vouches for the sample's domain.
    "POST /api/v1/help-center/domain/check",
    # A document is read from the storage, and a reply waits for the chat alone.
    *("GET /api/v1/support/chats/{id}/messages/{message_id}/attachment", "POST /api/v1/support/chats/{id}/reply"),
}


@each_route()
def test_an_operation_that_waits_outside_says_so(
    route: Route, world: World, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[int] = []
    real = Bulkhead.slot

    @contextmanager
    def slot(bulkhead: Bulkhead, widget_id: int | None) -> Iterator[None]:
        with real(bulkhead, widget_id):  # which raises inside a transaction
            waits.extend([] if widget_id is None else [widget_id])
            yield

    monkeypatch.setattr(Bulkhead, "slot", slot)
    response = to(route, world, token).send()
    assert response.status_code in route.successes, response.content
    assert bool(waits) == (route.operation.calls_out and route.name not in ASKS_NOBODY)
