"""Where `make run` has the demo's webhooks received, and which exception it makes for that."""

import socket

import pytest

from launcher import run
from launcher.servers import free_port


@pytest.fixture
def usual(monkeypatch: pytest.MonkeyPatch) -> int:
    """The usual port, for this test one that is free."""
    port = free_port()
    monkeypatch.setattr(run, "RECEIVER_PORT", port)
    return port


def test_it_is_the_usual_port_and_calls_may_reach_it_alone(usual: int) -> None:
    assert run.with_receiver({}) == {"DEMO_RECEIVER_PORT": str(usual), "EGRESS_ALLOW": f"127.0.0.1:{usual}"}


def test_exceptions_of_the_environment_stay(usual: int) -> None:
    allowed = run.with_receiver({"EGRESS_ALLOW": "10.0.0.0/8,hooks.internal:443"})["EGRESS_ALLOW"]
    assert allowed == f"10.0.0.0/8,hooks.internal:443,127.0.0.1:{usual}"


def test_it_is_another_one_if_the_usual_port_is_taken(usual: int) -> None:
    with socket.create_server(("127.0.0.1", usual)):
        found = run.with_receiver({})
    port = int(found["DEMO_RECEIVER_PORT"])
    assert port != usual
    assert found["EGRESS_ALLOW"] == f"127.0.0.1:{port}"


@pytest.mark.parametrize("name", ["PORT", "REALTIME_PORT"])
def test_a_run_at_ports_of_its_own_leaves_the_usual_one_to_others(usual: int, name: str) -> None:
    port = int(run.with_receiver({name: "18000"})["DEMO_RECEIVER_PORT"])
    assert port not in (usual, 18000)


def test_a_port_that_was_given_is_taken(usual: int) -> None:
    given = {"DEMO_RECEIVER_PORT": "9123", "PORT": "18000"}
    assert run.with_receiver(given) == {"DEMO_RECEIVER_PORT": "9123", "EGRESS_ALLOW": "127.0.0.1:9123"}


@pytest.mark.parametrize(
    "given",
    [
        {"DEMO_RECEIVER_PORT": "0"},
        {"PARLEY_WITHOUT_APPS": "apps.kb,apps.webhooks"},
        {"PARLEY_WITHOUT_APPS": "apps.demo"},
    ],
)
def test_without_a_receiver_there_is_no_exception(given: dict[str, str]) -> None:
    assert run.with_receiver(given) == {"DEMO_RECEIVER_PORT": "0"}
