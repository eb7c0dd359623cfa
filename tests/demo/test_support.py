"""The demo's desk: enabled for the `support` token, with a ticket of each kind; a second run changes nothing."""

from pathlib import Path

import pytest
from pytest_django import Settings

from apps.demo import seeding
from apps.support.models import Ticket
from tests.client import ApiClient

pytestmark = pytest.mark.django_db


def test_the_support_token_works_the_queue(settings: Settings, tmp_path: Path) -> None:
    settings.PARLEY_HOME = tmp_path / "home"
    document = seeding.seed()
    shop = document["accounts"][0]["widgets"][0]
    tickets = shop["support"]["tickets"]
    api = ApiClient(shop["tokens"]["support"])
    queue = api.get("/support/tickets").json()["data"]
    assert [row["number"] for row in queue] == [tickets["open"], tickets["held"]]
    closed = api.get(f"/support/tickets/{tickets['closed_long_ago']}").json()["data"]
    assert (closed["state"], closed["closed_by"]) == ("closed", {"kind": "agent", "name": "demo"})
    assert shop["path_ids"]["ticket"] == tickets["open"]
    before = list(Ticket.objects.order_by("pk").values())
    again = seeding.seed()["accounts"][0]["widgets"][0]
    assert again["support"]["tickets"] == tickets
    assert list(Ticket.objects.order_by("pk").values()) == before
    assert ApiClient(again["tokens"]["support"]).get("/support/tickets").status_code == 200
