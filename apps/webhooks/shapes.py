"""What webhook subscriptions look like on the wire."""

from apps.core.endpoints.serializers import Boolean, Integer, Text
from apps.core.endpoints.shapes import Secret, Shape, TextList, Time


class SubscriptionShape(Shape):
    """A webhook subscription. Its secret is in the answer to its creation, and never again."""

    id = Integer()
    url = Text()
    events = TextList()
    is_active = Boolean()
    is_legacy_compat = Boolean()
    created_at = Time()
    updated_at = Time()


class CreatedSubscriptionShape(SubscriptionShape):
    """A new webhook subscription, with its secret."""

    secret = Secret()
