"""The Python client, as `pip install ./clients/python` installs it, calls a real web process."""

import hashlib
import hmac
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, get_type_hints

import httpx
import pytest

from apps.chats import actions
from apps.chats.models import Contact
from config.environment import PROJECT_ROOT
from tests.contract.samples import World
from tests.contract.test_generated_clients import PICTURE

pytestmark = pytest.mark.slow

FOLDER = PROJECT_ROOT / "clients" / "python"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The package, installed into a folder of its own; setuptools is fetched to build it."""
    target = tmp_path_factory.mktemp("installed")
    copy = shutil.copytree(FOLDER, tmp_path_factory.mktemp("source") / "python")  # building leaves files beside it
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", target, copy]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    assert ran.returncode == 0, ran.stderr
    sys.path.insert(0, str(target))
    import parley_client  # type: ignore[import-not-found]

    assert Path(parley_client.__file__).is_relative_to(target)
    yield parley_client
    sys.path.remove(str(target))
    for name in [name for name in sys.modules if name.partition(".")[0] == "parley_client"]:
        del sys.modules[name]


@pytest.fixture
def parley(installed: ModuleType, web: str, token: str) -> Iterator[Any]:
    with installed.Parley(web, token) as made:
        yield made


def test_every_type_can_be_read(installed: ModuleType) -> None:
    types = installed.types
    made = [each for each in vars(types).values() if isinstance(each, type) and each.__module__ == types.__name__]
    assert len(made) > 200
    assert all(get_type_hints(each, vars(types)) for each in made if each.__annotations__)


@pytest.mark.django_db(transaction=True)
def test_it_reads_writes_uploads_and_pages(installed: ModuleType, parley: Any, world: World) -> None:
    for number in range(5):
        contact = Contact.objects.create(widget=world.widget, guid=f"{number:032x}")
        actions.post_client_message(contact=contact, content={"type": "text", "body": "Hello"})
    chats = list(installed.every(parley.chats.chat_list, limit=2))
    assert len({chat["id"] for chat in chats}) == len(chats) == 6
    file = parley.upload(PICTURE, name="roses.png")
    assert (file["name"], file["size"]) == ("roses.png", len(PICTURE))
    body = {"type": "image", "file": {"id": file["id"]}, "agent_id": world.agent.pk}
    sent = parley.chats.message_create(world.chat.pk, body)
    read = parley.chats.message_list(world.chat.pk, limit=1)
    assert [message["id"] for message in read.data] == [sent["message_id"]]
    assert isinstance(parley.chats.transcript_retrieve(world.chat.pk), str)


@pytest.mark.django_db(transaction=True)
def test_a_refusal_is_told_with_its_code_and_members(installed: ModuleType, parley: Any, world: World) -> None:
    with pytest.raises(installed.ParleyError) as refused:
        parley.chats.chat_retrieve(999_999_999)
    assert (refused.value.status, refused.value.code, refused.value.after_retry) == (404, "not_found", False)
    body = {"type": "text", "body": "Hi", "agent_id": world.agent.pk}
    parley.chats.message_create(world.chat.pk, body, idempotency_key="k-1")
    with pytest.raises(installed.ParleyError) as again:
        parley.chats.message_create(world.chat.pk, body, idempotency_key="k-1")
    assert again.value.code == "idempotency_key_reused"
    assert "first_used_at" in again.value.problem


@pytest.mark.django_db(transaction=True)
def test_a_write_whose_answer_was_lost_is_sent_again_with_its_key(
    installed: ModuleType, web: str, token: str, world: World
) -> None:
    """It is done once: the second attempt is told so."""
    keys: list[str] = []

    class LosesTheFirst(httpx.HTTPTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            keys.append(request.headers["X-Service-Idempotency-Key"])
            answer = super().handle_request(request)
            if len(keys) == 1:
                answer.read()
                raise httpx.ReadError("the connection is lost")
            return answer

    with installed.Parley(web, token, http=httpx.Client(transport=LosesTheFirst())) as parley:
        waits: list[float] = []
        parley._sleep = waits.append
        with pytest.raises(installed.ParleyError) as told:
            parley.chats.message_create(world.chat.pk, {"type": "text", "body": "Hi", "agent_id": world.agent.pk})
    assert (told.value.code, told.value.after_retry) == ("idempotency_key_reused", True)
    assert len(keys) == 2
    assert keys[0] == keys[1]
    assert len(waits) == 1


def answering(installed: ModuleType, *answers: tuple[int, dict[str, str]]) -> tuple[Any, list[str], list[float]]:
    """A client that is answered so; the methods that it sent, and the seconds that it waited."""
    left = list(answers)
    sent: list[str] = []
    waits: list[float] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.method)
        status, headers = left.pop(0)
        return httpx.Response(
            status, headers=headers, json={"data": [], "next_cursor": None, "code": "c", "detail": ""}
        )

    parley = installed.Parley("http://service", "t", http=httpx.Client(transport=httpx.MockTransport(answer)))
    parley._sleep = waits.append
    return parley, sent, waits


def test_it_waits_as_long_as_it_is_told(installed: ModuleType) -> None:
    parley, sent, waits = answering(installed, (429, {"Retry-After": "7"}), (503, {"Retry-After": "2"}), (200, {}))
    assert parley.chats.chat_list().data == []
    assert (len(sent), waits) == (3, [7.0, 2.0])


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422, 502, 503])
def test_what_waiting_does_not_help_is_not_repeated(installed: ModuleType, status: int) -> None:
    parley, sent, waits = answering(installed, (status, {}))
    with pytest.raises(installed.ParleyError):
        parley.chats.chat_list()
    assert (len(sent), waits) == (1, [])


def test_a_proxys_page_is_a_refusal_too(installed: ModuleType) -> None:
    page = httpx.MockTransport(lambda request: httpx.Response(404, text="<h1>nothing here</h1>"))
    parley = installed.Parley("http://service", "t", http=httpx.Client(transport=page))
    with pytest.raises(installed.ParleyError, match="nothing here"):
        parley.chats.chat_list()


def test_a_webhook_is_read_after_its_signature_alone(installed: ModuleType) -> None:
    body = json.dumps({"id": "1", "type": "message.created"}).encode()
    signature = "sha256=v1:" + hmac.new(b"whsec_1", body, hashlib.sha256).hexdigest()
    headers = {"X-Service-Signature": signature, "x-service-event": "message.created", "X-Service-Idempotency-Key": "k"}
    event = installed.receive(body, headers, "whsec_0", "whsec_1")
    assert (event.name, event.key, event.body["type"]) == ("message.created", "k", "message.created")
    for wrong in ({}, {**headers, "X-Service-Signature": signature[:-1] + "é"}):
        with pytest.raises(installed.InvalidSignature):
            installed.receive(body, wrong, "whsec_1")
    with pytest.raises(installed.InvalidSignature):
        installed.receive(body + b" ", headers, "whsec_1")
