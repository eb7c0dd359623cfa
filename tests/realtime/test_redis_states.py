"""The realtime process with a Redis that is away or answers with errors: no frame is lost, none is an error."""

from collections.abc import Callable
from contextlib import ExitStack

import requests

from apps.accounts.models import Widget
from launcher.processes import wait_until
from tests.faults.odd_valkey import STATES, OddValkey, odd_valkey
from tests.realtime.process import RealtimeProcess
from tests.realtime.tab import Tab


def readiness(process: RealtimeProcess) -> dict[str, str]:
    answer = requests.get(f"{process.url.replace('ws', 'http', 1)}/readyz", timeout=10)
    assert answer.status_code == 200, answer.text
    checks: dict[str, str] = answer.json()["checks"]
    return checks


def is_well(process: RealtimeProcess, valkey: OddValkey) -> bool:
    """The process uses Redis, and hears its nudges."""
    return readiness(process)["redis"] == "ok" and bool(valkey.operator.pubsub_channels())


def test_tabs_open_and_messages_arrive_in_every_state(
    start_realtime: Callable[..., RealtimeProcess], shop: Widget, token_of_ivan: str
) -> None:
    """A process that never had Redis, and one tab all the time; in each state another tab comes and writes."""
    with odd_valkey() as valkey, ExitStack() as tabs:

        def open_tab() -> Tab:
            tab = tabs.enter_context(Tab(process.url, shop.guid))
            tab.auth(token_of_ivan, 0)
            return tab

        valkey.kill()
        process = start_realtime(redis_url=valkey.url)
        steady = open_tab()
        steady.say("at first use")
        steady.of_type("ack")
        valkey.start()
        for name in STATES:
            assert wait_until(lambda: is_well(process, valkey), seconds=5), f"not healed before: {name}"
            with valkey.in_state(name):
                tab = open_tab()
                tab.say(name)
                assert tab.of_type("ack")["message"]["body"] == name
                assert steady.of_type("message.created")["body"] == name
                assert readiness(process) == {"database": "ok", "redis": "unavailable"}, name
        assert [message["body"] for message in steady.messages()] == ["at first use", *STATES]
        assert {frame["type"] for frame in steady.frames} == {"ready", "ack", "message.created"}
