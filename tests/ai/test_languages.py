"""Which language a text is in, of the seven."""

import pytest

from apps.ai.rules.languages import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Есть ли тюльпаны?", "ru"),
        ("Do you have tulips?", "en"),
        ("Έχετε τουλίπες;", "el"),
        ("Haben Sie Tulpen?", "de"),
        ("Wie viel kosten die Tulpen?", "de"),
        ("¿Tienen tulipanes?", "es"),
        ("Cuanto cuesta la entrega", "es"),
        ("هل لديكم زهور التوليب؟", "ar"),
        ("有郁金香吗？", "zh"),
        ("Где мой заказ ABC-123?", "ru"),
        ("where is my заказ please tell me", "en"),
        ("12345", None),
        ("👍", None),
        ("", None),
        ("iPhone", None),
    ],
)
def test_a_text_has_the_language_of_its_script_or_its_words(text: str, language: str | None) -> None:
    assert language_of(text) == language
