"""A full disk: reads go on, what needs room is 503 `try_again` and leaves nothing, and all heals once there is room."""

import asyncio
import json
import stat
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as project
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse
from django.test import Client
from PIL import Image
from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.agents.models import Agent, Invitation
from apps.billing.models import Invoice
from apps.chats.models import Chat, File
from apps.core.endpoints.bodies import await_body, whole_body
from apps.core.problems import Problem, problem_response
from config.environment import PROJECT_ROOT
from config.serving.threaded import ThreadedWSGI
from config.storage import LOCAL
from launcher.run import ANSWERING, MEMORY, in_memory, passing_folder
from launcher.supervisor import JointLog
from tests.client import ApiClient, assert_problem, client
from tests.conftest import RUNNING
from tests.factories import SuperuserFactory
from tests.factories.billing import LegalEntityFactory
from tests.faults.full_disk import Disk, FilledDisk, LimitedFiles, mounted
from tests.faults.scale import SCALE
from tests.rows import snapshot
from tests.run.service import Service
from tests.uploads import FORM, form, part
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.faults

# On its way in it is kept in memory, or too large for that.
SMALL, LARGE = bytes(100_000), bytes(2_000_000)


@pytest.fixture(params=["filled", "limited"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    if request.param == "limited":
        if sys.platform != "linux":
            pytest.skip("limits are set for other processes by Linux alone")
        yield LimitedFiles(tmp_path)
    else:
        with mounted(tmp_path, "8m") as filled:
            yield filled


def kept(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file() and path.name != "ballast"}


def assert_no_room(response: Any) -> None:
    assert_problem(response, 503, "try_again")
    assert int(response.headers["Retry-After"]) > 0


def served(application: Any, body: bytes) -> tuple[int, bytes]:
    """What a web process answers a body that comes in chunks."""
    piece = 50_000
    parts = [body[start : start + piece] for start in range(0, len(body), piece)]
    messages = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    messages.append({"type": "http.request", "body": b"", "more_body": False})
    headers = [(b"host", b"localhost"), (b"transfer-encoding", b"chunked")]
    scope = {"type": "http", "http_version": "1.1", "method": "POST", "scheme": "http", "server": None, "client": None}
    scope |= {"path": "/", "raw_path": b"/", "query_string": b"", "headers": headers}
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if not messages:
            await asyncio.Event().wait()  # the client stays
        return messages.pop(0)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(ThreadedWSGI(application, 1)(scope, receive, send))
    return sent[0]["status"], b"".join(message["body"] for message in sent[1:])


@pytest.mark.django_db
class TestWhatIsStored:
    @pytest.fixture(autouse=True)
    def on_that_disk(self, disk: Disk, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
        """Files, mails and temporary files."""
        options = {"location": str(disk.folder / "media")}
        settings.STORAGES = project.STORAGES | {"default": {"BACKEND": LOCAL, "OPTIONS": options}}
        settings.EMAIL_BACKEND, settings.EMAIL_FOLDER = "apps.core.mail.FolderBackend", disk.folder / "mail"
        monkeypatch.setattr(tempfile, "tempdir", str(disk.folder))

    @pytest.fixture
    def visitor(self, shop: Widget) -> VisitorClient:
        visitor = VisitorClient(shop)
        visitor.come()
        return visitor

    @pytest.fixture
    def photo(self) -> bytes:
        photo = BytesIO()
        Image.effect_noise((200, 200), 100).save(photo, "PNG")
        return photo.getvalue()

    def refused_then_taken(self, disk: Disk, call: Callable[[], Any]) -> None:
        """Two refusals that leave nothing, and a success once there is room."""
        rows, files = snapshot(), kept(disk.folder)
        with disk.full():
            for _ in range(2):
                assert_no_room(call())
            assert snapshot() == rows
            assert kept(disk.folder) == files, "not even a part of it"
        response = call()
        assert response.status_code == 201, response.content

    @pytest.mark.parametrize("content", [SMALL, LARGE], ids=["small", "large"])
    def test_a_file_is_refused_on_a_full_disk_and_taken_afterwards(
        self, disk: Disk, api: ApiClient, content: bytes
    ) -> None:
        key = uuid.uuid4().hex
        send = {"data": form(part(content)), "content_type": FORM, "idempotency_key": key}
        self.refused_then_taken(disk, lambda: api.post("/files", **send))
        assert File.objects.get().size == len(content)

    def test_a_visitors_file_is_refused_on_a_full_disk_and_taken_afterwards(
        self, disk: Disk, visitor: VisitorClient
    ) -> None:
        body = form(part(SMALL))
        self.refused_then_taken(disk, lambda: visitor.post("files", body, content_type=FORM))

    def test_an_avatar_is_refused_on_a_full_disk_and_taken_afterwards(
        self, disk: Disk, api: ApiClient, alice: Agent, photo: bytes
    ) -> None:
        send = {"data": form(part(photo)), "content_type": FORM}
        self.refused_then_taken(disk, lambda: api.post(f"/agents/{alice.pk}/avatar", **send))

    def test_a_mail_that_is_a_file(self, disk: Disk, api: ApiClient) -> None:
        self.refused_then_taken(disk, lambda: api.post("/agents/invitations", json={"email": "nina@mail.test"}))
        assert Invitation.objects.count() == 1

    def test_an_invoices_document_is_refused_on_a_full_disk_and_taken_afterwards(
        self, disk: Disk, shop: Widget, settings: Settings
    ) -> None:
        """On a page of the cabinet, whose form is too large to be kept in memory."""
        settings.FILE_UPLOAD_MAX_MEMORY_SIZE = 100_000
        entity = LegalEntityFactory.create(account=shop.account)
        ops = Client(raise_request_exception=False)
        ops.force_login(SuperuserFactory.create())
        rows, files = snapshot(), kept(disk.folder)

        def issue() -> Any:
            file = SimpleUploadedFile("invoice.txt", bytes(1_000_000))
            form = {"widget": shop.pk, "entity": entity.pk, "lines": "Seats; 1; 100", "file": file}
            form["intent"] = uuid.uuid4().hex
            return ops.post("/admin/billing/invoice/add/", form, headers={"Accept": "text/html"})

        with disk.full():
            for _ in range(2):
                refused = issue()
                assert refused.status_code == 503, refused.content.decode()[:3000]
                assert refused.headers["Retry-After"] == "30"
                assert b"a disk is full" in refused.content
            assert kept(disk.folder) == files, "not even a part of it"
        assert snapshot() == rows
        assert issue().status_code == 302
        assert Invoice.objects.get().document is not None

    def test_a_body_in_chunks(self, disk: Disk) -> None:
        """One that is too large to be kept in memory: the call that waits for it is refused."""

        def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
            request = WSGIRequest(environ)
            try:
                answer = await_body(request, "admitted", len(LARGE)) or HttpResponse(whole_body(request))
            except Problem as problem:
                answer = problem_response(problem, request)
            start_response(f"{answer.status_code} ", list(answer.items()))
            return [answer.content]

        with disk.full():
            status, body = served(application, LARGE[:900_000])
            assert (status, json.loads(body)["code"]) == (503, "try_again")
        assert served(application, LARGE[:900_000]) == (200, LARGE[:900_000])

    def test_everything_else_goes_on_meanwhile(
        self, disk: Disk, api: ApiClient, visitor: VisitorClient, chat: Chat
    ) -> None:
        sent = api.post("/files", data=form(part(b"Tulips, 25 of them.")), content_type=FORM).json()["data"]
        with disk.full():
            assert_no_room(api.post("/files", data=form(part(SMALL)), content_type=FORM))
            assert api.get("/chats").status_code == 200
            assert api.get(f"/chats/{chat.pk}/transcript").status_code == 200
            address = api.get(f"/files/{sent['id']}").headers["Location"]
            assert b"".join(client().get(address)) == b"Tulips, 25 of them."
            assert api.post(f"/chats/{chat.pk}/close").status_code == 200
            assert visitor.say("Is anybody there?")["body"] == "Is anybody there?"
            assert visitor.get("messages").status_code == 200
            assert client().get("/readyz").json()["checks"]["database"] == "ok"


class TestAnswers:
    """What is too long for its place in memory waits for its client in a temporary file, where there is room."""

    def test_a_long_one_is_whole(self, disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tempfile, "tempdir", str(disk.folder))
        pieces = [bytes([number]) * 10_000 for number in range(200)]

        def application(environ: Any, start_response: Any) -> Any:
            start_response("200 OK", [("Content-Type", "text/plain")])
            return iter(pieces)

        with disk.full():
            assert served(application, b"") == (200, b"".join(pieces))
        assert served(application, b"") == (200, b"".join(pieces))

    def test_one_for_which_the_room_ends_half_way_is_whole(self, disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tempfile, "tempdir", str(disk.folder))
        pieces = [bytes([number]) * 10_000 for number in range(200)]

        def made() -> Iterator[bytes]:
            yield from pieces[:100]
            with disk.full():
                yield from pieces[100:150]
            yield from pieces[150:]

        def application(environ: Any, start_response: Any) -> Any:
            start_response("200 OK", [("Content-Type", "text/plain")])
            return made()

        assert served(application, b"") == (200, b"".join(pieces))


# Counts as many operations as a line of its input says, and tells when it has.
COUNTING = """
import logging, sys
logging.basicConfig(format="%(message)s", stream=sys.stdout)
from apps.core.observability import figures
figures.CHECKED_EVERY_S = 0
from apps.core.observability import metrics
for line in sys.stdin:
    for number in range(int(line)):
        metrics.REQUESTS.labels(f"operation {number}", 200).observe(0.1)
        metrics.NUDGES_DROPPED.inc()
    print("done", flush=True)
"""
FEW, MANY = 1, 100  # of which the one fit into the file that a process begins with


class Counting:
    """A process that counts, and the folder in which others find what it has counted."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.said = folder, list[str]()
        self._process = subprocess.Popen(
            [sys.executable, "-c", COUNTING],
            cwd=PROJECT_ROOT,
            env={"PROMETHEUS_MULTIPROC_DIR": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pid = self._process.pid

    def count(self, operations: int) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{operations}\n")
        self._process.stdin.flush()
        while (line := self._process.stdout.readline()) != "done\n":
            assert line, f"it ended with {self._process.wait()}"
            self.said.append(line)

    def found(self) -> tuple[float, float]:
        """What others find: calls of all operations, and broadcasts."""
        registry = CollectorRegistry()
        MultiProcessCollector(registry, str(self._folder))  # type: ignore[no-untyped-call]
        samples = [sample for metric in registry.collect() for sample in metric.samples]
        names = ("parley_api_request_seconds_count", "parley_nudges_dropped_total")
        calls, broadcasts = (sum(sample.value for sample in samples if sample.name == name) for name in names)
        return calls, broadcasts

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


# Of a process: its counters, its histograms, its gauges without labels.
FILES = 3


class TestMetrics:
    """They are counted in files that the process maps into its memory: a write into a hole of a full disk kills it."""

    @pytest.fixture
    def counting(self, disk: Disk) -> Iterator[Counting]:
        (disk.folder / "metrics").mkdir()
        process = Counting(disk.folder / "metrics")
        try:
            yield process
        finally:
            process.end()

    def test_a_process_starts_without_room(self, disk: Disk) -> None:
        with disk.full():
            counting = Counting(disk.folder / "metrics")
            counting.count(MANY)
        disk.lift(counting.pid)
        try:
            counting.count(FEW)
            assert counting.found() == (MANY + FEW, MANY + FEW)
        finally:
            counting.end()

    @pytest.mark.parametrize("before", [0, FEW, MANY])
    def test_a_process_lives_and_counts_on_and_nothing_is_lost_once_there_is_room(
        self, disk: Disk, counting: Counting, before: int
    ) -> None:
        counting.count(before)
        with disk.full(counting.pid):
            counting.count(MANY)
            counting.count(MANY)
        assert len(counting.said) <= 2, "a line a file, whatever is counted"
        counting.count(FEW)
        total = before + 2 * MANY + FEW
        assert counting.found() == (total, total)

    def test_a_folder_that_is_taken_away_is_made_again(self, disk: Disk, counting: Counting) -> None:
        counting.count(MANY)
        folder = disk.folder / "metrics"
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()
        counting.count(FEW)
        assert counting.found() == (MANY + FEW, MANY + FEW)

    def test_without_a_folder_that_could_be_made_it_counts_for_itself(self, tmp_path: Path) -> None:
        (tmp_path / "metrics").write_text("no folder")
        counting = Counting(tmp_path / "metrics")
        try:
            counting.count(MANY)
            counting.count(MANY)
            assert len(counting.said) == FILES
            (tmp_path / "metrics").unlink()
            counting.count(FEW)
            assert counting.found() == (2 * MANY + FEW, 2 * MANY + FEW)
        finally:
            counting.end()

    def test_no_file_has_a_hole(self, tmp_path: Path) -> None:
        counting = Counting(tmp_path)
        try:
            for operations in (FEW, MANY):
                counting.count(operations)
                files = [file.stat() for file in tmp_path.iterdir()]
                assert len(files) == FILES
                assert all(file.st_blocks * 512 >= file.st_size for file in files)
        finally:
            counting.end()


def send(url: str, authorization: str, body: bytes, content_type: str = "application/json") -> tuple[int, Any]:
    """Status and JSON of a POST; status 0 if nobody answers."""
    headers = {"Content-Type": content_type, "X-Service-Idempotency-Key": uuid.uuid4().hex}
    if authorization:
        headers["Authorization"] = authorization
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers, method="POST"), timeout=30) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as refused:
        return refused.code, json.loads(refused.read())
    except OSError:
        return 0, None


class TestTheSupervisor:
    def test_a_log_that_it_is_redirected_to_loses_lines_and_ends_nothing(
        self, disk: Disk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ended: list[bool] = []
        with (disk.folder / "log").open("w") as output:
            monkeypatch.setattr(sys, "stdout", output)
            log = JointLog(["web"], on_closed=lambda: ended.append(True))
            with disk.full():
                for _ in range(100):
                    log.line("web", "x" * 100)
            log.line("web", "there is room again")
            monkeypatch.undo()
        assert ended == []
        assert (disk.folder / "log").read_text().endswith("there is room again\n")

    @pytest.mark.skipif(not MEMORY.is_dir(), reason="no files can be kept in memory here")
    def test_metrics_need_no_disk(self, tmp_path: Path) -> None:
        folder = passing_folder(tmp_path, "metrics")
        try:
            (folder / "of_an_earlier_run.db").touch()
            assert passing_folder(tmp_path, "metrics") == folder
            assert (folder.parent, list(folder.iterdir())) == (MEMORY, [])
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        finally:
            folder.rmdir()

    def test_where_they_cannot_be_in_memory_they_are_at_home(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """There is no such place, or something of somebody else's is in the way."""
        for memory in (tmp_path / "none", tmp_path / "taken"):
            monkeypatch.setattr("launcher.run.MEMORY", memory)
            if memory.name == "taken":
                memory.mkdir()
                in_memory(tmp_path, "metrics").symlink_to(tmp_path)
            assert passing_folder(tmp_path, "metrics") == tmp_path / "metrics"
            assert (tmp_path / "metrics").is_dir()


@pytest.fixture(scope="module")
def home_disk() -> Iterator[FilledDisk]:
    with tempfile.TemporaryDirectory(prefix="parley-home-") as folder, mounted(Path(folder), "700m") as disk:
        yield disk


@pytest.fixture(scope="module")
def service(home_disk: FilledDisk, outside: dict[str, str]) -> Iterator[Service]:
    service = Service(home_disk.folder, outside | {"TMPDIR": str(home_disk.folder)})
    try:
        service.start(**RUNNING)
        yield service
    finally:
        service.end()


@pytest.mark.skipif(not SCALE.is_long, reason="it takes a minute; `make faults` runs it")
class TestTheService:
    """`make run` on a disk that has all it keeps (PostgreSQL and Valkey too) and is filled to the last byte."""

    def test_it_answers_all_the_time_and_heals_by_itself(self, home_disk: FilledDisk, service: Service) -> None:
        widget = service.demo["accounts"][0]["widgets"][0]
        token, widget_url = widget["tokens"]["all"], f"{service.url}/widget/{widget['guid']}"

        def upload() -> tuple[int, Any]:
            return send(f"{service.url}/api/v1/files", f"Bearer {token}", form(part(LARGE)), FORM)

        def write() -> tuple[int, Any]:
            body = json.dumps({"client_id": str(uuid.uuid4()), "type": "text", "body": "x" * 10_000}).encode()
            return send(f"{widget_url}/messages", visitor, body)

        status, session = send(f"{widget_url}/sessions", "", b"{}")
        assert status == 201
        visitor = f"Visitor {session['data']['visitor_token']}"
        assert upload()[0] == write()[0] == 201
        processes = {name: process.pid for name, process in service.leaders().items() if name in ANSWERING}
        with home_disk.full():
            statuses = set()
            for _ in range(30):
                status, refused = upload()
                assert (status, refused["code"]) == (503, "try_again")
                statuses.add(write()[0])
                for path in ("/api/v1/chats", "/api/v1/contacts", "/api/v1/stats"):
                    assert service.get(path, token)[0] == 200, path
                assert service.get("/readyz")[0] == service.get("/metrics")[0] == 200
            assert statuses <= {201, 503}
        service.until(lambda: upload()[0] == write()[0] == 201, "writes", 10)
        assert {name: process.pid for name, process in service.leaders().items() if name in ANSWERING} == processes

    def test_a_database_that_cannot_start_is_tried_until_it_can(self, home_disk: FilledDisk, service: Service) -> None:
        token = service.demo["accounts"][0]["widgets"][0]["tokens"]["all"]
        with home_disk.full():
            service.leaders()["postgres"].kill()
            service.until(lambda: "trying again in" in service.output, "a start that failed", 40)
            status, refused = service.get("/api/v1/chats", token)
            assert (status, refused["code"]) == (503, "try_again")
        service.until(lambda: service.get("/api/v1/chats", token)[0] == 200, "reads", 30)
