"""Addresses that a caller gives to be called later: a receiver's, a custom channel's."""

from typing import Any

from rest_framework import serializers

from apps.core.endpoints.serializers import Text
from apps.egress import EgressRefused, vet


class OutboundUrl(Text):
    """An https url whose host resolves to public addresses only; becomes `url` and `target`, as it is called.

    Asks the resolver, in a place of the bulkhead: its operation `calls_out`. Raises BulkheadFull (429).
    """

    requires_context = True

    def to_internal_value(self, data: Any) -> Any:
        url = super().to_internal_value(data)
        try:
            return {"url": url, "target": vet(url, place=self.context["call"].outbound.slot()).url}
        except EgressRefused as error:
            raise serializers.ValidationError(str(error)) from None
