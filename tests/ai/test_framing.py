"""Nothing that a model says to a machine is read by people: thoughts, tokens of templates, calls of tools, repetition.

Each shape was seen at users of other software; its source is beside it.
"""

from time import thread_time

import pytest

from apps.ai.drivers.framing import repeated_from, unframed
from apps.ai.rules.cutting import cut, up_to_last_sentence

ANSWER = "Доставка стоит 300 рублей."
SECRET = "Скрытая наценка 40 %"

FRAMED = {
    "open-webui#8706, R1 on ollama": f"<think>{SECRET}</think>\n\n{ANSWER}",
    "deepseek-ai/DeepSeek-R1#23, the lone end": f"{SECRET}\n</think>\n{ANSWER}",
    "Phi, its call in words": f'{ANSWER}\nfunctools[{{"name": "price", "arguments": {{"id": "{SECRET}"}}}}]',
    "Phi, its call before": f'functools[{{"name": "price", "arguments": {{"id": "{SECRET}"}}}}]\n{ANSWER}',
    "its part's name": f"Assistant: {ANSWER}",
    "its part's name, bold": f"**Assistant:** {ANSWER}",
    "its part's name in Russian": f"Ассистент: {ANSWER}",
    "nested": f"<think>{SECRET} <think>мысль</think> ещё</think>{ANSWER}",
    "other case and spaces": f"<Think >{SECRET}</ think>{ANSWER}",
    "thinking": f"<thinking>{SECRET}</thinking>{ANSWER}",
    "closed by another's tag": f"<think>{SECRET}</thinking>{ANSWER}",
    "reasoning": f"<reasoning>{SECRET}</reasoning>{ANSWER}",
    "reflection": f"<reflection>{SECRET}</reflection><output>{ANSWER}</output>",
    "seed-oss": f"<seed:think>{SECRET}</seed:think>{ANSWER}",
    "open-webui's details": f'<details type="reasoning" done="true"><summary>x</summary>{SECRET}</details>{ANSWER}',
    "escaped as HTML": f"&lt;think&gt;{SECRET}&lt;/think&gt;{ANSWER}",
    "Kimi": f"◁think▷{SECRET}◁/think▷{ANSWER}",
    "Magistral": f"[THINK]{SECRET}[/THINK]{ANSWER}",
    "Sky-T1": f"<|begin_of_thought|>{SECRET}<|end_of_thought|><|begin_of_solution|>{ANSWER}<|end_of_solution|>",
    "Command A": f"<|START_THINKING|>{SECRET}<|END_THINKING|>{ANSWER}",
    "MedGemma": f"<unused94>thought\n{SECRET}<unused95>{ANSWER}",
    "Gemma 4": f"<|channel>thought\n{SECRET}<channel|>{ANSWER}",
    "gpt-oss, harmony": (
        f"<|channel|>analysis<|message|>{SECRET}<|end|><|start|>assistant<|channel|>final<|message|>{ANSWER}<|return|>"
    ),
    "gpt-oss, a call between": (
        f"<|channel|>commentary to=functions.x <|constrain|>json<|message|>{{}}<|call|>"
        f"<|start|>assistant<|channel|>final<|message|>{ANSWER}"
    ),
    "gpt-oss, its tokens dropped": f"analysis{SECRET}assistantfinal{ANSWER}",
    "Granite": f"Here is my thought process: {SECRET}\n\nHere is my response:\n{ANSWER}",
    "ReAct": f"Thought: {SECRET}\nFinal Answer: {ANSWER}",
    "ChatML": f"{ANSWER}<|im_end|>\n<|im_start|>user\n{SECRET}",
    "ChatML at the beginning": f"<|im_start|>assistant\n{ANSWER}<|im_end|>",
    "Llama 3": f"<|start_header_id|>assistant<|end_header_id|>\n\n{ANSWER}<|eot_id|>{SECRET}",
    "Gemma 2": f"{ANSWER}<end_of_turn>\n<start_of_turn>user\n{SECRET}",
    "Mistral": f"{ANSWER}</s> [INST] {SECRET} [/INST]",
    "Mistral at the beginning": f"[/INST] {ANSWER}",
    "DeepSeek": f"{ANSWER}<｜end▁of▁sentence｜>{SECRET}",
    "EXAONE": f"{ANSWER}[|endofturn|]{SECRET}",
    "Hermes' call": f'{ANSWER}\n<tool_call>\n{{"name": "x", "arguments": {{"q": "{SECRET}"}}}}\n</tool_call>',
    "a call that never ends": f'{ANSWER}<tool_call>{{"name": "{SECRET}"',
    "Mistral's call": f'{ANSWER}[TOOL_CALLS][{{"name": "x", "arguments": {{"q": "{SECRET}"}}}}]',
    "Llama's call": f'{ANSWER}<|python_tag|>{{"name": "x", "parameters": {{"q": "{SECRET}"}}}}',
    "Llama's function": f'{ANSWER}<function=find>{{"q": "{SECRET}"}}</function>',
    "DeepSeek's call": f"{ANSWER}<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>{SECRET}<｜tool▁calls▁end｜>",
    "Claude's call": f'<function_calls><invoke name="x">{SECRET}</invoke></function_calls>{ANSWER}',
    "LM Studio's call": f'[TOOL_REQUEST]{{"name": "{SECRET}"}}[END_TOOL_REQUEST]{ANSWER}',
    "Gemma's tool_code": f"{ANSWER}\n```tool_code\nprint('{SECRET}')\n```",
    "a bare call": f'{ANSWER} {{"name": "find", "arguments": {{"q": "{SECRET}"}}}}',
    "a bare call in a fence": f'{ANSWER}\n```json\n[{{"tool": "find", "args": {{"q": "{SECRET}"}}}}]\n```',
    "OpenAI's file citation": f"{ANSWER}【4:0†source】",
    "OpenAI's web citation": f"{ANSWER}\ue200cite\ue202turn0search0\ue201",
    "tags of answers": f"<answer>{ANSWER}</answer>",
    "riverscuomo/cuomputer#77, a person's name": f"Operator Анна: {ANSWER}",
    "a person's turn made up": f"{ANSWER}\nOperator Анна: {SECRET}",
    "what a database refuses": f"{ANSWER}\x00\x07",
    "half a character": f"{ANSWER}\ud83d",
}


@pytest.mark.parametrize("said", FRAMED.values(), ids=list(FRAMED))
def test_the_answer_alone_is_left(said: str) -> None:
    assert unframed(said).text == ANSWER
    assert unframed(said).hidden or said.strip() == ANSWER


UNFINISHED = {
    "never closed": f"<think>{SECRET}",
    "harmony without an end": f"<|channel|>analysis<|message|>{SECRET}",
    "its tokens dropped": f"analysisWe {SECRET}",
    "closed, and nothing behind": f"<think>{SECRET}</think>",
    "a call alone": '{"name": "find", "arguments": {"q": "1"}}',
    "a call of OpenAI's shape": '{"type": "function", "function": {"name": "find", "arguments": "{}"}}',
    "another's turn": f"<|im_start|>user\n{SECRET}",
}


@pytest.mark.parametrize("said", UNFINISHED.values(), ids=list(UNFINISHED))
def test_thoughts_without_an_answer_leave_nothing(said: str) -> None:
    assert unframed(said) == ("", True)


@pytest.mark.parametrize(
    "said",
    [
        "Если 5 < 7 и 9 > 8, то да.",
        "Было <s>400</s> 300 рублей.",
        '{"escalate": true}',
        "Нажмите <Enter>, тип vector<int>.",
        "Наш адрес: <https://shop.example/delivery>.",
        'Пример: {"name": "Роза", "price": 300}',
        "Operator hours: 9–18.",
        "Код:\n```\nprint(1)\n```\nВот.",
        "He thought: yes. I think so.",
    ],
)
def test_what_a_person_may_read_stays(said: str) -> None:
    assert unframed(said) == (said, False)


def test_a_text_that_repeats_itself_for_ever_is_said_once() -> None:
    for once in ("Да. ", "Роза стоит 100 рублей.\nТюльпан стоит 90 рублей.\n", "ха"):
        text = "Здравствуйте. " + once * 60
        end = repeated_from(text)
        assert end is not None
        assert len(text[:end]) < len("Здравствуйте. ") + 2 * len(once)
    assert repeated_from("Одна роза стоит сто рублей, а две розы двести, три розы триста. " * 2) is None


CUT = [
    ("По 90 рублей. Завтра привез", "По 90 рублей."),
    ("Есть розы. Роза стоит 1.5", "Есть розы."),
    ("Есть розы. Роза стоит 1.", "Есть розы."),
    ("Есть розы. Пишите на shop.exam", "Есть розы."),
    ("Есть розы. Пишите на shop.", "Есть розы."),
    ("Есть розы. Мы на ул. Ленина, д. 5", "Есть розы."),
    ("Есть розы. Смотрите [раздел. Доставка](https://shop.ex", "Есть розы."),
    ("Есть розы. Смотрите https://shop.example/a?b", "Есть розы."),
    ("1. Розы\n2. Тюль", "1. Розы"),
    ("Есть всё! И", "Есть всё!"),
    ("有玫瑰。还有", "有玫瑰。"),
    ("Доставка по городу стоит 3", "Доставка по городу стоит…"),
    ("Доставка стоит 1 500", "Доставка стоит…"),
    ("Смотрите [раздел доставки](https://shop.ex", "Смотрите…"),
    ("300", ""),
    ("", ""),
]


@pytest.mark.parametrize(("text", "expected"), CUT)
def test_a_cut_never_ends_within_a_number_an_address_or_a_link(text: str, expected: str) -> None:
    assert up_to_last_sentence(text) == expected


def test_a_text_that_is_too_long_is_cut_as_well() -> None:
    assert cut("Да. Нет.", 20) == "Да. Нет."
    assert cut("Есть розы. Роза стоит 1500 рублей.", 25) == "Есть розы."
    assert all(len(cut("слово " * 1_000, longest)) <= longest for longest in (10, 4_000))


@pytest.mark.parametrize(
    "piece",
    [
        "<think>",
        "</think>",
        "<",
        "<think ",
        "[THINK]",
        '{"name":',
        "[",
        "<|",
        "<|channel|>",
        "Operator A",
        "аб",
        ". ",
        "[x](",
        "```",
        "\n",
    ],
)
def test_the_time_grows_with_the_text_and_no_faster(piece: str) -> None:
    def seconds(characters: int) -> float:
        text = (piece * characters)[:characters]
        began = thread_time()
        unframed(text)
        repeated_from(text)
        up_to_last_sentence(text)
        return thread_time() - began

    seconds(1_000)
    assert seconds(32_000) < max(0.25, 12 * seconds(8_000))


@pytest.mark.parametrize("said", ["Our assistant: Anna", "functools is a module", "AI and people: both answer"])
def test_words_that_only_look_like_a_frame_stay(said: str) -> None:
    assert unframed(said).text == said


def test_a_call_of_phi_alone_leaves_nothing() -> None:
    assert unframed('functools[{"name": "price", "arguments": {"id": 1}}]').text == ""
