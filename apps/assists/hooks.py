"""An answer to another app: the drafts that people edited before they sent them."""

from apps.ai.questions import AiHooks
from apps.assists.querysets import is_edited_draft

TO_AI = AiHooks(is_edited_draft=is_edited_draft)
