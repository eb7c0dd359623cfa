"""Pictures from strangers, encoded again: only decoded pixels leave here, and nothing else of the file.

Pure, but for the time that it takes: what would take more memory than MAX_PIXELS need is refused by its header.
"""

from io import BytesIO
from typing import IO

from PIL import Image, ImageOps

FORMATS = ("JPEG", "PNG", "GIF", "WEBP")
CONTENT_TYPE = "image/webp"
# Some 100 MB while it is decoded. The photos of most phones have 12 million.
MAX_PIXELS, MAX_SIDE = 25_000_000, 16_384
_QUALITY = 85
_VAST = f"The picture has more than {MAX_PIXELS:,} pixels, or a side over {{:,}}."


class NotAPicture(ValueError):
    """The bytes are no whole picture of one of FORMATS. Its text is for the sender."""


def remade(source: IO[bytes], *, side: int, longest: int = MAX_SIDE) -> bytes:
    """The picture as WebP that fits into a square of `side` pixels, upright, without anything but its pixels.

    A smaller one keeps its size, an animation its first frame; colours are sRGB. Raises NotAPicture (past `longest`).
    """
    try:
        with Image.open(source, formats=FORMATS) as picture:
            width, height = picture.size
            if width * height > MAX_PIXELS or max(width, height) > longest:
                raise NotAPicture(_VAST.format(longest))
            picture.draft("RGB", (side, side))  # a JPEG is decoded no larger than needed
            still = ImageOps.exif_transpose(picture)
            still = still.convert("RGBA" if still.has_transparency_data else "RGB")
    except NotAPicture:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise NotAPicture(_VAST.format(longest)) from None
    except Exception:
        # Any: what is malformed makes decoders raise whatever they stumble over.
        raise NotAPicture("This is no whole JPEG, PNG, GIF or WebP picture.") from None
    still.thumbnail((side, side), Image.Resampling.LANCZOS)
    clean = Image.new(still.mode, still.size)
    clean.paste(still)
    made = BytesIO()
    clean.save(made, "WEBP", quality=_QUALITY)
    return made.getvalue()
