"""Pages of a PDF that are pictures of text, and how they look."""

import base64
from itertools import islice
from typing import Any

from apps.extraction.sandbox.pdf import is_picture, page_of

# Dots an inch, and most dots a side.
_DOTS, _LARGEST = 200, 2400


def numbers(pdf: Any, pages: int, most: int) -> list[int]:
    """The numbers of the first pages that are pictures of text, from 1."""
    found = (number + 1 for number in range(min(len(pdf), pages)) if is_picture(page_of(pdf, number)))
    return list(islice(found, most))


def drawn(pdf: Any, number: int) -> dict[str, Any]:
    """A page in shades of grey, at 200 dots an inch or what _LARGEST allows."""
    loaded = pdf[number - 1]
    scale = min(_DOTS / 72, _LARGEST / max(loaded.get_size()))
    bitmap = loaded.render(scale=scale, grayscale=True, may_draw_forms=False)
    rows = bytes(bitmap.buffer)
    grey = b"".join(rows[at : at + bitmap.width] for at in range(0, bitmap.stride * bitmap.height, bitmap.stride))
    return {"width": bitmap.width, "height": bitmap.height, "grey": base64.b64encode(grey).decode()}
