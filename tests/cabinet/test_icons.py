"""The cabinet's icons: Material Symbols stand in its menu alone, where one picture means one thing."""

from collections.abc import Iterator

from django.contrib import admin

from apps.cabinet.navigation import sections
from tests.architecture.source import APPS

ACTIONS = ("actions_list", "actions_row", "actions_detail", "actions_submit_line")


def actions() -> Iterator[tuple[str, object]]:
    """The buttons of all pages by name."""
    for page in admin.site._registry.values():
        for kind in ACTIONS:
            for name in getattr(page, kind, None) or ():
                if isinstance(name, str) and hasattr(page, name):
                    yield f"{type(page).__name__}.{name}", getattr(page, name)


def test_a_button_of_a_page_has_words_and_no_icon() -> None:
    found = dict(actions())
    assert len(found) > 5
    assert [name for name, action in found.items() if getattr(action, "icon", None)] == []


def test_no_template_or_sheet_of_ours_draws_one_outside_the_menu() -> None:
    files = [
        path
        for kind in ("templates", "static")
        for path in APPS.glob(f"*/{kind}/**/*")
        if path.suffix in {".html", ".css"}
    ]
    lines = {
        f"{path.name}: {line}" for path in files for line in path.read_text().splitlines() if "material-symbols" in line
    }
    assert len(files) > 50
    assert [line for line in lines if "#nav-sidebar-apps" not in line] == []


def test_each_group_of_the_menu_has_a_picture_of_its_own() -> None:
    icons = [section.group.icon for section in sections()]
    assert len(icons) > 5
    assert len({*icons}) == len(icons)
