from celery import shared_task
from django.utils import timezone

from apps.widget import actions
from apps.widget.actions.translations import ask_everywhere


@shared_task
def ask_for_translations() -> None:
    ask_everywhere()


@shared_task
def mail_unseen_answers() -> None:
    actions.mail_unseen_answers(as_of=timezone.now())


@shared_task
def forget_used_proofs() -> None:
    actions.forget_used_proofs(as_of=timezone.now())
