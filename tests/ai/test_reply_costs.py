"""What a question with its answer costs: from the visitor's message to the end of the job, with the worker's part."""

from collections.abc import Callable

import pytest

from apps.ai.models import ReplyJob
from tests.ai.desk import Desk
from tests.calls import Cost, cost_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def answered(desk: Desk) -> Callable[[], Cost]:
    """The cost of a question and its answer, after some of the same."""

    def ask() -> Cost:
        posted = cost_of(desk.writes)
        desk.quiet()
        replied = cost_of(lambda: desk.take().run())
        assert not ReplyJob.objects.filter(due_at__isnull=False).exists()
        return Cost(posted.calls + replied.calls, posted.statements + replied.statements)

    for _ in range(7):  # a statement is planned once and for all at its sixth time
        ask()
    return ask


def test_of_knowledge_without_a_base(desk: Desk, answered: Callable[[], Cost]) -> None:
    """Three are the post's, two the claim's."""
    cost = answered()
    assert [said.body for said in desk.said()[-2:]] == ["Сколько стоят розы?", "По 90 рублей."]
    assert len(cost.statements) <= 25, cost.statements
    assert cost.calls <= 50_000
