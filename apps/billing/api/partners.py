"""The account's earnings by recommending the service (the specification names the scope `partners:read` alone)."""

from typing import Any

from django.conf import settings

from apps.accounts.models import Account
from apps.billing.models import Wallet
from apps.billing.rules.ledger import CURRENCY, SCALES, Sums
from apps.billing.serializers import PartnerSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import NOT_FOUND


class PartnerViewSet(ApiViewSet):
    target, target_field = Account, None
    reads = ("partners:read",)

    @operation(summary="Read partner data", answers=PartnerSerializer, problems=(NOT_FOUND,))
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """The account's referral code and link, how many accounts came by it, and what that has earned.

        Nothing is said of the referred accounts but their number: they are other customers.
        """
        account = context.target
        wallet = Wallet.objects.unscoped("of the account that owns the widget").of_partner(account.pk).first()
        sums, currency = (wallet.sums, wallet.currency) if wallet else (Sums(), CURRENCY)
        return {
            "code": account.referral_code,
            "link": f"{settings.PUBLIC_URL}/?ref={account.referral_code}",
            "referred_accounts": account.referred.count(),
            "earned_minor": sums.credited,
            "paid_minor": sums.debited,
            "available_minor": sums.available,
            "currency": currency,
            "minor_unit_scale": SCALES[currency],
        }
