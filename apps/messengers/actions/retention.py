"""How long what came from providers, and went to them, is kept beside the chats."""

from datetime import timedelta

from django.utils import timezone

from apps.messengers.actions.receipts import EARLY_LIVES
from apps.messengers.models import EarlyReceipt, Inbound, InboundJob, OutboundJob, OutboundMessage, StartLink

PARTS_LIVE, ROWS_LIVE = timedelta(hours=24), timedelta(days=7)


def forget_old_updates() -> None:
    """Deletes what updates held after a day, and their rows after a week, with those of messages that are sent.
    Updates of an unknown kind are kept for the week.

    A message that comes again after that is still one: its chat knows it by its name.
    """
    now = timezone.now()
    done = Inbound.objects.unscoped("every widget's rows").filter(handled_at__isnull=False)
    done.filter(received_at__lt=now - PARTS_LIVE, part__isnull=False, is_unknown=False).update(part=None)
    done.filter(received_at__lt=now - ROWS_LIVE).delete()
    EarlyReceipt.objects.unscoped("every widget's rows").filter(received_at__lt=now - EARLY_LIVES).delete()
    StartLink.objects.unscoped("every widget's rows").filter(expires_at__lt=now).delete()
    InboundJob.objects.unscoped("every widget's rows").filter(
        due_at__isnull=True, waiting_since__isnull=True, claim_id__isnull=True
    ).delete()
    OutboundJob.objects.unscoped("every widget's rows").filter(
        peer__isnull=True, due_at__isnull=True, claim_id__isnull=True
    ).delete()
    OutboundMessage.objects.unscoped("every widget's rows").filter(done_at__lt=now - ROWS_LIVE).delete()
