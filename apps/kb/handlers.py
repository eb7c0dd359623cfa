"""A model that was changed or mended is followed at once."""

from apps.core.bus import handles
from apps.kb.actions.background import follow_model
from apps.kb.events import EmbeddingModelMended


@handles(EmbeddingModelMended)
def follow_mended_model(event: EmbeddingModelMended) -> None:
    """The rules' statuses are about the model in use; those that wait after a failure wait no longer."""
    follow_model(event.widget_id)
