"""Markdown as a text without marks: the words, what stays as it is typed, and what the marks mean."""

import pytest

from apps.chats.rules.markup import has_marks, plain_text, read_markdown

PLAIN = [
    ("**По городу** — 300 ₽, *срочно* ~~500~~ 450", "По городу — 300 ₽, срочно 500 450"),
    ("## Доставка\n\nЗавтра", "Доставка\n\nЗавтра"),
    ("* раз\n* два\n  * три", "• раз\n• два\n  • три"),
    ("1. Заказ\n2. Оплата", "1. Заказ\n2. Оплата"),
    ("|Зона|Цена|\n|---|:-:|\n|Москва|**300**|\n|Тула|500|", "Зона: Москва; Цена: 300\nЗона: Тула; Цена: 500"),
    ("Код: `a*b`\n\n```python\nprint(1)  # *\n```", "Код: a*b\n\nprint(1)  # *"),
    ("См. [доставку](https://shop.example/a_b?x=*1*).", "См. доставку (https://shop.example/a_b?x=*1*)."),
    ("[https://shop.example](https://shop.example)", "https://shop.example"),
    ("<https://shop.example/я>, <help@shop.example>", "https://shop.example/я, help@shop.example"),
    ("![Карта](https://shop.example/map.png)", "Карта (https://shop.example/map.png)"),
    ("> Как просили\n> вчера", "Как просили\nвчера"),
    ("Раз\n\n---\n\nДва", "Раз\n\n———\n\nДва"),
    (r"5 \* 3 \_ 2", "5 * 3 _ 2"),
    ("**Цена:**300 и 这是**注意：**请", "Цена:300 и 这是注意：请"),
]
AS_TYPED = [
    "a < b, c > d, если x<y и z>1",
    "[1], [см. ниже], массив[0](1)",
    "2*3*4, 5 * 3 * 2, 100* ₽\n*при оплате картой",
    "snake_case_name, file_name_.py, C:\\temp",
    "<b>тег</b> и vector<int>",
    "[1]: https://shop.example",
    "https://shop.example/__init__/*x*_y",
    "> 5 штук, >10 кг",
    "- 5 °C",
    "2026. Начало\n+7 900 333-33-33",
    "#5 и # 5? ~5 минут~",
    "Первая\nвторая\n\n    с отступом",
]


@pytest.mark.parametrize(("markdown", "text"), PLAIN)
def test_the_words_stay_without_the_marks(markdown: str, text: str) -> None:
    assert has_marks(markdown)
    assert plain_text(markdown) == text


@pytest.mark.parametrize("text", AS_TYPED)
def test_signs_that_are_no_marks_stay_as_they_are_typed(text: str) -> None:
    assert not has_marks(text)
    assert plain_text(text) == text


def test_the_marks_are_told_by_their_places() -> None:
    text = read_markdown("**Раз _два_** и [три](https://shop.example)")
    found = [(text.text[one.start : one.end], one.kind, one.value) for one in text.spans]
    assert found == [("Раз два", "bold", ""), ("два", "italic", ""), ("три", "link", "https://shop.example")]


def test_a_part_keeps_what_is_marked_of_it() -> None:
    part = read_markdown("**Раз два** три").part(3, 9)
    assert (part.text, part.spans[0]) == ("два т", (0, 3, "bold", ""))
