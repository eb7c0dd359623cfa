"""The layers of the kernel around readers of foreign documents, tried when a process starts that has such readers."""

import logging
import os

from apps.core.observability.metrics import SANDBOX_ACTIVE
from apps.extraction import SandboxLayers, active_layers

logger = logging.getLogger(__name__)


def tried_layers() -> SandboxLayers:
    """Tries them in this process, and logs those that the machine lacks. Takes a fifth of a second."""
    layers = active_layers()
    can_hold = {"landlock", "seccomp"} | ({"uid"} if os.geteuid() == 0 else set())
    if lacking := [layer for layer, holds in layers._asdict().items() if layer in can_hold and not holds]:
        logger.warning(
            "the sandbox of document readers lacks %s on this machine; see docs/guides/sandbox.md", ", ".join(lacking)
        )
    return layers


def show(layers: SandboxLayers) -> None:
    """Has `/metrics` show them for this process; of several processes it shows the least."""
    for layer, holds in layers._asdict().items():
        SANDBOX_ACTIVE.labels(layer).set(holds)
