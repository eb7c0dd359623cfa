"""The operators in the widget's header: what is served of them is never stale (specification, "Agent status")."""

from collections.abc import Callable
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import pytest
from PIL import Image

from apps.agents import actions
from apps.agents.models import Agent
from tests.client import ApiClient, client
from tests.uploads import FORM, form, part, png
from tests.widget.visitor import VisitorClient


def header(visitor: VisitorClient) -> list[dict[str, Any]]:
    served = visitor.get("config")
    assert served.status_code == 200
    found: list[dict[str, Any]] = served.json()["data"]["operators"]
    return found


def etag(visitor: VisitorClient) -> str:
    return str(visitor.get("config")["ETag"])


@pytest.fixture
def upload(api: ApiClient, alice: Agent) -> Callable[[], Any]:
    """Gives Alice an avatar."""
    return lambda: api.post(f"/agents/{alice.pk}/avatar", data=form(part(png())), content_type=FORM)


def test_an_avatar_is_shown_at_an_address_that_any_page_may_read(
    visitor: VisitorClient, olga: Agent, alice: Agent, upload: Callable[[], Any]
) -> None:
    address = upload().json()["data"]["avatar_url"]
    assert header(visitor) == [
        {"name": "Olga Romanova", "avatar_url": None},
        {"name": "Alice Weber", "avatar_url": address},
    ]
    answer = client().get(urlsplit(address).path)
    assert Image.open(BytesIO(answer.content)).size == (1, 1)


def test_every_write_shows_at_once(
    visitor: VisitorClient, api: ApiClient, alice: Agent, upload: Callable[[], Any]
) -> None:
    """A browser that asks whether what it has is still true (If-None-Match) is told so."""
    path, nobody = f"/agents/{alice.pk}", list[Any]()
    steps: list[tuple[Callable[[], Any], list[tuple[str, bool]]]] = [
        (lambda: api.patch(path, json={"show_in_header": False}), nobody),
        (lambda: api.patch(path, json={"show_in_header": True}), [("Alice Weber", False)]),
        (upload, [("Alice Weber", True)]),
        (lambda: api.delete(f"{path}/avatar"), [("Alice Weber", False)]),
        (lambda: api.post(f"{path}/suspend"), nobody),
        (lambda: api.post(f"{path}/restore"), [("Alice Weber", False)]),
        (
            lambda: actions.update_profile(widget_id=alice.widget_id, agent_id=alice.pk, changes={"surname": "Wood"}),
            [("Alice Wood", False)],
        ),
        (lambda: api.delete(path), nobody),
    ]
    for write, wanted in steps:
        before = etag(visitor)
        answer = write()
        assert answer is None or answer.status_code in (200, 201, 204), answer.content
        assert [(each["name"], each["avatar_url"] is not None) for each in header(visitor)] == wanted
        assert etag(visitor) != before
        assert visitor.get("config", If_None_Match=before).status_code == 200
