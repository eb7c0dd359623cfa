"""A model's words without their framing: thoughts, tokens of chat templates, calls of tools, turns of others.

Servers should read these off, and often do not: R1, QwQ, Qwen3, Magistral, Gemma, Kimi, gpt-oss and Command answer so
behind ollama, vLLM, llama.cpp and LM Studio (tests/ai/test_framing.py names where each was seen). Pure and linear.
"""

import json
import re
from typing import Any, NamedTuple

# What is longer than any answer is not looked at.
MAX_READ = 64_000

_THOUGHT = (
    r"(?:[a-z]{1,12}:)?(?:ant|longcat_)?(?:thinking|think|thoughts?|reasoning|reflection|analysis|scratchpad"
    r"|inner_monologue|chain_of_thought)"
)
_TOOL = (
    r"(?:[a-z]{1,12}:)?(?:tool_calls?|tool_code|tool_use|tool_response|tool_result|function_calls?|functioncall|invoke)"
)
_TOKENS_THAT_END = (
    r"im_end|im_sep|endoftext|end_of_text|eot_id|eom_id|eot|end|return|end_of_turn|END_OF_TURN_TOKEN|endofturn"
    r"|observation"
)
_MARK = re.compile(
    rf"(?P<thought><\s?{_THOUGHT}(?:\s[^<>]{{0,200}})?>|&lt;{_THOUGHT}&gt;|<details\stype=\"reasoning\"[^<>]{{0,200}}>"
    r"|\[think(?:ing)?\]|◁think▷|<\|begin_of_thought\|>|<\|start_thinking\|>|<unused94>|<\|channel>)"
    rf"|(?P<unthought><\s?/\s?{_THOUGHT}\s?>|&lt;/{_THOUGHT}&gt;|</details>"
    r"|\[/think(?:ing)?\]|◁/think▷|<\|end_of_thought\|>|<\|end_thinking\|>|<unused95>|<channel\|>)"
    rf"|(?P<tool><{_TOOL}(?:[\s=][^<>]{{0,200}})?>|<function=[^<>]{{1,200}}>|\[TOOL_(?:CALLS|REQUEST)\]"
    r"|<\|tool_calls?(?:_begin|_section_begin)?\|>|<\|tool_call>|<｜tool▁calls?▁begin｜>|<\|python_tag\|>"
    r"|```tool_(?:code|calls?)\b)"
    rf"|(?P<untool></{_TOOL}>|</function>|\[/TOOL_(?:CALLS|REQUEST)\]|\[END_TOOL_REQUEST\]"
    r"|<\|tool_calls?(?:_end|_section_end)\|>|<tool_call\|>|<｜tool▁calls?▁end｜>|```(?=\s{0,3}\Z|\s{0,3}\n))"
    rf"|(?P<end><\|(?:{_TOKENS_THAT_END})\|>|<end_of_turn>|<turn\|>|<eos>|<｜end▁of▁sentence｜>|</s>|\[INST\]"
    r"|\[\|endofturn\|\])"
    r"|(?P<start><\|im_start\|>(?:assistant|user|system|tool)?|<\|start\|>(?:assistant|user|system|developer)?"
    r"|<\|start_header_id\|>[a-z]{0,12}<\|end_header_id\|>|<start_of_turn>(?:model|user)?|<\|turn>(?:model|user)?"
    r"|<\|(?:assistant|user|system)\|>|\[/INST\]|<bos>|<\|begin_of_text\|>|<｜begin▁of▁sentence｜>"
    r"|<｜(?:Assistant|User)｜>|<<SYS>>|<s>)"
    r"|(?P<nothing></?(?:answer|response|final|final_answer|output|solution)>|【[^】\n]{0,20}†[^】\n]{0,100}】"
    r"|\ue200[^\ue201\n]{0,200}\ue201|<\|[a-z_]{1,30}\|>)",
    re.IGNORECASE,
)
_OTHERS_TURN = ("user", "system", "tool", "developer")
# Models that announce their answer in words: how they begin, and what stands before the answer.
_ANNOUNCED = (
    ("here is my thought process:", "here is my response:"),  # Granite 3
    ("thought:", "final answer:"),  # the style of ReAct
    ("analysis", "assistantfinal"),  # gpt-oss, where its tokens were dropped and its words not
)
# The part's name, which a model copies in front of its words.
_ITS_PART = re.compile(
    r"\A\s*[*_]{0,2}(?:(?:ai )?assistant|ai|bot|chatbot|ассистент|помощник|бот|assistent|asistente|βοηθός|المساعد|助手"
    r"|助理)[*_]{0,2}\s?[:：][*_]{0,2}\s*(?=\S)",
    re.IGNORECASE,
)
_OPERATOR = re.compile(r"(?:\A|\n)[*_ ]{0,3}Operator [^\W\d_][^\n:]{0,60}:[*_ ]{0,4}")


class Unframed(NamedTuple):
    """The words for the visitor. `hidden`: something was taken off that only a machine should have read."""

    text: str
    hidden: bool


def unframed(said: str) -> Unframed:
    """The words without their framing. Thoughts that never end leave nothing behind them."""
    said = said[:MAX_READ]
    text = _without_controls(said)
    text = _in_words(_final_channel(text))
    text = _between_marks(text)
    text = _without_calls(text)
    text = _own_turn(text).strip()
    return Unframed(text, hidden=len(text) < len(said.strip()))


def _without_controls(text: str) -> str:
    """Without what no database keeps and nobody reads: controls, and halves of characters."""
    text = text.encode("utf-8", "ignore").decode()
    return "".join(one for one in text if one >= " " or one in "\n\t") if not text.isprintable() else text


def _final_channel(text: str) -> str:
    """The channel `final` of the format of gpt-oss (harmony); a text without channels is itself."""
    if "<|channel|>" not in text:
        return text
    before, *channels = text.split("<|channel|>")
    finals = []
    for channel in channels:
        header, _, body = channel.partition("<|message|>")
        if header.strip().casefold().startswith("final"):
            for mark in ("<|end|>", "<|return|>", "<|call|>", "<|start|>"):
                body = body.partition(mark)[0]
            finals.append(body)
    return "".join(finals) if finals else before.replace("<|start|>assistant", "")


def _in_words(text: str) -> str:
    small = text.lower()
    for beginning, announcement in _ANNOUNCED:
        if small.lstrip().startswith(beginning) and len(small) == len(text):
            place = small.rfind(announcement)
            if place >= 0:
                return text[place + len(announcement) :]
            # gpt-oss, cut off within its analysis: "analysisThe user asks".
            if beginning == "analysis" and text.lstrip()[len(beginning) : len(beginning) + 1].isupper():
                return ""
    return text


def _between_marks(text: str) -> str:
    """The words outside of thoughts and calls, up to the end of the model's own turn."""
    shown: list[str] = []
    inside, has_words, at = "", False, 0
    is_struck_out = text.find("<s>", 1) > 0  # HTML's, then, and no token
    for mark in _MARK.finditer(text):
        kind, whole = str(mark.lastgroup), mark[0].lower()
        if is_struck_out and whole in ("<s>", "</s>"):
            continue
        if inside:
            if kind == f"un{inside}":
                inside, at = "", mark.end()
            continue
        if (kind == "untool" and whole == "```") or whole == "</details>":
            continue
        piece = text[at : mark.start()]
        at = mark.end()
        if kind == "unthought":
            shown, has_words = [], False
            continue
        shown.append(piece)
        has_words = has_words or bool(piece.strip())
        if kind in ("thought", "tool"):
            inside = kind
        elif kind in ("end", "start") and (has_words or (kind == "start" and _is_anothers(whole))):
            return "".join(shown)
    return "".join(shown if inside else [*shown, text[at:]])


def _is_anothers(mark: str) -> bool:
    """Whether the turn that a token begins is not the model's own."""
    return any(role in mark for role in _OTHERS_TURN)


_MOST_CALLS = 8
_CALLS_BEGIN = re.compile(r"(?:functools)?\[?\{\s{0,20}\"(?:name|tool|tool_name|function|type|action|recipient_name)\"")
_EMPTY_FENCE = re.compile(r"```\w{0,12}\s{0,20}```")


def _without_calls(text: str) -> str:
    """Without calls of tools that are written as JSON."""
    decoder = json.JSONDecoder()
    pieces, at = [], 0
    for place, begins in enumerate(_CALLS_BEGIN.finditer(text)):
        if place == _MOST_CALLS:
            break
        if begins.start() < at:
            continue
        try:
            found, end = decoder.raw_decode(text, begins.start() + len("functools") * begins[0].startswith("functools"))
        except (ValueError, RecursionError):
            continue
        if _is_call(found):
            pieces.append(text[at : begins.start()])
            at = end
    return _EMPTY_FENCE.sub("", "".join((*pieces, text[at:]))) if pieces else text


def _is_call(found: Any) -> bool:
    if isinstance(found, list):
        return bool(found) and all(_is_call(one) for one in found)
    if not isinstance(found, dict):
        return False
    named = found.keys() & {"name", "tool", "tool_name", "function", "action", "recipient_name"}
    return bool(named) and (
        bool(found.keys() & {"arguments", "parameters", "args", "input", "action_input", "tool_input"})
        or isinstance(found.get("function"), dict)
    )


def _own_turn(text: str) -> str:
    """Without the name of a person that the model signs with, as the conversation shows theirs, and what follows it.

    A turn that begins with "Operator Anna:" is the model's own; one that comes after it is made up.
    """
    text = _ITS_PART.sub("", text)
    at, end = 0, len(text)
    for found in _OPERATOR.finditer(text):
        if not found[0].split("Operator ")[1][:1].isupper():
            continue
        if not text[: found.start()].strip():
            at = found.end()
        else:
            end = found.start()
            break
    return text[at:end]


_LEAST_TIMES, _LEAST_CHARACTERS, _MOST_LOOKED_AT = 4, 80, 8_000


def repeated_from(text: str) -> int | None:
    """The place from which a text says the same for ever: the end of its first time. None if it does not.

    The longest end of the text that is one piece, four times or more, is looked for, of the last 8,000 characters: by
    the prefix function of the text read backwards.
    """
    backwards = text[-_MOST_LOOKED_AT:][::-1]
    borders = [0] * len(backwards)
    length = found = 0
    for place in range(1, len(backwards)):
        while length and backwards[place] != backwards[length]:
            length = borders[length - 1]
        length += backwards[place] == backwards[length]
        borders[place] = length
        size = place + 1
        if size >= _LEAST_CHARACTERS and size >= _LEAST_TIMES * (size - length):
            found = size
    if not found:
        return None
    return len(text) - found + (found - borders[found - 1])
