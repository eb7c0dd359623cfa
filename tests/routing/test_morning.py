"""A morning of five operators and their visitors: every wait is explained by the log, nobody is unseen, the order is
kept. With a lunch, a laptop that is closed, a holiday of one department, and two languages.
"""

from collections import Counter
from datetime import timedelta

import pytest

from tests.routing.mornings import CAPACITY, CLOSED, LUNCH, MEMBERS, Morning, at
from tests.routing.records import Records

pytestmark = pytest.mark.django_db

A_MINUTE = timedelta(minutes=1)


# Two rushes: while Dmitri's laptop is closed, and while Boris has lunch.
RUSHES = (("9:25", "9:40"), ("9:58", "10:12"))


def played(seed: int, visitors: int, *within: tuple[str, str]) -> Morning:
    """A morning of which all is so."""
    morning = Morning(seed, visitors, within)
    morning.play()
    assert len(morning.chats) == visitors
    assert_nobody_is_unseen(morning)
    assert_the_order_is_kept(morning)
    assert_every_wait_is_explained(morning)
    return morning


def test_a_short_morning() -> None:
    reasons = {reason for *_, reasons in played(7, 18, *RUSHES).story() for reason in reasons}
    assert {"language", "passed", "longest_idle"} & reasons


def test_the_same_seed_is_the_same_morning() -> None:
    stories = [played(3, 8, ("9:55", "10:00")).story() for _ in range(2)]
    assert len(stories[0]) >= 8
    assert stories[0] == stories[1]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_morning_of_200_visitors() -> None:
    morning = played(11, 200, ("8:00", "12:00"))
    assert_it_was_a_morning(morning)


def assert_nobody_is_unseen(morning: Morning) -> None:
    """At each minute each chat that waits rings for somebody who is there, or its department is closed."""
    assert morning.unseen == []


def assert_the_order_is_kept(morning: Morning) -> None:
    """Nobody is given a chat while they could have had one before it; nor more than their places."""
    assert morning.given
    assert [each for each in morning.given if each.passed_over] == []
    assert [each for each in morning.given if each.load > CAPACITY] == []


def assert_every_wait_is_explained(morning: Morning) -> None:
    """For each minute of each wait the log has a reason: an offer, an owner, no place, nobody there."""
    members = {morning.departments[name].pk: {morning.agents[n].pk for n in places} for name, places in MEMBERS.items()}
    records = Records(morning.widget, members, CAPACITY)
    closed = morning.departments["workshop"].pk
    unexplained, reasons = [], Counter[str]()
    for chat_id, since, until in records.waits:
        if records.chats[chat_id].department_id == closed:
            assert until is None, "nobody is offered it"
            continue
        assert until is not None, records.why_waits(chat_id, since, morning.ends_at)
        moment = since
        while moment < until:
            why = records.why_waits(chat_id, since, moment)
            if why is None:
                unexplained.append((chat_id, since, moment))
            reasons[(why or "")[:8]] += 1
            moment += A_MINUTE
    assert unexplained == []
    assert reasons["offered "]


def assert_it_was_a_morning(morning: Morning) -> None:
    """Offers were accepted, missed and declined; the lunch and the closed laptop gave chats on; readers came first."""
    outcomes = morning.outcomes()
    assert {"accepted", "missed", "declined"} <= outcomes.keys()
    assert None not in outcomes
    of_boris = [each for each in morning.given if each.agent_id == morning.agents[1].pk]
    assert not [each for each in of_boris if at(LUNCH[0]) <= each.at < at(LUNCH[1])]
    of_dmitri = [each for each in morning.given if each.agent_id == morning.agents[3].pk]
    assert not [each for each in of_dmitri if at(CLOSED[0]) + A_MINUTE <= each.at < at(CLOSED[1])]
    assert "language" in {reason for *_, reasons in morning.story() for reason in reasons}
