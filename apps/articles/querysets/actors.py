"""The writer of a version, by name."""

from apps.accounts.models import ApiToken


def token_name(widget_id: int, token_id: int) -> str:
    """The name of a widget's API token, as the versions of texts keep it."""
    return str(ApiToken.objects.for_widget(widget_id).get(pk=token_id))
