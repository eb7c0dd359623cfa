"""The demo's billing records: one of every kind, and legal entities that can and can't be changed."""

from typing import Any

from apps.demo import seeding
from tests.client import ApiClient, assert_problem


def test_the_demo_has_a_record_of_every_kind(db: None) -> None:
    accounts = seeding.seed()["accounts"]
    for widget in (accounts[0]["widgets"][0], accounts[1]["widgets"][0]):
        api = ApiClient(widget["tokens"]["all"])
        rows: dict[str, Any] = {
            name: api.get(f"/billing/{name}").json()["data"] for name in ("transactions", "subscriptions", "invoices")
        }
        assert {row["type"] for row in rows["transactions"]} == {
            "top_up",
            "plan_purchase",
            "invoice_payment",
            "withdrawal",
        }
        assert {row["kind"] for row in rows["subscriptions"]} == {"product", "package"}
        assert {row["status"] for row in rows["invoices"]} == {"issued", "paid"}
        assert api.get("/billing/balance").json()["data"]["reserved_minor"] == 120_050
        assert api.get("/partners").json()["data"]["available_minor"] == 50_000
        entities = widget["legal_entity_ids"]
        fits = {"contact_person": "Anna"}
        locked = api.patch(f"/billing/entities/{entities['locked']}", json=fits)
        assert_problem(locked, 409, "entity_locked_by_pending_withdrawal")
        invoiced = api.delete(f"/billing/entities/{entities['invoiced']}")
        assert_problem(invoiced, 409, "entity_referenced_by_financial_record")
        for name in ("locked", "invoiced", "free"):  # what is stored is what the API would take
            entity = api.get(f"/billing/entities/{entities[name]}").json()["data"]
            body = {key: value for key, value in entity.items() if key not in ("id", "created_at", "updated_at")}
            assert api.post("/billing/entities", json=body).status_code == 201
        assert api.delete(f"/billing/entities/{entities['free']}").status_code == 204
