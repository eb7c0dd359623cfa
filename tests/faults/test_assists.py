"""A draft under kill -9: it is made once more under its own id, none is lost, and the operator has one.

The second start after a kill may ask the model again; what came of the first was never shown as done.
"""

import pytest
from django.utils import timezone

from apps.assists.models import Assist
from apps.assists.tasks import QUEUE
from apps.leases import claims
from tests.ai.conftest import desk, vendor
from tests.ai.desk import Desk
from tests.assists.conftest import help_
from tests.assists.help import Help
from tests.faults.conftest import Figures
from tests.faults.failpoints import restore, run_apart, state

__all__ = ["desk", "help_", "vendor"]

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

TEXT = "Delivery takes two days."


def work_off() -> str:
    """What a worker process does with what is due."""
    for lease in claims.claim(QUEUE, wanted=5):
        lease.run()
    return "done"


def run_out() -> None:
    Assist.objects.filter(claim_id__isnull=False).update(lease_until=timezone.now())


def calls(desk: Desk) -> int:
    return len(desk.vendor.asked)


def test_a_killed_draft_is_made_by_the_next_worker(help_: Help, desk: Desk, figures: Figures) -> None:
    help_.model_says(TEXT)
    begun = help_.begins()
    before = state()
    points = run_apart(work_off).passed
    assert (shown(help_, begun["id"])) == ("done", TEXT)
    seen = set()
    for number, point in enumerate(points, start=1):
        restore(before)
        asked = calls(desk)
        assert run_apart(work_off, killed_at=number).was_killed
        left, text = shown(help_, begun["id"])
        assert (left, text) in (("queued", ""), ("running", ""), ("done", TEXT)), f"killed {point}"
        seen.add((left, calls(desk) - asked))
        run_out()
        run_apart(work_off)
        assert shown(help_, begun["id"]) == ("done", TEXT), f"killed {point}"
        assert Assist.objects.get().claim_id is None, f"killed {point}"
        assert calls(desk) - asked <= 2, f"killed {point}"
        if left == "done":
            assert calls(desk) - asked == 1, f"killed {point}: nothing is left to do"
    assert {("queued", 0), ("running", 0), ("running", 1), ("done", 1)} <= seen
    figures.add("R7", f"a draft: {len(points)} points")


def test_a_draft_that_kills_its_workers_fails(help_: Help) -> None:
    help_.model_says(TEXT)
    begun = help_.begins()
    before, number = state(), 0
    while shown(help_, begun["id"])[0] != "running":
        restore(before)
        number += 1
        assert run_apart(work_off, killed_at=number).was_killed
    run_out()
    assert run_apart(work_off, killed_at=number).was_killed
    run_out()
    run_apart(work_off)
    found = Assist.objects.get(pk=begun["id"])
    assert (found.state, found.reason, found.claim_id) == ("failed", "crashed", None)


def shown(help_: Help, assist_id: int) -> tuple[str, str]:
    found = help_.sees(assist_id)
    return found["state"], found["text"] or ""
