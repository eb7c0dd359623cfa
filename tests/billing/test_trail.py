"""What moves an account's money, plans and legal entities stands in the audit trail, with who or which token did it."""

from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import ApiToken, AuditEntry, Widget
from apps.agents.models import Agent, Invitation
from apps.billing.actions.plans import cancel_subscription
from apps.billing.api.entities import EXAMPLE as ENTITY
from apps.billing.models import LegalEntity
from tests.client import ApiClient
from tests.factories.billing import LegalEntityFactory, issued_invoice, plan_bought

pytestmark = pytest.mark.django_db
ENTITIES = "/billing/entities"


def last() -> AuditEntry:
    entry: AuditEntry = AuditEntry.objects.latest("pk")
    return entry


def test_an_entitys_change_has_the_token_and_of_numbers_the_last_four_digits(
    api: ApiClient, cabinet: Client, shop: Widget
) -> None:
    made = api.post(ENTITIES, json=ENTITY).json()["data"]
    token = ApiToken.objects.get(widget=shop)
    entry = last()
    assert (entry.token_id, entry.account_id, entry.object_id) == (token.pk, shop.account_id, made["id"])
    for name in ("checking_account", "correspondent_account", "inn", "contact_phone"):
        assert entry.changes[name] == ["None", f"…{ENTITY[name][-4:]}"]
    assert api.patch(f"{ENTITIES}/{made['id']}", json={"contact_phone": "+7 (495) 765-43-21"}).status_code == 200
    assert last().changes == {"contact_phone": [f"…{ENTITY['contact_phone'][-4:]}", "…3-21"]}
    assert token.name in cabinet.get("/admin/accounts/auditentry/").content.decode()
    assert api.delete(f"{ENTITIES}/{made['id']}").status_code == 204
    assert (last().action, last().token_id) == (AuditEntry.Action.DELETE, token.pk)
    assert ENTITY["checking_account"] not in str(list(AuditEntry.objects.values("changes", "changes_text")))


def test_another_account_of_the_same_end_is_a_change_too(shop: Widget) -> None:
    entity = LegalEntityFactory.create(account=shop.account, ogrn="1027700132195")
    entity.ogrn = "1037700132195"
    entity.save(update_fields=["ogrn"])
    assert last().changes == {"ogrn": ["…2195", "…2195"]}


def test_moves_of_money_plans_and_invoices_are_lines(shop: Widget) -> None:
    LegalEntityFactory.create(account=shop.account)
    bought = plan_bought(shop)
    issued_invoice(shop)
    cancel_subscription(subscription=bought)
    kinds = set(AuditEntry.objects.filter(account_id=shop.account_id).values_list("content_type__model", flat=True))
    assert kinds >= {"transaction", "plansubscription", "invoice", "legalentity"}
    assert last().changes == {"status": ["active", "cancelled"]}
    assert AuditEntry.objects.filter(account_id=None, content_type__model="plan").exists()


def test_an_invitation_has_who_invited(cabinet: Client, api: ApiClient, olga: Agent, shop: Widget) -> None:
    form: dict[str, Any] = {"widget": shop.pk, "email": "nina@mail.test"}
    assert cabinet.post("/admin/agents/invitation/invite/", form).status_code == 302
    assert (last().actor_id, last().changes["email"]) == (olga.user_id, ["None", "nina@mail.test"])
    invitation = Invitation.objects.get()
    assert api.delete(f"/agents/invitations/{invitation.pk}").status_code == 204
    assert last().changes == {"status": ["pending", "revoked"]}
    assert last().token_id == ApiToken.objects.get(widget=shop).pk
    assert "digest" not in str(list(AuditEntry.objects.values("changes")))
    assert LegalEntity.objects.count() == 0
