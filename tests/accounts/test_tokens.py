"""What a token lets through, and that a changed permission counts at the very next request.

Every test speaks to the API over and over from one process, whose memory of tokens must never outlive a change: with
Valkey, after it has forgotten everything, while it is down, and when it returns with what it knew before.
"""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from apps.accounts import actions, rules
from apps.accounts.models import ApiToken, Widget
from apps.core.redis import connection as redis
from launcher.servers import EmbeddedServers
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import ApiTokenFactory, plain_text

committed = pytest.mark.django_db(transaction=True)


def token_of(api: ApiClient) -> ApiToken:
    assert api.token is not None
    found = ApiToken.objects.with_digest(rules.digest(api.token))
    assert found is not None
    return found


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer nonsense",
        f"Bearer {'pt_' + 'a' * 46}",
        "Basic {token}",
        "Visitor {token}",
        "{token}",
        "Bearer {token}x",
        "Bearer {token} {token}",
    ],
)
def test_what_is_no_bearer_token_is_401(db: None, token: str, header: str | None) -> None:
    headers = {} if header is None else {"Authorization": header.format(token=token)}
    answer = ApiClient().get("/chats", headers=headers)
    assert_problem(answer, 401, "not_authenticated")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("header", ["Bearer {token}", "bearer {token}", "BEARER  {token} "])
def test_the_scheme_is_case_insensitive(token: str, header: str) -> None:
    assert ApiClient().get("/chats", headers={"Authorization": header.format(token=token)}).status_code == 200


def test_a_well_formed_token_that_nobody_issued_is_401(db: None) -> None:
    assert_problem(ApiClient(rules.new_token()).get("/chats"), 401, "not_authenticated")


def test_a_token_in_the_query_counts_for_nothing(db: None, token: str) -> None:
    assert_problem(ApiClient().get("/chats", query={"token": token}), 401, "not_authenticated")


def test_only_a_hash_is_stored(shop: Widget) -> None:
    issued = actions.issue_token(widget=shop, scopes=[])
    row = ApiToken.objects.values().get()
    assert issued.plain_text not in str(row)
    assert bytes(row["digest"]) == rules.digest(issued.plain_text)
    assert row["hint"] == issued.plain_text[:8]
    assert issued.plain_text not in repr(issued)


def test_deny_by_default(shop: Widget) -> None:
    no_scopes = ApiClient(plain_text(ApiTokenFactory.create(widget=shop, scopes=[])))
    others = ApiClient(plain_text(ApiTokenFactory.create(widget=shop, scopes=["chats:write", "messages:read"])))
    enough = ApiClient(plain_text(ApiTokenFactory.create(widget=shop, scopes=["chats:read"])))
    assert_problem(no_scopes.get("/chats"), 403, "missing_scope")
    assert_problem(others.get("/chats"), 403, "missing_scope")
    assert enough.get("/chats").status_code == 200


def test_a_token_is_of_one_widget(shop: Widget, rival: Rival, api: ApiClient, rival_api: ApiClient) -> None:
    assert api.get("/chats").json()["data"] == []
    assert [chat["id"] for chat in rival_api.get("/chats").json()["data"]] == [rival.chat.pk]


def test_issuing_a_token_does_not_switch_the_api_on(shop: Widget) -> None:
    Widget.objects.filter(pk=shop.pk).update(api_enabled=False)
    api = ApiClient(plain_text(ApiTokenFactory.create(widget=shop)))
    assert_problem(api.get("/chats"), 403, "api_disabled")


def test_a_switched_off_api_goes_before_a_missing_scope(shop: Widget) -> None:
    Widget.objects.filter(pk=shop.pk).update(api_enabled=False)
    api = ApiClient(plain_text(ApiTokenFactory.create(widget=shop, scopes=[])))
    assert_problem(api.get("/chats"), 403, "api_disabled")


def test_an_expiry_in_the_past_is_refused_from_the_start(shop: Widget) -> None:
    past = timezone.now() - timedelta(seconds=1)
    api = ApiClient(plain_text(ApiTokenFactory.create(widget=shop, expires_at=past)))
    assert_problem(api.get("/chats"), 401, "not_authenticated")


def test_a_cached_token_stops_at_its_expiry(shop: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
    expires_at = timezone.now() + timedelta(hours=1)
    api = ApiClient(plain_text(ApiTokenFactory.create(widget=shop, expires_at=expires_at)))
    assert api.get("/chats").status_code == 200
    monkeypatch.setattr("django.utils.timezone.now", lambda: expires_at)
    assert_problem(api.get("/chats"), 401, "not_authenticated")


def test_a_second_request_asks_the_database_nothing_about_its_token(
    api: ApiClient, django_assert_num_queries: Callable[[int], Any]
) -> None:
    api.get("/chats")
    with django_assert_num_queries(1):
        api.get("/chats")


@committed
def test_a_revoked_token_stops_at_the_next_request(api: ApiClient) -> None:
    for _ in range(2):
        assert api.get("/chats").status_code == 200
    actions.revoke_token(token=token_of(api))
    for _ in range(2):
        assert_problem(api.get("/chats"), 401, "not_authenticated")


@committed
def test_revoking_again_keeps_the_time_of_the_first(api: ApiClient) -> None:
    token = token_of(api)
    actions.revoke_token(token=token)
    first = token.revoked_at
    actions.revoke_token(token=token)
    assert token.revoked_at == first


@committed
def test_revoking_one_leaves_the_others(shop: Widget, api: ApiClient) -> None:
    other = ApiTokenFactory.create(widget=shop)
    actions.revoke_token(token=other)
    assert api.get("/chats").status_code == 200


@committed
def test_the_api_switch_counts_at_the_next_request(shop: Widget, api: ApiClient) -> None:
    assert api.get("/chats").status_code == 200
    actions.set_api_enabled(widget=shop, enabled=False)
    assert_problem(api.get("/chats"), 403, "api_disabled")
    actions.set_api_enabled(widget=shop, enabled=True)
    assert api.get("/chats").status_code == 200


@committed
def test_a_revocation_survives_a_valkey_that_forgot_everything(api: ApiClient) -> None:
    assert api.get("/chats").status_code == 200
    actions.revoke_token(token=token_of(api))
    redis.client().flushall()
    assert_problem(api.get("/chats"), 401, "not_authenticated")


@committed
def test_a_valkey_that_forgot_everything_makes_nothing_cached_count(api: ApiClient) -> None:
    """A row changed by hand, without the action, shows what the process reads anew."""
    assert api.get("/chats").status_code == 200
    ApiToken.objects.update(revoked_at=timezone.now())
    assert api.get("/chats").status_code == 200
    redis.client().flushall()
    assert_problem(api.get("/chats"), 401, "not_authenticated")


@pytest.fixture
def valkey(home: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A Valkey of this test alone, which keeps what it is told, as the process's own."""
    with EmbeddedServers(home, durable=True, postgres=False) as servers:
        monkeypatch.setattr(settings, "REDIS_URL", servers.redis_url)
        redis.forget_clients()
        monkeypatch.setattr(redis, "_away_until", 0.0)
        yield servers.valkey
        redis.forget_clients()
        monkeypatch.undo()
        redis._away_until = 0.0


@committed
@pytest.mark.usefixtures("valkey")
def test_the_api_answers_without_valkey(valkey: Any, api: ApiClient) -> None:
    valkey.kill()
    assert api.get("/chats").status_code == 200
    assert_problem(ApiClient(rules.new_token()).get("/chats"), 401, "not_authenticated")


@committed
def test_a_revocation_counts_while_valkey_is_down_and_after_it_came_back(valkey: Any, api: ApiClient) -> None:
    """Back with the epoch it knew, Valkey would let the process use what it had cached before."""
    assert api.get("/chats").status_code == 200
    valkey.kill()
    actions.revoke_token(token=token_of(api))
    assert_problem(api.get("/chats"), 401, "not_authenticated")
    valkey.start()
    redis._away_until = 0.0
    assert_problem(api.get("/chats"), 401, "not_authenticated")


@committed
def test_a_revocation_tells_a_valkey_that_comes_back_meanwhile(
    valkey: Any, api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert api.get("/chats").status_code == 200
    valkey.kill()

    def come_back(_seconds: float) -> None:
        valkey.start()
        redis._away_until = 0.0

    monkeypatch.setattr("apps.accounts.actions.permissions.time.sleep", come_back)
    actions.revoke_token(token=token_of(api))
    assert_problem(api.get("/chats"), 401, "not_authenticated")
