"""Avatars: pictures are encoded again, and stored under a new name for each upload (docs/adr/0014 for the bytes)."""

from io import BytesIO

from django.db import transaction

from apps.agents import rules
from apps.agents.actions.agents import locked_agent, record_change
from apps.agents.errors import AVATAR_STORAGE_FAILED
from apps.agents.models import Agent
from apps.core.endpoints.idempotency import IdempotencyLock
from apps.core.endpoints.uploads import ReceivedFile, UploadForm
from apps.core.errors import INVALID_INPUT, NOT_FOUND
from apps.core.files import storage
from apps.core.parsing.pictures import NotAPicture, remade

AVATAR_FORM = UploadForm(max_bytes=rules.MAX_AVATAR_BYTES)


def store_avatar(*, widget_id: int, agent_id: int, upload: ReceivedFile, lock: IdempotencyLock) -> None:
    """Makes the uploaded picture the operator's avatar; the bytes of the one before are given up.

    Raises INVALID_INPUT (422) on `file` for what is no picture, IDEMPOTENCY_KEY_REUSED (409), NOT_FOUND (404), and
    AVATAR_STORAGE_FAILED (502): then nothing is changed, and the key is free.
    """
    upload.rewind()
    try:
        picture = remade(upload.content, side=rules.AVATAR_SIDE)
    except NotAPicture as error:
        raise INVALID_INPUT(errors={AVATAR_FORM.part: [str(error)]}) from None
    try:
        with storage.stored(BytesIO(picture)) as key:
            lock.take()
            _set_avatar(locked_agent(widget_id, agent_id), key)
    except storage.StorageFailed:
        raise AVATAR_STORAGE_FAILED() from None


@transaction.atomic
def remove_avatar(*, widget_id: int, agent_id: int) -> None:
    """Takes the operator's avatar away. Raises NOT_FOUND (404), also when there is none."""
    agent = locked_agent(widget_id, agent_id)
    if not agent.avatar:
        raise NOT_FOUND()
    _set_avatar(agent, "")


def _set_avatar(agent: Agent, key: str) -> None:
    if agent.avatar:
        storage.discard(agent.avatar)
    record_change(agent, "profile_updated", log={"fields": ["avatar"]}, avatar=key)
