"""Markdown in each messenger's formatting, and long texts in parts that break nothing."""

import re

import orjson
import pytest

from apps.chats.rules.markup import read_markdown
from apps.messengers.adapters import ADAPTERS
from apps.messengers.rules.delivery import Abilities, FileKind, MessagePart, parts_of
from apps.messengers.rules.markup import PLAIN, Style, pieces, utf16_length

TELEGRAM, VK, WHATSAPP, MAX = STYLES = [ADAPTERS[code].style for code in ("tg", "vk", "wa", "mx")]
ANSWER = """## 😀 Доставка
**По городу** — _300_ ₽, ~~500~~, см. [тут](https://shop.example/a_b) или `a<b`

> Как просили"""


def sent(markdown: str, style: Style, can: Abilities | None = None) -> MessagePart:
    (part,) = parts_of("text", read_markdown(markdown), {}, can or Abilities(length=utf16_length), style=style)
    return part


def test_telegram_has_entities_in_units_of_utf_16() -> None:
    part = sent(ANSWER, TELEGRAM)
    assert part.text == "😀 Доставка\nПо городу — 300 ₽, 500, см. тут или a<b\n\nКак просили"
    units = part.text.encode("utf-16-le")
    marked = [
        (one["type"], units[2 * one["offset"] : 2 * (one["offset"] + one["length"])].decode("utf-16-le"))
        for one in part.marks["entities"]
    ]
    assert marked == [
        ("bold", "😀 Доставка"),
        ("bold", "По городу"),
        ("italic", "300"),
        ("strikethrough", "500"),
        ("text_link", "тут"),
        ("code", "a<b"),
        ("blockquote", "Как просили"),
    ]
    assert part.marks["entities"][4]["url"] == "https://shop.example/a_b"


def test_whatsapp_has_its_own_signs_and_addresses_in_brackets() -> None:
    part = sent(ANSWER, WHATSAPP)
    assert part.text == (
        "*😀 Доставка*\n*По городу* — _300_ ₽, ~500~, см. тут (https://shop.example/a_b) или `a<b`\n\n> Как просили"
    )
    assert part.marks == {}


def test_whatsapp_shows_no_sign_where_it_would_be_read_as_one() -> None:
    assert sent("это**б**, **две\nстроки**", WHATSAPP).text == "этоб, *две*\n*строки*"


def test_vk_has_format_data() -> None:
    part = sent("😀 **Раз** [два](https://shop.example)", VK)
    assert part.text == "😀 Раз два"
    assert orjson.loads(part.marks["format_data"]) == {
        "version": 1,
        "items": [
            {"type": "bold", "offset": 3, "length": 3},
            {"type": "url", "offset": 7, "length": 3, "url": "https://shop.example"},
        ],
    }


def test_max_has_html_with_its_own_signs_escaped() -> None:
    part = sent("**a < b** & [два](https://shop.example/?a=1&b=2)", MAX)
    assert part.text == '<b>a &lt; b</b> &amp; <a href="https://shop.example/?a=1&amp;b=2">два</a>'
    assert part.marks == {"format": "html"}
    assert (sent("a < b & c", MAX).text, sent("a < b & c", MAX).marks) == ("a < b & c", {})


def test_marks_within_each_other_end_in_their_order() -> None:
    assert sent("**_x_**", MAX).text == "<b><i>x</i></b>"
    assert sent("~~**_x_**~~", WHATSAPP).text == "~*_x_*~"


def test_others_have_plain_text() -> None:
    part = sent(ANSWER, PLAIN)
    assert part.text.startswith("😀 Доставка\nПо городу — 300 ₽, 500, см. тут (https://shop.example/a_b)")
    assert not set("*_~`") & set(part.text.replace("a_b", ""))


@pytest.mark.parametrize("style", [PLAIN, *STYLES], ids=lambda style: type(style).__name__)
def test_a_message_without_markdown_goes_as_it_was_written(style: Style) -> None:
    written = "**Не жирно**, a < b & [1](https://shop.example) _x_"
    (part,) = parts_of("text", written, {}, Abilities(), style=style)
    assert (part.text, dict(part.marks)) == (written, {})


def test_a_caption_is_marked_too() -> None:
    details = {"file": {"id": 1, "name": "a.jpg", "size": 1, "content_type": "image/jpeg"}}
    kind = FileKind("image", max_caption=100)
    (part,) = parts_of("image", read_markdown("**Раз**"), details, Abilities(), kind=kind, style=TELEGRAM)
    assert part.marks == {"entities": [{"type": "bold", "offset": 0, "length": 3}]}


@pytest.mark.parametrize("style", [PLAIN, *STYLES], ids=lambda style: type(style).__name__)
@pytest.mark.parametrize("longest", [60, 75, 90, 110])
def test_no_part_ends_within_a_number_an_address_a_link_or_code(style: Style, longest: int) -> None:
    whole = "1 000 000 ₽", "+7 (900) 333-33-33", "https://shop.example/a,b.c", "help@shop.example", "наш новый адрес"
    text = "Итого {}, звоните {}. Всё на {} и {}; [{}](https://x.example) и ещё слова, `a b c d`. ".format(*whole)
    ready = style.ready(read_markdown(text * 7))
    parts = pieces(ready, longest, len, style)
    rendered = [style.render(part).text for part in parts]
    assert all(len(one) <= longest for one in rendered)
    for kept in (*whole, "a b c d"):
        assert sum(part.text.count(kept) for part in parts) == 7, kept
    assert "".join("".join(part.text.split()) for part in parts) == "".join(ready.text.split())


def test_marks_go_on_in_the_next_part() -> None:
    parts = parts_of("text", read_markdown("**" + "слово " * 30 + "конец**"), {}, Abilities(longest=100), style=MAX)
    assert len(parts) > 1
    assert all(re.fullmatch(r"<b>[^<>]+</b>", part.text) for part in parts)


def test_a_text_without_spaces_is_cut_at_its_sentences() -> None:
    parts = pieces("这是一句话。" * 20, 50)
    assert all(part.text.endswith("。") for part in parts)


def test_a_family_of_signs_stays_one() -> None:
    assert [part.text for part in pieces("👨‍👩‍👧" * 3, 7)] == ["👨‍👩‍👧"] * 3
