"""Assistants over the API (specification, "AI configuration")."""

from typing import Any

import pytest
from django.db import IntegrityError, InternalError, connection, transaction

from apps.accounts.models import Widget
from apps.ai.models import Assistant, Credential, PersonaHistory, PersonaVersion, Usage
from apps.ai.rules.configuration import PLATFORM_TRIGGERS
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import AiAgentFactory
from tests.factories.ai import AssistantFactory, CredentialFactory
from tests.rows import snapshot

FIELDS = {
    "name": "Flora",
    "enabled": False,
    "persona": "You sell flowers.",
    "system_prompt": "Promise no discounts.",
    "temperature": 0.4,
    "rag_enabled": False,
    "escalation_triggers": ["refund*", "lawyer"],
    "greeting": "Hello!",
    "greeting_i18n": {"de": "Guten Tag!"},
    "quick_phrases": ["Prices?"],
    "quick_phrases_i18n": {"de": ["Preise?"]},
    "provider": "openai",
    "model": "gpt-5.4-mini",
}


def made(api: ApiClient, **fields: Any) -> Any:
    response = api.post("/ai/assistants", json={"name": "Flora", **fields})
    assert response.status_code == 201, response.content
    return response.json()["data"]


def test_a_new_assistant_is_as_it_was_sent(api: ApiClient) -> None:
    assistant = made(api, **FIELDS)
    assert {name: assistant[name] for name in FIELDS} == FIELDS
    assert assistant["is_default"], "the first one is"
    assert assistant["effective_escalation_triggers"] == [*PLATFORM_TRIGGERS, "refund*", "lawyer"]
    assert assistant["operator_ids"] == []
    assert {name: assistant["usage"][name] for name in ("prompt_tokens", "completion_tokens", "operations")} == {
        "prompt_tokens": 0,
        "completion_tokens": 0,
        "operations": 0,
    }
    assert api.get(f"/ai/assistants/{assistant['id']}").json()["data"] == assistant
    assert api.get("/ai/assistants").json()["data"] == [assistant]


def test_without_more_than_a_name_it_has_the_defaults(api: ApiClient) -> None:
    assistant = made(api)
    expected = {
        "enabled": True,
        "persona": "",
        "system_prompt": "",
        "temperature": None,
        "rag_enabled": True,
        "escalation_triggers": [],
        "greeting": "",
        "greeting_i18n": {},
        "quick_phrases": [],
        "quick_phrases_i18n": {},
        "provider": None,
        "model": None,
    }
    assert {name: assistant[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("name", ""),
        ("name", " \t"),
        ("name", "x" * 121),
        ("name", None),
        ("name", "a\nb"),
        ("enabled", None),
        ("enabled", "yes"),
        ("is_default", None),
        ("persona", "x" * 8_001),
        ("system_prompt", "x" * 20_001),
        ("greeting", "x" * 1_001),
        ("temperature", 2.1),
        ("temperature", -0.1),
        ("temperature", "0.5"),
        ("rag_enabled", None),
        ("escalation_triggers", ["a", "a"]),
        ("escalation_triggers", [""]),
        ("escalation_triggers", ["x" * 201]),
        ("escalation_triggers", [str(n) for n in range(101)]),
        ("quick_phrases", ["x" * 121]),
        ("quick_phrases", [str(n) for n in range(11)]),
        ("greeting_i18n", {"fr": "Bonjour"}),
        ("greeting_i18n", {"de": 1}),
        ("quick_phrases_i18n", {"de": "Preise?"}),
        ("provider", "nobody"),
        ("model", "x" * 201),
    ],
)
def test_what_is_wrong_is_422_by_name_and_nothing_changes(api: ApiClient, member: str, value: Any) -> None:
    assistant = made(api)
    before = snapshot()
    for response in (
        api.post("/ai/assistants", json={"name": "Rosa", member: value}),
        api.patch(f"/ai/assistants/{assistant['id']}", json={member: value}),
    ):
        errors = assert_problem(response, 422, "invalid_input")["errors"]
        assert {path.partition(".")[0] for path in errors} == {member}
    assert snapshot() == before


def test_null_clears_what_may_be_cleared(api: ApiClient) -> None:
    assistant = made(api, **FIELDS)
    cleared = {
        "persona": "",
        "system_prompt": "",
        "greeting": "",
        "escalation_triggers": [],
        "quick_phrases": [],
        "greeting_i18n": {},
        "quick_phrases_i18n": {},
        "temperature": None,
        "provider": None,
        "model": None,
    }
    changed = api.patch(f"/ai/assistants/{assistant['id']}", json=dict.fromkeys(cleared)).json()["data"]
    assert {name: changed[name] for name in cleared} == cleared
    assert changed["name"] == "Flora"


def test_translations_are_merged_by_language(api: ApiClient) -> None:
    assistant = made(api, greeting_i18n={"de": "Guten Tag!", "es": "¡Hola!"})
    path = f"/ai/assistants/{assistant['id']}"
    changed = api.patch(path, json={"greeting_i18n": {"de": None, "el": "Γεια!"}}).json()["data"]
    assert changed["greeting_i18n"] == {"es": "¡Hola!", "el": "Γεια!"}


def test_one_assistant_is_the_default(api: ApiClient) -> None:
    first, second = made(api), made(api, is_default=True)
    assert second["is_default"]
    assert not api.get(f"/ai/assistants/{first['id']}").json()["data"]["is_default"]
    moved = api.patch(f"/ai/assistants/{first['id']}", json={"is_default": True}).json()["data"]
    assert moved["is_default"]
    assert Assistant.objects.filter(is_default=True).count() == 1
    refused = api.patch(f"/ai/assistants/{first['id']}", json={"is_default": False})
    assert_problem(refused, 422, "invalid_input", errors=["is_default"])
    unchanged = api.patch(f"/ai/assistants/{second['id']}", json={"is_default": False})
    assert unchanged.status_code == 200


def test_a_first_assistant_can_be_no_other_than_the_default(api: ApiClient) -> None:
    before = snapshot()
    refused = api.post("/ai/assistants", json={"name": "Flora", "is_default": False})
    assert_problem(refused, 422, "invalid_input", errors=["is_default"])
    assert snapshot() == before


def test_without_the_default_the_oldest_left_is(api: ApiClient, shop: Widget) -> None:
    default, older, newer = made(api), made(api), made(api)
    own = CredentialFactory.create(widget=shop, assistant_id=default["id"])
    assert api.delete(f"/ai/assistants/{default['id']}").status_code == 204
    assert api.get(f"/ai/assistants/{older['id']}").json()["data"]["is_default"]
    assert not api.get(f"/ai/assistants/{newer['id']}").json()["data"]["is_default"]
    assert not Credential.objects.filter(pk=own.pk).exists(), "its own credentials go with it"
    assert_problem(api.delete(f"/ai/assistants/{default['id']}"), 404, "not_found")


def test_an_assistant_that_is_run_is_not_deleted(api: ApiClient, shop: Widget) -> None:
    assistant = AssistantFactory.create(widget=shop)
    runs = AiAgentFactory.create(widget=shop, ai_assistant_id=assistant.pk, name="Ada")
    retired = AiAgentFactory.create(widget=shop, ai_assistant_id=assistant.pk, status="banned")
    refused = assert_problem(api.delete(f"/ai/assistants/{assistant.pk}"), 409, "assistant_in_use")
    assert refused["operators"] == [{"id": runs.pk, "name": "Ada"}]
    assert api.get(f"/ai/assistants/{assistant.pk}").json()["data"]["operator_ids"] == [runs.pk]
    runs.status = "banned"
    runs.save()
    assert api.delete(f"/ai/assistants/{assistant.pk}").status_code == 204
    retired.refresh_from_db()
    assert retired.ai_assistant_id is None


def test_usage_is_this_months(api: ApiClient, shop: Widget) -> None:
    from datetime import timedelta

    from django.utils import timezone

    assistant = AssistantFactory.create(widget=shop)
    month = timezone.now().replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    for at, tokens in ((month, 100), (month - timedelta(seconds=1), 7)):
        Usage.objects.create(
            widget=shop,
            assistant=assistant,
            purpose="reply",
            model="m",
            prompt_tokens=tokens,
            completion_tokens=tokens // 10,
            latency_ms=5,
            outcome="ok",
            at=at,
        )
    usage = api.get(f"/ai/assistants/{assistant.pk}").json()["data"]["usage"]
    assert (usage["prompt_tokens"], usage["completion_tokens"], usage["operations"]) == (100, 10, 1)
    assert usage["since"] == month.strftime("%Y-%m-%dT%H:%M:%SZ")


def test_each_change_of_the_text_is_a_version_and_a_line_of_history(api: ApiClient) -> None:
    assistant = made(api, persona="One")
    path = f"/ai/assistants/{assistant['id']}"
    api.patch(path, json={"persona": "Two"})
    api.patch(path, json={"persona": "Two", "name": "Rosa"})
    api.patch(path, json={"system_prompt": "Three"})
    versions = PersonaVersion.objects.filter(assistant_id=assistant["id"]).order_by("version")
    assert [(one.version, one.cause, one.persona, one.system_prompt) for one in versions] == [
        (1, "created", "One", ""),
        (2, "edited", "Two", ""),
        (3, "edited", "Two", "Three"),
    ]
    assert {one.actor["kind"] for one in versions} == {"token"}
    lines = PersonaHistory.objects.filter(assistant_id=assistant["id"]).order_by("id")
    assert [(one.action, one.from_version, one.to_version) for one in lines] == [
        ("created", None, 1),
        ("edited", 1, 2),
        ("edited", 2, 3),
    ]
    api.delete(path)
    assert PersonaHistory.objects.filter(assistant_id=assistant["id"]).count() == 3, "it outlives the assistant"


def test_the_history_is_append_only_and_goes_with_its_widget(shop: Widget) -> None:
    AssistantFactory.create(widget=shop)
    for statement in ("UPDATE ai_personahistory SET reason = 'x'", "DELETE FROM ai_personahistory"):
        with pytest.raises((InternalError, IntegrityError)), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    assert PersonaHistory.objects.count() == 1
    shop.delete()
    assert PersonaHistory.objects.count() == 0


def test_another_tenants_assistant_is_none(api: ApiClient, rival: Rival) -> None:
    foreign = AssistantFactory.create(widget=rival.widget)
    for response in (
        api.get(f"/ai/assistants/{foreign.pk}"),
        api.patch(f"/ai/assistants/{foreign.pk}", json={"name": "x"}),
        api.delete(f"/ai/assistants/{foreign.pk}"),
    ):
        assert_problem(response, 404, "not_found")
    assert api.get("/ai/assistants").json()["data"] == []


def test_a_page_costs_the_same_whatever_its_size(api: ApiClient, shop: Widget, django_assert_num_queries: Any) -> None:
    for _ in range(5):
        AssistantFactory.create(widget=shop)
    api.get("/ai/assistants")
    with django_assert_num_queries(1):
        assert len(api.get("/ai/assistants").json()["data"]) == 5
