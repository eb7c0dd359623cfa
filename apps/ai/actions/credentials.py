"""Credentials: keys to vendors' models. They are vetted before, and written under one lock a widget: chains may not
close to a circle."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.accounts.audit.records import record_secret
from apps.ai.actions import alerts
from apps.ai.actions.operators import UNKNOWN_ASSISTANT
from apps.ai.events import AiConfigurationChanged
from apps.ai.models import AiOperator, Assistant, Credential
from apps.ai.rules.configuration import OF_A_CREDENTIAL, backup_refusal, endpoint_of, origin_of
from apps.core import bus, database
from apps.core.database.changes import save_changed, set_changes
from apps.core.errors import INVALID_INPUT

SECRETS = ("api_key", "signing_secret")
UNKNOWN_OPERATOR = "The widget has no such AI operator."
UNKNOWN_BACKUP = "The widget has no such credential."


@transaction.atomic
def create_credential(*, widget_id: int, **fields: Any) -> Credential:
    """Stores a credential whose `base_url`, if it has one, was vetted before (`target`).

    Raises INVALID_INPUT (422) on `base_url` where the driver needs one, on `assistant_id`, `operator_id` and
    `backup_credential_id`.
    """
    _lock(widget_id)
    credential = Credential(widget_id=widget_id, **fields)
    _check(credential, fields)
    credential.save()
    bus.publish(AiConfigurationChanged(widget_id=widget_id))
    return credential


@transaction.atomic
def change_credential(*, widget_id: int, credential_id: int, changes: Mapping[str, Any]) -> None:
    """Changes what is named of a credential; its `provider` never changes.

    A `base_url` of another origin comes with a new `api_key`, else a caller who may write an address would have the key
    sent there. Raises NOT_FOUND (404), INVALID_INPUT (422) as for a new one, and on `api_key`.
    """
    _lock(widget_id)
    credential = Credential.objects.for_widget(widget_id).get_for_update(pk=credential_id)
    before = endpoint_of(credential.provider, credential.target)
    # A secret that can't be read any more, since its key is lost, can be replaced: it is not compared.
    secrets = {name: value for name, value in changes.items() if name in SECRETS}
    changed = [*set_changes(credential, {name: changes[name] for name in changes if name not in SECRETS}), *secrets]
    for name, value in secrets.items():
        setattr(credential, name, value)
    _check(credential, changes)
    if origin_of(endpoint_of(credential.provider, credential.target)) != origin_of(before) and "api_key" not in changes:
        message = "An address of another origin needs the key to be sent with it."
        raise INVALID_INPUT(errors={"api_key": [message]})
    if changed:
        # All of it is found out anew.
        credential.embedding_model, credential.embeds_nothing_until, credential.learnt = "", None, {}
        save_changed(credential, [*changed, "embedding_model", "embeds_nothing_until", "learnt"])
        for secret in secrets:
            record_secret(credential, secret, "replaced")
        alerts.end(widget_id, OF_A_CREDENTIAL, credential_id=credential_id)
        bus.publish(AiConfigurationChanged(widget_id=widget_id))


@transaction.atomic
def delete_credential(*, widget_id: int, credential_id: int) -> None:
    """Deletes a credential; what was answered with it stays counted. Raises NOT_FOUND (404)."""
    _lock(widget_id)
    credential = Credential.objects.for_widget(widget_id).get_for_update(pk=credential_id)
    alerts.end(widget_id, OF_A_CREDENTIAL, credential_id=credential_id)
    credential.delete()
    bus.publish(AiConfigurationChanged(widget_id=widget_id))


def _check(credential: Credential, sent: Mapping[str, Any]) -> None:
    """Raises INVALID_INPUT (422), naming every member that is wrong."""
    widget_id = credential.widget_id
    errors: dict[str, list[str]] = {}
    if not endpoint_of(credential.provider, credential.target):
        errors["base_url"] = ["This provider needs a base URL."]
    if credential.assistant_id is not None and credential.operator_id is not None:
        errors["assistant_id"] = ["A credential is of an assistant or of an operator, not of both."]
    if (
        sent.get("assistant_id")
        and not Assistant.objects.for_widget(widget_id).filter(pk=sent["assistant_id"]).exists()
    ):
        errors["assistant_id"] = [UNKNOWN_ASSISTANT]
    if sent.get("operator_id") and not AiOperator.objects.for_widget(widget_id).filter(pk=sent["operator_id"]).exists():
        errors["operator_id"] = [UNKNOWN_OPERATOR]
    if sent.get("backup_id"):
        backups = dict(Credential.objects.for_widget(widget_id).values_list("pk", "backup_id"))
        if credential.backup_id not in backups:
            errors["backup_credential_id"] = [UNKNOWN_BACKUP]
        elif refusal := backup_refusal(credential.pk, int(credential.backup_id or 0), backups):
            errors["backup_credential_id"] = [refusal]
    if errors:
        raise INVALID_INPUT(errors=errors)


def _lock(widget_id: int) -> None:
    database.lock(f"ai_credentials:{widget_id}")
