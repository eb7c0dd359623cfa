"""Keys are replaced while they are used, as the guide says: no call fails, and every signature holds (goal R20)."""

import hashlib
import hmac
import io
import itertools
import json
import random
import threading
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from typing import Any

import pytest
from cryptography.fernet import Fernet, InvalidToken
from django.apps import apps
from django.conf import settings as django_settings
from django.core.management import call_command
from django.db import models
from django.db.models.functions import Cast
from django.test import Client
from websockets.exceptions import WebSocketException

from apps.accounts.management.commands.rotate_field_keys import encrypted_columns
from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.core.database.fields import SealedTextField
from apps.webhooks.actions.switches import set_event_enabled
from apps.webhooks.models import Delivery, Event, Subscription
from tests.factories import ApiTokenFactory, ContactFactory, plain_text
from tests.faults.callers import Caller, Crowd, Proxy, Visitor, busy
from tests.faults.conftest import Figures
from tests.faults.parts import Part, end, launch, surroundings
from tests.faults.scale import SCALE
from tests.realtime.tab import Tab
from tests.webhooks.receivers import HookReceiver, wait_until

pytestmark = [
    pytest.mark.faults,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(3600 if SCALE.is_long else 300),
]

PER_S = 15.0
SUBSCRIPTIONS = 5
SIDE_BY_SIDE = 40  # calls


class Processes:
    """Those that serve, and whether the ones before them have ended."""

    def __init__(self, stack: ExitStack, environ: dict[str, str], **keys: str) -> None:
        self._stack, self._environ = stack, environ
        self._now: Sequence[Part] = self._start(keys)
        self.proxy = Proxy(self._now[0].port, asks=False)

    def _start(self, keys: dict[str, str]) -> Sequence[Part]:
        environ = {**self._environ, **keys}
        web = Part("web", environ, WEB_WORKERS="1", DJANGO_SETTINGS_MODULE="tests.faults.settings")
        parts = [web, Part("realtime", environ), Part("worker", environ)]
        for part in parts:
            self._stack.callback(part.close)
        launch(parts)
        return parts

    def roll(self, crowd: Crowd, **keys: str) -> None:
        """Starts others beside them, with these keys; once both have worked side by side, it ends them."""
        before, self._now = self._now, self._start(keys)
        self.proxy.turn_to(before[0].port, self._now[0].port)
        side_by_side = crowd.done + SIDE_BY_SIDE
        wait_until(lambda: crowd.done >= side_by_side, 60)
        self.proxy.turn_to(self._now[0].port)
        end(before)

    @property
    def realtime_url(self) -> str:
        return f"ws://127.0.0.1:{self._now[1].port}"


class Customer(Caller):
    """Makes subscriptions and rotates their secrets all the time, and reads lists page by page.

    `secrets` are those that a subscription has or had, by the end of its address.
    """

    def __init__(self, processes: Processes, widget: Widget, hook: HookReceiver) -> None:
        super().__init__(processes.proxy)
        self._hook, self._authorization = hook, f"Bearer {plain_text(ApiTokenFactory.create(widget=widget))}"
        self.secrets: dict[str, list[str]] = defaultdict(list)
        self._ids: list[tuple[str, int]] = []
        self._turns = itertools.count()
        self._cursor: str | None = None

    def subscribe(self, *events: str) -> None:
        name, secret = str(len(self._ids)), f"whsec_{uuid.uuid4()}"
        self.secrets[name].append(secret)
        body = {"url": f"{self._hook.url}/{name}", "events": events, "secret": secret}
        answer = self.call("POST", "/api/v1/webhook-subscriptions", self._authorization, body)
        self._ids.append((name, answer["data"]["id"]))

    def change_secrets(self) -> None:
        """Makes a subscription for as long as there are few, then gives one another secret."""
        if next(self._turns) % 2 and len(self._ids) < SUBSCRIPTIONS:
            self.subscribe("offline_message.created")
        else:
            name, id_ = random.choice(self._ids)
            secret = f"whsec_{uuid.uuid4()}"
            self.secrets[name].append(secret)
            path = f"/api/v1/webhook-subscriptions/{id_}/rotate-secret"
            assert self.call("POST", path, self._authorization, {"secret": secret})["data"]["secret"] == secret

    def read_on(self) -> None:
        """The next page, by the cursor of the one before, which another process may have signed."""
        position = f"&cursor={self._cursor}" if self._cursor else ""
        page = self.call("GET", f"/api/v1/contacts?limit=1{position}", self._authorization)
        self._cursor = page["next_cursor"]


class Form(Visitor):
    """Leaves offline messages, whose events are encrypted."""

    def say(self) -> None:
        form = {"client_id": str(uuid.uuid4()), "email": "ivan@example.com", "message": "Please call"}
        answer = self.call("POST", f"{self._page}/offline", f"Visitor {self.token}", form)
        self.sent.append(answer["data"]["id"])


class Talker:
    """Writes by a websocket, and repeats what was not acknowledged."""

    def __init__(self, processes: Processes, guid: str, token: str) -> None:
        self._processes, self._guid, self._token = processes, guid, token
        self._tab: Tab | None = None
        self.sent: list[int] = []

    def say(self) -> None:
        client_id = str(uuid.uuid4())
        for _ in range(100):
            with suppress(OSError, WebSocketException, TimeoutError):
                if self._tab is None:
                    self._tab = Tab(self._processes.realtime_url, self._guid)
                    self._tab.auth(self._token)
                self._tab.say("And on Monday?", client_id)
                ack = self._tab.until(lambda frame: is_ack(frame, client_id))
                self.sent.append(ack["data"]["message"]["id"])
                return
            self.close()
            threading.Event().wait(0.1)
        raise AssertionError("nobody acknowledged it")

    def close(self) -> None:
        if self._tab is not None:
            self._tab.close()
            self._tab = None


def is_ack(frame: dict[str, Any], client_id: str) -> bool:
    return bool(frame["type"] == "ack" and frame["data"]["client_id"] == client_id)


def console_of(operator: Agent, proxy: Proxy) -> Caller:
    """The browser of an operator who has signed in."""
    browser, caller = Client(), Caller(proxy)
    browser.force_login(operator.user)
    caller.cookies = browser.cookies
    return caller


def tokens() -> Iterator[str]:
    """Every value that is stored encrypted."""
    for model, field in encrypted_columns(apps.get_models(include_auto_created=True)):
        rows = model._base_manager.annotate(stored_token=Cast(field.name, models.TextField()))
        rows = rows.filter(stored_token__isnull=False)
        if isinstance(field, SealedTextField):
            rows = rows.filter(**{field.sealed_by: True})
        yield from rows.values_list("stored_token", flat=True)


def is_read_by(key: str, token: str) -> bool:
    try:
        Fernet(key).decrypt(token)
    except InvalidToken:
        return False
    return True


def rotate(settings: Any, *keys: str) -> None:
    """What `manage.py rotate_field_keys` does in that environment."""
    settings.FIELD_ENCRYPTION_KEYS = list(keys)
    out = io.StringIO()
    call_command("rotate_field_keys", stdout=out)
    assert len(out.getvalue().splitlines()) == out.getvalue().count(", 0 could not be decrypted") > 2


def signed_wrongly(hook: HookReceiver, secrets: dict[str, list[str]]) -> list[str]:
    """The deliveries whose signature no secret makes that their subscription ever had."""
    wrong = []
    for one in hook.heard:
        made = [
            "sha256=v1:" + hmac.new(secret.encode(), one.body, hashlib.sha256).hexdigest()
            for secret in secrets[one.path.rpartition("/")[2]]
        ]
        if one.headers["x-service-signature"] not in made:
            wrong.append(one.headers["x-service-delivery"])
    return wrong


@pytest.mark.slow
def test_keys_are_replaced_under_load(
    shop: Widget, olga: Agent, hook: HookReceiver, settings: Any, figures: Figures
) -> None:
    """First every process knows the new key, then it is used, then what is stored is rotated, then the old one goes."""
    for name in ("message.created", "offline_message.created"):
        set_event_enabled(name=name, enabled=True)
    ContactFactory.create_batch(3, widget=shop)
    field_key, secret_key = settings.FIELD_ENCRYPTION_KEYS[0], django_settings.SECRET_KEY
    settings.FIELD_ENCRYPTION_KEYS = [field_key]
    old_field_keys = []
    with surroundings(EGRESS_ALLOW=f"127.0.0.1:{hook.port}") as environ, ExitStack() as stack:
        processes = Processes(stack, environ, FIELD_ENCRYPTION_KEYS=field_key, SECRET_KEY=secret_key)
        customer = Customer(processes, shop, hook)
        customer.subscribe("message.created", "offline_message.created")
        visitors = [Visitor(processes.proxy, shop.guid), Visitor(processes.proxy, shop.guid)]
        form = Form(processes.proxy, shop.guid)
        talker = Talker(processes, shop.guid, Visitor(processes.proxy, shop.guid).token)
        stack.callback(talker.close)
        console = console_of(olga, processes.proxy)
        reader = Customer(processes, shop, hook)
        work: list[Callable[[], object]] = [
            *(visitor.say for visitor in visitors),
            *(form.say, talker.say, customer.change_secrets, reader.read_on),
            lambda: console.call("GET", "/console/inbox"),
        ]
        with busy(PER_S, *work) as crowd:
            for _ in range(SCALE.rolls):
                new, new_secret = Fernet.generate_key().decode(), uuid.uuid4().hex * 2
                keys, secrets = f"{field_key},{new}", {"SECRET_KEY": secret_key, "SECRET_KEY_FALLBACKS": new_secret}
                processes.roll(crowd, FIELD_ENCRYPTION_KEYS=keys, **secrets)
                keys, secrets = f"{new},{field_key}", {"SECRET_KEY": new_secret, "SECRET_KEY_FALLBACKS": secret_key}
                processes.roll(crowd, FIELD_ENCRYPTION_KEYS=keys, **secrets)
                rotate(settings, new, field_key)
                processes.roll(crowd, FIELD_ENCRYPTION_KEYS=new, SECRET_KEY=new_secret)
                old_field_keys.append(field_key)
                field_key, secret_key = new, new_secret
        assert crowd.failures == []
        wait_until(lambda: not Delivery.objects.filter(status="pending").exists(), 60)
    said = Counter(id_ for one in (*visitors, form, talker) for id_ in one.sent)
    told = Counter(json.loads(one.body)["data"]["message_id"] for one in hook.heard if one.path.endswith("/0"))
    assert told == said + Counter(form.sent), "each once, and what the form sent as both of its events"
    assert Counter(Delivery.objects.values_list("status", "attempts")) == {("delivered", 1): len(hook.heard)}
    assert signed_wrongly(hook, customer.secrets) == []
    stored = list(tokens())
    assert len(stored) >= Subscription.objects.count() + Event.objects.filter(is_sealed=True).count() > SUBSCRIPTIONS
    assert [token for token in stored if not is_read_by(field_key, token)] == []
    assert [token for token in stored for key in old_field_keys if is_read_by(key, token)] == []
    figures.add("R20, keys", f"{SCALE.rolls} rotations, {crowd.done:,} calls, {len(hook.heard):,} signatures, 0 wrong")
