"""A translation under kill -9: its text is stored once, whole; its place in the hour's budget is taken once."""

from collections.abc import Iterator

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.core.models import QuotaUse
from apps.leases import claims
from apps.widget.actions.translations import ask_for_missing
from apps.widget.models import Translation, WidgetSettings
from apps.widget.tasks import QUEUE
from tests.faults.conftest import Figures
from tests.faults.failpoints import restore, run_apart, state
from tests.widget.chat_model import Model, plugged_in
from tests.widget.test_translations import RUSSIAN, STORED

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def model() -> Iterator[Model]:
    with plugged_in() as found:
        found.answers = [RUSSIAN]
        yield found


def work_off() -> str:
    """What a worker process does with what is due."""
    for lease in claims.claim(QUEUE, wanted=5, after=0):
        lease.run()
    return "done"


def run_out() -> None:
    Translation.objects.filter(claim_id__isnull=False).update(lease_until=timezone.now())
    Translation.objects.filter(due_at__gt=timezone.now()).update(due_at=timezone.now())


def test_a_killed_translation_is_made_by_the_next_worker(model: Model, shop: Widget, figures: Figures) -> None:
    stored = {**STORED, "widget_supported_languages": ["en", "ru"]}
    WidgetSettings.objects.create(widget=shop, stored=stored)
    ask_for_missing(shop.pk)
    before = state()
    points = run_apart(work_off).passed
    assert Translation.objects.get().text == RUSSIAN
    for number, point in enumerate(points, start=1):
        restore(before)
        assert run_apart(work_off, killed_at=number).was_killed
        left = Translation.objects.get()
        assert left.text in ("", RUSSIAN), f"killed {point}"
        assert (left.text == RUSSIAN) == (left.state == "ready")
        run_out()
        run_apart(work_off)
        made = Translation.objects.get()
        assert (made.text, made.state, made.claim_id) == (RUSSIAN, "ready", None), f"killed {point}"
        assert sum(QuotaUse.objects.values_list("weight", flat=True)) == 1, f"killed {point}"
    figures.add("R7", f"a translation: {len(points)} points")
