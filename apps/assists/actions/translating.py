"""Translation both ways: an operator's words before they go, and what the visitor's side wrote."""

import logging
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from apps import leases
from apps.ai.drivers import ProviderFailed
from apps.ai.rules.fact_differences import differences
from apps.assists.actions.models_asked import helping_model
from apps.assists.actions.runs import AssistRun
from apps.assists.models import TranslationJob
from apps.assists.rules.json_answers import first_object
from apps.assists.rules.kinds import SECONDS, VENDOR_CALLS, AssistKind, FailReason
from apps.assists.rules.results import AssistFailed, AssistResult
from apps.assists.rules.translating import (
    NamedParts,
    ReadTranslation,
    batch,
    names_a_language,
    read_translation,
    translation_prompt,
)
from apps.chats.actions.translations import fail_waiting, store_translations, waiting_messages
from apps.chats.models import Message
from apps.chats.rules import SenderKind
from apps.chats.rules.translations import ChatTranslation, TranslationState, pending_of
from apps.core.bus import Cte
from apps.egress.call_budget import CallBudget, SpentError
from apps.kb.questions import BudgetExhausted
from apps.leases import Lease

logger = logging.getLogger(__name__)

MAX_TOKENS = 4_000


def translate(run: AssistRun) -> AssistResult:
    """An operator's words in the visitor's language. The model is told once which facts differ.

    Raises AssistFailed, and what `AssistRun.ask` raises.
    """
    text, to = str(run.asked["text"]), str(run.asked.get("to") or "")
    to = to or ChatTranslation.of(run.chat.translation).language or ""
    if not to:
        raise AssistFailed(FailReason.UNAVAILABLE)
    made = ""
    told: list[str] = []
    for _ in range(2):
        names = NamedParts()
        prompt = translation_prompt([text], to=to, names=names, differs=told)
        read = run.ask_for_json(
            prompt,
            lambda found, names=names: read_translation(found, texts=[text], names=names),  # type: ignore[misc]
            max_tokens=MAX_TOKENS,
        )
        made = read.texts[0] or made
        if not made:
            raise AssistFailed(FailReason.BAD_ANSWER)
        differs = differences(text, made)
        told = [one.source or f"(added) {one.text}" for one in differs]
        if not differs:
            break
    return AssistResult(text=made, differs=[one.as_json() for one in differs], language=to, more={"question": text})


# What the visitor's side wrote.

_QUEUED = f"""
assists_job AS (
    INSERT INTO assists_translationjob AS t (chat_id, widget_id, due_at, waiting_since)
    SELECT chat_id, %(assists_widget_id)s, statement_timestamp(), statement_timestamp() FROM written
    {leases.on_conflict(unique=["chat_id"], longest="0").strip()}
    RETURNING t.id
)"""  # noqa: S608 - of constants


def queueing_cte(widget_id: int) -> Cte:
    """Queues the chat of the message that the statement stores."""
    return Cte(
        _QUEUED,
        {"assists_widget_id": widget_id},
        "(SELECT true FROM assists_job)",
        lambda _: leases.wake_workers(),
    )


def queue_translations(*, widget_id: int, chat_id: int) -> None:
    """Has the waiting messages of a chat translated. Inside a transaction."""
    leases.enqueue(TranslationJob, unique={"chat_id": chat_id}, values={"widget_id": widget_id})
    leases.wake_workers()


def work(lease: Lease[TranslationJob]) -> None:
    """Translates the messages of a chat that wait, those of one language in one call. The work of `QUEUE`."""
    job = lease.row
    while messages := waiting_messages(job.widget_id, job.chat_id):
        if lease.must_stop:
            lease.give_back()
            return
        lang = pending_of(messages[0].details)[0]
        mine = [message for message in messages if lang in pending_of(message.details)]
        mine = mine[: batch([message.body for message in mine])]
        _translate_batch(lease, mine, lang)
    with transaction.atomic():
        lease.done()


def _translate_batch(lease: Lease[TranslationJob], messages: Sequence[Message], lang: str) -> None:
    """Asks a model once, and stores what it made: a text that is none is failed."""
    job = lease.row
    texts = [message.body for message in messages]
    read = _asked(lease, texts, lang)
    made: list[tuple[int, str, dict[str, Any]]] = []
    for message, text in zip(messages, read.texts if read else [None] * len(messages), strict=True):
        members: dict[str, Any]
        if text is None:
            members = {"state": TranslationState.FAILED.value, "text": "", "differs": []}
        else:
            differs = [one.as_json() for one in differences(message.body, text)]
            members = {"state": TranslationState.DONE.value, "text": text, "differs": differs}
        made.append((message.pk, message.body, members))
    by_visitor = [message.body for message in messages if message.sender_kind == SenderKind.CLIENT]
    language = read.language if read and names_a_language(by_visitor) else None
    store_translations(widget_id=job.widget_id, chat_id=job.chat_id, lang=lang, made=made, visitor_language=language)


def _asked(lease: Lease[TranslationJob], texts: Sequence[str], lang: str) -> ReadTranslation | None:
    """A model's answer; asked once more where it has another shape. None where there is none."""
    job = lease.row
    helper = helping_model(job.widget_id)
    if not helper.sources:
        return None
    budget = CallBudget(operations=VENDOR_CALLS, seconds=SECONDS[AssistKind.TRANSLATION])
    asker = helper.asker(budget, widget_id=job.widget_id, chat_id=job.chat_id, automatic=True)
    names = NamedParts()
    prompt = translation_prompt(texts, to=lang, names=names)
    try:
        for _ in range(2):
            found = first_object(asker.ask(AssistKind.TRANSLATION.value, prompt, max_tokens=MAX_TOKENS).text)
            if found is not None and (read := read_translation(found, texts=texts, names=names)) is not None:
                return read
    except (BudgetExhausted, ProviderFailed, SpentError) as failure:
        logger.info("messages of chat %s are not translated: %s", job.chat_id, type(failure).__name__)
    return None


def given_up(lease: Lease[TranslationJob], reason: str) -> None:
    """Fails the messages that wait: their originals are read, and they can be asked for again."""
    with transaction.atomic():
        lease.done(though_overtaken=True)
        fail_waiting(widget_id=lease.row.widget_id, chat_id=lease.row.chat_id)
