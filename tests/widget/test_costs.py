"""What a visitor's message costs, from the request to the answer."""

import pytest

from apps.widget.models import VisitorSession
from tests.calls import cost_of
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db


def test_a_message(ivans_browser: VisitorClient, ivans_session: VisitorSession) -> None:
    """Who writes, the chat, what is decided on, what is written: four statements; the test's client is part of it."""
    for _ in range(3):
        ivans_browser.say("Hello")
    cost = cost_of(lambda: ivans_browser.say("Hello"))
    assert len(cost.statements) <= 4, cost.statements
    assert cost.calls <= 2_500
