"""Binding a company's application (specification, Endpoints, "AI configuration"; core, "Integration binding")."""

import re

import pytest
from django.db import connection

from apps.accounts.models import AuditEntry, Widget
from apps.support.models import Binding
from apps.support.rules.envelope import SECRET_LENGTH
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import AiAgentFactory, ApiTokenFactory, plain_text
from tests.factories.ai import AssistantFactory, CredentialFactory
from tests.support.application import Application

PATH = "/ai/assistant/integration"


class TestMakingOne:
    def test_the_secret_is_shown_once_and_kept_encrypted(self, api: ApiClient, shop: Widget) -> None:
        CredentialFactory.create(widget=shop)
        response = api.post(PATH, json={"provider": "openai"})
        made = response.json()["data"]
        assert response.status_code == 201
        secret = made.pop("signing_secret")
        assert re.fullmatch(f"[0-9A-Za-z]{{{SECRET_LENGTH}}}", secret)
        binding = Binding.objects.get(widget=shop)
        assert made == {
            "provider": "openai",
            "api_token_id": binding.token_id,
            "turn_endpoint": "http://localhost:8000/api/v1/ai/assistant/turn",
            "has_secret": True,
        }
        assert api.get(PATH).json() == {"data": made}
        with connection.cursor() as cursor:
            cursor.execute("SELECT secret FROM support_binding")
            assert secret not in cursor.fetchone()[0]
        assert secret not in str(list(AuditEntry.objects.values()))

    def test_the_token_must_hold_ai_write_as_well(self, shop: Widget) -> None:
        CredentialFactory.create(widget=shop)
        api = ApiClient(plain_text(ApiTokenFactory.create(widget=shop, scopes=["ai:credentials:write"])))
        assert "ai:write" in assert_problem(api.post(PATH, json={"provider": "openai"}), 403, "missing_scope")["detail"]
        assert not Binding.objects.exists()

    @pytest.mark.parametrize("body", [{}, {"provider": "cohere"}, {"provider": None}, {"provider": 1}])
    def test_a_provider_that_is_none_is_422(self, api: ApiClient, body: dict[str, object]) -> None:
        assert_problem(api.post(PATH, json=body), 422, "invalid_input", errors=["provider"])

    def test_an_assistant_of_nobody_and_of_the_rival_are_422_alike(self, api: ApiClient, rival: Rival) -> None:
        for assistant_id in (999_999_999, AssistantFactory.create(widget=rival.widget).pk):
            body = {"provider": "openai", "assistant_id": assistant_id}
            refused = assert_problem(api.post(PATH, json=body), 422, "invalid_input")
            assert refused["errors"] == {"assistant_id": ["There is no such assistant."]}

    def test_without_a_credential_that_may_be_used_it_is_409(self, api: ApiClient, shop: Widget, rival: Rival) -> None:
        assistant = AssistantFactory.create(widget=shop)
        CredentialFactory.create(widget=rival.widget)
        CredentialFactory.create(widget=shop, provider="anthropic")
        CredentialFactory.create(widget=shop, is_active=False)
        CredentialFactory.create(widget=shop, assistant=assistant)
        CredentialFactory.create(widget=shop, operator=AiAgentFactory.create(widget=shop))
        assert_problem(api.post(PATH, json={"provider": "openai"}), 409, "credential_unavailable")
        own = api.post(PATH, json={"provider": "openai", "assistant_id": assistant.pk})
        assert own.status_code == 201

    def test_with_an_assistant_its_own_credential_counts_alone(self, api: ApiClient, shop: Widget) -> None:
        CredentialFactory.create(widget=shop)
        body = {"provider": "openai", "assistant_id": AssistantFactory.create(widget=shop).pk}
        assert_problem(api.post(PATH, json=body), 409, "credential_unavailable")

    def test_a_widget_has_one(self, api: ApiClient, application: Application) -> None:
        CredentialFactory.create(widget=application.widget)
        assert_problem(api.post(PATH, json={"provider": "openai"}), 409, "integration_exists")


class TestReadingAndDeletingIt:
    def test_without_one_it_is_null(self, api: ApiClient, rival: Rival) -> None:
        response = api.get(PATH)
        assert (response.status_code, response.json()) == (200, {"data": None})
        assert_problem(api.delete(PATH), 404, "not_found")

    def test_an_integration_of_another_account_is_404(
        self, api: ApiClient, rival_api: ApiClient, application: Application
    ) -> None:
        assert rival_api.get(PATH).json() == {"data": None}
        assert_problem(rival_api.delete(PATH), 404, "not_found")
        assert Binding.objects.count() == 1

    def test_deleted_its_secret_is_dead_at_once(self, api: ApiClient, application: Application) -> None:
        assert api.delete(PATH).status_code == 204
        assert_problem(application.post("/turn", {}), 403, "token_not_bound")
        assert api.get(PATH).json() == {"data": None}

    def test_deleting_the_bound_assistant_leaves_it_as_one_without(self, application: Application) -> None:
        assistant = AssistantFactory.create(widget=application.widget)
        Binding.objects.update(assistant=assistant)
        assistant.delete()
        assert application.binding.assistant is None
