"""Credentials over the API: what is shown, what is refused, and that no key ever leaves (specification, "AI
configuration")."""

import json
from typing import Any

import pytest
from django.db import connection

from apps.accounts.models import Widget
from apps.ai.models import Credential, Usage
from apps.ai.rules.configuration import CredentialCandidate, first_credential, model_of
from apps.demo.servers.language_models import Vendor, only_model
from apps.demo.servers.played import Says
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import AiAgentFactory
from tests.factories.ai import AssistantFactory, CredentialFactory
from tests.rows import snapshot

KEY = "sk-secret-0123456789"


def stored(api: ApiClient, **fields: Any) -> Any:
    response = api.post("/ai/credentials", json={"provider": "openai", "api_key": KEY, **fields})
    assert response.status_code == 201, response.content
    return response.json()["data"]


def test_a_credential_shows_all_but_its_secrets(api: ApiClient) -> None:
    signing_secret = "signing-0123456789"
    made = stored(api, model="gpt-5.4-mini", signing_secret=signing_secret)
    assert {name: made[name] for name in made.keys() - {"id", "created_at", "updated_at"}} == {
        "provider": "openai",
        "scope": "widget",
        "assistant_id": None,
        "operator_id": None,
        "endpoint": "https://api.openai.com/v1",
        "base_url": None,
        "model": "gpt-5.4-mini",
        "uses": ["answers", "knowledge"],
        "embedding_model": None,
        "timeout_s": 20,
        "context_tokens": None,
        "is_active": True,
        "has_api_key": True,
        "has_signing_secret": True,
        "backup_credential_id": None,
        "backup_chain": [],
    }
    listed = api.get("/ai/credentials")
    assert listed.json()["data"] == [made]
    assert KEY not in listed.content.decode()
    assert signing_secret not in listed.content.decode()
    with connection.cursor() as cursor:
        cursor.execute("SELECT api_key, signing_secret FROM ai_credential")
        kept = cursor.fetchone()
    assert not {KEY, signing_secret}.intersection(kept), "encrypted at rest"
    assert Credential.objects.get().api_key == KEY


def test_the_generic_driver_needs_a_public_address_of_its_own(api: ApiClient, vendor: Vendor) -> None:
    refused = api.post("/ai/credentials", json={"provider": "openai_compatible", "api_key": KEY})
    assert_problem(refused, 422, "invalid_input", errors=["base_url"])
    for url in (
        "http://models.example",
        "https://user:pass@models.example",
        "https://10.0.0.1/v1",
        "https://[::1]/",
        "x",
    ):
        refused = api.post("/ai/credentials", json={"provider": "openai_compatible", "api_key": KEY, "base_url": url})
        assert_problem(refused, 422, "invalid_input", errors=["base_url"])
    assert not Credential.objects.exists()
    made = stored(api, provider="openai_compatible", base_url=f"{vendor.url}/v1")
    assert (made["base_url"], made["endpoint"]) == (f"{vendor.url}/v1", f"{vendor.url}/v1")
    cleared = api.patch(f"/ai/credentials/{made['id']}", json={"base_url": None})
    assert_problem(cleared, 422, "invalid_input", errors=["base_url"])


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("api_key", ""),
        ("api_key", "x" * 513),
        ("api_key", "with space"),
        ("api_key", "ключ"),
        ("api_key", None),
        ("signing_secret", "short"),
        ("signing_secret", "x" * 256),
        ("model", ""),
        ("model", "x" * 201),
        ("is_active", None),
        ("is_active", "true"),
        ("assistant_id", 0),
        ("assistant_id", 10**12),
        ("operator_id", 10**12),
        ("backup_credential_id", 10**12),
        ("scope", "widget"),
        ("backup_chain", []),
    ],
)
def test_what_is_wrong_is_422_by_name(api: ApiClient, member: str, value: Any) -> None:
    credential = stored(api)
    before = snapshot()
    for response in (
        api.post("/ai/credentials", json={"provider": "openai", "api_key": KEY, member: value}),
        api.patch(f"/ai/credentials/{credential['id']}", json={member: value}),
    ):
        assert_problem(response, 422, "invalid_input", errors=[member])
    assert snapshot() == before


def test_the_provider_never_changes(api: ApiClient) -> None:
    credential = stored(api)
    refused = api.patch(f"/ai/credentials/{credential['id']}", json={"provider": "openai"})
    assert_problem(refused, 422, "invalid_input", errors=["provider"])
    unknown = api.post("/ai/credentials", json={"provider": "nobody", "api_key": KEY})
    assert_problem(unknown, 422, "invalid_input", errors=["provider"])


def test_it_is_of_the_widget_an_assistant_or_an_operator(api: ApiClient, shop: Widget, rival: Rival) -> None:
    assistant, operator = AssistantFactory.create(widget=shop), AiAgentFactory.create(widget=shop)
    of_assistant, of_operator = stored(api, assistant_id=assistant.pk), stored(api, operator_id=operator.pk)
    assert (of_assistant["scope"], of_operator["scope"]) == ("assistant", "operator")
    both = {"provider": "openai", "api_key": KEY, "assistant_id": assistant.pk, "operator_id": operator.pk}
    assert_problem(api.post("/ai/credentials", json=both), 422, "invalid_input", errors=["assistant_id"])
    moved = api.patch(f"/ai/credentials/{of_assistant['id']}", json={"assistant_id": None}).json()["data"]
    assert moved["scope"] == "widget"
    foreign = {
        "assistant_id": AssistantFactory.create(widget=rival.widget).pk,
        "operator_id": AiAgentFactory.create(widget=rival.widget).pk,
        "backup_credential_id": CredentialFactory.create(widget=rival.widget).pk,
    }
    for name, pk in foreign.items():
        refused = api.patch(f"/ai/credentials/{of_assistant['id']}", json={name: pk})
        assert_problem(refused, 422, "invalid_input", errors=[name])


def test_an_address_elsewhere_needs_the_key_with_it(api: ApiClient, vendor: Vendor, settings: Any) -> None:
    """Else whoever may write an address would have the key sent there."""
    settings.EGRESS_ALLOW = [vendor.host, "127.0.0.1:9"]
    credential = stored(api, provider="openai_compatible", base_url=f"{vendor.url}/v1")
    path = f"/ai/credentials/{credential['id']}"
    before = snapshot()
    refused = api.patch(path, json={"base_url": "http://127.0.0.1:9/v1"})
    assert_problem(refused, 422, "invalid_input", errors=["api_key"])
    assert snapshot() == before
    assert api.patch(path, json={"base_url": f"{vendor.url}/v2"}).json()["data"]["endpoint"] == f"{vendor.url}/v2"
    moved = api.patch(path, json={"base_url": "http://127.0.0.1:9/v1", "api_key": "sk-another"})
    assert moved.json()["data"]["endpoint"] == "http://127.0.0.1:9/v1"
    assert Credential.objects.get().api_key == "sk-another"


def test_a_key_is_rotated_and_a_credential_retired(api: ApiClient) -> None:
    credential = stored(api, signing_secret="signing-0123456789")
    path = f"/ai/credentials/{credential['id']}"
    changed = api.patch(path, json={"api_key": "sk-new", "is_active": False, "signing_secret": None}).json()["data"]
    assert (changed["is_active"], changed["has_signing_secret"]) == (False, False)
    assert Credential.objects.get().api_key == "sk-new"


class TestBackups:
    def test_the_chain_names_active_ones_in_order(self, api: ApiClient) -> None:
        last = stored(api, model="c")
        middle = stored(api, model="b", backup_credential_id=last["id"], is_active=False)
        first = stored(api, model="a", backup_credential_id=middle["id"])
        assert first["backup_chain"] == [{"id": last["id"], "provider": "openai", "model": "c"}]
        chains = {one["id"]: one["backup_chain"] for one in api.get("/ai/credentials").json()["data"]}
        assert chains[middle["id"]] == first["backup_chain"]
        assert chains[last["id"]] == []

    def test_no_circle_and_no_fourth_link(self, api: ApiClient) -> None:
        chain = [stored(api)]
        for _ in range(3):
            chain.append(stored(api, backup_credential_id=chain[-1]["id"]))
        before = snapshot()
        too_long = {"provider": "openai", "api_key": KEY, "backup_credential_id": chain[-1]["id"]}
        assert_problem(
            api.post("/ai/credentials", json=too_long), 422, "invalid_input", errors=["backup_credential_id"]
        )
        for end in (chain[0], chain[3]):
            circle = api.patch(f"/ai/credentials/{chain[0]['id']}", json={"backup_credential_id": end["id"]})
            assert_problem(circle, 422, "invalid_input", errors=["backup_credential_id"])
        assert snapshot() == before
        assert len(api.get("/ai/credentials").json()["data"][0]["backup_chain"]) == 3


class TestModels:
    @pytest.fixture
    def credential(self, shop: Widget, vendor: Vendor) -> Credential:
        vendor.will_say(only_model())
        url = f"{vendor.url}/v1"
        return CredentialFactory.create(widget=shop, provider="openai_compatible", base_url=url, target=url)

    def test_the_vendor_is_asked_now(self, api: ApiClient, credential: Credential, vendor: Vendor) -> None:
        listed = api.get(f"/ai/credentials/{credential.pk}/models")
        assert listed.json() == {
            "data": [{"id": "m-1", "label": "m-1", "is_recommended": False}],
            "next_cursor": None,
        }
        (asked,) = vendor.asked
        assert asked.headers["authorization"] == f"Bearer {credential.api_key}"
        assert [(use.purpose, use.outcome) for use in Usage.objects.all()] == [("models", "ok")]

    def test_an_inactive_credential_asks_nobody(self, api: ApiClient, credential: Credential, vendor: Vendor) -> None:
        Credential.objects.update(is_active=False)
        assert_problem(api.get(f"/ai/credentials/{credential.pk}/models"), 422, "credential_inactive")
        assert vendor.asked == []

    def test_a_query_or_a_body_is_422(self, api: ApiClient, credential: Credential, vendor: Vendor) -> None:
        assert_problem(api.get(f"/ai/credentials/{credential.pk}/models?limit=1"), 422, "invalid_input")
        assert vendor.asked == []

    @pytest.mark.parametrize(
        ("status", "reason"), [(401, "rejected_key"), (429, "rate_limited"), (500, "server_error")]
    )
    def test_a_vendors_trouble_is_502_in_our_words(
        self, api: ApiClient, credential: Credential, vendor: Vendor, status: int, reason: str
    ) -> None:
        vendor.will_say(Says({"error": {"message": "the vendor's own words"}}, status=status))
        response = api.get(f"/ai/credentials/{credential.pk}/models")
        assert assert_problem(response, 502, "provider_failure")["provider_reason"] == reason
        assert "words" not in json.dumps(response.json())

    def test_twenty_in_an_hour_and_no_more(self, api: ApiClient, credential: Credential, vendor: Vendor) -> None:
        for _ in range(20):
            assert api.get(f"/ai/credentials/{credential.pk}/models").status_code == 200
        refused = api.get(f"/ai/credentials/{credential.pk}/models")
        assert_problem(refused, 429, "too_many_model_lists")
        assert 3500 < int(refused.headers["Retry-After"]) <= 3600
        assert len(vendor.asked) == 20

    def test_another_tenants_credential_is_none(self, api: ApiClient, rival: Rival) -> None:
        foreign = CredentialFactory.create(widget=rival.widget)
        assert_problem(api.get(f"/ai/credentials/{foreign.pk}/models"), 404, "not_found")


@pytest.mark.parametrize(
    ("candidates", "expected"),
    [
        ([CredentialCandidate(1, "openai", None, None), CredentialCandidate(2, "gemini", None, None)], 1),
        ([CredentialCandidate(1, "gemini", None, None), CredentialCandidate(2, "openai", None, None)], 2),
        ([CredentialCandidate(1, "openai", None, None), CredentialCandidate(2, "gemini", 5, None)], 2),
        ([CredentialCandidate(1, "openai", 5, None), CredentialCandidate(2, "gemini", None, 9)], 2),
        ([CredentialCandidate(1, "openai", 6, None), CredentialCandidate(2, "gemini", None, 8)], None),
        ([], None),
    ],
)
def test_the_nearest_credential_comes_first(candidates: list[CredentialCandidate], expected: int | None) -> None:
    assert first_credential(candidates, assistant_id=5, operator_id=9, provider="openai") == expected


@pytest.mark.parametrize(
    ("case", "model"),
    [
        (("", "a", "openai", "own", "best"), "a"),
        (("openai", "a", "openai", "own", "best"), "a"),
        (("gemini", "a", "openai", "own", "best"), "own"),
        (("", "", "openai", "own", "best"), "own"),
        (("", "", "openai", "", "best"), "best"),
        (("", "", "openai_compatible", "", None), ""),
    ],
)
def test_the_model_is_the_assistants_the_credentials_or_the_drivers(case: tuple[Any, ...], model: str) -> None:
    assistant_provider, assistant_model, driver, own, recommended = case
    found = model_of(
        assistant_provider=assistant_provider,
        assistant_model=assistant_model,
        driver=driver,
        own=own,
        recommended=recommended,
    )
    assert found == model
