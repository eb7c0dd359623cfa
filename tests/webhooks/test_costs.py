"""What a delivery costs: statements are those of batches, and calls of functions need no quiet hour."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.webhooks.dispatcher import Deliverer
from apps.webhooks.models import Delivery
from bench.deliveries import heard
from tests.calls import Cost, cost_of
from tests.factories.webhooks import DeliveryFactory, SubscriptionFactory
from tests.webhooks.receivers import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

FEW, MANY = 20, 120


@pytest.fixture
def receiver(settings: Settings) -> Iterator[str]:
    """A receiver in a process of its own, whose work is not the deliverer's."""
    command = [sys.executable, "-m", "bench.receiver", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = f"http://127.0.0.1:{int(process.stdout.readline())}"
        settings.EGRESS_ALLOW = [url.removeprefix("http://")]
        yield url
        process.terminate()


def test_a_further_delivery_costs_few_calls_and_no_statement_of_its_own(shop: Widget, receiver: str) -> None:
    subscriptions = [SubscriptionFactory.create(widget=shop, url=f"{receiver}/{number}") for number in range(10)]

    def delivered(number: int) -> Cost:
        """A deliverer's work, from its start to its end."""
        before = heard(receiver)
        for place in range(number):
            DeliveryFactory.create(subscription=subscriptions[place % len(subscriptions)])
        deliverer = Deliverer()

        def work() -> None:
            deliverer.wake()
            wait_until(lambda: heard(receiver) >= before + number)
            deliverer.stop()

        cost = cost_of(work)
        assert not Delivery.objects.exclude(status="delivered").exists()
        return cost

    delivered(FEW)  # what is done once in a process
    few, many = delivered(FEW), delivered(MANY)
    assert (many.calls - few.calls) / (MANY - FEW) <= 500
    assert len(many.statements) <= MANY / 4, many.statements
