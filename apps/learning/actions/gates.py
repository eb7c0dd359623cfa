"""The kill switch: what the gates say now, and the platform's own."""

from django.utils import timezone

from apps.ai.actions.model_calls import CHAT_MODEL
from apps.ai.models import Assistant
from apps.ai.settings import settings_of
from apps.learning.actions.probation import running_of
from apps.learning.models import LearningSwitch
from apps.learning.rules.gates import Facts, Gate, gates_of


def is_switched_on() -> bool:
    """Whether the platform lets assistants tune themselves, and models draft wishes."""
    return not LearningSwitch.objects.filter(pk=1, is_on=False).exists()


def switch(*, is_on: bool) -> None:
    """Opens or closes the platform's gate; it holds from the commit on, everywhere."""
    LearningSwitch.objects.update_or_create(pk=1, defaults={"is_on": is_on, "changed_at": timezone.now()})


def gates_now(widget_id: int, assistant: Assistant | None) -> tuple[Gate, Gate, Gate]:
    """The three gates of an assistant. No vendor is asked."""
    settings = settings_of(widget_id)
    has_model = bool(assistant and CHAT_MODEL.available(widget_id, assistant.pk))
    return gates_of(
        Facts(
            switched_on=is_switched_on(),
            ai_enabled=settings.enabled,
            tuning_enabled=settings.autonomous_tuning_enabled,
            has_assistant=assistant is not None,
            assistant_enabled=bool(assistant and assistant.enabled),
            has_credential=has_model,
            on_probation=bool(assistant and running_of(widget_id, assistant.pk)),
        )
    )
