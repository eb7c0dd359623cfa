from datetime import timedelta

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.core import plugins


class BillingConfig(plugins.ParleyAppConfig):
    name = "apps.billing"
    label = "billing"
    verbose_name = gettext_lazy("Billing")
    plugin = plugins.Plugin(
        scopes=(
            plugins.Scope(
                "billing:read", _("Billing"), _("read this widget's billing records and the account's legal entities")
            ),
            plugins.Scope(
                "billing:write",
                _("Billing"),
                _("create, update and delete the account's legal entities"),
                sensitive=True,
                owners_only=True,
            ),
            plugins.Scope("partners:read", _("Account"), _("read partner and referral data")),
            plugins.Scope(
                "partners:withdraw",
                _("Account"),
                _("reserved: no operation uses it"),
                sensitive=True,
                reserved=True,
                owners_only=True,
            ),
        ),
        jobs=(plugins.Job(_("end plans"), "apps.billing.tasks.end_plans", timedelta(minutes=5)),),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.billing.models import Invoice, LegalEntity, Payee, Plan, PlanSubscription, Transaction
        from apps.billing.rules.entities import NUMBERS

        watch(LegalEntity, "account_id", without=("updated_at",), masked=(*NUMBERS, "contact_phone"))
        watch(Transaction, "account_id", without=("reference",))
        watch(PlanSubscription, "account_id")
        watch(Invoice, "account_id", without=("reference", "payee"))
        watch(Plan, None)
        watch(Payee, None, without=("only",))
