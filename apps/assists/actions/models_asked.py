"""The models that help operators: those of the widget's assistant, whether or not AI answers visitors."""

from collections.abc import Sequence
from typing import NamedTuple

from apps.ai.actions.model_calls import Asker, CredentialSource, sources_of
from apps.ai.actions.replies.speakers import speaker_of
from apps.ai.models import Assistant
from apps.egress.call_budget import CallBudget


class HelpingModel(NamedTuple):
    """The assistant whose texts and models are used, its operator, and the credentials in order of use."""

    assistant: Assistant | None
    operator_id: int | None
    sources: Sequence[CredentialSource]

    def asker(self, budget: CallBudget, *, widget_id: int, chat_id: int, automatic: bool) -> Asker:
        """Asks the models about a chat. `automatic`: nobody asked for it."""
        return Asker(
            widget_id,
            self.sources,
            budget,
            assistant_id=self.assistant.pk if self.assistant else None,
            operator_id=self.operator_id,
            chat_id=chat_id,
            temperature=self.assistant.temperature if self.assistant else None,
            automatic=automatic,
        )


def helping_model(widget_id: int) -> HelpingModel:
    """The assistant of the widget's AI operator, else the default one, else the widget's own credentials."""
    speaker = speaker_of(widget_id, spoke_last=None)
    if speaker is not None:
        sources = sources_of(widget_id, speaker.assistant, speaker.operator.pk)
        return HelpingModel(speaker.assistant, speaker.operator.pk, sources)
    assistant = Assistant.objects.for_widget(widget_id).filter(is_default=True).first()
    return HelpingModel(assistant, None, sources_of(widget_id, assistant))
