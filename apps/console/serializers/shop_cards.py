"""Cards from the shop's own system, as operators are shown them."""

from rest_framework import serializers

from apps.core.endpoints.row_serializers import Json, RowSerializer, TextOrNull, Time
from apps.core.endpoints.serializers import Boolean, Choice, Text, Uuid


class CardActionSerializer(RowSerializer):
    """A button of a card that an operator pressed."""

    client_id = Uuid()
    action = Text()
    state = Choice(
        choices=["running", "done", "failed", "unknown"],
        help_text="`unknown`: the shop did not answer in time. It is never told again.",
    )
    message = TextOrNull(help_text="The shop's words.")


class ShopCardSerializer(RowSerializer):
    """A card from the shop's own system, as it is known now."""

    key = Text()
    title = Text()
    state = Choice(
        choices=["loading", "fresh", "stale", "failed"],
        help_text="`stale`: it is asked for again. `failed`: what is shown, if anything, is of before.",
    )
    components = serializers.ListField(
        child=Json(), help_text="As the guide “Cards from your system” names them; addresses are https."
    )
    is_proved = Boolean(help_text="It was proved who the visitor is when the card was read.")
    fetched_at = Time(allow_null=True)
    error = TextOrNull(help_text="Why it failed: a slug, or the path of what is wrong, such as `components[3].url`.")
    last_action = CardActionSerializer(allow_null=True)
