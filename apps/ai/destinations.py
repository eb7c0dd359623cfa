"""External operators as destinations: their turns are one kind, their tests another (`core.destinations`)."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from apps.ai.actions.deliveries import read_events, take_outcomes
from apps.ai.actions.probes import finish_tests
from apps.ai.models import ProbeTest
from apps.ai.rules import turn_states
from apps.ai.rules.lifecycle import OperatorStanding
from apps.core.destinations import Destination, DestinationType, PendingDelivery, register


def read_tests(due: Sequence[PendingDelivery]) -> Mapping[int, Destination]:
    """The destinations of tests: the address that is tested, signed by the present secrets; none of a revoked
    operator. The bearer credential goes along to the address that is proved, and to no other.
    """
    rows = ProbeTest.objects.unscoped("of claimed deliveries").filter(
        public_id__in=[UUID(one.event_id) for one in due], status="queued"
    )
    tests = {str(test.public_id): test for test in rows.select_related("operator")}
    found = {}
    for one in due:
        test = tests.get(one.event_id)
        if test is None or test.operator.standing == OperatorStanding.REVOKED or not test.operator.secret:
            continue
        operator = test.operator
        is_proved = operator.verified_at is not None and operator.target == test.target
        found[one.id] = Destination(
            url=test.target,
            secrets=operator.secrets,
            bearer=operator.bearer if is_proved else None,
            headers={"X-Service-Operator": str(operator.public_id), "X-Service-Attempt": str(one.attempt)},
        )
    return found


TURNS = register(DestinationType(name=turn_states.TURNS, read=read_events, outcome=take_outcomes))
TESTS = register(DestinationType(name=turn_states.TESTS, read=read_tests, outcome=finish_tests, attempts=1))
