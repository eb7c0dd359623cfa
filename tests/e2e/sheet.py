"""The sheet: 36 states of all surfaces side by side, in both languages and schemes, on a desk and on a telephone.

A person looks at it before a release; tests measure the same surfaces (test_eye.py). `make pictures` draws it.
"""

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page

from tests.e2e.measures import SCHEMES, settle
from tests.e2e.sheet_states import SURFACES, Stage
from tests.run.service import Service

LOCALES = ("en-GB", "ru-RU")
SIZES = ((1280, 800), (390, 844))
PAGE = """<!doctype html><meta charset="utf-8"><title>Parley: the sheet</title><style>
:root {{ color-scheme: light dark }}
body {{ margin: 1rem; font: 14px/20px system-ui, sans-serif }}
div {{ display: flex; gap: .5rem; overflow-x: auto; align-items: start }}
img {{ height: 420px; border: 1px solid GrayText }}
figure {{ margin: 0 }} figcaption {{ font-size: 12px }}
</style><h1>{count} states</h1>{surfaces}
"""


class Taken(NamedTuple):
    """A picture of a state, and where it lies."""

    surface: str
    state: str
    look: str
    path: Path


def draw(
    service: Service,
    browser: Browser,
    folder: Path,
    *,
    zone: str,
    surfaces: Iterable[str] = tuple(SURFACES),
    locales: Iterable[str] = LOCALES,
    sizes: Iterable[tuple[int, int]] = SIZES,
    schemes: Iterable[str] = SCHEMES,
) -> list[Taken]:
    """Draws the states of the surfaces into the folder, and a page that shows all of them; gives the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    taken: list[Taken] = []
    for locale in locales:
        stage = Stage(service, browser, locale, zone)
        try:
            for surface in surfaces:
                for number, (state, page) in enumerate(SURFACES[surface](stage), start=1):
                    named = f"{surface}-{number:02}-{state.replace(' ', '-').replace(',', '')}"
                    taken += [
                        Taken(surface, state, look, keep(page, folder / f"{named}-{look}.png", size, scheme))
                        for size in sizes
                        for scheme in schemes
                        for look in [f"{locale[:2]}-{scheme}-{size[0]}"]
                    ]
                    if not page.is_closed():
                        page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
                        page.emulate_media(color_scheme="light")
        finally:
            stage.close()
    (folder / "index.html").write_text(page_of(taken))
    return taken


def keep(page: Page, path: Path, size: tuple[int, int], scheme: str) -> Path:
    """Writes what is to be seen at a size, in a scheme; the page is not loaded again for it."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    settle(page)
    page.screenshot(path=path, animations="disabled")
    return path


def page_of(taken: list[Taken]) -> str:
    """The page with the pictures of each state in one row."""
    rows: dict[str, dict[str, list[Taken]]] = {}
    for each in taken:
        rows.setdefault(each.surface, {}).setdefault(each.state, []).append(each)
    drawn = []
    for surface, states in rows.items():
        drawn.append(f"<h2>{escape(surface)}: {len(states)}</h2>")
        for state, looks in states.items():
            drawn.append(f"<h3>{escape(state)}</h3><div>{''.join(map(figure, looks))}</div>")
    return PAGE.format(count=sum(map(len, rows.values())), surfaces="".join(drawn))


def figure(taken: Taken) -> str:
    name = escape(taken.path.name)
    alt = escape(f"{taken.surface}: {taken.state}, {taken.look}")
    return (
        f'<figure><a href="{name}"><img src="{name}" alt="{alt}" loading="lazy"></a>'
        f"<figcaption>{escape(taken.look)}</figcaption></figure>"
    )
