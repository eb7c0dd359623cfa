"""The text of an assistant (`persona` and `system_prompt`), whose every change is a version and a line of history."""

from typing import Any

from apps.accounts.models import ApiToken, User
from apps.ai.models import Assistant, PersonaHistory, PersonaVersion
from apps.ai.rules.actors import Actor
from apps.ai.rules.configuration import ACTION_OF, PersonaCause

TEXT = ("persona", "system_prompt")


def token_actor(widget_id: int, token_id: int) -> Actor:
    """The widget's API token, as the one who acts."""
    return Actor("token", token_id, str(ApiToken.objects.get(widget_id=widget_id, pk=token_id)))


def staff_actor(user: User) -> Actor:
    """Somebody who signed in to the cabinet."""
    return Actor("staff", user.pk, user.get_full_name() or user.get_username())


def begin_persona(assistant: Assistant, *, actor: Actor, cause: PersonaCause = PersonaCause.CREATED) -> None:
    """Writes the first version of a new assistant's text. Call it in the transaction that makes the assistant."""
    _write(assistant, actor=actor, cause=cause, from_version=None)


def rewrite_persona(
    assistant: Assistant,
    *,
    actor: Actor,
    cause: PersonaCause = PersonaCause.EDITED,
    **version: Any,
) -> None:
    """Makes the text that the caller has set on a locked assistant its next version, saved by the caller.

    Call it where the text has changed, in the transaction that saves it; `version` is what else the version tells
    (`summary`, `restores`, `patch`). Raises nothing.
    """
    before = assistant.persona_version
    assistant.persona_version = before + 1
    _write(assistant, actor=actor, cause=cause, from_version=before, **version)


def _write(
    assistant: Assistant, *, actor: Actor, cause: PersonaCause, from_version: int | None, **version: Any
) -> None:
    PersonaVersion.objects.create(
        assistant=assistant,
        version=assistant.persona_version,
        cause=cause.value,
        persona=assistant.persona,
        system_prompt=assistant.system_prompt,
        actor=actor._asdict(),
        **version,
    )
    PersonaHistory.objects.create(
        widget_id=assistant.widget_id,
        assistant_id=assistant.pk,
        action=ACTION_OF[cause].value,
        from_version=from_version,
        to_version=assistant.persona_version,
        actor=actor._asdict(),
        patch=version.get("patch"),
    )
