"""How long assists are kept."""

from datetime import datetime

from apps.assists.models import Assist
from apps.assists.rules.kinds import KEPT, SHOWN_WHOLE, AssistKind

BATCH = 1_000


def forget_old(*, as_of: datetime) -> int:
    """Forgets the words as they were shown after a day: their redacted form stays; and deletes old rows.

    Harmless when run twice at once. Returns how many rows it changed. Index: assists_assist_old.
    """
    everybodys = Assist.objects.unscoped("every widget's rows")
    old = list(everybodys.filter(created_at__lt=as_of - KEPT).values_list("pk", flat=True)[:BATCH])
    gone, _ = Assist.objects.unscoped("every widget's old rows").filter(pk__in=old).delete()
    whole = everybodys.filter(created_at__lt=as_of - SHOWN_WHOLE).exclude(is_redacted=True)
    keys = list(whole.values_list("pk", flat=True)[:BATCH])
    emptied = Assist.objects.unscoped("every widget's rows of yesterday").filter(pk__in=keys)
    return gone + emptied.update(asked="", result="", is_redacted=True)


def forget_assists(*, widget_id: int, chat_id: int | None = None, agent_id: int | None = None) -> None:
    """Deletes the assists of a chat, or those of an operator but summaries, which are everybody's. In a transaction.

    A job under way finds that its row is gone, and stops.
    """
    rows = Assist.objects.for_widget(widget_id)
    if chat_id is not None:
        rows.filter(chat_id=chat_id).delete()
    if agent_id is not None:
        rows.filter(agent_id=agent_id).exclude(kind=AssistKind.SUMMARY).delete()
