"""The demo's reviews: `widgets[].proof.review_ids`."""

import pytest

from apps.demo.seeding import seed
from apps.reviews.models import Review

pytestmark = pytest.mark.django_db


def test_the_shop_has_reviews_and_a_second_run_adds_none() -> None:
    first, again = seed(), seed()
    shop = again["accounts"][0]["widgets"][0]
    reviews = Review.objects.order_by("pk")
    assert [review.state for review in reviews] == ["settled", "open"]
    assert shop["proof"]["review_ids"] == [review.pk for review in reviews]
    assert shop["proof"] == first["accounts"][0]["widgets"][0]["proof"]
    assert [review.kind for review in reviews] == ["person", "ai"]
    assert [review.score for review in reviews] == [100, None]
    for account in again["accounts"]:
        assert all("review_ids" in widget["proof"] for widget in account["widgets"])
