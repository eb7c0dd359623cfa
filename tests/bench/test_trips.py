"""How far a reader goes who follows a request: no further than docs/guides/benchmarks.md says, whose figures may only
shrink.

`PARLEY_WRITE_DOCS=1 make test ARGS="tests/bench/test_trips.py -m ''"` writes lower figures into the guide, never higher
ones.
"""

import os

import pytest

from bench.trips import TRIPS, Trip, bounds_of, lowered, measure_trips
from config.environment import PROJECT_ROOT

GUIDE = PROJECT_ROOT / "docs/guides/benchmarks.md"


@pytest.mark.e2e
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_no_trip_is_longer_than_its_bound() -> None:
    trips = measure_trips()
    guide = GUIDE.read_text()
    if os.environ.get("PARLEY_WRITE_DOCS"):
        GUIDE.write_text(lowered(guide, trips))
    bounds = bounds_of(guide)
    longer = {
        trip.name: (trip.figures, bounds[trip.name])
        for trip in trips
        if any(figure > bound for figure, bound in zip(trip.figures, bounds[trip.name], strict=True))
    }
    assert longer == {}


def test_each_trip_has_its_bounds() -> None:
    assert list(bounds_of(GUIDE.read_text())) == list(TRIPS)


def test_a_bound_is_lowered_and_never_raised() -> None:
    (name, bounds), *others = bounds_of(GUIDE.read_text()).items()
    functions, files, moves, returns, *above_core = bounds
    trip = Trip(name, functions - 1, files + 1, moves, returns, {}, (above_core[0], above_core[1] - 1))
    rest = [Trip(other, *figures[:4], {}, figures[4:]) for other, figures in others]
    written = lowered(GUIDE.read_text(), [trip, *rest])
    assert bounds_of(written) == {
        name: (functions - 1, files, moves, returns, above_core[0], above_core[1] - 1),
        **dict(others),
    }
