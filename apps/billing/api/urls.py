from django.urls import path

from apps.billing.api.entities import LegalEntityViewSet
from apps.billing.api.partners import PartnerViewSet
from apps.billing.api.records import (
    BalanceViewSet,
    InvoiceViewSet,
    PlanSubscriptionViewSet,
    TransactionViewSet,
)
from apps.core.endpoints import converters  # noqa: F401 - registers `id`

LIST, ONE = {"get": "list"}, {"get": "retrieve"}

urlpatterns = [
    path("billing/balance", BalanceViewSet.as_view(ONE)),
    path("billing/transactions", TransactionViewSet.as_view(LIST)),
    path("billing/transactions/<id:transaction_id>", TransactionViewSet.as_view(ONE)),
    path("billing/subscriptions", PlanSubscriptionViewSet.as_view(LIST)),
    path("billing/subscriptions/<id:subscription_id>", PlanSubscriptionViewSet.as_view(ONE)),
    path("billing/invoices", InvoiceViewSet.as_view(LIST)),
    path("billing/invoices/<id:invoice_id>", InvoiceViewSet.as_view(ONE)),
    path("billing/entities", LegalEntityViewSet.as_view({**LIST, "post": "create"})),
    path(
        "billing/entities/<id:entity_id>",
        LegalEntityViewSet.as_view({**ONE, "patch": "partial_update", "delete": "destroy"}),
    ),
    path("partners", PartnerViewSet.as_view(ONE)),
]
