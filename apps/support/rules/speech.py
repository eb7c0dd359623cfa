"""Speech: which recordings and voices are taken, and what an answer is called."""

import base64
import binascii

MAX_AUDIO_BYTES = 6 * 1024 * 1024
MAX_TEXT = 4_000
SECONDS, OPERATIONS = 60, 4
VOICES = ("alloy", "ash", "ballad", "coral", "echo", "fable", "nova", "onyx", "sage", "shimmer", "verse")
FORMATS = {"mp3": "audio/mpeg", "opus": "audio/ogg", "aac": "audio/aac", "flac": "audio/flac", "wav": "audio/wav"}
# Of a type the ending by which the vendor tells what it is.
_ENDINGS = {"webm": "webm", "ogg": "ogg", "mpeg": "mp3", "mp4": "mp4", "m4a": "m4a", "wav": "wav", "flac": "flac"}


def ending_of(mime_type: str) -> str | None:
    """The ending of a recording of that type, parameters aside; None for one that is not taken."""
    kind, _, name = mime_type.partition(";")[0].strip().lower().partition("/")
    return _ENDINGS.get(name.removeprefix("x-")) if kind == "audio" else None


def decoded(text: str) -> bytes | None:
    """The bytes of base64; None for what is none, or empty."""
    try:
        return base64.b64decode(text, validate=True) or None
    except (binascii.Error, ValueError):
        return None
