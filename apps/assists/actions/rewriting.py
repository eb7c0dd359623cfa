"""Rewriting what an operator is about to send."""

from apps.ai.actions.replies.reading import visible_messages
from apps.ai.rules.languages import language_of
from apps.ai.rules.redaction import Redaction
from apps.assists.actions.runs import AssistRun
from apps.assists.models import OwnTool
from apps.assists.rules.kinds import BuiltInTool, FailReason, own_tool_id
from apps.assists.rules.results import AssistFailed, AssistResult
from apps.assists.rules.rewriting import changed_facts, instruction_of, rewrite_prompt
from apps.chats.questions import visitor_language, widget_language
from apps.chats.rules import SenderKind


def rewrite(run: AssistRun) -> AssistResult:
    """The text as the tool makes it. Raises AssistFailed, and what `AssistRun.ask` raises."""
    text, tool = str(run.asked["text"]), run.assist.tool
    language = (run.asked.get("to") or language_of_visitor(run)) if tool == BuiltInTool.TRANSLATE else None
    run.redaction = Redaction()
    prompt = rewrite_prompt(text, instruction=_instruction(run), language=language, redaction=run.redaction)
    made = run.redaction.restore(run.ask(prompt, max_tokens=4_000).strip())
    if not made:
        raise AssistFailed(FailReason.EMPTY if made is not None else FailReason.BAD_ANSWER)
    return AssistResult(
        text=made,
        differs=[one.as_json() for one in changed_facts(text, made, may_lose=tool == BuiltInTool.SHORTEN)],
        language=language or language_of(made),
        more={"question": text},
    )


def _instruction(run: AssistRun) -> str:
    number = own_tool_id(run.assist.tool)
    if number is None:
        return instruction_of(run.assist.tool)
    own = OwnTool.objects.for_widget(run.assist.widget_id).filter(pk=number).first()
    if own is None:
        raise AssistFailed(FailReason.UNAVAILABLE)
    return own.instruction


def language_of_visitor(run: AssistRun) -> str:
    """The visitor's language; their last words are heard for it."""
    chat = run.chat
    theirs = (
        said for said in reversed(visible_messages(chat.widget_id, chat.pk)) if said.sender_kind == SenderKind.CLIENT
    )
    heard = next(filter(None, (language_of(said.body) for said in theirs)), "")
    return visitor_language(chat, heard=heard) or widget_language(chat.widget_id)
