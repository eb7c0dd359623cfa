"""The page where the cause of an alert is mended."""

from django.urls import reverse

from apps.ai.models import Alert
from apps.ai.rules.configuration import AlertCode

OF_SETTINGS = (AlertCode.BUDGET_LOW, AlertCode.BUDGET_EXHAUSTED, AlertCode.REPLY_LIMIT)


def cure_of(alert: Alert) -> str:
    """The address of that page: the key, the assistant, the external operator, or the settings."""
    if alert.code in OF_SETTINGS:
        return reverse("admin:ai_aisettings_change", args=[alert.widget_id])
    if alert.code == AlertCode.NOT_CONFIGURED:
        return reverse("admin:ai_aisettings_start", args=[alert.widget_id])
    if alert.credential_id is not None:
        return reverse("admin:ai_credential_change", args=[alert.credential_id])
    if alert.code == AlertCode.EXTERNAL_OPERATOR_DEGRADED:
        return reverse("admin:ai_externaloperator_changelist")
    if alert.assistant_id is not None:
        return reverse("admin:ai_assistant_change", args=[alert.assistant_id])
    return reverse("admin:ai_aisettings_change", args=[alert.widget_id])
