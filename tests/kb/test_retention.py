"""What the knowledge base forgets: vectors that no rule names, and crawls of old."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.kb.models import CrawlPage, CrawlRun, Embedding
from apps.kb.tasks import forget_unused
from tests.cast import Rival
from tests.client import ApiClient
from tests.factories.kb import CrawlRunFactory

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("embedding")
def test_vectors_that_no_rule_names_are_deleted_after_a_week(api: ApiClient, shop: Widget) -> None:
    ids = [api.post("/kb/rules", json={"content": text}).json()["data"]["id"] for text in ("a", "b", "c")]
    for rule_id in ids[:2]:
        api.delete(f"/kb/rules/{rule_id}")
    newest = Embedding.objects.order_by("-pk")[:2].values("pk")
    Embedding.objects.exclude(pk__in=newest).update(created_at=timezone.now() - timedelta(days=8))
    forget_unused()
    assert Embedding.objects.for_widget(shop.pk).count() == 2, "of b, which is young, and of c, which a rule names"
    Embedding.objects.update(created_at=timezone.now() - timedelta(days=8))
    forget_unused()
    assert Embedding.objects.for_widget(shop.pk).count() == 1
    assert api.get(f"/kb/rules/{ids[2]}").json()["data"]["embedding_status"] == "ready"


def test_old_crawls_are_forgotten_but_the_last_and_those_that_pages_name(shop: Widget, rival: Rival) -> None:
    long_ago = timezone.now() - timedelta(days=91)
    gone, named, _, last = [CrawlRunFactory.create(widget=shop, queued_at=long_ago) for _ in range(4)]
    young = CrawlRunFactory.create(widget=rival.widget)
    CrawlRunFactory.create(widget=rival.widget)
    CrawlPage.objects.create(widget=shop, url="https://shop.example/", run=named, state="done", depth=0)
    forget_unused()
    assert set(CrawlRun.objects.for_widget(shop.pk)) == {named, last}
    assert young in CrawlRun.objects.for_widget(rival.widget.pk)
    assert gone not in CrawlRun.objects.all()
