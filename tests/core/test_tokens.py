"""The design tokens: each colour can be read on its grounds, and what is generated of them is up to date."""

import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.template import Context, Template
from pytest_django import Settings

from apps.core import tokens
from apps.documentation.management.commands.generate_tokens import WRITTEN
from apps.documentation.rules.tokens import script, shadow, styles
from apps.widget.rules.skins import contrast

ROOT = Path(tokens.__file__).parents[2]
STYLES = "apps/core/static/core/tokens.css"
COLORS = tokens.source()["colors"]
GROUNDS = tokens.source()["grounds"]
HELD = {name: color for name, color in COLORS.items() if "contrast" in color}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", HELD)
def test_a_color_stands_out_on_its_grounds(name: str, scheme: str) -> None:
    color = HELD[name]
    grounds = {ground for on in color["on"] for ground in (GROUNDS if on == "grounds" else [on])}
    measured = {ground: round(contrast(color[scheme], COLORS[ground][scheme]), 1) for ground in grounds}
    assert {ground: value for ground, value in measured.items() if value < color["contrast"]} == {}


def test_words_of_every_color_reach_what_text_needs() -> None:
    """An edge and a ring are seen from 3 on; a color that words are written in needs 4.5."""
    assert {name for name, color in HELD.items() if color["contrast"] < 4.5} == {"edge", "focus"}
    assert {"ink", "soft", "accent", "on-fill", "good", "warn", "bad", "ai"} <= set(HELD)


def test_each_color_and_shadow_has_both_schemes() -> None:
    """A color that is right in light only is none."""
    written = styles(tokens.source(), tokens.lengths())
    for name in [*COLORS, *tokens.source()["elevation"]]:
        value = re.search(rf"--p-{name}: (.+);", written)
        assert value is not None, name
        assert "light-dark(" in value[1], name


def test_a_shadow_has_the_same_lengths_in_both_schemes() -> None:
    with pytest.raises(ValueError, match="0 4px 16px, 0 8px 16px"):
        shadow({"light": "0 4px 16px #00000033", "dark": "0 8px 16px #00000066"})


def test_generated_files_are_up_to_date() -> None:
    for name, write in WRITTEN.items():
        wanted = write(tokens.source(), tokens.lengths())
        assert (ROOT / name).read_text() == wanted, f"run manage.py generate_tokens: {name}"


def test_a_stale_file_fails_the_check(tmp_path: Path, settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    settings.BASE_DIR = tmp_path
    for name in WRITTEN:
        (tmp_path / name).parent.mkdir(parents=True)
    call_command("generate_tokens")
    call_command("generate_tokens", check=True)
    stale = tmp_path / STYLES
    stale.write_text(stale.read_text().replace("#3451d1", "#000000"))
    with pytest.raises(SystemExit):
        call_command("generate_tokens", check=True)
    assert STYLES in capsys.readouterr().err
    assert "#000000" in stale.read_text()  # the check changes nothing


def test_the_widget_takes_no_color() -> None:
    """Its colours are the shop's: skin and accent."""
    written = script(tokens.source(), tokens.lengths())
    assert "#" not in written
    assert "--p-l:16px" in written


def test_a_letter_reads_a_token() -> None:
    shown = Template('{% load tokens %}{% token "ink" %} {% token "ink" "dark" %} {% token "r-m" %}').render(Context())
    assert shown == "#1b2130 #e9ebf2 8px"


def test_an_unknown_token_is_refused() -> None:
    with pytest.raises(KeyError):
        tokens.token("violet")


def test_the_accent_of_the_cabinet_is_the_accent() -> None:
    primary, base = (tokens.source()["scales"][name] for name in ("primary", "base"))
    assert primary["600"] == tokens.token("accent")
    assert (base["950"], base["500"]) == (tokens.token("page", "dark"), tokens.token("soft"))
