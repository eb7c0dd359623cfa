"""Hours counted beforehand (docs/adr/0015): whatever happened, was tallied and changed, statistics are the rows'."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.chats.models import TallyProgress
from apps.chats.rules.statistics import hour_of
from tests.chats import traffic
from tests.chats.tallies import CHANGES, assert_as_the_rows_tell, notes, tally
from tests.chats.traffic import Talk
from tests.factories import WidgetFactory

moments = st.builds(
    lambda hours, microseconds: traffic.MIDDLE + timedelta(hours=hours, microseconds=microseconds),
    st.integers(-24 * 30, 24 * 30),
    st.sampled_from([0, -1, 1_234_567_890]),
)
happenings = st.lists(
    st.tuples(st.sampled_from([*CHANGES, "tally", "tally"]), st.integers(0, 100), moments), max_size=8
)


@pytest.mark.django_db
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    talks=traffic.traffic,
    first=moments,
    more=happenings,
    late=traffic.traffic,
    even_more=happenings,
    window=traffic.windows,
)
def test_whatever_is_tallied_and_changes_when(
    talks: Sequence[Talk],
    first: datetime,
    more: list[tuple[str, int, datetime]],
    late: Sequence[Talk],
    even_more: list[tuple[str, int, datetime]],
    window: tuple[datetime, datetime],
) -> None:
    TallyProgress.objects.all().delete()
    widget = WidgetFactory.create()
    for portion, changes in ((talks, more), (late, even_more)):
        traffic.happen(portion, widget)
        tally(hour_of(first))
        for name, number, moment in changes:
            CHANGES[name](widget, number, moment)
    assert_as_the_rows_tell(widget, window)
    tally(hour_of(traffic.MIDDLE + timedelta(days=60)))
    assert notes() == set()
    assert_as_the_rows_tell(widget, window)
