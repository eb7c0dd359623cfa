"""The effects of a mended cause: its alerts end, and what waits is tried at once."""

from django.db import transaction

from apps.ai.actions import advice, alerts
from apps.ai.actions.model_calls import Asker, nearest_credential, sources_of
from apps.ai.actions.replies.speakers import speaker_of
from apps.ai.models import Alert, Credential
from apps.ai.rules.configuration import OF_A_CREDENTIAL, OF_A_WIDGET, AlertCode
from apps.core import bus
from apps.kb.events import EmbeddingModelMended

OF_EMBEDDINGS = ("kb_embedding_failed", "kb_embeddings_unsupported")


def missing(widget_id: int) -> str | None:
    """The sentence that names the missing part before an AI operator can answer; None where nothing is missing."""
    speaker = speaker_of(widget_id, spoke_last=None)
    if speaker is None:
        return advice.NOBODY_ABLE
    if sources_of(widget_id, speaker.assistant, speaker.operator.pk):
        return None
    if nearest_credential(widget_id, speaker.assistant, speaker.operator.pk) is not None:
        return advice.NO_MODEL
    active = Credential.objects.for_widget(widget_id).active()
    is_for_knowledge_alone = active.exists() and not active.filter(for_answers=True).exists()
    return advice.NONE_FOR_ANSWERS if is_for_knowledge_alone else advice.NO_CREDENTIAL


def end_troubles(asker: Asker) -> None:
    """Ends the alerts about the credential that has answered; that it answers again is told to what waits."""
    if asker.answered_by is None:
        return
    credential_id = asker.sources[asker.answered_by].credential_id
    if any(failed == credential_id for failed, _ in asker.failures):
        return
    with transaction.atomic():
        ended = alerts.end(asker.widget_id, OF_A_CREDENTIAL, credential_id=credential_id)
        if asker.answered_by == 0:
            alerts.end(asker.widget_id, OF_A_WIDGET)
        if ended:
            bus.publish(EmbeddingModelMended(widget_id=asker.widget_id))


def configuration_changed(widget_id: int) -> None:
    """Has what waits for another credential, model or assistant tried at once. Inside the change's transaction."""
    told = missing(widget_id)
    if told is None:
        alerts.end(widget_id, (AlertCode.NOT_CONFIGURED,))
    else:
        open_alerts = Alert.objects.for_widget(widget_id).open().filter(code=AlertCode.NOT_CONFIGURED)
        open_alerts.update(**advice.stored_as(told, {}))
    bus.publish(EmbeddingModelMended(widget_id=widget_id))


def embeddings_made(widget_id: int) -> None:
    """Vectors were made: the alerts that none are end."""
    alerts.end(widget_id, OF_EMBEDDINGS)
