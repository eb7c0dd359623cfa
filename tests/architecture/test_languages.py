"""Every test begins in one language, whatever pages were read before it in its process."""

import pytest
from django.utils import translation


@pytest.mark.parametrize("time", ["first", "next"])
def test_the_language_of_the_last_test_is_gone(time: str) -> None:
    assert translation.get_language() == "en"
    translation.activate("ru")
