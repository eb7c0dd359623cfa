"""A token's page of its last requests: what was asked with it, and how that was answered."""

import http.client
import re
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.models import ApiToken, Widget
from apps.chats.models import Chat
from apps.core.redis import connection as redis
from apps.core.redis import last_requests
from apps.core.redis.last_requests import Notes
from launcher.processes import wait_until
from tests.cast import Rival, signed_in
from tests.client import ApiClient
from tests.contract.web import WebProcess
from tests.factories import ApiTokenFactory, StaffFactory, SuperuserFactory, plain_text
from tests.realtime.process import database_url
from tests.waits import AT_MOST_S

Asked = Callable[[], list[tuple[str, str | None, int, str]]]


@pytest.fixture
def notes(monkeypatch: pytest.MonkeyPatch) -> Notes:
    """What this process notes; the test says when it is written."""
    notes = Notes()
    monkeypatch.setattr(last_requests, "_notes", notes)
    return notes


@pytest.fixture
def issued(shop: Widget, token: str) -> ApiToken:
    """The row of `api`'s token, of which Redis knows nothing yet."""
    issued = ApiToken.objects.get(widget=shop)
    forget(issued)
    return issued


@pytest.fixture
def asked(notes: Notes, issued: ApiToken) -> Asked:
    """What the token's page would show: method, route, status and id, the oldest first."""

    def read() -> list[tuple[str, str | None, int, str]]:
        notes.write()
        return [tuple(each[1:]) for each in reversed(last_requests.of(issued.pk))]  # type: ignore[misc]

    return read


def forget(token: ApiToken) -> None:
    redis.ask(lambda client: client.delete(f"requests:{token.pk}"))


def page_of(token: ApiToken) -> str:
    return f"/admin/accounts/apitoken/{token.pk}/requests/"


def text_of(answer: Any) -> str:
    """The page's words, without its tags."""
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


def test_a_request_is_shown_by_method_route_status_and_id(api: ApiClient, chat: Chat, asked: Asked) -> None:
    before = time.time()
    answers = [
        api.get(f"/chats/{chat.pk}", headers={"X-Request-Id": "order-4711"}),
        api.post(f"/chats/{chat.pk}/messages", json={"type": "text", "body": ""}),
        api.get("/chats/99999999"),
        api.get("/nowhere"),
        api.delete("/chats"),
    ]
    ids = [answer.headers["X-Request-Id"] for answer in answers]
    assert ids[0] == "order-4711"
    assert asked() == [
        ("GET", "/api/v1/chats/{chat_id}", 200, ids[0]),
        ("POST", "/api/v1/chats/{chat_id}/messages", 422, ids[1]),
        ("GET", "/api/v1/chats/{chat_id}", 404, ids[2]),
        ("GET", None, 404, ids[3]),
        ("DELETE", "/api/v1/chats", 405, ids[4]),
    ]
    at = [each.at for each in last_requests.of(ApiToken.objects.get().pk)]
    assert before <= at[-1] <= at[0] <= time.time()


def test_what_the_token_may_not_do_and_what_is_too_much_is_shown(
    shop: Widget, notes: Notes, settings: Settings
) -> None:
    token = ApiTokenFactory.create(widget=shop, scopes=["chats:read"])
    forget(token)
    api = ApiClient(plain_text(token))
    settings.API_RATE_LIMIT = 1
    statuses = [api.get(path).status_code for path in ("/agents", "/chats")]
    notes.write()
    assert statuses == [403, 429]
    assert [each.status for each in last_requests.of(token.pk)] == statuses[::-1]


def test_of_a_switched_off_api_the_refusals_are_shown(api: ApiClient, shop: Widget, asked: Asked) -> None:
    Widget.objects.filter(pk=shop.pk).update(api_enabled=False)
    assert api.get("/chats").status_code == 403
    assert [status for _, _, status, _ in asked()] == [403]


def test_a_bots_token_in_the_path_is_not_shown(api: ApiClient, token: str, asked: Asked) -> None:
    answer = api.post(f"/compat/legacy/bot/{token}", json={})
    assert asked() == [("POST", "/compat/legacy/bot/{token}", answer.status_code, answer.headers["X-Request-Id"])]


def test_a_secret_that_is_sent_as_an_id_is_not_kept(api: ApiClient, token: str, asked: Asked) -> None:
    api.get("/chats", headers={"X-Request-Id": token})
    assert [id_ for _, _, _, id_ in asked()] == ["[redacted]"]


def test_who_has_no_good_token_leaves_nothing(shop: Widget, notes: Notes) -> None:
    revoked = ApiTokenFactory.create(widget=shop, revoked_at=timezone.now())
    assert ApiClient(plain_text(revoked)).get("/chats").status_code == 401
    assert ApiClient().get("/chats").status_code == 401
    assert notes._noted == {}


def test_no_request_asks_redis_once_more(
    api: ApiClient, issued: ApiToken, notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its one round trip is that of its rate limit; what is noted goes out later, of all tokens at once."""
    assert api.get("/chats").status_code == 200  # notes the token's use, which is once a minute
    questions: list[Any] = []
    ask, here = redis.ask, threading.get_ident()

    def counted(question: Callable[[Any], Any]) -> Any:
        if threading.get_ident() == here:
            questions.append(question)
        return ask(question)

    monkeypatch.setattr(redis, "ask", counted)
    for _ in range(3):
        assert api.get("/chats").status_code == 200
    assert len(questions) == 3
    notes.write()
    assert len(questions) == 4
    assert len(last_requests.of(issued.pk)) == 4


def test_the_page_shows_them(cabinet: Client, api: ApiClient, issued: ApiToken, asked: Asked) -> None:
    assert page_of(issued) in cabinet.get(f"/admin/accounts/apitoken/{issued.pk}/change/").content.decode()
    assert "There are none." in text_of(cabinet.get(page_of(issued)))
    api.get("/nowhere")
    api.get("/chats", headers={"X-Request-Id": "order-4711"})
    asked()
    answer = cabinet.get(page_of(issued))
    assert (answer.status_code, "no-store" in answer.headers["Cache-Control"]) == (200, True)
    shown = text_of(answer)
    assert "GET /api/v1/chats 200 order-4711" in shown
    assert "GET – 404" in shown
    assert shown.index("order-4711") < shown.index("GET –"), "the newest first"
    assert "Redis is away" not in shown


def test_the_page_is_in_russian_too(cabinet: Client, issued: ApiToken) -> None:
    shown = text_of(cabinet.get(page_of(issued), headers={"Accept-Language": "ru"}))
    assert "Последние запросы" in shown
    assert "Таких нет." in shown


def test_without_redis_the_page_is_empty_and_says_so(
    cabinet: Client, api: ApiClient, issued: ApiToken, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.get("/chats", headers={"X-Request-Id": "order-4711"})
    asked()
    with monkeypatch.context() as away:
        away.setattr(redis, "_away_until", time.monotonic() + 3600)
        answer = cabinet.get(page_of(issued))
    assert answer.status_code == 200
    assert "Redis is away: there is nothing to show now." in text_of(answer)
    assert "order-4711" not in text_of(answer)
    assert "order-4711" in text_of(cabinet.get(page_of(issued)))


def test_of_a_revoked_token_they_are_still_shown(cabinet: Client, shop: Widget) -> None:
    revoked = ApiTokenFactory.create(widget=shop, revoked_at=timezone.now())
    forget(revoked)
    assert page_of(revoked) in cabinet.get(f"/admin/accounts/apitoken/{revoked.pk}/change/").content.decode()
    assert cabinet.get(page_of(revoked)).status_code == 200


def test_who_may_see_them(shop: Widget, issued: ApiToken, rival: Rival) -> None:
    """Those who may issue and revoke the token: managers and owners of its account, and the installation's staff."""
    staff = {role: signed_in(StaffFactory.create(account=shop.account, role=role)) for role in ("owner", "manager")}
    viewer = signed_in(StaffFactory.create(account=shop.account, role="viewer"))
    stranger = signed_in(StaffFactory.create(account=rival.account))
    everybody = [*staff.values(), signed_in(SuperuserFactory.create()), viewer, stranger]
    assert [browser.get(page_of(issued)).status_code for browser in everybody] == [200, 200, 200, 403, 404]
    assert page_of(issued) not in viewer.get(f"/admin/accounts/apitoken/{issued.pk}/change/").content.decode()
    assert Client().get(page_of(issued)).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_a_web_process_writes_them_by_itself(token: str, issued: ApiToken) -> None:
    with WebProcess(DATABASE_URL=database_url(), REDIS_URL=settings.REDIS_URL) as process:
        headers = {"Authorization": f"Bearer {token}", "X-Request-Id": "order-4711"}
        connection = http.client.HTTPConnection("127.0.0.1", process.port, timeout=AT_MOST_S)
        connection.request("GET", "/api/v1/chats", headers=headers)
        assert connection.getresponse().status == 200
        connection.close()
        assert wait_until(lambda: last_requests.of(issued.pk) != [], seconds=AT_MOST_S), process.output
    (written,) = last_requests.of(issued.pk)
    assert written[1:] == ("GET", "/api/v1/chats", 200, "order-4711")
