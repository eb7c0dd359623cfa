"""Small pictures that may move, from strangers: a static PNG, or an animated WebP or GIF, encoded again in its format.

As in `pictures`, what leaves here is pixels that were decoded. Sizes and frames are judged before anything is decoded.
"""

from dataclasses import dataclass
from io import BytesIO
from typing import IO, Any

from django.utils.translation import gettext_noop
from PIL import Image

from apps.core.parsing.pictures import NotAPicture
from apps.widget.rules.icons import TYPES_BY_FORMAT

_NONE_OF_THEM = gettext_noop("This is no whole static PNG, animated WebP or animated GIF.")
# The shortest that browsers show a frame; what is shorter they take for 100 ms.
_LEAST_MS, _USUAL_MS = 20, 100


@dataclass(frozen=True, slots=True)
class Remade:
    """The picture, encoded again; of an animation `still` is the first frame, as PNG."""

    content: bytes
    content_type: str
    width: int
    height: int
    still: bytes | None


def redrawn(source: IO[bytes], *, sides: tuple[int, int], most_frames: int, most_pixels: int) -> Remade:
    """The picture in its own format, without anything but its pixels and times.

    `sides` are the shortest and the longest that a side may be, `most_pixels` counts all frames. Raises NotAPicture.
    """
    try:
        with Image.open(source, formats=tuple(TYPES_BY_FORMAT)) as whole:
            whole.verify()  # to its very end: what is cut off there is decoded without a word
        source.seek(0)
        with Image.open(source, formats=tuple(TYPES_BY_FORMAT)) as picture:
            _judge(picture, sides, most_frames, most_pixels)
            return _remade(picture)
    except NotAPicture:
        raise
    except Exception:
        # Any: what is malformed makes decoders raise whatever they stumble over.
        raise NotAPicture(_NONE_OF_THEM) from None


def _judge(picture: Any, sides: tuple[int, int], most_frames: int, most_pixels: int) -> None:
    """Refuses by what the headers say."""
    shortest, longest = sides
    width, height = picture.size
    if not (shortest <= width <= longest and shortest <= height <= longest):
        raise NotAPicture(f"Each side must have {shortest} to {longest:,} pixels.")
    frames = getattr(picture, "n_frames", 1)
    if (picture.format == "PNG") != (frames == 1) or getattr(picture, "default_image", False):
        raise NotAPicture(_NONE_OF_THEM)
    if frames > most_frames:
        raise NotAPicture(f"The animation has more than {most_frames} frames.")
    if frames * width * height > most_pixels:
        raise NotAPicture(f"The frames have more than {most_pixels:,} pixels together.")


def _remade(picture: Any) -> Remade:
    format_, frames, times = picture.format, [], []
    for number in range(getattr(picture, "n_frames", 1)):
        picture.seek(number)
        picture.load()
        frame = Image.new("RGBA", picture.size)
        frame.paste(picture.convert("RGBA"))
        frames.append(frame)
        shown_ms = int(picture.info.get("duration") or 0)
        times.append(shown_ms if shown_ms >= _LEAST_MS else _USUAL_MS)
    is_animated = len(frames) > 1
    content = _written(frames, format_, times if is_animated else None, loop=int(picture.info.get("loop") or 0))
    still = _written(frames[:1], "PNG", None) if is_animated else None
    width, height = picture.size
    return Remade(content, TYPES_BY_FORMAT[format_], width, height, still)


def _written(frames: list[Image.Image], format_: str, times: list[int] | None, *, loop: int = 0) -> bytes:
    made = BytesIO()
    if times is None:
        frames[0].save(made, format_)
    else:
        more = {"disposal": 2} if format_ == "GIF" else {"quality": 85}
        frames[0].save(made, format_, save_all=True, append_images=frames[1:], duration=times, loop=loop, **more)
    return made.getvalue()
