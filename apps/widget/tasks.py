from celery import shared_task
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from apps.leases import Queue
from apps.widget import actions
from apps.widget.actions import retention, translations
from apps.widget.models import Translation

QUEUE = Queue(
    model=Translation,
    title=_("translations of the widget's texts"),
    work=translations.translate,
    given_up=translations.given_up,
    waits=(10, 60, 600),
    in_flight=2,
    longest_s=120,
)


@shared_task
def ask_for_translations() -> None:
    translations.ask_everywhere()


@shared_task
def forget_used_proofs() -> None:
    actions.forget_used_proofs(as_of=timezone.now())


@shared_task
def forget_offers() -> None:
    retention.forget_offers(as_of=timezone.now())
