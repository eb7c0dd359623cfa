"""The demo's money: plans, and on the first widget and the other account's one record of every kind.

The first of three legal entities is locked by an unpaid withdrawal, the second is named by an invoice, the third is
free. Each move has a reference of its own, so a second run makes none.
"""

from typing import Any

from apps.accounts.models import Account, Widget
from apps.billing.actions import partners
from apps.billing.actions.invoices import Item, issue_invoice, pay_invoice
from apps.billing.actions.ledger import request_withdrawal, top_up
from apps.billing.actions.plans import buy_plan
from apps.billing.models import Invoice, LegalEntity, Plan, PlanSubscription, Transaction
from apps.demo.document import Demo

PLANS: dict[str, dict[str, Any]] = {
    "pro": {"name": "Pro", "price_minor": 99_000, "days": 365, "ad_slots": 2},
    "ad-slots": {"name": "Five ad cabinets", "kind": "package", "price_minor": 45_000, "days": None, "ad_slots": 5},
}
BANK = {
    "bank_name": "ПАО Сбербанк",
    "bik": "044525225",
    "correspondent_account": "30101810400000000225",
    "kpp": "770101001",
}
# By account: what each of its legal entities is there for, its name, INN, OGRN and account.
ENTITIES = {
    "shop": (
        ("locked", "ООО «Лист и чайник»", "7701234560", "1027700123450", "40702810838000000017"),
        ("invoiced", "ООО «Чайная торговля»", "7812345675", "1037800987652", "40702810500000002453"),
        ("free", "ИП Романова О. С.", "500100732259", "304500116000157", "40802810700000000003"),
    ),
    "rival": (
        ("locked", "ООО «Цветы у дома»", "5030123457", "1105029001230", "40702810200000000001"),
        ("invoiced", "ООО «Оранжерея»", "7701234560", "1027700123450", "40702810500000000002"),
        ("free", "ИП Ланг В.", "500100732259", "304500116000157", "40802810700000000003"),
    ),
}


def seed(demo: Demo) -> None:
    """Adds plans, legal entities and money that are not there yet."""
    plans = {code: Plan.objects.get_or_create(code=code, defaults=fields)[0] for code, fields in PLANS.items()}
    entities = {name: _entities(name, account) for name, account in demo.rows(Account).items()}
    for name, widget in demo.rows(Widget).items():
        if not Transaction.objects.for_widget(widget.pk).exists():
            _move_money(widget, entities.get(name, {}), plans)
        _describe(demo, widget)
    for name, of_account in entities.items():
        for widget in demo.rows(Widget).values():
            if widget.account_id == demo.row(Account, name).pk:
                part = demo.part(widget)
                part["legal_entity_ids"] = {key: entity.pk for key, entity in of_account.items()}
                part["path_ids"] |= {"billing_entity": of_account["free"].pk}


def _entities(name: str, account: Account) -> dict[str, LegalEntity]:
    found = {
        entity.short_name: entity
        for entity in LegalEntity.objects.unscoped("demo data, by what it made").filter(account=account)
    }
    return {
        key: found.get(title)
        or LegalEntity.objects.create(
            account=account,
            short_name=title,
            full_name=title,
            representative=f"{account.surname} {account.name}",
            legal_address="117312, г. Москва, ул. Вавилова, д. 19",
            postal_address="117312, г. Москва, а/я 19",
            contact_person=f"{account.name} {account.surname}",
            contact_phone=account.phone,
            inn=inn,
            ogrn=ogrn,
            checking_account=checking_account,
            **BANK,
        )
        for key, title, inn, ogrn, checking_account in ENTITIES[name]
    }


def _move_money(widget: Widget, entities: dict[str, LegalEntity], plans: dict[str, Plan]) -> None:
    top_up(widget=widget, amount=500_000, reference="demo", description="Bank card")
    if not entities:
        return
    for code, plan in plans.items():
        buy_plan(widget=widget, plan=plan, reference=f"demo {code}")
    items = [Item("Pro, 1 year", 1, 99_000), Item("Setting up, hours", 2, 150_000)]
    paid, _ = (
        issue_invoice(widget=widget, entity=entities["invoiced"], items=items, reference=f"demo {number}")
        for number in (1, 2)
    )
    pay_invoice(invoice=paid)
    request_withdrawal(widget=widget, entity=entities["locked"], amount=120_050, reference="demo withdrawal")
    partners.reward_partner(account=widget.account, amount=75_000, reference="demo reward")
    partners.pay_partner(account=widget.account, amount=25_000, reference="demo payout")


def _describe(demo: Demo, widget: Widget) -> None:
    part = demo.part(widget)
    for kind, model in (("transaction", Transaction), ("subscription", PlanSubscription), ("invoice", Invoice)):
        ids = list(model.objects.for_widget(widget.pk).order_by("pk").values_list("pk", flat=True))
        part[f"billing_{kind}_ids"] = ids
        if ids:
            part["path_ids"] |= {f"billing_{kind}": ids[0]}
