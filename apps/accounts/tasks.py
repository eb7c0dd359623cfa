"""Celery entry points of accounts."""

from celery import shared_task

from apps.accounts import actions


@shared_task
def store_token_uses() -> None:
    actions.store_token_uses()


@shared_task
def forget_old_changes() -> None:
    actions.forget_old_changes()


@shared_task
def forget_old_sessions() -> None:
    actions.forget_old_sessions()
