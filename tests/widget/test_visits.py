"""What a session call tells of a visit, and how long that is kept."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from apps.widget.models import VisitorSession
from apps.widget.rules import visits
from tests.client import assert_problem
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


def pages() -> list[str]:
    return [page["url"] for page in VisitorSession.objects.get().pages]


def test_a_visit_keeps_its_referrer_and_its_last_pages(visitor: VisitorClient) -> None:
    visitor.come(page_url="https://shop.test/", referrer="https://search.test/", time_zone="Europe/Moscow")
    for page in ("roses", "roses", "cart"):
        about = {"page_url": f"https://shop.test/{page}", "referrer": "https://shop.test/", "time_zone": "Asia/Tokyo"}
        visitor.come(visitor_token=visitor.token, **about)
    session = VisitorSession.objects.get()
    assert (session.referrer, session.time_zone) == ("https://search.test/", "Asia/Tokyo")
    assert pages() == ["https://shop.test/", "https://shop.test/roses", "https://shop.test/cart"]


def test_after_half_an_hour_it_is_another_visit(visitor: VisitorClient) -> None:
    visitor.come(page_url="https://shop.test/", referrer="https://search.test/")
    VisitorSession.objects.update(last_seen_at=timezone.now() - visits.VISIT_ENDS_AFTER - timedelta(seconds=1))
    visitor.come(visitor_token=visitor.token, page_url="https://shop.test/roses", referrer="https://news.test/")
    assert (pages(), VisitorSession.objects.get().referrer) == (["https://shop.test/roses"], "https://news.test/")


def test_the_browser_is_that_of_the_header_and_it_is_cut(visitor: VisitorClient) -> None:
    assert visitor.post("sessions", {}, User_Agent="x\x7f" * 1000).status_code == 201
    assert VisitorSession.objects.get().user_agent == "x" * 200


@pytest.mark.parametrize("body", [{"referrer": "x" * 4097}, {"time_zone": "x" * 65}, {"time_zone": 1}])
def test_bad_input_is_422_and_nothing_is_kept(visitor: VisitorClient, body: dict[str, object]) -> None:
    assert_problem(visitor.post("sessions", body), 422, "invalid_input", errors=list(body))
    assert not VisitorSession.objects.exists()


def test_of_a_visit_five_pages_are_kept() -> None:
    seen: list[dict[str, str]] = []
    for number in range(7):
        seen = visits.pages_after(seen, f"https://shop.test/{number}", NOW)
    assert [page["url"][-1] for page in seen] == ["2", "3", "4", "5", "6"]
    assert visits.pages_after(seen, "", NOW) == seen


@pytest.mark.parametrize(
    ("header", "named"),
    [
        ("", (None, None)),
        ("curl/8", ("curl 8", None)),
        ("Mozilla/5.0 (Android 15; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0", ("Firefox Mobile 133", "Android 15")),
    ],
)
def test_browser_and_system_are_named(header: str, named: tuple[str | None, str | None]) -> None:
    assert visits.browser_and_system(header) == named
