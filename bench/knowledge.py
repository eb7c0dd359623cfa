"""How well the knowledge base finds: four ways of looking, eight tracks, three collections of help (docs/adr/0023)."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from bench.databases import own_servers
from bench.retrieval import HYBRID, TEXT, VECTOR, WORDS
from bench.topics import fetch
from config.environment import PROJECT_ROOT
from launcher.servers import free_port

WORSE, BETTER, MISSPELT_BETTER, ACROSS = 0.01, 0.03, 0.15, 0.9
# Full text alone finds nothing of a question in another language: there is nothing to be under.
SAME_LANGUAGE = ("ru", "en", "codes")


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Recall at 5 and nDCG at 10 by collection, track and way; how much was asked and looked through."""

    found: Mapping[str, Mapping[str, Mapping[str, tuple[float, float]]]]
    sizes: Mapping[str, Any]

    @property
    def judged(self) -> list[tuple[str, float, float]]:
        """The figures with a goal: the title, the value, and the most that it may be. In nDCG at 10 by default."""
        rows = []
        for name, found in self.found.items():
            worst = max(
                (max(ways[VECTOR][1], ways[WORDS][1]) - ways[HYBRID][1], track) for track, ways in found.items()
            )
            rows.append((f"{name}: hybrid under the better plain one, worst track ({worst[1]})", worst[0], WORSE))
            means = {way: fmean(ways[way][1] for ways in found.values()) for way in (VECTOR, WORDS, HYBRID)}
            under = max(means[VECTOR], means[WORDS]) - means[HYBRID]
            rows.append((f"{name}: the better plain one less hybrid, mean of tracks", under, -BETTER))
            misspelt = found["misspelt"]
            rows.append(
                (
                    f"{name}: full text less ours on text, misspelt",
                    misspelt[WORDS][1] - misspelt[TEXT][1],
                    -MISSPELT_BETTER,
                )
            )
            worst = max((found[track][WORDS][1] - found[track][TEXT][1], track) for track in SAME_LANGUAGE)
            rows.append((f"{name}: full text less ours on text, worst other track ({worst[1]})", worst[0], 0.0))
            for track, same in (("ru to en", "en"), ("en to ru", "ru")):
                ratio = found[same][HYBRID][0] / max(found[track][HYBRID][0], 1e-9)
                rows.append((f"{name}: recall@5 of {same} to {track}, hybrid", ratio, 1 / ACROSS))
        return rows

    def document(self) -> dict[str, Any]:
        return {"found": self.found, "sizes": self.sizes}


def measure_knowledge() -> Knowledge:
    """Raises RuntimeError without the collections' packages or the embedder."""
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder, own_servers() as (_, environ):
        files = fetch(Path(folder))
        port = free_port()
        environ |= {"EGRESS_ALLOW": f"127.0.0.1:{port}"}
        with _embedder(port, environ):
            command = [sys.executable, "-m", "bench.retrieval", str(files), f"http://127.0.0.1:{port}"]
            done = subprocess.run(command, cwd=PROJECT_ROOT, env=environ, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"the seekers failed: {done.stderr[-2000:]}")
        found = json.loads(done.stdout.strip().splitlines()[-1])
    sizes = found.pop("sizes")
    return Knowledge(found, sizes)


@contextmanager
def _embedder(port: int, environ: Mapping[str, str]) -> Iterator[None]:
    command = [sys.executable, "manage.py", "serve_embeddings", "--port", str(port)]
    with subprocess.Popen(command, cwd=PROJECT_ROOT, env=dict(environ), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        if not process.stdout.readline():
            raise RuntimeError("the knowledge base is not measured: pip install -r requirements/embedder.txt")
        try:
            yield
        finally:
            process.terminate()
