"""The sheet that `make pictures` draws: 36 states, each in both languages, schemes and sizes, on one page."""

import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests.e2e import pictures, sheet
from tests.e2e.sheet_states import COUNTS, SURFACES
from tests.run.service import Service

pytestmark = pytest.mark.e2e


def test_the_sheet_has_the_36_states_of_the_design() -> None:
    assert COUNTS == {"widget": 12, "console": 12, "cabinet": 6, "letters": 3, "doors": 3}
    assert [*SURFACES] == [*COUNTS]
    assert sum(COUNTS.values()) == 36


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "surface",
    [*(pytest.param(name, marks=pytest.mark.slow) for name in ("widget", "console")), "cabinet", "letters", "doors"],
)
def test_each_surface_is_drawn_whole(running_service: Service, browser: Browser, tmp_path: Path, surface: str) -> None:
    taken = sheet.draw(
        running_service, browser, tmp_path, zone=pictures.late_morning(), surfaces=[surface], locales=["ru-RU"]
    )
    looks = {each.look for each in taken}
    assert looks == {f"ru-{scheme}-{width}" for scheme in ("light", "dark") for width in (1280, 390)}
    states = list(dict.fromkeys(each.state for each in taken))
    assert len(states) == COUNTS[surface]
    assert len(taken) == len(states) * len(looks)
    for each in taken:
        assert Image.open(each.path).width == int(each.look.rsplit("-", 1)[1])
    shown = re.findall(r'<img src="(.+?)"', (tmp_path / "index.html").read_text())
    assert sorted(shown) == sorted(path.name for path in tmp_path.glob("*.png"))
    # Light and dark are two pictures: neither scheme is left out.
    for state in states:
        light, dark = (mean(each.path) for each in taken if each.state == state and each.look.endswith("1280"))
        assert light > dark, state


def mean(path: Path) -> float:
    """How light a picture is, 0 to 255."""
    pixel = Image.open(path).convert("L").resize((1, 1)).getpixel((0, 0))
    assert isinstance(pixel, int)
    return pixel
