from django.urls import path

from apps.ai.api.alerts import AlertViewSet
from apps.ai.api.assistants import AssistantViewSet
from apps.ai.api.credentials import CredentialViewSet
from apps.ai.api.detached_tests import AssistantTestViewSet
from apps.ai.api.evaluations import EvaluationCaseViewSet, EvaluationViewSet
from apps.ai.api.external_operators import ExternalOperatorViewSet, ProbeStartViewSet, ProbeViewSet
from apps.ai.api.operators import AiOperatorViewSet
from apps.ai.api.replies import AiReplyViewSet
from apps.ai.api.settings import AiSettingsViewSet, PhraseViewSet
from apps.core.endpoints import converters  # noqa: F401 - registers `id`

urlpatterns = [
    path("ai/settings", AiSettingsViewSet.as_view({"get": "retrieve", "patch": "partial_update"})),
    path("ai/settings/migrate", AiSettingsViewSet.as_view({"post": "migrate"})),
    path("ai/messages", PhraseViewSet.as_view({"get": "retrieve", "patch": "partial_update", "put": "update"})),
    path("ai/assistants", AssistantViewSet.as_view({"get": "list", "post": "create"})),
    path(
        "ai/assistants/<id:assistant_id>",
        AssistantViewSet.as_view({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
    ),
    path("ai/assistants/<id:assistant_id>/test", AssistantTestViewSet.as_view({"get": "retrieve", "post": "create"})),
    path("ai/evaluation-cases", EvaluationCaseViewSet.as_view({"get": "list", "post": "create"})),
    path(
        "ai/evaluation-cases/<id:case_id>",
        EvaluationCaseViewSet.as_view({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
    ),
    path("ai/evaluations", EvaluationViewSet.as_view({"get": "list", "post": "create"})),
    path("ai/evaluations/<id:run_id>", EvaluationViewSet.as_view({"get": "retrieve"})),
    path("ai/evaluations/<id:run_id>/apply", EvaluationViewSet.as_view({"post": "apply"})),
    path("ai/operators", AiOperatorViewSet.as_view({"get": "list", "post": "create"})),
    path("ai/operators/<id:operator_id>", AiOperatorViewSet.as_view({"patch": "partial_update", "delete": "destroy"})),
    path("ai/credentials", CredentialViewSet.as_view({"get": "list", "post": "create"})),
    path("ai/credentials/<id:credential_id>", CredentialViewSet.as_view({"patch": "partial_update"})),
    path("ai/credentials/<id:credential_id>/models", CredentialViewSet.as_view({"get": "models"})),
    path("ai/alerts", AlertViewSet.as_view({"get": "list"})),
    path("ai/alerts/acknowledge", AlertViewSet.as_view({"post": "acknowledge"})),
    path("ai/replies", AiReplyViewSet.as_view({"post": "create"})),
    path("external-operators", ExternalOperatorViewSet.as_view({"get": "list"})),
    path(
        "external-operators/<uuid:public_id>",
        ExternalOperatorViewSet.as_view({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
    ),
    path("external-operators/<uuid:public_id>/lifecycle", ExternalOperatorViewSet.as_view({"post": "lifecycle"})),
    path("external-operators/<uuid:public_id>/force-drain", ExternalOperatorViewSet.as_view({"post": "force_drain"})),
    path("external-operators/<uuid:public_id>/tests", ProbeStartViewSet.as_view({"post": "create"})),
    path("external-operators/<uuid:public_id>/tests/<uuid:test_public_id>", ProbeViewSet.as_view({"get": "retrieve"})),
]
