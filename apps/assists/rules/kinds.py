"""The kinds of assists, their states, and their limits."""

from datetime import timedelta
from enum import StrEnum


class AssistKind(StrEnum):
    """The kind of help; also the purpose of its calls."""

    DRAFT = "draft"
    REWRITE = "rewrite"
    TRANSLATION = "translation"
    SUMMARY = "summary"
    # Of reviews, which no operator asks for beside a chat.
    REVIEW = "review"


class AssistState(StrEnum):
    """The state of an assist."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"


class AssistOutcome(StrEnum):
    """The outcome of a result."""

    USED = "used"
    EDITED = "edited"
    DISMISSED = "dismissed"


class FailReason(StrEnum):
    """Why there is no result. A vendor's own reasons stand beside these (`ai.drivers.Reason`)."""

    TIMEOUT = "timeout"
    BAD_ANSWER = "bad_answer"
    BUDGET = "budget_exhausted"
    UNAVAILABLE = "assist_unavailable"
    CRASHED = "crashed"
    STOPPED = "stopped"
    EMPTY = "empty_answer"
    # Refusals.
    SAFETY = "safety_floor"
    LEAK = "prompt_leak"


ASKED_BESIDE_A_CHAT = (AssistKind.DRAFT, AssistKind.REWRITE, AssistKind.TRANSLATION, AssistKind.SUMMARY)
IN_FLIGHT = (AssistState.QUEUED, AssistState.RUNNING)
OVER = (AssistState.DONE, AssistState.FAILED, AssistState.REFUSED)

STARTS_A_MINUTE, AT_ONCE_OF_OPERATOR, AT_ONCE_OF_WIDGET = 30, 4, 8
VENDOR_CALLS = 3
SECONDS: dict[AssistKind, float] = {
    AssistKind.DRAFT: 25.0,
    AssistKind.REWRITE: 25.0,
    AssistKind.TRANSLATION: 20.0,
    AssistKind.SUMMARY: 25.0,
    AssistKind.REVIEW: 45.0,
}
# How often the words so far are shown, in seconds.
SHOWN_EVERY_S = 0.2

# Characters.
MAX_KEY_WORDS, MAX_REWRITTEN, MAX_TRANSLATED, MAX_COMMENT = 500, 10_000, 4_000, 500
TEXT_OF: dict[AssistKind, tuple[int, int]] = {
    AssistKind.DRAFT: (0, MAX_KEY_WORDS),
    AssistKind.REWRITE: (1, MAX_REWRITTEN),
    AssistKind.TRANSLATION: (1, MAX_TRANSLATED),
    AssistKind.SUMMARY: (0, 0),
    AssistKind.REVIEW: (0, 0),
}
MAX_LANGUAGE = 3

# How long rows are kept, and for how long with the words as they were shown: then redacted alone.
KEPT, SHOWN_WHOLE = timedelta(days=180), timedelta(days=1)


class BuiltInTool(StrEnum):
    """A tool for texts. An owner's own is `own:<id>`."""

    SHORTEN = "shorten"
    FRIENDLIER = "friendlier"
    FORMAL = "formal"
    GRAMMAR = "grammar"
    TRANSLATE = "translate"


OWN = "own:"
MAX_OWN_TOOLS, MAX_TOOL_NAME, MAX_INSTRUCTION = 20, 60, 1_000


def names_refusal(names: object) -> str | None:
    """Why these are no names of a tool, by language; None if they are."""
    if not isinstance(names, dict) or not names:
        return "A name in one language at least is expected."
    for language, name in names.items():
        if not isinstance(name, str) or not 1 <= len(name.strip()) <= MAX_TOOL_NAME:
            return f"A name has 1 to {MAX_TOOL_NAME} characters."
        if not isinstance(language, str) or len(language) > MAX_LANGUAGE:
            return "Languages are named by their codes."
    return None


def own_tool_id(tool: str) -> int | None:
    """The number of an owner's tool; None for any other text."""
    digits = tool.removeprefix(OWN) if tool.startswith(OWN) else ""
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None


def request_refusals(kind: AssistKind, *, text: str | None, tool: str | None) -> dict[str, str]:
    """The refusals of a wish, by member."""
    refusals = {}
    least, most = TEXT_OF[kind]
    if text is not None and not most:
        refusals["text"] = "An assist of this kind takes none."
    elif least and not (text or "").strip():
        refusals["text"] = "This assist is made of a text."
    elif text is not None and len(text) > most:
        refusals["text"] = f"At most {most} characters."
    if kind is AssistKind.REWRITE:
        if not tool or (tool not in tuple(BuiltInTool) and own_tool_id(tool) is None):
            refusals["tool"] = f"One of {', '.join(BuiltInTool)}, or {OWN}<id>."
    elif tool is not None:
        refusals["tool"] = "An assist of this kind takes none."
    return refusals
