"""Pictures of text in a PDF, read by Tesseract where it is installed.

The page is drawn in the cage; what Tesseract is given is a plain grid of shades that is made here, so no byte of a
stranger's file reaches it. It runs as a process of its own, with limits of memory and time, and no place to write to.
"""

import base64
import binascii
import logging
import resource
import shutil
import subprocess
import time

from apps.extraction.sandbox_process import Cage, ExtractionFailed

MAX_PAGES, SECONDS_A_PAGE, SECONDS = 30, 40.0, 240.0
MAX_TEXT = 50_000
_LARGEST, _MEMORY = 2_400, 1024 * 1024 * 1024
logger = logging.getLogger(__name__)


def is_installed() -> bool:
    return shutil.which("tesseract") is not None


def recognise(cage: Cage, content: bytes, languages: str) -> dict[str, str]:
    """The texts of a PDF's first pages that are pictures, by number; of a page that can't be read there is none.

    Raises ExtractionFailed where the document can't be.
    """
    if not is_installed():
        logger.warning("pictures of text are not read: there is no tesseract on this machine")
        return {}
    pages = cage.call("apps.extraction.sandbox.formats:pictures", content, {"most": MAX_PAGES})
    found, until = {}, time.monotonic() + SECONDS
    for page in pages if isinstance(pages, list) else []:
        left = until - time.monotonic()
        if left <= 0:
            break
        try:
            drawn = cage.call("apps.extraction.sandbox.formats:picture", content, {"page": int(page)})
            found[str(int(page))] = _read(_grid(drawn), languages, min(left, SECONDS_A_PAGE))
        except (ExtractionFailed, OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError) as error:
            logger.warning("a picture of text was not read: %s", type(error).__name__)
    return found


def _grid(drawn: dict[str, object]) -> bytes:
    """The page as a PGM. Raises ValueError for what is none."""
    width, height = drawn["width"], drawn["height"]
    if not (isinstance(width, int) and isinstance(height, int) and 0 < width <= _LARGEST and 0 < height <= _LARGEST):
        raise ValueError("no page")
    try:
        shades = base64.b64decode(str(drawn["grey"]), validate=True)
    except binascii.Error as error:
        raise ValueError("no shades") from error
    if len(shades) != width * height:
        raise ValueError("not as many shades as the page has dots")
    return b"P5\n%d %d\n255\n" % (width, height) + shades


def _read(picture: bytes, languages: str, seconds: float) -> str:
    command = ["tesseract", "stdin", "stdout", "-l", languages, "--psm", "3"]
    environ = {"PATH": "/usr/local/bin:/usr/bin:/bin", "OMP_THREAD_LIMIT": "1", "LANG": "C.UTF-8"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ, cwd="/"
    ) as process:
        resource.prlimit(process.pid, resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (0, 0))
        try:
            said, _ = process.communicate(picture, timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    if process.returncode:
        raise subprocess.SubprocessError(f"tesseract ended with {process.returncode}")
    return said[: 4 * MAX_TEXT].decode("utf-8", "ignore").replace("\0", "")[:MAX_TEXT]
