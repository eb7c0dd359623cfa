"""A prompt that fits into a model's context, where the credential says how long that is. Pure."""

from apps.ai.rules.prompts import Prompt, PromptMessage, tokens_of

# Of a short context so much is left for the answer at least.
ANSWER_SHARE = 4
# The mark that stands where a text was cut.
LEFT_OUT = "\n[…]\n"


def fitted(prompt: Prompt, *, context_tokens: int | None, max_tokens: int) -> Prompt:
    """The prompt as it is, where it fits beside the answer; else without its oldest messages, and, should the system
    text and the last messages be too long still, with their longest ones cut in the middle."""
    if context_tokens is None:
        return prompt
    room = context_tokens - min(max_tokens, context_tokens // ANSWER_SHARE)
    lines = list(prompt.lines)
    total = prompt.tokens
    # The visitor's message, and the knowledge before it, stay.
    while total > room and len(lines) > 2:
        total -= tokens_of(lines.pop(0).content) + 4
    while total > room:
        longest = max(range(len(lines)), key=lambda place: len(lines[place].content), default=None)
        content = "" if longest is None else lines[longest].content
        shorter = _shortened(content, total - room)
        if longest is None or len(shorter) >= len(content):
            break  # the owner's texts alone are longer; the server may know a way
        total -= tokens_of(content) - tokens_of(shorter)
        lines[longest] = PromptMessage(lines[longest].role, shorter)
    return Prompt(prompt.system, lines)


def _shortened(content: str, tokens: int) -> str:
    """The content without so many tokens of its middle; its beginning and its end, with the marks there, stay."""
    share = len(content) / max(1, tokens_of(content))
    kept = max(200, len(content) - int((tokens + 8) * share))
    return content if kept >= len(content) else f"{content[: kept // 2]}{LEFT_OUT}{content[-(kept - kept // 2) :]}"
