"""`make run` from outside: what starts, what stays, what ends, and what it says when it cannot start."""

import json
import re
import shlex
import signal
import socket
import stat
import subprocess
import sys
import urllib.error
import urllib.request
import uuid
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from config.environment import PROJECT_ROOT
from launcher.run import in_memory
from tests.e2e.http import Refused, call
from tests.run.service import Service
from tests.waits import AT_MOST_S

PROCESSES = {"web", "realtime", "worker", "beat", "hooks", "postgres", "valkey"}

pytestmark = pytest.mark.e2e


def refusal(service: Service, **changes: str) -> str:
    """The one line of a start that is refused; nothing is left running."""
    service.launch(**changes)
    assert service.process is not None
    assert service.process.wait(timeout=60) == 1, service.output
    assert service.processes() == []
    assert not (service.home / "runtime.json").exists()
    lines = [line for line in service.output.splitlines() if line.startswith("parley: ")]
    assert len(lines) == 1, service.output
    assert "Traceback" not in service.output
    return lines[0]


def all_there(service: Service) -> bool:
    return set(service.leaders()) == PROCESSES


def freeze(service: Service, process: psutil.Process) -> None:
    """Stops the process; from then on it answers to SIGKILL alone."""
    process.suspend()
    service.until(lambda: process.status() == psutil.STATUS_STOPPED, "a frozen process")


def first_call(service: Service) -> list[object]:
    """What the banner's line answers when pasted."""
    answer = subprocess.run(shlex.split(service.curl_line()), check=True, capture_output=True, text=True)
    chats: list[object] = json.loads(answer.stdout)["data"]
    return chats


def test_from_nothing_to_a_first_call_to_nothing_and_again_with_the_same_data(service: Service) -> None:
    service.start()
    service.until(lambda: all_there(service), "all seven processes")
    assert service.get("/healthz")[0] == 200
    assert first_call(service)
    for name in ("runtime.json", "secrets.json", "demo.json"):
        assert stat.S_IMODE((service.home / name).stat().st_mode) == 0o600
    secrets = (service.home / "secrets.json").read_text()
    first_line = service.curl_line()
    write = "from apps.accounts.models import Account; Account.objects.filter(pk=1).update(name='Kept')"
    service.manage("shell", "--no-imports", "-c", write)

    processes = service.processes()
    assert service.stop(signal.SIGINT) == 0
    assert service.processes() == []
    assert psutil.wait_procs(processes, timeout=10)[1] == [], "init may take a moment to collect them"
    assert not (service.home / "runtime.json").exists()
    assert not any(in_memory(service.home, name).exists() for name in ("metrics", "pulses"))

    service.start()
    assert (service.home / "secrets.json").read_text() == secrets
    read = "from apps.accounts.models import Account; print(Account.objects.filter(name='Kept').count())"
    assert service.manage("shell", "--no-imports", "-c", read).strip() == "1"
    assert service.curl_line() == first_line, "tokens live as long as the data"
    assert first_call(service)
    tokens = json.loads(service.manage("seed_demo", "--json"))["accounts"][0]["widgets"][0]["tokens"]
    assert service.stop(signal.SIGTERM) == 0

    service.start()
    for name, token in tokens.items():
        assert re.search(rf"^  {name} +{token}$", service.output, re.MULTILINE), "those that seed_demo issued last"
    assert first_call(service)
    assert service.stop() == 0


@pytest.mark.slow
def test_a_second_run_for_the_same_home_is_refused(running_service: Service, outside: dict[str, str]) -> None:
    other = Service(running_service.home, outside)
    other.launch()
    assert other.process is not None
    assert running_service.process is not None
    assert other.process.wait(timeout=20) == 1
    number = running_service.process.pid
    assert other.output.strip() == f"parley: already running for {running_service.home} (process {number})"
    assert running_service.get("/healthz")[0] == 200
    assert (running_service.home / "runtime.json").exists()


@pytest.mark.slow
def test_a_demo_message_is_delivered_to_the_demos_own_receiver_checked_and_shown(running_service: Service) -> None:
    service = running_service
    receiver = f"127.0.0.1:{service.receiver_port}"
    says = f"webhooks are received at http://{receiver}/, signatures are checked"
    service.until(lambda: says in service.output, "the receiver", seconds=60)
    assert "\n  webhooks    the lines of hooks, where the demo's own receiver checks and shows them\n" in service.output
    widget = service.demo["accounts"][0]["widgets"][0]
    addresses = [
        each["url"] for each in service.get("/api/v1/webhook-subscriptions", widget["tokens"]["all"])[1]["data"]
    ]
    assert sorted(addresses) == [f"http://{receiver}/shop/legacy", f"http://{receiver}/shop/parley"]

    session = call("POST", f"{service.url}/widget/{widget['guid']}/sessions", body={})["data"]
    said = {"client_id": str(uuid.uuid4()), "type": "text", "body": "Do you have Misty Jade?"}
    visitor = f"Visitor {session['visitor_token']}"
    message = call("POST", f"{service.url}/widget/{widget['guid']}/messages", visitor, said)["data"]

    def lines() -> list[str]:
        found = re.findall(r"hooks +\| (message\.created .*)$", service.output, re.MULTILINE)
        return [line for line in found if f'"message_id": {message["id"]},' in line]

    service.until(lambda: bool(lines()), "the delivery")
    (line,) = lines()
    assert re.match(r"message\.created [0-9a-f-]{36}: signature good, answered 200 {", line)


def test_a_request_is_found_by_its_id_and_lines_have_one_time_each(running_service: Service) -> None:
    service = running_service
    for path, status in (("/readyz", 200), ("/healthz", 201), ("/api/v1/nowhere?q=secret", 404)):
        asked = urllib.request.Request(service.url + path, headers={"X-Request-Id": f"order-{status}"})
        with suppress(urllib.error.HTTPError):
            urllib.request.urlopen(asked, timeout=AT_MOST_S).close()
    service.until(lambda: "order-404" in service.output, "the line of a request")
    lines = re.findall(r"^\d\d:\d\d:\d\d +\w+ +\| (.*)$", service.output, re.MULTILINE)
    assert [line for line in lines if re.fullmatch(r"GET /readyz 200 \d+\.\d ms order-200", line)]
    assert [line for line in lines if re.fullmatch(r"GET - 404 \d+\.\d ms order-404", line)]
    assert not [line for line in lines if "order-201" in line], "who asks whether the process lives fills no log"
    assert not [line for line in lines if re.search(r"\d\d:\d\d:\d\d|secret|Applying", line)]


@pytest.mark.faults
def test_killed_processes_are_started_again_and_stubborn_ones_ended_by_force(running_service: Service) -> None:
    service = running_service
    service.until(lambda: all_there(service), "all seven processes")
    for name in sorted(PROCESSES):
        killed = service.leaders()[name]
        family = killed.children(recursive=True)
        killed.kill()
        service.until(lambda name=name, killed=killed: service.leaders().get(name, killed) != killed, f"a new {name}")
        service.until(lambda family=family: not any(child.is_running() for child in family), "no orphans")
    service.until(lambda: service.get("/healthz")[0] == 200, "web answers again")
    healthy = {"status": "ok", "checks": {"database": "ok", "redis": "ok"}}
    service.until(lambda: service.get("/readyz")[1] == healthy, "both servers answer again")
    service.until(lambda: all_there(service), "all seven processes, those too that ended without their servers")

    for process in [service.leaders()["beat"], *service.leaders()["web"].children()]:
        freeze(service, process)
    assert service.stop() == 0
    assert service.processes() == []


@pytest.mark.slow
def test_the_demos_receiver_can_be_left_out(stopped_service: Service) -> None:
    service = stopped_service
    service.start(DEMO_RECEIVER_PORT="0")
    widget = service.demo["accounts"][0]["widgets"][0]
    assert "\n  webhooks " not in service.output
    assert set(service.leaders()) <= PROCESSES - {"hooks"}
    inside = {"url": f"http://127.0.0.1:{service.receiver_port}/", "events": ["message.created"]}
    with pytest.raises(Refused) as refused:
        call("POST", f"{service.url}/api/v1/webhook-subscriptions", f"Bearer {widget['tokens']['all']}", inside)
    assert refused.value.status == 422
    assert "hooks" not in service.leaders()
    assert service.stop() == 0


@pytest.mark.slow
@pytest.mark.faults
def test_what_a_killed_supervisor_leaves_ends_by_itself_or_with_the_next_start(stopped_service: Service) -> None:
    service = stopped_service
    service.start()
    service.until(lambda: all_there(service), "all seven processes")
    # It cannot be asked to end, as a hung one could not; its children can.
    frozen = service.leaders()["beat"]
    freeze(service, frozen)
    service.kill()
    service.until(lambda: service.processes() == [frozen], "all but the frozen one end", seconds=40)

    service.start()
    assert psutil.wait_procs([frozen], timeout=10)[1] == []
    assert service.get("/healthz")[0] == 200
    assert service.stop() == 0
    assert service.processes() == []


@pytest.mark.slow
@pytest.mark.faults
def test_a_killed_make_takes_the_service_along(stopped_service: Service) -> None:
    stopped_service.start("make", "run", f"PYTHON={sys._base_executable}")
    stopped_service.kill()
    stopped_service.until(lambda: stopped_service.processes() == [], "nothing left", seconds=40)


@pytest.mark.parametrize("name", ["PORT", "REALTIME_PORT", "DEMO_RECEIVER_PORT"])
def test_a_taken_port_is_named(service: Service, name: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        line = refusal(service, **{name: port})
    assert line == f"parley: port {port} of 127.0.0.1 is taken; set {name} to a free one"


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("PORT", "eighty", "PORT must be a whole number from 1 to 65535, not 'eighty'"),
        ("DEMO_RECEIVER_PORT", "any", "DEMO_RECEIVER_PORT must be a whole number from 0 to 65535, not 'any'"),
        ("STOP_SECONDS", "0", "STOP_SECONDS must be a whole number from 1 to 3600, not '0'"),
        ("DATABASE_URL", "mysql://localhost/x", "DATABASE_URL must be a URL that starts with postgres://"),
        ("DATABASE_URL", "postgresql://localhost:port/x", "DATABASE_URL is no URL: its port or its host can't be read"),
        ("DATABASE_URL", "postgresql://", "DATABASE_URL names no database: postgresql://user:password@host/name"),
        ("LOG_LEVEL", "LOUD", "LOG_LEVEL must be one of DEBUG, INFO, WARNING, ERROR, CRITICAL, not 'LOUD'"),
        ("LOG_FORMAT", "xml", "LOG_FORMAT must be one of json, console, not 'xml'"),
        ("FIELD_ENCRYPTION_KEYS", "short", "FIELD_ENCRYPTION_KEYS: key 1 is no Fernet key"),
        ("PARLEY_HOME", "/proc/parley", "PARLEY_HOME (/proc/parley) cannot be written to: "),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(service: Service, name: str, value: str, says: str) -> None:
    assert says in refusal(service, **{name: value})


def test_two_equal_ports_are_refused(service: Service) -> None:
    assert "PORT and REALTIME_PORT are both" in refusal(service, REALTIME_PORT=str(service.port))


def test_a_port_of_the_receiver_that_is_another_ones_is_refused(service: Service) -> None:
    line = refusal(service, DEMO_RECEIVER_PORT=str(service.port))
    assert line == f"parley: DEMO_RECEIVER_PORT is {service.port}, as PORT or REALTIME_PORT is; they must differ"


def test_a_full_disk_is_named(service: Service) -> None:
    """A file system too small for a database, as root can make one."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", str(service.home)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("needs the right to mount")
    try:
        assert "MiB of free disk; 200 are needed" in refusal(service)
    finally:
        subprocess.run(["umount", str(service.home)], check=True)


def test_secrets_that_cannot_be_read_are_named_and_kept(service: Service) -> None:
    (service.home / "secrets.json").write_text("{cut off")
    assert "secrets.json is not readable as JSON" in refusal(service)
    assert (service.home / "secrets.json").read_text() == "{cut off"


@pytest.mark.parametrize("content", ["[]", '"text"', "null", '{"SECRET_KEY": 7}', '{"SECRET_KEY": null}'])
def test_secrets_of_another_shape_are_named_and_kept(service: Service, content: str) -> None:
    (service.home / "secrets.json").write_text(content)
    assert "secrets.json is not a JSON object of texts" in refusal(service)
    assert (service.home / "secrets.json").read_text() == content


@pytest.mark.slow
def test_a_database_that_does_not_answer_is_named(service: Service) -> None:
    line = refusal(service, DATABASE_URL="postgresql://nobody@127.0.0.1:1/none")
    assert line.startswith("parley: the database of DATABASE_URL cannot be reached: ")


@pytest.mark.slow
@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "redis://no-such-host.invalid/0"])
def test_a_redis_that_does_not_answer_is_named(stopped_service: Service, url: str) -> None:
    line = refusal(stopped_service, REDIS_URL=url)
    assert line.startswith("parley: the Redis of REDIS_URL cannot be reached: ")


@pytest.mark.slow
def test_a_process_that_keeps_failing_ends_the_run(stopped_service: Service) -> None:
    line = refusal(stopped_service, WORKER_CONCURRENCY="many")
    assert line.startswith("parley: worker failed 5 times in a row (exit status 2)")


def test_bootstrap_tells_an_old_python_what_is_needed(tmp_path: Path) -> None:
    """As an old one would read it: the source must parse there, and its first act is the version check."""
    source = (PROJECT_ROOT / "bootstrap.py").read_text()
    compile(source, "bootstrap.py", "exec", dont_inherit=True)
    pretend = tmp_path / "old.py"
    pretend.write_text(f"import sys\nsys.version_info = (3, 9, 2)\nexec(compile({source!r}, 'bootstrap.py', 'exec'))\n")
    told = subprocess.run([sys.executable, pretend], capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert told.stderr.count("\n") == 1
    assert told.stderr.startswith("parley: Python 3.11 or newer is needed, and this is 3.9.2")
