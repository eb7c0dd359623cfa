"""What a question with its answer costs: from the visitor's message to the end of the job, with the worker's part.

Three statements are the post's, two the claim's. Then one reads the chat and all that an answer is made of, two take
limits and the day's budget, one reads for the verdict under the chat's lock, two post the answer, one writes what is
kept of it, and one ends the job.
"""

from collections.abc import Callable

import pytest

from apps.ai.models import Exchange, ReplyJob
from tests.ai.desk import Desk
from tests.calls import Cost, cost_of
from tests.factories.kb import RuleFactory, SourceFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def answered(desk: Desk) -> Callable[[], Cost]:
    """The cost of a question and its answer, after some of the same."""

    def ask() -> Cost:
        posted = cost_of(desk.writes)
        desk.quiet()
        replied = cost_of(lambda: desk.take().run())
        assert not ReplyJob.objects.filter(due_at__isnull=False).exists()
        return Cost(posted.calls + replied.calls, posted.statements + replied.statements[1:])  # the first is the desk's

    for _ in range(7):  # a statement is planned once and for all at its sixth time
        ask()
    return ask


def test_of_an_answer_without_knowledge(desk: Desk, answered: Callable[[], Cost]) -> None:
    cost = answered()
    assert (desk.said()[-1].body, desk.exchange.rag_status) == ("По 90 рублей.", "empty")
    assert len(cost.statements) <= 13, cost.statements
    assert cost.calls <= 18_500


def test_of_an_answer_from_knowledge_without_vectors(desk: Desk, answered: Callable[[], Cost]) -> None:
    """One more finds the pieces."""
    RuleFactory.create(source=SourceFactory.create(widget=desk.widget), content="Сколько стоят розы: по 90 рублей.")
    for _ in range(7):
        answered()
    cost = answered()
    assert desk.exchange.rag_status == "included"
    assert len(cost.statements) <= 14, cost.statements
    assert cost.calls <= 25_000
    assert set(Exchange.objects.values_list("outcome", flat=True)) == {"shown"}
