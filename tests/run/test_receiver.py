"""Where `make run` has the demo's webhooks received, and which exception it makes for that."""

import socket

import pytest

from launcher import played
from launcher.servers import free_port


def with_receiver(given: dict[str, str]) -> dict[str, str]:
    """Of a start without a played model."""
    found = played.with_played({**given, "DEMO_MODEL_PORT": "0"}, has_demo=True)
    assert found.pop("DEMO_MODEL_PORT") == "0"
    return found


@pytest.fixture
def usual(monkeypatch: pytest.MonkeyPatch) -> int:
    """The usual port, for this test one that is free."""
    port = free_port()
    monkeypatch.setattr(played, "RECEIVER_PORT", port)
    return port


def test_it_is_the_usual_port_and_calls_may_reach_it_alone(usual: int) -> None:
    assert with_receiver({}) == {"DEMO_RECEIVER_PORT": str(usual), "EGRESS_ALLOW": f"127.0.0.1:{usual}"}


def test_exceptions_of_the_environment_stay(usual: int) -> None:
    allowed = with_receiver({"EGRESS_ALLOW": "10.0.0.0/8,hooks.internal:443"})["EGRESS_ALLOW"]
    assert allowed == f"10.0.0.0/8,hooks.internal:443,127.0.0.1:{usual}"


def test_it_is_another_one_if_the_usual_port_is_taken(usual: int) -> None:
    with socket.create_server(("127.0.0.1", usual)):
        found = with_receiver({})
    port = int(found["DEMO_RECEIVER_PORT"])
    assert port != usual
    assert found["EGRESS_ALLOW"] == f"127.0.0.1:{port}"


@pytest.mark.parametrize("name", ["PORT", "REALTIME_PORT"])
def test_a_run_at_ports_of_its_own_leaves_the_usual_one_to_others(usual: int, name: str) -> None:
    port = int(with_receiver({name: "18000"})["DEMO_RECEIVER_PORT"])
    assert port not in (usual, 18000)


def test_a_port_that_was_given_is_taken(usual: int) -> None:
    given = {"DEMO_RECEIVER_PORT": "9123", "PORT": "18000"}
    assert with_receiver(given) == {"DEMO_RECEIVER_PORT": "9123", "EGRESS_ALLOW": "127.0.0.1:9123"}


@pytest.mark.parametrize(
    "given",
    [
        {"DEMO_RECEIVER_PORT": "0"},
        {"PARLEY_WITHOUT_APPS": "apps.kb,apps.webhooks"},
        {"PARLEY_WITHOUT_APPS": "apps.demo"},
    ],
)
def test_without_a_receiver_there_is_no_exception(given: dict[str, str]) -> None:
    assert with_receiver(given) == {"DEMO_RECEIVER_PORT": "0"}


def test_a_port_that_egress_allow_names_is_left_to_its_owner(usual: int) -> None:
    """The guide to a model of one's own: `EGRESS_ALLOW=127.0.0.1:8098 make run`, then `play_model --port 8098`."""
    found = with_receiver({"EGRESS_ALLOW": f"10.0.0.1:443, 127.0.0.1:{usual}"})
    assert found["DEMO_RECEIVER_PORT"] != str(usual)
    assert f"127.0.0.1:{usual}" in found["EGRESS_ALLOW"]


def test_the_played_model_has_a_port_of_its_own_where_there_is_a_demo(usual: int) -> None:
    found = played.with_played({}, has_demo=True)
    ports = [found["DEMO_RECEIVER_PORT"], found["DEMO_MODEL_PORT"]]
    assert len(set(ports)) == 2
    assert "0" not in ports
    assert found["EGRESS_ALLOW"] == ",".join(f"127.0.0.1:{port}" for port in ports)
    assert played.with_played({}, has_demo=False)["DEMO_MODEL_PORT"] == "0"
    assert played.with_played({"PARLEY_WITHOUT_APPS": "apps.ai"}, has_demo=True)["DEMO_MODEL_PORT"] == "0"
    assert played.with_played({"DEMO_MODEL_PORT": "0"}, has_demo=True)["DEMO_MODEL_PORT"] == "0"
